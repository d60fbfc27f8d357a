use std::fmt;

/// How a form is written after its head word, as read from its line in the table.
#[derive(Clone, PartialEq, Debug)]
pub struct Pattern {
    pub elements: Vec<Element>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Element {
    /// A word that stands there as it is.
    Word(&'static str),
    /// A place for something: its name in the reference, and what may stand there.
    Slot(&'static str, SlotKind),
    /// May be left out as a whole. Without a slot inside, it is a slot of its own: given or not.
    Optional(Vec<Element>),
}

/// What may stand in a slot, and how much of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SlotKind {
    /// One expression.
    Expr,
    /// Expressions up to the next word of the pattern.
    Exprs,
    /// Statements up to the next word of the pattern.
    Body,
    /// A name position: a word, a string, or a form that computes the name.
    Name,
    Names,
    /// A new variable: a plain word.
    Var,
    /// Names and values in turn.
    Pairs,
    /// Keys and values in turn.
    Entries,
    /// `x in LIST`, or one expression.
    Domain,
    /// A direction, a set of directions, or an expression giving one.
    Direction,
    /// What can be set: a word, or a property of something.
    Target,
    /// `(case V …)` any number of times, then perhaps `(else …)`.
    Cases,
}

impl Pattern {
    /// Reads a pattern such as `D:direction from C:expr [up to N:expr] [while X:expr]`.
    pub(crate) fn read(text: &'static str) -> Pattern {
        let mut tokens = text.split_whitespace().flat_map(split_brackets);
        Pattern { elements: read_elements(&mut tokens) }
    }

    /// The words that stand in it as they are.
    pub fn words(&self) -> impl Iterator<Item = &'static str> {
        let mut words = Vec::new();
        collect_words(&self.elements, &mut words);
        words.into_iter()
    }

    /// The kinds of the slots in order, as many as a form has.
    pub fn slots(&self) -> Vec<SlotRef> {
        let mut slots = Vec::new();
        collect(&self.elements, false, &mut slots);
        slots
    }
}

/// One slot of a form, as the reader fills it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SlotRef {
    pub name: &'static str,
    /// None: a word that may be given or not.
    pub kind: Option<SlotKind>,
    pub optional: bool,
}

fn split_brackets(token: &'static str) -> Vec<&'static str> {
    let mut parts = Vec::new();
    let mut rest = token;
    if let Some(inner) = rest.strip_prefix('[') {
        parts.push("[");
        rest = inner;
    }
    let inner = rest.trim_end_matches(']');
    parts.push(inner);
    parts.extend(std::iter::repeat_n("]", rest.len() - inner.len()));
    parts
}

fn read_elements(tokens: &mut dyn Iterator<Item = &'static str>) -> Vec<Element> {
    let mut elements = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            "]" => break,
            "[" => elements.push(Element::Optional(read_elements(tokens))),
            _ => elements.push(match token.split_once(':') {
                Some((name, kind)) if !name.is_empty() && !kind.is_empty() => Element::Slot(name, slot_kind(kind)),
                _ => Element::Word(token),
            }),
        }
    }
    elements
}

fn slot_kind(word: &str) -> SlotKind {
    match word {
        "expr" => SlotKind::Expr,
        "exprs" => SlotKind::Exprs,
        "body" => SlotKind::Body,
        "name" => SlotKind::Name,
        "names" => SlotKind::Names,
        "var" => SlotKind::Var,
        "pairs" => SlotKind::Pairs,
        "entries" => SlotKind::Entries,
        "domain" => SlotKind::Domain,
        "direction" => SlotKind::Direction,
        "target" => SlotKind::Target,
        "cases" => SlotKind::Cases,
        other => panic!("the form table names an unknown kind of slot: {other}"),
    }
}

fn collect_words(elements: &[Element], words: &mut Vec<&'static str>) {
    for element in elements {
        match element {
            Element::Word(word) => words.push(word),
            Element::Slot(..) => {}
            Element::Optional(inner) => collect_words(inner, words),
        }
    }
}

fn collect(elements: &[Element], optional: bool, slots: &mut Vec<SlotRef>) {
    for element in elements {
        match element {
            Element::Word(_) => {}
            Element::Slot(name, kind) => slots.push(SlotRef { name, kind: Some(*kind), optional }),
            Element::Optional(inner) => match inner.as_slice() {
                [Element::Word(word)] => slots.push(SlotRef { name: word, kind: None, optional: true }),
                inner => collect(inner, true, slots),
            },
        }
    }
}

/// As the reference shows it: `D from C [up to N] [while X]`.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        show(&self.elements, f)
    }
}

fn show(elements: &[Element], f: &mut fmt::Formatter) -> fmt::Result {
    for (at, element) in elements.iter().enumerate() {
        if at > 0 {
            f.write_str(" ")?;
        }
        match element {
            Element::Word(word) => f.write_str(word)?,
            Element::Slot(name, kind) => match kind {
                SlotKind::Exprs | SlotKind::Body | SlotKind::Names => write!(f, "{name} …")?,
                SlotKind::Pairs => f.write_str("NAME VALUE …")?,
                SlotKind::Entries => f.write_str("KEY VALUE …")?,
                SlotKind::Cases => f.write_str("(case VALUE …) … (else …)")?,
                SlotKind::Domain => write!(f, "{name} [for P]")?,
                _ => f.write_str(name)?,
            },
            Element::Optional(inner) => {
                f.write_str("[")?;
                show(inner, f)?;
                f.write_str("]")?;
            }
        }
    }
    Ok(())
}
