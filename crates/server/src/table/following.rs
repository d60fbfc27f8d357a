//! What those at the table see, kept from move to move: only what a move has touched is drawn again.

use super::eyes::{self, Eyes};
use super::{Table, look};
use crate::to_wire;
use houserules_kernel::{SeatId, Who};
use houserules_protocol::play::How;
use houserules_protocol::scene::{Scene, SceneChange};
use houserules_protocol::table::Phase;
use houserules_record::{Event, Match};
use houserules_scene::{Audience, Way, ways};
use std::collections::BTreeSet;

/// Everybody's scenes, followed while the match is played.
///
/// # Invariants
/// - What it shows is what is drawn of the position from nothing; it only spares work.
pub(super) struct Following {
    audience: Audience,
    /// Who looks, in the order of the audience.
    eyes: Vec<Eyes>,
    /// The graphics of each that may be others than those last told.
    touched: Vec<BTreeSet<String>>,
    /// Nobody has been told anything of this audience yet.
    is_new: bool,
}

impl Following {
    fn open(now: &mut Match, eyes: Vec<Eyes>) -> Self {
        let seats = now.seats();
        let viewers: Vec<_> = eyes.iter().map(|&eyes| eyes::viewer(eyes)).collect();
        let audience = Audience::open(now.position(), &seats, &viewers);
        let touched = vec![BTreeSet::new(); eyes.len()];
        Following { audience, eyes, touched, is_new: true }
    }

    fn place(&self, eyes: Eyes) -> Option<usize> {
        self.eyes.iter().position(|known| *known == eyes)
    }

    fn happened(&mut self, event: &Event, now: &mut Match) {
        let changes = match event {
            Event::Play { .. } => self.audience.played(now.position()),
            _ => self.audience.jumped(now.position()),
        };
        for (touched, changes) in self.touched.iter_mut().zip(&changes) {
            touched.extend(changes.iter().filter_map(to_wire::touched).map(str::to_owned));
        }
    }
}

impl Table {
    /// An event has changed the position.
    pub(super) fn follow(&mut self, event: &Event) {
        match event {
            Event::Play { .. } | Event::Undo(_) | Event::Redo(_) => {
                if let Some(following) = &mut self.following {
                    following.happened(event, &mut self.now);
                }
            }
            // Everything may be another.
            _ => self.following = None,
        }
    }

    /// Whether all that is seen follows from the position: not while nobody is asked for another reason, not where choices
    /// are open that the position would refuse, and not where the definition draws what it remembers.
    fn is_followed(&mut self) -> bool {
        let by_rules = self.result.as_ref().is_none_or(|result| result.how == How::Played);
        matches!(self.phase, Phase::Playing | Phase::Over)
            && by_rules
            && !self.now.running().advises()
            && !self.draws_itself()
    }

    /// The audience with these eyes in it; none where scenes have to be drawn from nothing.
    fn following(&mut self, eyes: Eyes) -> Option<(&Following, usize)> {
        if !self.is_followed() {
            self.following = None;
            return None;
        }
        if self.following.as_ref().and_then(|following| following.place(eyes)).is_none() {
            let mut all: Vec<Eyes> = self.viewers.iter().map(|viewing| viewing.key.eyes).chain([eyes]).collect();
            all.sort_unstable();
            all.dedup();
            self.following = Some(Following::open(&mut self.now, all));
        }
        let following = self.following.as_ref()?;
        Some((following, following.place(eyes)?))
    }

    /// What these eyes see, whole.
    pub(super) fn scene(&mut self, eyes: Eyes) -> Scene {
        if let Some((following, at)) = self.following(eyes) {
            return to_wire::scene(following.audience.scene(at));
        }
        // Where nobody is asked, nothing can be chosen.
        let asked = self.asked();
        let own = eyes.filter(|seat| asked.contains(seat)).map(|seat| self.ways(seat)).unwrap_or_default();
        if self.draws_itself()
            && let Some(scene) = self.staged_scene(eyes, own.clone())
        {
            return scene;
        }
        let seats = self.now.seats();
        look::picture(self.now.position(), seats, eyes::viewer(eyes), own)
    }

    /// What became of a scene that was told; it becomes what is seen now.
    pub(super) fn scene_change(&mut self, eyes: Eyes, known: &mut Scene) -> Option<SceneChange> {
        let change = match self.following(eyes) {
            Some((following, at)) if !following.is_new => {
                to_wire::scene_change(known, following.audience.scene(at), &following.touched[at])
            }
            _ => known.changes_to(&self.scene(eyes)),
        };
        if change == SceneChange::default() {
            return None;
        }
        let fits = known.apply(&change);
        debug_assert!(fits, "{change:?}");
        debug_assert!(*known == self.scene(eyes), "{change:?}");
        Some(change)
    }

    /// Everybody has been told.
    pub(super) fn told_all(&mut self) {
        if self.viewers.is_empty() {
            self.following = None;
        }
        if let Some(following) = &mut self.following {
            following.is_new = false;
            following.touched.iter_mut().for_each(BTreeSet::clear);
        }
    }

    /// How the choices of a seat are made on a screen.
    pub(super) fn ways(&mut self, seat: u8) -> Vec<Way> {
        if self.is_followed()
            && let Some(following) = &self.following
            && let Some(at) = following.place(Some(seat))
        {
            return following.audience.scene(at).ways.clone();
        }
        let who = Who::Seat(SeatId(seat));
        let choices = self.now.choices(who);
        let view = self.now.position().view(eyes::viewer(Some(seat)));
        ways(self.now.look(), who, &choices, &view)
    }
}
