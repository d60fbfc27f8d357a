//! Asks of every name whether it exists and of every term whether it fits.

use std::collections::BTreeMap;

use houserules_model::{Diagnostic, FileId, Origin, nearest};

use crate::parse::parse;
use crate::program::*;
use crate::syntax::{Expr, ExprKind, Item, Name, Span};

/// A program as far as it makes sense, and what is wrong with it. With an error among the messages there is no program.
pub fn check(text: &str, file: FileId) -> (Option<Program>, Vec<Diagnostic>) {
    let parsed = parse(text, file);
    let mut checker = Checker { diagnostics: parsed.diagnostics, ..Checker::new(file) };
    checker.program.notes = parsed
        .notes
        .iter()
        .map(|(_, note)| note.split_whitespace().map(str::to_owned).collect::<Vec<String>>())
        .filter(|words| !words.is_empty())
        .collect();
    let title = |words: &&Vec<String>| words[0] == "title" && words.len() > 1;
    checker.program.title = checker.program.notes.iter().find(title).map(|words| words[1..].join(" "));
    checker.declare(&parsed.items);
    checker.state(&parsed.items);
    let is_sound = !checker.diagnostics.iter().any(Diagnostic::is_error);
    (is_sound.then_some(checker.program), checker.diagnostics)
}

struct Checker {
    file: FileId,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    types: BTreeMap<String, TypeId>,
    ctors: BTreeMap<String, CtorId>,
    preds: BTreeMap<String, PredId>,
    stages: BTreeMap<String, StageId>,
    contexts: BTreeMap<String, Vec<Fact>>,
    rules: BTreeMap<String, Origin>,
    n_unnamed: usize,
    /// Facts that have come from named contexts.
    n_spliced: usize,
}

/// The variables of one rule as they are met.
#[derive(Default)]
struct Scope {
    vars: Vec<Var>,
    /// On the right side nothing new may be named.
    closed: bool,
}

type Checked<T> = Option<T>;

/// A rule that wants more facts than this was written by a program, and looking for them would use up the stack.
const MOST_PREMISES: usize = 400;
/// Contexts name contexts, each twice as large as the one before.
const MOST_SPLICED: usize = 1_000_000;

impl Checker {
    fn new(file: FileId) -> Self {
        Checker {
            file,
            program: Program::default(),
            diagnostics: Vec::new(),
            types: BTreeMap::new(),
            ctors: BTreeMap::new(),
            preds: BTreeMap::new(),
            stages: BTreeMap::new(),
            contexts: BTreeMap::new(),
            rules: BTreeMap::new(),
            n_unnamed: 0,
            n_spliced: 0,
        }
    }

    fn origin(&self, span: Span) -> Origin {
        Origin::new(self.file, span.start, span.end)
    }

    fn error<T>(&mut self, code: &'static str, title: &str, span: Span, label: impl Into<String>) -> Checked<T> {
        let origin = self.origin(span);
        self.diagnostics.push(Diagnostic::error(code, title, origin, label));
        None
    }

    fn warn(&mut self, code: &'static str, title: &str, span: Span, label: impl Into<String>, hint: &str) {
        let origin = self.origin(span);
        self.diagnostics.push(Diagnostic::warning(code, title, origin, label).hint(hint));
    }

    fn unknown<T>(&mut self, what: &str, name: &str, span: Span, known: Vec<String>) -> Checked<T> {
        let origin = self.origin(span);
        let near = nearest(name, known.iter().map(String::as_str));
        let label = match near {
            Some(near) => format!("Did you mean `{near}`?"),
            None => format!("No {what} `{name}` is declared."),
        };
        let mut diagnostic = Diagnostic::error("ceptre/unknown", format!("Unknown {what}"), origin, label);
        if near.is_none() {
            let missing = match what {
                "type" => format!("{name} : type."),
                "stage" => format!("stage {name} = {{ }}"),
                "constant" => format!("{name} : TYPE."),
                _ => format!("{name} : pred."),
            };
            diagnostic = diagnostic.hint(format!("Declare it: `{missing}`"));
        }
        self.diagnostics.push(diagnostic);
        None
    }

    // ---- what is declared, wherever it stands

    fn declare(&mut self, items: &[Item]) {
        for item in items {
            if let Item::Statement(Expr { kind: ExprKind::Colon(left, right), .. }) = item
                && matches!(&right.kind, ExprKind::Apply(word, none) if word == "type" && none.is_empty())
            {
                self.declare_type(left);
            }
        }
        for item in items {
            match item {
                Item::Statement(Expr { kind: ExprKind::Colon(left, right), .. }) => match &right.kind {
                    ExprKind::Pred => self.declare_pred(left, false),
                    ExprKind::Apply(word, none) if word == "bwd" && none.is_empty() => self.declare_pred(left, true),
                    ExprKind::Apply(of, none) if none.is_empty() && self.types.contains_key(of) => {
                        let of = self.types[of];
                        self.declare_ctor(left, of);
                    }
                    _ => {}
                },
                Item::Stage { name, items } => self.declare_stage(name, items),
                _ => {}
            }
        }
        for of in 0..self.program.types.len() {
            let own: Vec<CtorId> =
                (0..self.program.ctors.len()).filter(|&ctor| self.program.ctors[ctor].of == of).collect();
            let zero = own.iter().copied().find(|&ctor| self.program.ctors[ctor].args.is_empty());
            let more = own.iter().copied().find(|&ctor| self.program.ctors[ctor].args == [of]);
            if let ([_, _], Some(zero), Some(more)) = (own.as_slice(), zero, more) {
                self.program.types[of].nat = Some((zero, more));
            }
        }
        for item in items {
            if let Item::Directive { name, arguments, span } = item
                && name.text == "builtin"
            {
                self.builtin(arguments, *span);
            }
        }
    }

    fn declared_name<'a>(&mut self, left: &'a Expr) -> Checked<(&'a str, &'a [Expr])> {
        let ExprKind::Apply(name, args) = &left.kind else {
            return self.error("ceptre/declaration", "A name is declared", left.span, "This is no name.");
        };
        if name.starts_with(|first: char| first.is_ascii_uppercase()) {
            return self.error(
                "ceptre/capital",
                "Declared with a capital letter",
                left.span,
                format!("In a rule `{name}` would be a variable. Write `{}`.", name.to_lowercase()),
            );
        }
        if name == "qui" || name == "type" || name == "bwd" {
            return self.error(
                "ceptre/reserved",
                "A reserved word",
                left.span,
                format!("`{name}` has a meaning already."),
            );
        }
        Some((name, args))
    }

    fn twice<T>(&mut self, name: &str, span: Span, as_what: &str) -> Checked<T> {
        self.error("ceptre/twice", "Declared twice", span, format!("`{name}` is already {as_what}."))
    }

    fn declare_type(&mut self, left: &Expr) {
        let Some((name, args)) = self.declared_name(left) else { return };
        if !args.is_empty() {
            self.error::<()>("ceptre/declaration", "A type takes no arguments", left.span, "Give its name alone.");
            return;
        }
        if self.types.contains_key(name) {
            self.twice::<()>(name, left.span, "a type");
            return;
        }
        self.types.insert(name.to_owned(), self.program.types.len());
        let origin = self.origin(left.span);
        self.program.types.push(Type { name: name.to_owned(), nat: None, builtin: false, origin });
    }

    fn arg_types(&mut self, args: &[Expr]) -> Checked<Vec<TypeId>> {
        let mut types = Vec::new();
        for arg in args {
            match &arg.kind {
                ExprKind::Apply(name, none) if none.is_empty() => match self.types.get(name) {
                    Some(&of) => types.push(of),
                    None => {
                        let known = self.types.keys().cloned().collect();
                        return self.unknown("type", name, arg.span, known);
                    }
                },
                _ => return self.error("ceptre/declaration", "A type is expected", arg.span, "Arguments are types."),
            }
        }
        Some(types)
    }

    fn declare_ctor(&mut self, left: &Expr, of: TypeId) {
        let Some((name, args)) = self.declared_name(left) else { return };
        let Some(args) = self.arg_types(args) else { return };
        if self.ctors.contains_key(name) || self.types.contains_key(name) {
            self.twice::<()>(name, left.span, "a type or constant");
            return;
        }
        self.ctors.insert(name.to_owned(), self.program.ctors.len());
        self.program.ctors.push(Ctor { name: name.to_owned(), args, of });
    }

    fn declare_pred(&mut self, left: &Expr, backward: bool) {
        let Some((name, args)) = self.declared_name(left) else { return };
        let Some(args) = self.arg_types(args) else { return };
        if self.preds.contains_key(name) {
            self.twice::<()>(name, left.span, "a predicate");
            return;
        }
        self.preds.insert(name.to_owned(), self.program.preds.len());
        let origin = self.origin(left.span);
        self.program.preds.push(Pred { name: name.to_owned(), args, backward, origin });
    }

    fn declare_stage(&mut self, name: &Name, _items: &[Item]) {
        if self.stages.contains_key(&name.text) {
            self.twice::<()>(&name.text, name.span, "a stage");
            return;
        }
        self.stages.insert(name.text.clone(), self.program.stages.len());
        let origin = self.origin(name.span);
        self.program.stages.push(Stage {
            name: name.text.clone(),
            interactive: false,
            rules: Vec::new(),
            links: Vec::new(),
            origin,
        });
    }

    fn builtin(&mut self, arguments: &[Expr], span: Span) {
        const FORMAT: &str = "It is written `#builtin NAT nat.`, `#builtin NAT_ZERO z.`, `#builtin NAT_SUCC s.`";
        let words: Vec<&str> = arguments
            .iter()
            .filter_map(|argument| match &argument.kind {
                ExprKind::Apply(word, none) if none.is_empty() => Some(word.as_str()),
                _ => None,
            })
            .collect();
        let [what, name] = words.as_slice() else {
            self.error::<()>("ceptre/builtin", "A builtin has a kind and a name", span, FORMAT);
            return;
        };
        let nat = self.program.types.iter().position(|of| of.builtin);
        match *what {
            "NAT" => match self.types.get(*name) {
                Some(_) if nat.is_some() => {
                    self.error::<()>("ceptre/builtin", "NAT is given twice", span, "One type is the type of numbers.");
                }
                Some(&of) => self.program.types[of].builtin = true,
                None => {
                    let known = self.types.keys().cloned().collect();
                    self.unknown::<()>("type", name, span, known);
                }
            },
            "NAT_ZERO" | "NAT_SUCC" => {
                let Some(&ctor) = self.ctors.get(*name) else {
                    let known = self.ctors.keys().cloned().collect();
                    self.unknown::<()>("constant", name, span, known);
                    return;
                };
                let Some(nat) = nat else {
                    self.error::<()>("ceptre/builtin", "NAT comes first", span, "Say `#builtin NAT nat.` before this.");
                    return;
                };
                let wanted: &[TypeId] = if *what == "NAT_ZERO" { &[] } else { &[nat] };
                let shape = &self.program.ctors[ctor];
                if shape.args != wanted || shape.of != nat {
                    let of = &self.program.types[nat].name;
                    let takes = if wanted.is_empty() { "nothing".to_owned() } else { format!("one `{of}`") };
                    let label = format!("`{name}` must take {takes} and be of type `{of}`.");
                    self.error::<()>("ceptre/builtin", "This does not count", span, label);
                    return;
                }
                let (zero, more) = self.program.types[nat].nat.unwrap_or((usize::MAX, usize::MAX));
                self.program.types[nat].nat = Some(if *what == "NAT_ZERO" { (ctor, more) } else { (zero, ctor) });
            }
            _ => {
                self.error::<()>("ceptre/builtin", "Unknown builtin", span, FORMAT);
            }
        }
    }

    // ---- what is said with it

    fn state(&mut self, items: &[Item]) {
        for of in 0..self.program.types.len() {
            let Type { nat, builtin, origin, name } = self.program.types[of].clone();
            let incomplete = nat.is_none_or(|(zero, more)| zero == usize::MAX || more == usize::MAX);
            if builtin && incomplete {
                let missing = format!("`{name}` needs `#builtin NAT_ZERO` and `#builtin NAT_SUCC`, too.");
                self.diagnostics.push(Diagnostic::error("ceptre/builtin", "Numbers without a zero", origin, missing));
                self.program.types[of].nat = None;
            }
        }
        for item in items {
            match item {
                Item::Statement(expr) => self.statement(expr),
                Item::Stage { name, items } => self.stage(name, items),
                Item::Context { name, elements } => {
                    let facts = self.elements(elements.as_ref()).unwrap_or_default();
                    if self.contexts.contains_key(&name.text) || self.preds.contains_key(&name.text) {
                        self.twice::<()>(&name.text, name.span, "a predicate or context");
                    }
                    self.contexts.insert(name.text.clone(), facts);
                }
                Item::Directive { name, arguments, span } => self.directive(name, arguments, *span),
            }
        }
        if self.program.queries.is_empty() && !self.diagnostics.iter().any(Diagnostic::is_error) {
            let end = Span::default();
            self.error::<()>(
                "ceptre/start",
                "Nothing says where to begin",
                end,
                "Add a line such as `#trace _ STAGE { FACT, FACT }.`",
            );
        }
    }

    fn directive(&mut self, name: &Name, arguments: &[Expr], span: Span) {
        match name.text.as_str() {
            "builtin" => {}
            "interactive" => match arguments {
                [Expr { kind: ExprKind::Apply(stage, none), span }] if none.is_empty() => {
                    if let Some(stage) = self.known_stage(stage, *span) {
                        self.program.stages[stage].interactive = true;
                    }
                }
                _ => {
                    self.error::<()>(
                        "ceptre/directive",
                        "A stage is expected",
                        span,
                        "It is written `#interactive STAGE.`",
                    );
                }
            },
            "trace" => {
                if let Some(query) = self.query(arguments, span) {
                    self.program.queries.push(query);
                }
            }
            other => {
                let label = match nearest(other, ["trace", "interactive", "builtin"]) {
                    Some(near) => format!("Did you mean `#{near}`?"),
                    None => "There are `#trace`, `#interactive` and `#builtin`.".into(),
                };
                self.error::<()>("ceptre/directive", "Unknown directive", name.span, label);
            }
        }
    }

    fn query(&mut self, arguments: &[Expr], span: Span) -> Checked<Query> {
        let [limit, stage, context] = arguments else {
            let label = "It is written `#trace LIMIT STAGE { FACTS }.`, with `_` for no limit.";
            return self.error("ceptre/directive", "A trace has three parts", span, label);
        };
        let limit = match limit.kind {
            ExprKind::Wild => None,
            ExprKind::Number(limit) => Some(limit),
            _ => {
                return self.error(
                    "ceptre/directive",
                    "A limit is expected",
                    limit.span,
                    "Write `_` or a number of steps.",
                );
            }
        };
        let ExprKind::Apply(name, _) = &stage.kind else {
            return self.error("ceptre/directive", "A stage is expected", stage.span, "The stage to begin in.");
        };
        let stage = self.known_stage(name, stage.span)?;
        let initial = self.elements(Some(context))?;
        Some(Query { limit, stage, initial, origin: self.origin(span) })
    }

    fn known_stage(&mut self, name: &str, span: Span) -> Checked<StageId> {
        match self.stages.get(name) {
            Some(&stage) => Some(stage),
            None => {
                let known = self.stages.keys().cloned().collect();
                self.unknown("stage", name, span, known)
            }
        }
    }

    fn elements(&mut self, expr: Option<&Expr>) -> Checked<Vec<Fact>> {
        let mut facts = Vec::new();
        let mut sound = true;
        let elements = match expr {
            Some(Expr { kind: ExprKind::Comma(parts), .. }) => parts.as_slice(),
            Some(one) => std::slice::from_ref(one),
            None => &[],
        };
        for element in elements {
            match &element.kind {
                ExprKind::Unit => {}
                ExprKind::Apply(name, none) if none.is_empty() && self.contexts.contains_key(name) => {
                    self.n_spliced += self.contexts[name].len();
                    if self.n_spliced > MOST_SPLICED {
                        let label = format!("With `{name}` in it, contexts name more than {MOST_SPLICED} facts.");
                        return self.error("ceptre/context", "Too many facts", element.span, label);
                    }
                    facts.extend(self.contexts[name].iter().cloned());
                }
                _ => match self.ground_fact(element) {
                    Some(fact) => facts.push(fact),
                    None => sound = false,
                },
            }
        }
        sound.then_some(facts)
    }

    fn ground_fact(&mut self, element: &Expr) -> Checked<Fact> {
        let mut scope = Scope::default();
        let fact = self.result(element, &mut scope, true)?;
        match scope.vars.first() {
            None => Some(fact),
            Some(var) => {
                let label = format!("`{}` is a variable, and nothing here gives it a value.", var.name);
                self.error("ceptre/variable", "A variable in a context", element.span, label)
            }
        }
    }

    fn statement(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Colon(left, right) => match &right.kind {
                ExprKind::Pred => {}
                ExprKind::Apply(word, none)
                    if none.is_empty() && (word == "type" || word == "bwd" || self.types.contains_key(word)) => {}
                ExprKind::Apply(word, none) if none.is_empty() && (word == "sense" || word == "action") => {
                    self.error::<()>(
                        "ceptre/retired",
                        "A kind of predicate that is no more",
                        right.span,
                        format!("`{word}` was given up; write `pred`."),
                    );
                }
                ExprKind::Apply(word, _) if !self.preds.contains_key(word) => {
                    let known = self.types.keys().cloned().collect();
                    self.unknown::<()>("type", word, right.span, known);
                }
                ExprKind::Becomes(..) | ExprKind::From(..) | ExprKind::To(..) | ExprKind::Apply(..) => {
                    let ExprKind::Apply(name, none) = &left.kind else {
                        self.error::<()>("ceptre/name", "A rule's name is expected", left.span, "This is no name.");
                        return;
                    };
                    if !none.is_empty() {
                        self.error::<()>("ceptre/name", "A rule's name takes no arguments", left.span, "One word.");
                        return;
                    }
                    if self.rules.insert(name.clone(), self.origin(left.span)).is_some() {
                        self.twice::<()>(name, left.span, "a rule");
                    }
                    self.rule_or_clause(Some(name.clone()), right);
                }
                _ => {
                    self.error::<()>(
                        "ceptre/declaration",
                        "This declares nothing",
                        right.span,
                        "A type, `pred`, `bwd` or a rule.",
                    );
                }
            },
            _ => self.rule_or_clause(None, expr),
        }
    }

    fn rule_or_clause(&mut self, name: Option<String>, expr: &Expr) {
        match &expr.kind {
            ExprKind::Becomes(left, right) => self.link(name, left, right, expr.span),
            _ => self.clause(name, expr),
        }
    }

    fn unnamed(&mut self) -> String {
        self.n_unnamed += 1;
        format!("`anon{}", self.n_unnamed - 1)
    }

    fn stage(&mut self, name: &Name, items: &[Item]) {
        let Some(&stage) = self.stages.get(&name.text) else { return };
        for item in items {
            let (rule_name, expr, span) = match item {
                Item::Statement(expr) => match &expr.kind {
                    ExprKind::Colon(left, right) => match (&left.kind, &right.kind) {
                        (ExprKind::Apply(rule, none), ExprKind::Becomes(..)) if none.is_empty() => {
                            (Some(rule.clone()), &**right, expr.span)
                        }
                        _ => {
                            let label = "A rule is written `name : premises -o results.`";
                            self.error::<()>("ceptre/stage", "Only rules stand in a stage", expr.span, label);
                            continue;
                        }
                    },
                    _ => (None, expr, expr.span),
                },
                Item::Stage { name, .. } | Item::Context { name, .. } | Item::Directive { name, .. } => {
                    let label = "Close the stage before this with `}`.";
                    self.error::<()>("ceptre/stage", "Only rules stand in a stage", name.span, label);
                    continue;
                }
            };
            let ExprKind::Becomes(left, right) = &expr.kind else {
                let label = "A rule is written `name : premises -o results.`";
                self.error::<()>("ceptre/stage", "Only rules stand in a stage", span, label);
                continue;
            };
            let rule_name = rule_name.unwrap_or_else(|| self.unnamed());
            if let Some((rule, _)) = self.rule(rule_name, stage, left, right, span, false) {
                let id = self.program.rules.len();
                self.program.rules.push(rule);
                self.program.stages[stage].rules.push(id);
            }
        }
    }

    fn link(&mut self, name: Option<String>, left: &Expr, right: &Expr, span: Span) {
        let name = name.unwrap_or_else(|| self.unnamed());
        let Some((rule, from)) = self.rule(name, 0, left, right, span, true) else { return };
        let Some(from) = from.filter(|_| rule.next.is_some()) else {
            self.warn(
                "ceptre/no-link",
                "This rule never fires",
                span,
                "It stands in no stage, and does not lead from one stage to another.",
                "Put it into a stage, or write `stage A` on its left and `stage B` on its right.",
            );
            return;
        };
        let id = self.program.rules.len();
        self.program.rules.push(Rule { stage: from, ..rule });
        self.program.stages[from].links.push(id);
    }

    /// A rule, and for a link the stage it leads away from.
    fn rule(
        &mut self,
        name: String,
        stage: StageId,
        left: &Expr,
        right: &Expr,
        span: Span,
        link: bool,
    ) -> Checked<(Rule, Option<StageId>)> {
        let mut scope = Scope::default();
        let mut sound = true;
        let mut rule = Rule {
            name,
            stage,
            next: None,
            takes_qui: false,
            premises: Vec::new(),
            results: Vec::new(),
            vars: Vec::new(),
            origin: self.origin(span),
        };
        let mut from = None;
        let premises = self.few(factors(left), left.span)?;
        for part in premises {
            match &part.kind {
                ExprKind::Unit => {}
                ExprKind::Apply(word, none) if word == "qui" && none.is_empty() => match link {
                    true => rule.takes_qui = true,
                    false => {
                        let label = "`qui` stands in the rules that lead from stage to stage, outside all stages.";
                        sound &= self.error::<()>("ceptre/qui", "`qui` inside a stage", part.span, label).is_some();
                    }
                },
                ExprKind::Stage(of) if link => match (self.known_stage(&of.text, of.span), from) {
                    (Some(stage), None) => from = Some(stage),
                    (Some(_), Some(_)) => {
                        let label = "A match is in one stage at a time.";
                        sound &= self.error::<()>("ceptre/stage", "Two stages at once", part.span, label).is_some();
                    }
                    (None, _) => sound = false,
                },
                ExprKind::Stage(_) => {
                    let label = "Inside a stage the stage cannot be changed; write a rule outside.";
                    sound &= self.error::<()>("ceptre/stage", "`stage` inside a stage", part.span, label).is_some();
                }
                _ => match self.premise(part, &mut scope) {
                    Some(premise) => rule.premises.push(premise),
                    None => sound = false,
                },
            }
        }
        scope.closed = true;
        for part in factors(right) {
            match &part.kind {
                ExprKind::Unit => {}
                ExprKind::Apply(word, none) if word == "qui" && none.is_empty() => {
                    let label = "`qui` comes by itself when nothing more can happen.";
                    sound &= self.error::<()>("ceptre/qui", "`qui` on the right", part.span, label).is_some();
                }
                ExprKind::Stage(of) if link => match (self.known_stage(&of.text, of.span), rule.next) {
                    (Some(stage), None) => rule.next = Some(stage),
                    (Some(_), Some(_)) => {
                        let label = "A match is in one stage at a time.";
                        sound &= self.error::<()>("ceptre/stage", "Two stages at once", part.span, label).is_some();
                    }
                    (None, _) => sound = false,
                },
                ExprKind::Stage(_) => {
                    let label = "Inside a stage the stage cannot be changed; write a rule outside.";
                    sound &= self.error::<()>("ceptre/stage", "`stage` inside a stage", part.span, label).is_some();
                }
                ExprKind::Dollar(_) => {
                    let label = "`$` keeps what stands on the left.";
                    sound &= self.error::<()>("ceptre/keep", "`$` on the right", part.span, label).is_some();
                }
                _ => match self.result(part, &mut scope, false) {
                    Some(fact) => rule.results.push(fact),
                    None => sound = false,
                },
            }
        }
        rule.vars = scope.vars;
        sound.then_some((rule, from))
    }

    /// The premises of a rule, if somebody could have written them.
    fn few<'a>(&mut self, premises: Vec<&'a Expr>, span: Span) -> Checked<Vec<&'a Expr>> {
        if premises.len() <= MOST_PREMISES {
            return Some(premises);
        }
        let label = format!("A rule can want {MOST_PREMISES} facts, and here are {}.", premises.len());
        self.error("ceptre/premise", "Too many premises", span, label)
    }

    fn premise(&mut self, part: &Expr, scope: &mut Scope) -> Checked<Premise> {
        let (mode, inner) = match &part.kind {
            ExprKind::Dollar(inner) => (Mode::Keep, &**inner),
            ExprKind::Bang(inner) => (Mode::Bang, &**inner),
            _ => (Mode::Plain, part),
        };
        if matches!(inner.kind, ExprKind::Dollar(_) | ExprKind::Bang(_)) {
            return self.error("ceptre/premise", "Two marks on one premise", part.span, "Either `$` or `!`.");
        }
        let goal = self.goal(inner, scope)?;
        match goal {
            Goal::Holds(pred, args) if !self.program.preds[pred].backward => {
                let origin = self.origin(part.span);
                Some(Premise::Fact { pred, args, mode, origin })
            }
            _ if mode == Mode::Keep => {
                let label = "What is proved is not used up; leave the `$` out.";
                self.error("ceptre/keep", "`$` before a backward predicate", part.span, label)
            }
            goal => Some(Premise::Goal(goal)),
        }
    }

    fn goal(&mut self, expr: &Expr, scope: &mut Scope) -> Checked<Goal> {
        match &expr.kind {
            ExprKind::Bang(inner) => self.goal(inner, scope),
            ExprKind::Same(left, right) | ExprKind::Differs(left, right) => {
                let of = self.type_of(left, scope).or_else(|| self.type_of(right, scope));
                let Some(of) = of else {
                    let label = "Nothing says of which type these are.";
                    return self.error("ceptre/type", "Compared without a type", expr.span, label);
                };
                let (left, right) = (self.term(left, of, scope)?, self.term(right, of, scope)?);
                Some(match expr.kind {
                    ExprKind::Same(..) => Goal::Same(left, right),
                    _ => Goal::Differs(left, right),
                })
            }
            ExprKind::Apply(name, args) => {
                let (pred, args) = self.atom(name, args, expr.span, scope)?;
                Some(Goal::Holds(pred, args))
            }
            _ => self.error("ceptre/premise", "A fact is expected", expr.span, "A predicate with its arguments."),
        }
    }

    fn result(&mut self, part: &Expr, scope: &mut Scope, in_context: bool) -> Checked<Fact> {
        let (persistent, inner) = match &part.kind {
            ExprKind::Bang(inner) => (true, &**inner),
            _ => (false, part),
        };
        let ExprKind::Apply(name, args) = &inner.kind else {
            return self.error("ceptre/fact", "A fact is expected", part.span, "A predicate with its arguments.");
        };
        let (pred, args) = self.atom(name, args, inner.span, scope)?;
        if self.program.preds[pred].backward {
            let label = match in_context {
                true => format!("`{name}` is declared `bwd`: it is proved, never in the state."),
                false => format!("`{name}` is declared `bwd`: it is proved, never made."),
            };
            return self.error("ceptre/backward", "A backward predicate as a fact", inner.span, label);
        }
        Some(Fact { pred, args, persistent })
    }

    fn atom(&mut self, name: &str, args: &[Expr], span: Span, scope: &mut Scope) -> Checked<(PredId, Vec<Pat>)> {
        let Some(&pred) = self.preds.get(name) else {
            let known = self.preds.keys().cloned().collect();
            return self.unknown("predicate", name, span, known);
        };
        let types = self.program.preds[pred].args.clone();
        let args = self.terms(name, args, &types, span, scope)?;
        Some((pred, args))
    }

    fn terms(
        &mut self,
        name: &str,
        args: &[Expr],
        types: &[TypeId],
        span: Span,
        scope: &mut Scope,
    ) -> Checked<Vec<Pat>> {
        if args.len() != types.len() {
            let takes: Vec<&str> = types.iter().map(|&of| self.program.types[of].name.as_str()).collect();
            let takes = if takes.is_empty() { "nothing".to_owned() } else { format!("`{}`", takes.join(" ")) };
            let given = match args.len() {
                1 => "1 argument is".to_owned(),
                n => format!("{n} arguments are"),
            };
            let title = if args.len() < types.len() { "Too few arguments" } else { "Too many arguments" };
            return self.error("ceptre/arity", title, span, format!("`{name}` takes {takes}, and {given} given."));
        }
        let mut terms = Vec::new();
        let mut sound = true;
        for (arg, &of) in args.iter().zip(types) {
            match self.term(arg, of, scope) {
                Some(term) => terms.push(term),
                None => sound = false,
            }
        }
        sound.then_some(terms)
    }

    fn term(&mut self, expr: &Expr, of: TypeId, scope: &mut Scope) -> Checked<Pat> {
        match &expr.kind {
            ExprKind::Number(number) => match self.program.types[of].builtin {
                true => Some(Pat::Number(*number)),
                false => {
                    let wanted = self.program.types[of].name.clone();
                    let label = match self.program.types.iter().any(|known| known.builtin) {
                        true => format!("A `{wanted}` is expected here."),
                        false => "Numbers are written so only after `#builtin NAT nat.`".into(),
                    };
                    self.error("ceptre/number", "A number does not fit here", expr.span, label)
                }
            },
            ExprKind::Wild => {
                if scope.closed {
                    return self.error(
                        "ceptre/variable",
                        "`_` on the right",
                        expr.span,
                        "Nothing says what it should be.",
                    );
                }
                scope.vars.push(Var { name: "_".into(), of });
                Some(Pat::Var(scope.vars.len() - 1))
            }
            ExprKind::Apply(name, args) if name.starts_with(|first: char| first.is_ascii_uppercase()) => {
                if !args.is_empty() {
                    return self.error(
                        "ceptre/variable",
                        "A variable takes no arguments",
                        expr.span,
                        "It stands for a term.",
                    );
                }
                if let Some(var) = scope.vars.iter().position(|var| var.name == *name) {
                    let known = scope.vars[var].of;
                    if known != of {
                        let (known, of) = (&self.program.types[known].name, &self.program.types[of].name);
                        let label = format!("`{name}` is a `{known}` elsewhere in this rule, and a `{of}` here.");
                        return self.error("ceptre/type", "A variable of two types", expr.span, label);
                    }
                    return Some(Pat::Var(var));
                }
                if scope.closed {
                    let label = format!("`{name}` does not occur on the left, so nothing says what it should be.");
                    return self.error("ceptre/variable", "A variable from nowhere", expr.span, label);
                }
                scope.vars.push(Var { name: name.clone(), of });
                Some(Pat::Var(scope.vars.len() - 1))
            }
            ExprKind::Apply(name, args) => {
                let Some(&ctor) = self.ctors.get(name) else {
                    let known = self.ctors.keys().cloned().collect();
                    return self.unknown("constant", name, expr.span, known);
                };
                let Ctor { args: types, of: own, .. } = self.program.ctors[ctor].clone();
                if own != of {
                    let (own, of) = (&self.program.types[own].name, &self.program.types[of].name);
                    let label = format!("`{name}` is a `{own}`, and a `{of}` is expected here.");
                    return self.error("ceptre/type", "Of another type", expr.span, label);
                }
                let args = self.terms(name, args, &types, expr.span, scope)?;
                Some(apply(&self.program, ctor, args))
            }
            _ => self.error("ceptre/term", "A term is expected", expr.span, "A constant, a variable or a number."),
        }
    }

    fn type_of(&self, expr: &Expr, scope: &Scope) -> Option<TypeId> {
        match &expr.kind {
            ExprKind::Number(_) => self.program.types.iter().position(|of| of.builtin),
            ExprKind::Apply(name, _) => match scope.vars.iter().find(|var| var.name == *name) {
                Some(var) => Some(var.of),
                None => self.ctors.get(name).map(|&ctor| self.program.ctors[ctor].of),
            },
            _ => None,
        }
    }

    fn clause(&mut self, name: Option<String>, expr: &Expr) {
        // `H <- G1 <- G2` is read from the head on; `G2 -> G1 -> H` from the arrow nearest to the head outwards.
        let mut goals: Vec<&Expr> = Vec::new();
        let mut head = expr;
        loop {
            match &head.kind {
                ExprKind::From(rest, goal) => {
                    goals.push(goal);
                    head = rest;
                }
                ExprKind::To(goal, rest) => {
                    goals.push(goal);
                    head = rest;
                }
                _ => break,
            }
        }
        goals.reverse();
        let mut scope = Scope::default();
        let ExprKind::Apply(pred_name, args) = &head.kind else {
            self.error::<()>(
                "ceptre/statement",
                "This says nothing",
                head.span,
                "A declaration, a fact or a rule is expected.",
            );
            return;
        };
        let Some((pred, args)) = self.atom(pred_name, args, head.span, &mut scope) else { return };
        if !self.program.preds[pred].backward {
            let label = format!("`{pred_name}` is a `pred`: it is in the state, and `#trace` or a context says so.");
            self.error::<()>("ceptre/statement", "A fact outside the state", head.span, label);
            return;
        }
        let mut clause_goals = Vec::new();
        let goals: Vec<&Expr> = goals.into_iter().flat_map(factors).collect();
        let Some(goals) = self.few(goals, expr.span) else { return };
        for goal in goals {
            match self.goal(goal, &mut scope) {
                Some(goal) => clause_goals.push(goal),
                None => return,
            }
        }
        let name = name.unwrap_or_else(|| self.unnamed());
        let origin = self.origin(expr.span);
        self.program.clauses.push(Clause {
            name,
            head: (pred, args),
            goals: clause_goals,
            n_vars: scope.vars.len(),
            origin,
        });
    }
}

/// What stands between the stars, however it is grouped.
fn factors(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Tensor(parts) => parts.iter().flat_map(factors).collect(),
        _ => vec![expr],
    }
}

/// A constructor with its arguments; what counts becomes a number.
pub(crate) fn apply(program: &Program, ctor: CtorId, args: Vec<Pat>) -> Pat {
    match program.types[program.ctors[ctor].of].nat {
        Some((zero, _)) if zero == ctor => Pat::Number(0),
        Some((_, more)) if more == ctor => match args.into_iter().next() {
            Some(Pat::Number(number)) => Pat::Number(number + 1),
            Some(Pat::Plus(by, inner)) => Pat::Plus(by + 1, inner),
            Some(other) => Pat::Plus(1, Box::new(other)),
            None => Pat::Number(0),
        },
        _ => Pat::Apply(ctor, args),
    }
}
