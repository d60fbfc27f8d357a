//! Who draws a random action, and who says whether somebody can act, in the order in which they are asked.
//!
//! A plan is made when a program is, and once more with its native code. Play goes by it: whoever is asked and does not
//! know leaves the question to the next one, and the last one always knows. What is drawn follows from the position and
//! the generator alone, so the plans of a program with native code and without it draw the same.

mod laws;
mod words;

use crate::native::Native;
use crate::program::Program;
use houserules_model::Turns;

/// The ways of one program, in their order.
#[derive(Clone, Default, Debug)]
pub(crate) struct Plan {
    /// How one random move follows another, the shortest way first.
    pub paces: Vec<Pace>,
    pub drawers: Vec<Drawer>,
    pub answerers: Vec<Answerer>,
}

/// How random play goes from move to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pace {
    /// Native code plays move after move, and only the candidates kept learn of them.
    Lane,
    /// Each move is tried in native code, and nothing needs a journal beyond it.
    Swift,
    /// As the kernel would play it.
    Step,
}

/// Who draws a random action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Drawer {
    /// By shifts of bits, everything that can be done at once: see [`crate::strides`].
    Strides,
    /// From walks by where their places lie: see [`crate::picks`].
    Picks,
    /// From what native code lists: see [`crate::listing`].
    Listing,
    /// Receiver by receiver: see [`crate::tickets`].
    Tickets,
    /// From the candidates for whom a walk finds something: see [`crate::outlook`].
    Outlook,
    /// From the candidates kept, or from all there are: see [`crate::keeper`].
    Candidates,
    /// From the list of everything.
    Everything,
}

/// Who says whether a player has a legal choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Answerer {
    /// While it is found out what a player can do, from what native code has listed.
    Listing,
    /// By the sets of places from which a walk finds something.
    Outlook,
    /// Among the candidates kept, in native code.
    Lane,
    /// Receiver by receiver, among those who may by their own properties.
    Roster,
    /// One candidate after the other.
    Everything,
}

/// What came of asking somebody to draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Draw {
    Played,
    /// Nothing is legal.
    Nobody,
    /// That has to be done in another way here.
    Unsuited,
    /// It took too long, and some receivers were not listed but stood for themselves.
    TooLong,
    /// It took too long although everything was listed, or something is at fault, which is told by listing everything.
    GaveUp,
}

/// How a try went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tried {
    Played,
    Refused,
    /// Something is at fault. It is met again, and told, when everything is listed.
    Faulty,
    /// Native code came to something that it cannot do.
    Stopped,
}

impl Plan {
    /// `native` is the code that was made of the program.
    pub fn of(program: &Program, native: Option<&Native>) -> Plan {
        let mut plan = Plan::default();
        if native.is_some() && program.swift {
            plan.paces.extend(native.and_then(Native::lane).map(|_| Pace::Lane));
            plan.paces.push(Pace::Swift);
        }
        plan.paces.push(Pace::Step);
        if program.sampler.is_some() {
            plan.drawers.extend(program.strides.as_ref().map(|_| Drawer::Strides));
            plan.drawers
                .extend(program.sampler.as_ref().and_then(|sampler| sampler.picked.as_ref()).map(|_| Drawer::Picks));
            plan.drawers.extend(native.filter(|native| native.lists()).map(|_| Drawer::Listing));
            plan.drawers.push(Drawer::Tickets);
        } else if !program.plain.is_empty() {
            plan.drawers.extend(program.outlook.as_ref().map(|_| Drawer::Outlook));
            plan.drawers.push(Drawer::Candidates);
        }
        plan.drawers.push(Drawer::Everything);
        if let Some(native) = native {
            let lists =
                (0..program.actions.len()).any(|action| native.lister(action).is_some_and(|lister| lister.surely));
            plan.answerers.extend(lists.then_some(Answerer::Listing));
            plan.answerers
                .extend(program.outlook.as_ref().filter(|outlook| outlook.is_whole()).map(|_| Answerer::Outlook));
            plan.answerers.extend(native.lane().map(|_| Answerer::Lane));
        }
        plan.answerers.extend(program.roster.as_ref().map(|_| Answerer::Roster));
        plan.answerers.push(Answerer::Everything);
        plan
    }

    /// Whether random play can take the short way at all, native code apart.
    pub fn is_swift(program: &Program) -> bool {
        let fixed = |receiver: u32| {
            let thing = &program.world.entities[receiver as usize];
            thing.board.is_some() || thing.kind <= 1
        };
        let plain = !program.plain.is_empty() && program.plain.iter().all(|&(_, receiver)| fixed(receiver));
        program.world.turns != Turns::Free && (plain || program.sampler.is_some())
    }
}
