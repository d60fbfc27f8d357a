//! Representations written in a definition: `#view NAME of MODEL`.
//!
//! A [`Stage`] knows the views of a definition. What they remember for one viewer after a step is a [`Memory`]: their
//! properties, states, graphics, observers and hooks. Memories are values; whoever undoes goes back to an older one.
//! Views are fed with nothing but the [`View`](houserules_kernel::View) of their viewer, before and after a step: they
//! cannot give away what they never knew. They run on a budget, and one that runs out of it, or has a fault, is set
//! aside with a reason; the default drawing of its thing takes over.

mod attributes;
mod body;
mod known;
mod value;
mod watching;

use crate::{Graphic, GraphicId, Place, Scene};
use body::Run;
use houserules_kernel::{Choice, Position, SeatId, ThingId, View, Who};
use houserules_model::{Behavior, Definition, ItemKind, Name};
use known::{Known, things};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
pub use value::Value;
pub use watching::Watching;

/// The views of a definition.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stage {
    views: Vec<houserules_model::View>,
    /// The parent of each model that has one.
    parents: BTreeMap<Name, Name>,
}

/// What the views of one viewer remember.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Memory {
    actors: BTreeMap<(usize, ThingId), Arc<Actor>>,
    /// Views that were set aside, and why.
    pub faults: Vec<Fault>,
    /// All views together were too much: until the rules change, everything is drawn in the usual way.
    is_closed: bool,
}

/// One view of one thing.
#[derive(Clone, PartialEq, Debug, Default)]
struct Actor {
    state: State,
    properties: BTreeMap<Name, Value>,
    graphics: BTreeMap<Name, Drawn>,
    /// Property, whether only afterwards, label.
    observed: Vec<(Name, bool, Name)>,
    hooks: BTreeMap<Name, Hook>,
}

/// A state by name; the first one is `default`.
#[derive(Clone, PartialEq, Debug)]
struct State(Name);

impl Default for State {
    fn default() -> Self {
        State("default".into())
    }
}

/// A graphic of a view as it was told so far.
#[derive(Clone, PartialEq, Debug, Default)]
struct Drawn(BTreeMap<Name, Value>);

#[derive(Clone, PartialEq, Debug)]
enum Hook {
    Notify(Message),
    Emit(Name, Option<String>),
}

/// A message that a view has prepared.
#[derive(Clone, PartialEq, Debug)]
pub struct Message {
    pub label: Name,
    pub attributes: Vec<(Name, Value)>,
}

/// Why a view was set aside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    pub view: String,
    pub thing: String,
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The view “{}” of {} was set aside: {} It is drawn in the usual way.",
            self.view, self.thing, self.reason
        )
    }
}

/// What a click asks of the match.
#[derive(Clone, PartialEq, Debug)]
pub enum Reaction {
    /// A message to the thing that was clicked, under the laws of whoever clicked.
    Send(ThingId, Message),
    /// A signal, with its tag.
    Emit(Name, Option<String>),
}

/// Graphics of all views of one viewer together.
const MOST_GRAPHICS: usize = 5_000;
/// Expressions that all views of one viewer together look at after a step of the match.
const MOST_STEPS: u32 = 1_000_000;

impl Stage {
    /// None where nothing is drawn by the definition itself: then it costs nothing.
    pub fn of(definition: &Definition) -> Option<Stage> {
        let mut stage = Stage::default();
        for item in definition.items() {
            match &item.kind {
                ItemKind::View(view) => {
                    // A view of the same name takes the place of the old one.
                    stage.views.retain(|known| known.name != view.name);
                    stage.views.push(view.clone());
                }
                ItemKind::Model { name, parent: Some(parent) } => {
                    stage.parents.insert(name.clone(), parent.clone());
                }
                _ => {}
            }
        }
        (!stage.views.is_empty()).then_some(stage)
    }

    /// What views remember at the start, or after a change of rules: everything there is has been told to `start`.
    pub fn open(&self, view: &View) -> Memory {
        self.next(&Memory::default(), None, view)
    }

    /// What they remember after a step: observers have heard what changed for this viewer, new things have begun, and
    /// those that are gone, or can no longer be seen, are forgotten.
    pub fn next(&self, memory: &Memory, before: Option<&View>, now: &View) -> Memory {
        let mut next = memory.clone();
        if next.is_closed {
            return next;
        }
        let are = things(now);
        let were = before.map(things).unwrap_or_default();
        let mut left = MOST_STEPS;
        next.actors.retain(|(_, thing), _| are.contains_key(thing));
        for (thing, known) in &are {
            for (at, view) in self.views.iter().enumerate().filter(|(_, view)| self.is_of(&known.kind, &view.of)) {
                if next.faults.iter().any(|fault| fault.view == *view.name && fault.thing == known.name) {
                    continue;
                }
                let old = next.actors.get(&(at, *thing)).cloned();
                let played = match (old, were.get(thing)) {
                    (None, _) => self.begin(view, known, now, &mut left).map(Some),
                    (Some(actor), Some(was)) => {
                        self.notify(view, &actor, was, known, (before.unwrap_or(now), now), &mut left)
                    }
                    (Some(_), None) => Ok(None),
                };
                match played {
                    Ok(Some(actor)) => drop(next.actors.insert((at, *thing), Arc::new(actor))),
                    Ok(None) => {}
                    Err(reason) => next.set_aside(at, *thing, view, known, reason),
                }
                if left == 0 {
                    next.close(format!("All views together ran for more than {MOST_STEPS} steps."));
                    return next;
                }
            }
        }
        let total: usize = next.actors.values().map(|actor| actor.graphics.len()).sum();
        if total > MOST_GRAPHICS {
            next.close(format!("All views together have {total} graphics, and {MOST_GRAPHICS} is the most."));
        }
        next
    }

    /// What becomes of a click on a graphic: what the views show until the next step, and what is asked of the match.
    pub fn click(&self, memory: &Memory, now: &View, id: &str) -> (Memory, Option<Reaction>) {
        let mut next = memory.clone();
        let all = things(now);
        let found = memory.actors.iter().find_map(|((at, thing), actor)| {
            let name = id.strip_prefix(&prefix(*thing, &self.views.get(*at)?.name))?;
            Some((*at, *thing, actor.clone(), actor.hooks.get(name)?.clone()))
        });
        let Some((at, thing, actor, hook)) = found else { return (next, None) };
        let (Some(known), view) = (all.get(&thing), &self.views[at]) else { return (next, None) };
        match hook {
            Hook::Emit(signal, tag) => (next, Some(Reaction::Emit(signal, tag))),
            Hook::Notify(message) => {
                let Some(behavior) = answering(view, &actor, &message.label) else {
                    // Nothing of its own to do: the message goes to the thing as it was prepared.
                    return (next, Some(Reaction::Send(thing, message)));
                };
                let mut changed = (*actor).clone();
                let mut left = MOST_STEPS;
                let mut run = Run::new(view, &mut changed, known, now, &mut left).clicked();
                match run.behave(behavior, &message.attributes) {
                    Ok(()) => {
                        let sent = run.sent.take();
                        next.actors.insert((at, thing), Arc::new(changed));
                        (next, sent.map(|message| Reaction::Send(thing, message)))
                    }
                    Err(reason) => {
                        next.set_aside(at, thing, view, known, reason);
                        (next, None)
                    }
                }
            }
        }
    }

    /// Puts what views draw into a scene, in the place of what would be drawn otherwise.
    pub fn dress(&self, scene: &mut Scene, memory: &Memory, now: &View) {
        let all = things(now);
        let mut homes: BTreeMap<ThingId, Home> = BTreeMap::new();
        for ((at, thing), actor) in &memory.actors {
            let (Some(view), Some(known)) = (self.views.get(*at), all.get(thing)) else { continue };
            // Where the thing would be drawn; a second view of it finds the first one's there.
            let home = homes.entry(*thing).or_insert_with(|| undress(scene, *thing)).clone();
            let drawn = actor.graphics.iter().filter_map(|(name, drawn)| {
                let id = format!("{}{name}", prefix(*thing, &view.name));
                let graphic = attributes::graphic(&id, &drawn.0, home.place.unwrap_or_default()).ok()?;
                // What lies on a board lies there: over what it covers in the usual drawing.
                let on = graphic.on.or(home.on);
                // An empty word is one as well: it is decoration.
                let is_told = drawn.0.contains_key("label");
                let label = if is_told { graphic.label.clone() } else { known.name.clone() };
                let clickable = actor.hooks.contains_key(name);
                Some(Graphic { thing: Some(*thing), on, label, clickable, z: graphic.z + home.z, ..graphic })
            });
            let mut drawn: Vec<Graphic> = drawn.collect();
            if home.place.is_none() {
                below(scene, &mut drawn, actor);
            }
            for graphic in drawn {
                let (_, to) = crate::bounds(&graphic);
                scene.size = Place::new(scene.size.x.max(to.x), scene.size.y.max(to.y));
                scene.put(graphic);
            }
        }
    }

    fn is_of(&self, kind: &str, model: &str) -> bool {
        let mut kind: Name = kind.into();
        // A definition may name models in a circle; no line of parents is as long as there are models.
        for _ in 0..=self.parents.len() {
            if &*kind == model {
                return true;
            }
            match self.parents.get(&kind) {
                Some(parent) => kind = parent.clone(),
                None => return false,
            }
        }
        false
    }

    fn begin(&self, view: &houserules_model::View, known: &Known, now: &View, left: &mut u32) -> Result<Actor, String> {
        let mut actor = Actor::default();
        for (name, first) in &view.properties {
            let value = match first {
                Some(expr) => Run::new(view, &mut actor, known, now, left).value(expr)?,
                None => Value::Nil,
            };
            actor.properties.insert(name.clone(), value);
        }
        if let Some(behavior) = answering(view, &actor, "start") {
            Run::new(view, &mut actor, known, now, left).behave(behavior, &[])?;
        }
        Ok(actor)
    }

    /// Tells a view what changed of its thing; none if it did not ask.
    fn notify(
        &self,
        view: &houserules_model::View,
        actor: &Actor,
        was: &Known,
        is: &Known,
        (before, now): (&View, &View),
        left: &mut u32,
    ) -> Result<Option<Actor>, String> {
        let mut changed: Option<Actor> = None;
        // Before the change for those that want it so, then after it for the others.
        for after in [false, true] {
            let observed = changed.as_ref().unwrap_or(actor).observed.clone();
            for (property, late, label) in observed.iter().filter(|(_, late, _)| *late == after) {
                let (old, new) = (was.property(property), is.property(property));
                if old == new {
                    continue;
                }
                let actor = changed.get_or_insert_with(|| actor.clone());
                let Some(behavior) = answering(view, actor, label) else { continue };
                let (known, seen) = if *late { (is, now) } else { (was, before) };
                let told = [("old".into(), old.unwrap_or_default()), ("new".into(), new.unwrap_or_default())];
                Run::new(view, actor, known, seen, left).behave(behavior, &told)?;
            }
        }
        Ok(changed)
    }
}

impl Memory {
    fn close(&mut self, reason: String) {
        self.actors.clear();
        self.faults = vec![Fault { view: "all views".into(), thing: "the table".into(), reason }];
        self.is_closed = true;
    }

    fn set_aside(&mut self, at: usize, thing: ThingId, view: &houserules_model::View, known: &Known, reason: String) {
        self.actors.remove(&(at, thing));
        self.faults.push(Fault { view: view.name.to_string(), thing: known.name.clone(), reason });
    }
}

/// The open choice that a click means, if the seat has it: laws decide, as for every other choice.
pub fn choice_of(position: &mut dyn Position, seat: SeatId, reaction: &Reaction) -> Option<Choice> {
    let who = Who::Seat(seat);
    let choices = position.choices(who);
    match reaction {
        Reaction::Emit(_, tag) => {
            // A signal without a tag gives true.
            let wanted = tag.as_deref().unwrap_or("true");
            let answers = |choice: &&Choice| position.label(choice).is_none();
            choices.iter().filter(answers).find(|choice| position.words(who, choice) == wanted).cloned()
        }
        Reaction::Send(thing, message) => {
            let fits = |choice: &&Choice| {
                let points = position.points(who, choice);
                position.label(choice).as_deref() == Some(&*message.label)
                    && (points.first() == Some(thing) || points.is_empty() && *thing == ThingId(0))
            };
            let words = |choice: &Choice| position.words(who, choice);
            let fitting: Vec<&Choice> = choices.iter().filter(fits).collect();
            let says = |choice: &&&Choice| {
                let words = words(choice);
                message.attributes.iter().all(|(_, value)| words.contains(&value.to_string()))
            };
            fitting.iter().find(says).map(|choice| (*choice).clone())
        }
    }
}

fn answering<'a>(view: &'a houserules_model::View, actor: &Actor, label: &str) -> Option<&'a Behavior> {
    let labelled = |behavior: &&Behavior| &*behavior.label == label;
    let of_state = view.behaviors.iter().rfind(|behavior| labelled(behavior) && behavior.state == actor.state.0);
    of_state.or_else(|| view.behaviors.iter().rfind(|behavior| labelled(behavior) && &*behavior.state == "*"))
}

/// Graphics of a view are named after it: two views may use the same name.
fn prefix(thing: ThingId, view: &str) -> String {
    format!("v{}.{view}.", thing.0)
}

/// Where a thing would be drawn.
#[derive(Clone, Default)]
struct Home {
    /// None for what lies nowhere.
    place: Option<Place>,
    z: i32,
    on: Option<ThingId>,
}

/// From the title of a sheet to the middle of one with a single line.
const BELOW_TITLE: i32 = 18;

/// Takes the usual drawing of a thing away.
fn undress(scene: &mut Scene, thing: ThingId) -> Home {
    let usual = scene.graphics.values().filter(|graphic| is_usual(graphic, thing));
    let usual: Vec<GraphicId> = usual.map(|graphic| graphic.id.clone()).collect();
    let mut home = Home::default();
    for id in &usual {
        if let Some(graphic) = scene.graphics.remove(id)
            && home.place.is_none()
        {
            home = Home { place: Some(graphic.at), z: graphic.z, on: graphic.on };
        }
    }
    // The words on the sheet of a thing that lies nowhere say what the view draws.
    let words = format!("x{}.", thing.0);
    if let Some(title) = scene.graphics.get(&format!("{words}n")) {
        // The middle of a sheet moves with every line that is known more: its first line stays.
        home.place = home.place.map(|at| Place::new(at.x, title.at.y + BELOW_TITLE));
        scene.graphics.retain(|id, _| !id.starts_with(&words));
    }
    home
}

/// What has no place of its own goes below the table, in the middle; what was told where it is stays there.
fn below(scene: &mut Scene, drawn: &mut [Graphic], actor: &Actor) {
    const APART: i32 = 20;
    let is_placed = |drawn: &Drawn| drawn.0.contains_key("x") || drawn.0.contains_key("y");
    let free = || actor.graphics.values().map(|drawn| !is_placed(drawn));
    let rooms: Vec<(Place, Place)> =
        drawn.iter().zip(free()).filter(|(_, free)| *free).map(|(graphic, _)| crate::bounds(graphic)).collect();
    let Some(left) = rooms.iter().map(|(from, _)| from.x).min() else { return };
    let top = rooms.iter().map(|(from, _)| from.y).min().unwrap_or(0);
    let right = rooms.iter().map(|(_, to)| to.x).max().unwrap_or(0);
    let by = Place::new((scene.size.x - (right - left)).max(2 * APART) / 2 - left, scene.size.y - top);
    for (graphic, _) in drawn.iter_mut().zip(free()).filter(|(_, free)| *free) {
        graphic.at = graphic.at.by(by.x, by.y);
    }
    let low = rooms.iter().map(|(_, to)| to.y + by.y).max().unwrap_or(0);
    scene.size = Place::new(scene.size.x.max(right + by.x + APART), low + APART);
}

/// Whether a graphic is the usual drawing of a thing: the thing itself, or what its place shows.
fn is_usual(graphic: &Graphic, thing: ThingId) -> bool {
    let own = graphic.thing == Some(thing)
        && matches!(graphic.layer, crate::Layer::Places | crate::Layer::Things)
        && !graphic.id.starts_with('v');
    own || graphic.id.strip_prefix('m') == Some(&*thing.0.to_string())
}
