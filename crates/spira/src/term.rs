//! Terms, facts and implications. What is applied to the wrong arguments is told when the game is written down.

use std::cell::RefCell;
use std::rc::Rc;

/// Mistakes made while building, told all at once.
pub(crate) type Mistakes = Rc<RefCell<Vec<String>>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type(pub(crate) usize);

/// A variable, or a constructor applied to terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Term {
    pub(crate) kind: TermKind,
    pub(crate) of: Type,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum TermKind {
    Binding(String),
    Apply(String, Vec<Term>),
}

/// Makes terms of a type.
#[derive(Clone)]
pub struct Constructor {
    pub(crate) name: String,
    pub(crate) args: Vec<Type>,
    pub(crate) of: Type,
    pub(crate) mistakes: Mistakes,
}

/// Makes facts.
#[derive(Clone)]
pub struct Predicate {
    pub(crate) name: String,
    pub(crate) args: Vec<Type>,
    /// Proved, never used up.
    pub(crate) backward: bool,
    pub(crate) mistakes: Mistakes,
}

/// A predicate with its arguments.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    pub(crate) name: String,
    pub(crate) args: Vec<Term>,
    pub(crate) backward: bool,
    pub(crate) mark: &'static str,
}

/// What is used up, and what is made.
#[derive(Clone, Debug)]
pub struct Implication {
    pub(crate) left: Vec<Fact>,
    pub(crate) right: Vec<Fact>,
}

/// The left side becomes the right side.
pub fn becomes(left: impl IntoIterator<Item = Fact>, right: impl IntoIterator<Item = Fact>) -> Implication {
    Implication { left: left.into_iter().collect(), right: right.into_iter().collect() }
}

impl Constructor {
    pub fn of<const N: usize>(&self, args: [&Term; N]) -> Term {
        fits(&self.name, &self.args, &args, &self.mistakes);
        Term { kind: TermKind::Apply(self.name.clone(), args.into_iter().cloned().collect()), of: self.of }
    }
}

impl Predicate {
    pub fn of<const N: usize>(&self, args: [&Term; N]) -> Fact {
        fits(&self.name, &self.args, &args, &self.mistakes);
        let args = args.into_iter().cloned().collect();
        Fact { name: self.name.clone(), args, backward: self.backward, mark: "" }
    }
}

impl Fact {
    /// On the left: still there afterwards, as what is proved is anyway.
    pub fn keep(mut self) -> Fact {
        if !self.backward {
            self.mark = "$";
        }
        self
    }

    /// On the right or at first: there for ever.
    pub fn forever(mut self) -> Fact {
        self.mark = "!";
        self
    }
}

fn fits(name: &str, wanted: &[Type], given: &[&Term], mistakes: &Mistakes) {
    if wanted.len() != given.len() {
        mistakes.borrow_mut().push(format!(
            "`{name}` takes {} arguments, and {} are given.",
            wanted.len(),
            given.len()
        ));
        return;
    }
    for (at, (wanted, given)) in wanted.iter().zip(given).enumerate() {
        if *wanted != given.of {
            mistakes.borrow_mut().push(format!("Argument {} of `{name}` has another type: {given}.", at + 1));
        }
    }
}

impl std::fmt::Display for Term {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match &self.kind {
            TermKind::Binding(name) => f.write_str(name),
            TermKind::Apply(name, args) if args.is_empty() => f.write_str(name),
            TermKind::Apply(name, args) => {
                write!(f, "({name}")?;
                args.iter().try_for_each(|arg| write!(f, " {arg}"))?;
                write!(f, ")")
            }
        }
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}{}", self.mark, self.name)?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}
