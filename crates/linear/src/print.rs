//! Terms and facts in Ceptre's spelling, and as people read them.

use crate::matching::Instance;
use crate::program::{Program, RuleId, TypeId};
use crate::store::{AtomId, Store, Term};

/// Larger numbers are written in digits even where they are not built in: a rule that counts up would fill the screen.
const MOST_STROKES: u64 = 1_000;

/// As Ceptre writes it: `(s (s z))`, or a number where the type is built in.
pub fn term(program: &Program, store: &Store, term: Term, of: TypeId) -> String {
    let mut text = String::new();
    write_term(program, store, term, of, &mut text);
    text
}

/// Into one text, because terms are nested deeply and each level would copy all below it.
fn write_term(program: &Program, store: &Store, term: Term, of: TypeId, text: &mut String) {
    match (term.as_number(), program.types[of].nat) {
        (Some(number), Some((zero, more))) if !program.types[of].builtin && number <= MOST_STROKES => {
            let (zero, more) = (&program.ctors[zero].name, &program.ctors[more].name);
            *text += &format!("({more} ").repeat(number as usize);
            *text += zero;
            *text += &")".repeat(number as usize);
        }
        (Some(number), _) => *text += &number.to_string(),
        (None, _) => {
            let Some((ctor, args)) = store.node(term) else { return };
            let known = &program.ctors[ctor];
            if args.is_empty() {
                *text += &known.name;
                return;
            }
            text.push('(');
            *text += &known.name;
            for (&arg, &of) in args.iter().zip(&known.args) {
                text.push(' ');
                write_term(program, store, arg, of, text);
            }
            text.push(')');
        }
    }
}

/// As people read it: numbers as numbers, and two numbers in one term as a coordinate, `3/4`.
pub fn plain(program: &Program, store: &Store, term: Term) -> String {
    if let Some(number) = term.as_number() {
        return number.to_string();
    }
    let Some((ctor, args)) = store.node(term) else { return String::new() };
    let parts: Vec<String> = args.iter().map(|&arg| plain(program, store, arg)).collect();
    match parts.is_empty() {
        true => program.ctors[ctor].name.clone(),
        false if parts.len() > 1 && args.iter().all(|arg| arg.as_number().is_some()) => parts.join("/"),
        false => format!("{}({})", program.ctors[ctor].name, parts.join(" ")),
    }
}

pub fn atom(program: &Program, store: &Store, id: AtomId) -> String {
    let known = store.atom(id);
    let pred = &program.preds[known.pred];
    let name = if known.persistent { format!("!{}", pred.name) } else { pred.name.clone() };
    applied(&name, known.args.iter().zip(&pred.args).map(|(&arg, &of)| term(program, store, arg, of)))
}

/// As Ceptre offers it: `(rule value value)`.
pub fn instance(program: &Program, store: &Store, instance: &Instance) -> String {
    fired(program, store, instance.rule, &instance.values)
}

pub fn fired(program: &Program, store: &Store, rule: RuleId, values: &[Term]) -> String {
    let rule = &program.rules[rule];
    applied(&rule.name, values.iter().zip(&rule.vars).map(|(&value, var)| term(program, store, value, var.of)))
}

fn applied(name: &str, args: impl Iterator<Item = String>) -> String {
    let args: Vec<String> = args.collect();
    if args.is_empty() { name.to_owned() } else { format!("({name} {})", args.join(" ")) }
}
