use crate::laws::{Broken, Tally};
use crate::{Choice, Decision, Fingerprint, Generator, Position, Rulebook, SeatId, Viewer, Who};

/// One random match under test.
pub(super) struct Trial<'a> {
    rulebook: &'a dyn Rulebook,
    seed: u64,
    /// In one of so many positions everything is tried.
    one_in: u64,
    pub(super) generator: Generator,
    pub(super) position: Box<dyn Position>,
    pub(super) n_seats: u8,
    /// The choices of everybody here, listed before anything was tried.
    listed: Vec<(Who, Vec<Choice>)>,
    moves: Vec<(Who, Choice)>,
    words: Vec<String>,
    /// Before the first move and after each.
    fingerprints: Vec<Fingerprint>,
}

impl<'a> Trial<'a> {
    pub(super) fn open(rulebook: &'a dyn Rulebook, seed: u64, one_in: u64) -> Result<Self, Broken> {
        let position = rulebook.open().map_err(|error| Broken {
            law: "A rulebook opens",
            what: error.to_string(),
            seed,
            words: Vec::new(),
        })?;
        Ok(Trial {
            rulebook,
            seed,
            one_in: one_in.max(1),
            generator: Generator::new(seed),
            fingerprints: vec![position.fingerprint()],
            position,
            n_seats: rulebook.seats().len() as u8,
            listed: Vec::new(),
            moves: Vec::new(),
            words: Vec::new(),
        })
    }

    pub(super) fn run(mut self, max_plies: usize, tally: &mut Tally) -> Result<(), Broken> {
        loop {
            let open = self.a_decision_is_open_or_the_match_is_over()?;
            let last = open.is_empty() || self.moves.len() >= max_plies;
            let thorough = self.generator.below(self.one_in) == 0;
            let closely = thorough || self.generator.below(self.one_in.div_ceil(8)) == 0;
            if closely {
                self.choices_are_distinct_and_ordered(&open)?;
            }
            let looked = thorough || (last || self.moves.is_empty()) && closely;
            let before = if looked { Some(self.looking_changes_nothing()?) } else { None };
            if let Some(before) = &before {
                self.refusals_change_nothing(&open, before)?;
            }
            if last {
                tally.over += u64::from(open.is_empty());
                break;
            }
            let before = before.filter(|_| thorough);
            if closely {
                tally.tried += self.choices_are_accepted_and_undone(&open, before.as_ref())?;
            }
            if let Some(before) = &before {
                self.random_play_stays_within_the_choices(&open)?;
                self.a_duplicate_is_independent(open[0], before)?;
                tally.searched += 1;
            }
            if thorough || closely && self.moves.is_empty() {
                self.who_sees_the_same_is_asked_the_same(&open)?;
            }
            if closely && open.len() > 1 {
                self.seats_asked_together_do_not_matter_to_each_other(&open)?;
            }
            self.advance(&open)?;
            tally.played += 1;
        }
        self.a_replay_is_the_same_match()?;
        self.undo_leads_back_to_the_start()
    }

    pub(super) fn broken<T>(&self, law: &'static str, what: impl Into<String>) -> Result<T, Broken> {
        Err(Broken { law, what: what.into(), seed: self.seed, words: self.words.clone() })
    }

    pub(super) fn everyone(&self) -> Vec<Who> {
        (0..self.n_seats).map(|seat| Who::Seat(SeatId(seat))).chain([Who::Nature]).collect()
    }

    pub(super) fn viewers(&self) -> Vec<Viewer> {
        (0..self.n_seats).map(|seat| Viewer::Seat(SeatId(seat))).chain([Viewer::Public, Viewer::All]).collect()
    }

    fn a_decision_is_open_or_the_match_is_over(&mut self) -> Result<Vec<Who>, Broken> {
        const LAW: &str = "A position is over exactly when it has no open decision";
        let decision = self.position.decision();
        let open = decision.open_to();
        if let Decision::Over(outcome) = &decision {
            if outcome.ranks.len() != usize::from(self.n_seats) {
                return self
                    .broken(LAW, format!("The outcome ranks {} of {} seats.", outcome.ranks.len(), self.n_seats));
            }
        } else if open.is_empty() {
            return self.broken(LAW, "The match is not over and nobody is asked.");
        }
        self.listed.clear();
        for who in self.everyone() {
            let asked = open.contains(&who);
            let choices = self.position.choices(who);
            if asked && choices.is_empty() {
                return self.broken("A decision is never empty", format!("{who:?} is asked and has no choice."));
            }
            if !asked && !choices.is_empty() {
                return self.broken("Only who is asked has choices", format!("{who:?} has some."));
            }
            self.listed.push((who, choices));
        }
        if open == [Who::Nature] {
            let mut choices =
                self.listed.iter().filter(|(who, _)| *who == Who::Nature).flat_map(|(_, choices)| choices);
            if choices.all(|choice| self.position.weight(choice) == 0) {
                return self.broken("Chance has an outcome", "Every choice of Nature has weight 0.");
            }
        }
        Ok(open)
    }

    fn advance(&mut self, open: &[Who]) -> Result<(), Broken> {
        let who = open[self.generator.below(open.len() as u64) as usize];
        let listed = self.listed.iter_mut().find(|(asked, _)| *asked == who).expect("who is asked was listed");
        let mut choices = std::mem::take(&mut listed.1);
        if who == Who::Nature {
            choices.retain(|choice| self.position.weight(choice) > 0);
        }
        let choice = choices.swap_remove(self.generator.below(choices.len() as u64) as usize);
        let turn = self.position.turn();
        self.words.push(self.position.words(who, &choice));
        if let Err(refusal) = self.position.play(who, &choice) {
            return self.broken("Every listed choice is accepted", refusal.to_string());
        }
        if self.position.turn() < turn {
            return self.broken("Turns are counted upwards", format!("{turn}, then {}", self.position.turn()));
        }
        self.moves.push((who, choice));
        self.fingerprints.push(self.position.fingerprint());
        Ok(())
    }

    fn a_replay_is_the_same_match(&self) -> Result<(), Broken> {
        const LAW: &str = "A replay is the same match";
        let Ok(mut replay) = self.rulebook.open() else { return self.broken(LAW, "The rulebook opens only once.") };
        if replay.fingerprint() != self.fingerprints[0] {
            return self.broken(LAW, "It starts elsewhere.");
        }
        for (ply_idx, (who, choice)) in self.moves.iter().enumerate() {
            if let Err(refusal) = replay.play(*who, choice) {
                return self.broken(LAW, format!("It refuses move {}: {refusal}", ply_idx + 1));
            }
            if replay.fingerprint() != self.fingerprints[ply_idx + 1] {
                return self.broken(LAW, format!("It differs after move {}.", ply_idx + 1));
            }
        }
        Ok(())
    }

    fn undo_leads_back_to_the_start(&mut self) -> Result<(), Broken> {
        const LAW: &str = "Undo leads back to the start";
        for ply_idx in (0..self.moves.len()).rev() {
            if !self.position.undo() {
                return self.broken(LAW, format!("It stops after move {}.", ply_idx + 1));
            }
            if self.position.fingerprint() != self.fingerprints[ply_idx] {
                return self.broken(LAW, format!("Move {} leaves traces.", ply_idx + 1));
            }
        }
        if self.position.undo() {
            return self.broken(LAW, "It goes on beyond the start.");
        }
        Ok(())
    }
}

/// A panic in a game is told with the way to it, like every other failure.
impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("A match panicked.\n  seed   {}\n  moves  {}", self.seed, self.words.join(" · "));
        }
    }
}
