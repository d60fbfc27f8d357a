use crate::*;
use std::fmt;

/// A game as its author describes it: items in order.
///
/// Two definitions that differ only in layout and comments are equal.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Definition {
    pub(crate) items: Vec<Item>,
}

impl Definition {
    pub fn new() -> Self {
        Self::default()
    }

    /// Puts items one after the other, as a file does. Faults are reported and the rest is kept.
    pub fn with_items(items: impl IntoIterator<Item = Item>) -> (Self, Vec<Diagnostic>) {
        let mut definition = Self::new();
        let mut diagnostics = Vec::new();
        for item in items {
            let origin = item.origin;
            if let Err(error) = definition.apply(Edit::Put(item)) {
                diagnostics.push(definition.change_error(error, origin));
            }
        }
        (definition, diagnostics)
    }

    /// Without what plays no part in a match.
    pub fn for_play(&self) -> Definition {
        Definition { items: self.items.iter().filter(|item| item.plays()).cloned().collect() }
    }

    pub fn items(&self) -> &[Item] {
        &self.items
    }

    pub fn index(&self, key: &Key) -> Option<usize> {
        self.items.iter().position(|item| item.key().as_ref() == Some(key))
    }

    pub fn get(&self, key: &Key) -> Option<&Item> {
        self.index(key).map(|at| &self.items[at])
    }

    pub fn name(&self) -> &str {
        self.items
            .iter()
            .find_map(|item| match &item.kind {
                ItemKind::Game { name } => Some(&**name),
                _ => None,
            })
            .unwrap_or("Untitled")
    }

    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Rule(rule) => Some(rule),
            _ => None,
        })
    }

    pub fn actions(&self) -> impl Iterator<Item = &Action> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Action(action) => Some(action),
            _ => None,
        })
    }

    pub fn settings(&self) -> impl Iterator<Item = &Setting> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Setting(setting) => Some(setting),
            _ => None,
        })
    }

    pub fn variants(&self) -> impl Iterator<Item = &Variant> {
        self.items.iter().filter_map(|item| match &item.kind {
            ItemKind::Variant(variant) => Some(variant),
            _ => None,
        })
    }

    pub fn rule(&self, name: &str) -> Option<&Rule> {
        self.rules().find(|rule| &*rule.name == name)
    }

    /// The definition with a variant (and those it builds on) put into it.
    pub fn with_variant(&self, name: &str) -> Result<Definition, VariantError> {
        let mut changed = self.clone();
        let mut trail = Vec::new();
        changed.put_variant(name, &mut trail)?;
        Ok(changed)
    }

    fn put_variant(&mut self, name: &str, trail: &mut Vec<Name>) -> Result<(), VariantError> {
        let Some(variant) = self.variants().find(|variant| &*variant.name == name).cloned() else {
            let known: Vec<Name> = self.variants().map(|variant| variant.name.clone()).collect();
            return Err(VariantError::Unknown { name: name.into(), known });
        };
        if trail.contains(&variant.name) {
            return Err(VariantError::Circle { name: name.into() });
        }
        trail.push(variant.name.clone());
        if let Some(base) = &variant.from {
            self.put_variant(base, trail)?;
        }
        for item in variant.changes {
            let origin = item.origin;
            if let Err(error) = self.apply(Edit::Put(item)) {
                return Err(VariantError::Broken(Box::new(self.change_error(error, origin))));
            }
        }
        Ok(())
    }

    fn change_error(&self, error: EditError, origin: Origin) -> Diagnostic {
        match error {
            EditError::NothingToChange { what, name } => {
                let known: Vec<&str> = match what {
                    "rule" => self.rules().map(|rule| &*rule.name).collect(),
                    _ => self.settings().map(|setting| &*setting.name).collect(),
                };
                let mut diagnostic = Diagnostic::error(
                    "change/nothing",
                    format!("No such {what}"),
                    origin,
                    format!("There is no {what} “{name}” here."),
                );
                if let Some(near) = nearest(&name, known.iter().copied()) {
                    diagnostic = diagnostic.hint(format!("Did you mean “{near}”?"));
                } else if !known.is_empty() {
                    diagnostic = diagnostic.note(format!("The definition has: {}.", known.join(", ")));
                }
                diagnostic
            }
            other => Diagnostic::error("change/clash", "This change does not fit", origin, other.to_string()),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum VariantError {
    Unknown { name: Name, known: Vec<Name> },
    Circle { name: Name },
    Broken(Box<Diagnostic>),
}

impl fmt::Display for VariantError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            VariantError::Unknown { name, known } => {
                write!(f, "There is no variant “{name}”.")?;
                if let Some(near) = nearest(name, known.iter().map(|known| &**known)) {
                    write!(f, " Did you mean “{near}”?")
                } else if known.is_empty() {
                    write!(f, " This game has none.")
                } else {
                    write!(
                        f,
                        " Known: {}.",
                        known.iter().map(|known| format!("“{known}”")).collect::<Vec<_>>().join(", ")
                    )
                }
            }
            VariantError::Circle { name } => write!(f, "The variant “{name}” builds on itself."),
            VariantError::Broken(diagnostic) => {
                write!(f, "{}: {}", diagnostic.title, diagnostic.labels[0].text)
            }
        }
    }
}

impl std::error::Error for VariantError {}
