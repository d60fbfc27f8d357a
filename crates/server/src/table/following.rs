//! What those at the table see, kept from move to move: only what a move has touched is drawn again.

use super::Table;
use super::eyes::{self, Eyes};
use crate::to_wire;
use houserules_kernel::{Choice, SeatId, Viewer, Who};
use houserules_protocol::scene::{Gone, Scene, SceneChange};
use houserules_record::{Event, Match};
use houserules_scene::stage::{Reaction, Stage};
use houserules_scene::{Audience, Way, ways};

/// The choices of the seats that are asked.
type Offers = Vec<(SeatId, Vec<Choice>)>;

/// Everybody's scenes, followed while the match is played.
///
/// # Invariants
/// - What it shows is what is drawn of the match from nothing; it only spares work.
/// - Where a scene is another than the one that was told last, the audience knows what it was.
pub(super) struct Following {
    audience: Audience,
    /// Who looks, in the order of the audience.
    eyes: Vec<Eyes>,
    /// Who could choose when it was drawn last.
    asked: Vec<u8>,
    /// Steps of the match that the audience has been told.
    n_steps: usize,
}

impl Following {
    fn new(now: &mut Match, asked: Vec<u8>, offers: Option<Offers>) -> Self {
        let mut audience = Audience::new(&now.seats());
        audience.offer(offers);
        Following { audience, eyes: Vec::new(), asked, n_steps: now.steps().len() }
    }

    /// One more looks, and knows nothing that would have to be told apart.
    fn join(&mut self, now: &mut Match, eyes: Eyes) -> usize {
        let at = self.look(now, eyes::viewer(eyes));
        self.eyes.push(eyes);
        at
    }

    fn look(&mut self, now: &mut Match, viewer: Viewer) -> usize {
        let at = self.audience.join(now.position(), viewer);
        if self.draws_itself(now) {
            self.jump(now, self.n_steps);
        }
        self.audience.tell(at);
        at
    }

    fn place(&self, eyes: Eyes) -> Option<usize> {
        self.eyes.iter().position(|known| *known == eyes)
    }

    fn happened(&mut self, event: &Event, now: &mut Match) {
        match event {
            Event::Play { .. } => {
                self.audience.played(now.position());
                self.n_steps = now.steps().len();
            }
            _ => self.jump(now, self.n_steps),
        }
    }

    /// The match stands elsewhere; of its steps so many are those that are known already.
    fn jump(&mut self, now: &mut Match, n_known: usize) {
        let n_steps = now.steps().len();
        if self.draws_itself(now) {
            let mut again: Option<(Match, Vec<Event>)> = None;
            self.audience.staged(now.look(), n_known.min(n_steps), n_steps, |step, viewers| {
                if again.is_none() {
                    let steps = now.steps().rev().cloned().collect();
                    again = Some((now.fork_at("watched", 0).ok()?, steps));
                }
                let (again, left) = again.as_mut()?;
                while left.len() > n_steps - step {
                    again.apply(&left.pop()?).ok()?;
                }
                let views = viewers.iter().map(|viewer| again.position().view(*viewer)).collect();
                Some((stage(again), views))
            });
        }
        self.n_steps = n_steps;
        self.audience.jumped(now.position());
    }

    fn draws_itself(&self, now: &mut Match) -> bool {
        self.audience.is_staged() || stage(now).is_some()
    }
}

/// What the definition draws by itself.
fn stage(now: &mut Match) -> Option<Stage> {
    now.running().as_defined().and_then(|defined| Stage::of(defined.definition()))
}

/// What a viewer sees of a match as it stands, with what may be chosen.
pub fn seen(now: &mut Match, viewer: Viewer) -> houserules_scene::Scene {
    drawn(now, viewer, None)
}

/// What these eyes see of a match that nobody plays on.
pub(super) fn scene_of(now: &mut Match, eyes: Eyes) -> Scene {
    to_wire::scene(&drawn(now, eyes::viewer(eyes), Some(Vec::new())))
}

fn drawn(now: &mut Match, viewer: Viewer, offers: Option<Offers>) -> houserules_scene::Scene {
    let mut following = Following::new(now, Vec::new(), offers);
    let at = following.look(now, viewer);
    following.audience.scene(at).clone()
}

impl Table {
    /// An event has changed the position.
    pub(super) fn follow(&mut self, event: &Event) {
        self.refollow(|following, now| following.happened(event, now));
    }

    /// Everything may be another: a match that has just begun, or one that was woken again.
    pub(super) fn follow_anew(&mut self, following: Option<Following>) {
        self.following = following;
        self.refollow(|following, now| following.jump(now, 0));
    }

    fn refollow(&mut self, follow: impl FnOnce(&mut Following, &mut Match)) {
        let Some(mut following) = self.following.take() else { return };
        let (asked, offers) = self.offers();
        following.audience.offer(Some(offers));
        following.asked = asked;
        follow(&mut following, &mut self.now);
        self.following = Some(following);
    }

    /// What can be chosen: nothing while nobody is asked, and what is only advised against, too.
    fn offers(&mut self) -> (Vec<u8>, Offers) {
        let asked = self.asked();
        let offers = asked.iter().map(|&seat| (SeatId(seat), self.now.choices(Who::Seat(SeatId(seat))))).collect();
        (asked, offers)
    }

    /// Everybody's scenes with those of these eyes among them.
    fn following(&mut self, eyes: Eyes) -> (&mut Following, usize) {
        let asked = self.asked();
        if self.following.as_ref().is_some_and(|following| following.asked != asked) {
            // A pause, a result that was agreed: nothing was played.
            self.refollow(|following, now| following.jump(now, following.n_steps));
        }
        let mut following = match self.following.take() {
            Some(following) => following,
            None => {
                let (asked, offers) = self.offers();
                Following::new(&mut self.now, asked, Some(offers))
            }
        };
        let at = following.place(eyes).unwrap_or_else(|| following.join(&mut self.now, eyes));
        (self.following.insert(following), at)
    }

    /// What these eyes see, whole.
    pub(super) fn scene(&mut self, eyes: Eyes) -> Scene {
        let (following, at) = self.following(eyes);
        to_wire::scene(following.audience.scene(at))
    }

    /// What they were told last, whole.
    pub(super) fn told_scene(&mut self, eyes: Eyes) -> Scene {
        let (following, at) = self.following(eyes);
        to_wire::told_scene(following.audience.told(at))
    }

    /// What became of the scene that they were told, who have laid aside what is gone.
    pub(super) fn scene_change(&mut self, eyes: Eyes, gone: &mut Gone) -> SceneChange {
        let (following, at) = self.following(eyes);
        let told = following.audience.told(at);
        #[cfg(debug_assertions)]
        let mut aside = gone.clone();
        let change = to_wire::scene_change(told, gone);
        #[cfg(debug_assertions)]
        {
            let mut known = to_wire::told_scene(told);
            assert!(known.apply(&change, &mut aside), "{change:?}");
            assert_eq!(known, to_wire::scene(told.now), "{change:?}");
        }
        change
    }

    /// Everybody has been told.
    pub(super) fn told_all(&mut self) {
        if self.viewers.is_empty() {
            self.following = None;
        }
        if let Some(following) = &mut self.following {
            (0..following.eyes.len()).for_each(|at| following.audience.tell(at));
        }
    }

    /// How the choices of a seat are made on a screen.
    pub(super) fn ways(&mut self, seat: u8) -> Vec<Way> {
        let looks = self.following.as_ref().is_some_and(|following| following.place(Some(seat)).is_some());
        if looks {
            let (following, at) = self.following(Some(seat));
            return following.audience.scene(at).ways.clone();
        }
        let who = Who::Seat(SeatId(seat));
        let choices = self.now.choices(who);
        let view = self.now.position().view(Viewer::Seat(SeatId(seat)));
        ways(self.now.look(), who, &choices, &view)
    }

    /// Somebody clicks a graphic that the definition draws by itself: what that asks of the match.
    pub(super) fn clicked(&mut self, seat: u8, graphic: &str) -> Option<Reaction> {
        let (following, at) = self.following(Some(seat));
        following.audience.click(at, graphic).0
    }
}
