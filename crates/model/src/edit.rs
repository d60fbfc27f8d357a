use crate::{Definition, Item, ItemKind, Key};
use std::fmt;

/// A change of a definition, as a value. Applying it gives the edit that takes it back.
#[derive(Clone, PartialEq, Debug)]
pub enum Edit {
    /// Puts an item: in the place of the one with the same key, or at the end (a rule: before the one it names).
    Put(Item),
    /// Takes an item away.
    Remove(Key),
    /// Puts an item at a position, where no item has its key. The inverse of `Remove`.
    Insert(usize, Item),
    /// Several edits, all or none.
    All(Vec<Edit>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum EditError {
    NotThere(Key),
    AlreadyThere(Key),
    /// The rule, setting or variant that the item wants to change does not exist.
    NothingToChange {
        what: &'static str,
        name: crate::Name,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            EditError::NotThere(key) => write!(f, "The definition has no {key:?}."),
            EditError::AlreadyThere(key) => write!(f, "The definition already has {key:?}."),
            EditError::NothingToChange { what, name } => write!(f, "There is no {what} called “{name}” to change."),
        }
    }
}

impl std::error::Error for EditError {}

impl Definition {
    /// Applies an edit and returns its inverse. On an error nothing has changed.
    pub fn apply(&mut self, edit: Edit) -> Result<Edit, EditError> {
        match edit {
            Edit::Put(item) => self.put(item),
            Edit::Remove(key) => {
                let at = self.index(&key).ok_or(EditError::NotThere(key))?;
                Ok(Edit::Insert(at, self.items.remove(at)))
            }
            Edit::Insert(at, item) => {
                let key = item.key().expect("only items with a key are inserted");
                if self.index(&key).is_some() {
                    return Err(EditError::AlreadyThere(key));
                }
                self.items.insert(at.min(self.items.len()), item);
                Ok(Edit::Remove(key))
            }
            Edit::All(edits) => {
                let mut inverses = Vec::new();
                for edit in edits {
                    match self.apply(edit) {
                        Ok(inverse) => inverses.push(inverse),
                        Err(error) => {
                            for inverse in inverses.into_iter().rev() {
                                self.apply(inverse).expect("an inverse fits the definition its edit left");
                            }
                            return Err(error);
                        }
                    }
                }
                inverses.reverse();
                Ok(Edit::All(inverses))
            }
        }
    }

    fn put(&mut self, item: Item) -> Result<Edit, EditError> {
        let item = match self.changed(item)? {
            Some(item) => item,
            None => return Ok(Edit::All(Vec::new())),
        };
        let key = item.key().expect("a changed item has the key of the one it changes");
        if let Some(at) = self.index(&key) {
            return Ok(Edit::Put(std::mem::replace(&mut self.items[at], item)));
        }
        let at = match &item.kind {
            ItemKind::Rule(rule) => match &rule.before {
                Some((other, _)) => self
                    .index(&Key::Rule(other.clone()))
                    .ok_or(EditError::NothingToChange { what: "rule", name: other.clone() })?,
                None => self.items.len(),
            },
            _ => self.items.len(),
        };
        self.items.insert(at, item);
        Ok(Edit::Remove(key))
    }

    /// Items that change another one become the changed one.
    fn changed(&self, item: Item) -> Result<Option<Item>, EditError> {
        let missing = |what, name: &crate::Name| EditError::NothingToChange { what, name: name.clone() };
        let mut changed = match &item.kind {
            ItemKind::RuleMode { rule, .. } | ItemKind::RuleBody { rule, .. } => {
                self.get(&Key::Rule(rule.clone())).ok_or_else(|| missing("rule", rule))?.clone()
            }
            ItemKind::Set { setting, .. } => {
                self.get(&Key::Setting(setting.clone())).ok_or_else(|| missing("setting", setting))?.clone()
            }
            // `#model X` again only reopens it; a parent given now is a change.
            ItemKind::Model { name, parent: None } if self.get(&Key::Model(name.clone())).is_some() => return Ok(None),
            _ => return Ok(Some(item)),
        };
        match (&mut changed.kind, item.kind) {
            (ItemKind::Rule(rule), ItemKind::RuleMode { mode, .. }) => rule.mode = mode,
            (ItemKind::Rule(rule), ItemKind::RuleBody { body, .. }) => rule.body = body,
            (ItemKind::Setting(setting), ItemKind::Set { value, .. }) => setting.value = value,
            _ => unreachable!("keys of one kind find items of that kind"),
        }
        changed.origin = item.origin;
        Ok(Some(changed))
    }
}
