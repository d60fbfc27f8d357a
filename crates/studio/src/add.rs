//! New directives: how they are written, and where they go.

use crate::change::{What, one_thing, stale};
use crate::document::{Reading, Refused};
use crate::inside;
use crate::layout::Layout;
use crate::place;
use crate::text::{Span, TextEdit};
use houserules_model::print::{name as spelled, quoted};
use houserules_model::*;

/// What is to be added.
pub(crate) struct New<'a> {
    pub what: What,
    pub name: &'a str,
    pub of: Option<&'a str>,
    pub state: Option<&'a str>,
    pub value: Option<&'a str>,
}

impl New<'_> {
    /// Puts it into the game, where others of its kind stand.
    pub fn edit(&self, reading: &Reading) -> Result<TextEdit, Refused> {
        let text = self.text()?;
        self.taken(reading)?;
        let name = self.name.trim();
        let model = self.of.unwrap_or("game");
        Ok(match self.what {
            What::Model => match reading.own.iter().rfind(|item| matches!(item.kind, ItemKind::Model { .. })) {
                Some(Item { kind: ItemKind::Model { name: last, .. }, .. }) => {
                    let TextEdit { start, text: put, .. } = place::after_model(reading, last, &text);
                    TextEdit::insert(start, format!("\n{put}"))
                }
                _ => place::top(reading, |_| false, &text),
            },
            What::Entity => place::entity(reading, self.of.unwrap_or(THING), &text),
            What::Board => place::after_model(reading, name, &text),
            What::Property if name == STATE_PROPERTY => place::first_part(reading, model, &text),
            What::Property | What::Relation | What::Appearance => {
                let role = self.role();
                let like = |kind: &ItemKind| matches!(kind, ItemKind::Property(own) if own.role == role);
                place::part(reading, model, like, &text)
            }
            What::Define => match self.of {
                Some(model) => place::part(reading, model, |kind| matches!(kind, ItemKind::Define(_)), &text),
                None => place::top(reading, |kind| matches!(kind, ItemKind::Define(Define { of: None, .. })), &text),
            },
            What::State => place::part(reading, model, |_| false, &text),
            What::Behavior => place::behavior(reading, model, self.state.unwrap_or("default"), &text),
            What::Law | What::AfterLaw | What::SideEffect => {
                place::top(reading, |kind| matches!(kind, ItemKind::Rule(_)), &text)
            }
            What::Action => place::top(reading, |kind| matches!(kind, ItemKind::Action(_)), &text),
            What::Layer | What::Set | What::Rule => return Err(stale()),
            What::Players | What::Turns => {
                let first = |kind: &ItemKind| {
                    matches!(kind, ItemKind::Game { .. } | ItemKind::OpenProperties | ItemKind::Players(_))
                };
                place::top(reading, first, &text)
            }
            What::Setting => place::top(reading, |kind| matches!(kind, ItemKind::Setting(_)), &text),
            // What follows a variant belongs to it: a new one comes last.
            What::Variant => place::end(reading, &text),
            What::View => place::view(reading, &text),
        })
    }

    /// Puts it into the variant or the view that stands there.
    pub fn inside(&self, reading: &Reading, layout: &Layout, at: Span) -> Result<TextEdit, Refused> {
        let text = self.text()?;
        let home = inside::items(reading).find(|item| Span::from(item.origin) == at).ok_or_else(stale)?;
        let column = layout.indent(at.start) + 2;
        let end = inside::whole(reading, layout, home);
        let no = |words: &str| Err(Refused::new("edit/within", words));
        match (&home.kind, self.what) {
            (ItemKind::View(_), What::Behavior | What::Property | What::State) => {
                Ok(place::below(layout, end, column, &text))
            }
            (ItemKind::View(_), _) => no("A view has properties, states and behaviors."),
            (ItemKind::Variant(_), What::Variant | What::Layer) => no("That cannot stand in a variant."),
            (
                ItemKind::Variant(own),
                What::Property | What::Relation | What::Appearance | What::Define | What::Behavior,
            ) => {
                let Some(model) = self.of.filter(|of| *of != "game") else {
                    // Before any model is opened there, it is the game's.
                    return match self.what {
                        What::Behavior => Ok(place::below(layout, end, column, &format!("#model game\n  {text}"))),
                        _ => Ok(place::below(layout, at, column, &text)),
                    };
                };
                let parts = own.changes.iter().filter(|item| {
                    place::owner(&item.kind) == Some(model)
                        || matches!(&item.kind, ItemKind::Model { name, .. } if **name == *model)
                });
                match parts.max_by_key(|item| item.origin.end) {
                    Some(last) if self.state.is_none_or(|state| state == "default") => {
                        Ok(place::below(layout, last.origin.into(), column + 2, &text))
                    }
                    _ => {
                        let state = self.state.filter(|state| *state != "default");
                        let state = state.map(|state| format!("  #state {}\n  ", spelled(state))).unwrap_or_default();
                        let text = text.replace('\n', "\n  ");
                        let text = format!("#model {}\n{state}  {text}", spelled(model));
                        Ok(place::below(layout, end, column, &text))
                    }
                }
            }
            (ItemKind::Variant(_), _) => Ok(place::below(layout, end, column, &text)),
            _ => Err(stale()),
        }
    }

    fn role(&self) -> Role {
        match self.what {
            What::Relation => Role::Relation,
            What::Appearance => Role::Appearance,
            _ => Role::Property,
        }
    }

    /// The directive as it is written.
    fn text(&self) -> Result<String, Refused> {
        let name = self.name.trim();
        let nameless = self.what == What::Turns || self.what == What::Players && self.of.is_some();
        if name.is_empty() && !nameless || name.chars().any(char::is_control) {
            return Err(Refused::new("edit/name", "It needs a name."));
        }
        let own = spelled(name);
        let value = self.value;
        if let Some(text) = value
            && matches!(
                self.what,
                What::Property | What::Relation | What::Appearance | What::Setting | What::Set | What::Define
            )
        {
            one_thing(text)?;
        }
        let to = self.of.map(|of| format!(" to {}", spelled(of))).unwrap_or_default();
        Ok(match self.what {
            What::Model => {
                format!("#model {own}{}", self.of.map(|of| format!(" is {}", spelled(of))).unwrap_or_default())
            }
            What::Entity => {
                let with = value.map(|values| format!(" with {values}")).unwrap_or_default();
                format!("#entity {own} is {}{with}", spelled(self.of.unwrap_or(THING)))
            }
            What::Board => format!("#board {own} {}", value.unwrap_or("grid 3 3")),
            What::Property | What::Relation | What::Appearance => {
                let word = match self.role() {
                    Role::Property => "property",
                    Role::Relation => "relation",
                    Role::Appearance => "appearance",
                };
                format!("#{word} {own}{}", value.map(|value| format!(" {value}")).unwrap_or_default())
            }
            What::Define => format!("#define {own} {}", value.unwrap_or("()")),
            What::State => format!("#state {own}"),
            What::Behavior => format!("#onMessage {own}"),
            What::Law | What::AfterLaw | What::SideEffect => {
                let (word, on) = match self.what {
                    What::Law => ("law", "on"),
                    What::AfterLaw => ("law", "after"),
                    _ => ("sideeffect", "on"),
                };
                let label = value.map_or("*".to_owned(), spelled);
                let states = self.state.map(|state| format!(" in {}", spelled(state))).unwrap_or_default();
                format!("#{word} {} {on} {label}{to}{states}", quoted(name))
            }
            What::Action => format!("#action {own}{to}"),
            What::Players if self.of.is_some() => format!("#players are {}", spelled(self.of.unwrap_or_default())),
            What::Players => {
                let names: Vec<String> = name.split(',').map(|name| quoted(name.trim())).collect();
                format!("#players {}", names.join(" "))
            }
            What::Turns => "#turns".to_owned(),
            What::Setting => format!("#setting {own} {}", value.unwrap_or("0")),
            What::Set => format!("#set {own} {}", value.unwrap_or("0")),
            What::Variant => {
                let from = self.value.map(|from| format!(" from {}", quoted(from))).unwrap_or_default();
                format!("#variant {}{from}", quoted(name))
            }
            What::View => format!("#view {} of {}", quoted(name), spelled(self.of.unwrap_or("game"))),
            What::Rule => {
                let mode = value.unwrap_or("off");
                if !["enforced", "advised", "off", "instead"].contains(&mode) {
                    return Err(Refused::new("edit/mode", "A rule is `enforced`, `advised`, `off` or `instead`."));
                }
                // One that runs instead needs a statement to be one.
                let body = if mode == "instead" { "\n  ()" } else { "" };
                format!("#rule {} {mode}{body}", quoted(name))
            }
            What::Layer => return Err(stale()),
        })
    }

    /// Whether there is one of that name already.
    fn taken(&self, reading: &Reading) -> Result<(), Refused> {
        let name: Name = self.name.trim().into();
        let model = self.of.unwrap_or("game");
        let state = self.state.unwrap_or("default");
        let definition = &reading.definition;
        let there = match self.what {
            What::State => definition.items().iter().any(|item| match &item.kind {
                ItemKind::State { of, name: own } => **of == *model && *own == name,
                ItemKind::Behavior(behavior) => *behavior.of == *model && *behavior.state == *name,
                _ => false,
            }),
            what => {
                let key = match what {
                    What::Model => Key::Model(name.clone()),
                    What::Entity => Key::Entity(name.clone(), 0),
                    What::Board => Key::Board(name.clone()),
                    What::Property | What::Relation | What::Appearance => Key::Property(model.into(), name.clone()),
                    What::Define => Key::Define(self.of.map(Into::into), name.clone()),
                    What::Behavior => Key::Behavior(model.into(), state.into(), name.clone()),
                    What::Law | What::AfterLaw | What::SideEffect => Key::Rule(name.clone()),
                    What::Action => Key::Action(name.clone()),
                    What::Players => Key::Players,
                    What::Turns => Key::Turns,
                    What::Setting => Key::Setting(name.clone()),
                    What::Variant => Key::Variant(name.clone()),
                    What::View => Key::View(name.clone()),
                    What::State | What::Layer | What::Set | What::Rule => return Ok(()),
                };
                definition.get(&key).is_some()
            }
        };
        let words = match self.what {
            What::Players | What::Turns => "It is said already.".to_owned(),
            _ => format!("“{name}” is there already."),
        };
        if there { Err(Refused::new("edit/taken", words)) } else { Ok(()) }
    }
}
