//! What only an editor wants to know: layers, slots, groups, how large the workspace is; and by which appearances things
//! stand where they stand.

use crate::document::Reading;
use crate::layout::Layout;
use crate::text::Span;
use houserules_model::*;
use serde::Serialize;

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Workspace {
    pub size: Option<(u32, u32)>,
    pub layers: Vec<LayerEntry>,
    pub slots: Vec<SlotEntry>,
    /// Which thing lies on which layer.
    pub puts: Vec<(String, String)>,
    pub groups: Vec<GroupEntry>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayerEntry {
    pub name: String,
    pub visible: bool,
    pub protected: bool,
    /// None: it lies in another file.
    pub at: Option<Span>,
    /// Where its name stands.
    pub name_at: Option<Span>,
}

/// Where the slot of a relation is drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SlotEntry {
    pub relation: String,
    pub of: String,
    pub lane: Option<&'static str>,
    pub layer: Option<String>,
}

/// Things that are listed together.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GroupEntry {
    pub name: String,
    pub entities: Vec<String>,
    pub at: Option<Span>,
    pub name_at: Option<Span>,
}

/// The appearances by which a thing is drawn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Looks {
    pub x: String,
    pub y: String,
    pub image: String,
    pub order: String,
    pub tint: String,
    pub opacity: String,
}

impl Workspace {
    pub(crate) fn of(reading: &Reading, layout: &Layout) -> Workspace {
        let mut drawn = Workspace::default();
        for item in reading.definition.items() {
            let ItemKind::Editor(editor) = &item.kind else { continue };
            let at = (item.origin.file == reading.file).then(|| Span::from(item.origin));
            let name_at = at.and_then(|at| layout.tokens(at).nth(2)).map(|token| token.span);
            match editor {
                Editor::Layer { name, visible, protected } => {
                    let (visible, protected) = (*visible, *protected);
                    drawn.layers.push(LayerEntry { name: name.to_string(), visible, protected, at, name_at });
                }
                Editor::Slot { relation, of, lane, layer } => drawn.slots.push(SlotEntry {
                    relation: relation.to_string(),
                    of: of.to_string(),
                    lane: lane.map(Lane::word),
                    layer: layer.as_ref().map(|layer| layer.to_string()),
                }),
                Editor::Put { entity, layer } => drawn.puts.push((entity.to_string(), layer.to_string())),
                Editor::Workspace { width, height } => drawn.size = Some((*width, *height)),
                Editor::Group { name, entities } => {
                    let entities = entities.iter().map(|entity| entity.to_string()).collect();
                    drawn.groups.push(GroupEntry { name: name.to_string(), entities, at, name_at });
                }
                Editor::Keep { .. } => {}
            }
        }
        drawn
    }
}

impl Looks {
    /// What `#look` says of a model or the nearest of its parents, else the names that Game-Master gave them.
    pub(crate) fn of(definition: &Definition, chain: &[Name]) -> Looks {
        let said = |attribute: &str| {
            chain.iter().find_map(|model| {
                definition.items().iter().find_map(|item| match &item.kind {
                    ItemKind::Look { of, attribute: own, value } if of == model && **own == *attribute => named(value),
                    _ => None,
                })
            })
        };
        let look = |attribute: &str, usual: &str| said(attribute).unwrap_or_else(|| usual.to_owned());
        Looks {
            x: look("x", "Bild X"),
            y: look("y", "Bild Y"),
            image: look("image", "Bild Dateiname"),
            order: look("layer", "Bild Z-Order"),
            tint: "Bild Farbton".to_owned(),
            opacity: "Bild Deckkraft".to_owned(),
        }
    }
}

/// The property that a look reads, where it reads just one of the thing itself.
fn named(value: &Expr) -> Option<String> {
    match &value.kind {
        ExprKind::Word(name) => Some(name.to_string()),
        ExprKind::Form(Form::Property, slots) => match slots.as_slice() {
            [Slot::Name(NameRef::Given(name, _)), Slot::Absent] => Some(name.to_string()),
            _ => None,
        },
        _ => None,
    }
}
