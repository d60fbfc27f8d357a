//! The laws that need a whole position gone through: everything looked at, everything tried.

use crate::laws::Broken;
use crate::laws::snapshot::Snapshot;
use crate::laws::trial::Trial;
use crate::{Choice, Fingerprint, Position, Refusal, SeatId, View, Viewer, Who};

impl Trial<'_> {
    /// Gives what was seen: whatever is tried next must leave it so.
    pub(super) fn looking_changes_nothing(&mut self) -> Result<Snapshot, Broken> {
        let before = self.snapshot();
        let after = self.snapshot();
        self.compare("Looking changes nothing", &before, &after)?;
        Ok(before)
    }

    pub(super) fn choices_are_distinct_and_ordered(&mut self, open: &[Who]) -> Result<(), Broken> {
        for &who in open {
            let choices = self.position.choices(who);
            if self.position.choices(who) != choices {
                return self.broken("The order of choices is fixed", "Listed twice, they differ.");
            }
            let mut words: Vec<(String, &Choice)> =
                choices.iter().map(|choice| (self.position.words(who, choice), choice)).collect();
            words.sort();
            for pair in words.windows(2) {
                if pair[0].1 == pair[1].1 {
                    return self.broken("Choices are distinct", format!("{} is listed twice.", pair[0].0));
                }
                if pair[0].0 == pair[1].0 {
                    let what = format!("“{}” is said of {:?} and {:?}.", pair[0].0, pair[0].1.0, pair[1].1.0);
                    return self.broken("Choices have distinct words", what);
                }
            }
            if let Who::Seat(seat) = who {
                let offers = self.position.offers(seat);
                let legal = offers.iter().filter(|offer| offer.refused.is_none()).map(|offer| &offer.choice);
                if !legal.eq(choices.iter()) {
                    return self.broken("The offers that are not refused are the choices", format!("{offers:?}"));
                }
                for offer in &offers {
                    let words = self.position.words(who, &offer.choice);
                    if words != offer.words {
                        let what = format!("“{}” is offered as “{}”.", words, offer.words);
                        return self.broken("An offer has the words of its choice", what);
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn refusals_change_nothing(&mut self, open: &[Who], before: &Snapshot) -> Result<(), Broken> {
        const LAW: &str = "A refused choice changes nothing";
        let mut wrong: Vec<(Who, Choice)> = Vec::new();
        let listed: Vec<(Who, Choice)> = open
            .iter()
            .flat_map(|&who| self.position.choices(who).into_iter().map(move |choice| (who, choice)))
            .collect();
        let sample = self.sample(&listed, 1).pop();
        for who in self.everyone() {
            if !open.contains(&who) {
                // Somebody else's choice, from a seat that is not asked.
                wrong.extend(sample.iter().map(|(_, choice)| (who, choice.clone())));
            }
            if let Who::Seat(seat) = who {
                let refused: Vec<(Who, Choice)> = self
                    .position
                    .offers(seat)
                    .into_iter()
                    .filter(|offer| offer.refused.is_some())
                    .map(|offer| (who, offer.choice))
                    .collect();
                wrong.extend(self.sample(&refused, 8));
            }
            wrong.extend(
                self.made_up(sample.as_ref().map(|(_, choice)| choice)).into_iter().map(|choice| (who, choice)),
            );
        }
        wrong.push((Who::Seat(SeatId(self.n_seats)), sample.map(|(_, choice)| choice).unwrap_or_default()));
        for (who, choice) in wrong {
            if listed.contains(&(who, choice.clone())) {
                continue;
            }
            // Words are asked for choices that came from a stranger, too: they must not panic.
            let words = self.position.words(who, &choice);
            if self.position.play(who, &choice).is_ok() {
                return self
                    .broken("Only listed choices are accepted", format!("{who:?} played {:?}: {words}", choice.0));
            }
            if self.position.fingerprint() != before.fingerprint {
                return self.broken(LAW, format!("{who:?} was refused {:?}: {words}", choice.0));
            }
        }
        let after = self.snapshot();
        self.compare(LAW, before, &after)
    }

    /// All of them, if it is known what must be seen afterwards, else two. Gives how many.
    pub(super) fn choices_are_accepted_and_undone(
        &mut self,
        open: &[Who],
        before: Option<&Snapshot>,
    ) -> Result<u64, Broken> {
        const LAW: &str = "Undo restores";
        let mut n_tried = 0;
        let (fingerprint, decision) = (self.position.fingerprint(), self.position.decision());
        for &who in open {
            let choices = self.position.choices(who);
            for choice in self.sample(&choices, if before.is_some() { usize::MAX } else { 2 }) {
                let words = self.position.words(who, &choice);
                if let Err(refusal) = self.position.play(who, &choice) {
                    return self.broken("Every listed choice is accepted", format!("{words}: {refusal}"));
                }
                if !self.position.undo() {
                    return self.broken(LAW, format!("{words} cannot be undone."));
                }
                if self.position.fingerprint() != fingerprint || self.position.decision() != decision {
                    return self.broken(LAW, format!("{words} leaves traces."));
                }
                n_tried += 1;
            }
        }
        if let Some(before) = before {
            let after = self.snapshot();
            self.compare(LAW, before, &after)?;
        }
        Ok(n_tried)
    }

    pub(super) fn random_play_stays_within_the_choices(&mut self, open: &[Who]) -> Result<(), Broken> {
        const LAW: &str = "Random play stays within the listed choices";
        let mut reachable = Vec::new();
        for &who in open {
            for choice in self.position.choices(who) {
                if self.position.play(who, &choice).is_ok() {
                    reachable.push(self.position.fingerprint());
                    self.position.undo();
                }
            }
        }
        for _ in 0..4 {
            let mut copy = self.position.duplicate();
            match copy.play_random(&mut self.generator) {
                Ok(true) if reachable.contains(&copy.fingerprint()) => {}
                Ok(true) => return self.broken(LAW, "It led where no choice leads."),
                Ok(false) => return self.broken(LAW, "It says the match is over."),
                Err(refusal) => return self.broken(LAW, refusal.to_string()),
            }
        }
        Ok(())
    }

    pub(super) fn a_duplicate_is_independent(&mut self, who: Who, before: &Snapshot) -> Result<(), Broken> {
        const LAW: &str = "A duplicate is equal and independent";
        let choices = self.position.choices(who);
        let Some(choice) = self.sample(&choices, 1).pop() else { return Ok(()) };
        let mut copy = self.position.duplicate();
        if copy.fingerprint() != before.fingerprint {
            return self.broken(LAW, "Its fingerprint differs.");
        }
        if copy.play(who, &choice).is_err() {
            return self.broken(LAW, "It refuses a choice of the original.");
        }
        let after = self.snapshot();
        self.compare(LAW, before, &after)?;
        if self.position.play(who, &choice).is_err() || self.position.fingerprint() != copy.fingerprint() {
            return self.broken(LAW, "The same choice leads elsewhere.");
        }
        self.position.undo();
        if !copy.undo() || copy.fingerprint() != before.fingerprint {
            return self.broken(LAW, "It cannot take its own move back.");
        }
        Ok(())
    }

    pub(super) fn seats_asked_together_do_not_matter_to_each_other(&mut self, open: &[Who]) -> Result<(), Broken> {
        const LAW: &str = "Seats asked together do not matter to each other before all have answered";
        let answers: Vec<(Who, Choice)> = open
            .iter()
            .filter_map(|&who| {
                let choices = self.position.choices(who);
                Some((who, self.sample(&choices, 1).pop()?))
            })
            .collect();
        let mut ends = Vec::new();
        for backwards in [false, true] {
            let mut order = answers.clone();
            if backwards {
                order.reverse();
            }
            let mut copy = self.position.duplicate();
            for (n_answered, (who, choice)) in order.iter().enumerate() {
                let waiting = &order[n_answered + 1..];
                let seen = |copy: &mut dyn Position| -> Vec<(Vec<Choice>, View)> {
                    waiting.iter().map(|(who, _)| (copy.choices(*who), copy.view(viewer(*who)))).collect()
                };
                let before = seen(&mut *copy);
                if let Err(refusal) = copy.play(*who, choice) {
                    return self.broken(LAW, format!("{who:?} is refused: {refusal}"));
                }
                if seen(&mut *copy) != before {
                    return self.broken(LAW, format!("The answer of {who:?} is seen by one that has still to answer."));
                }
            }
            ends.push(copy.fingerprint());
        }
        if ends[0] != ends[1] {
            return self.broken(LAW, "The order of answering changes the result.");
        }
        Ok(())
    }

    /// What somebody chose in secret must not show in what another is asked, offered or refused.
    pub(super) fn who_sees_the_same_is_asked_the_same(&mut self, open: &[Who]) -> Result<(), Broken> {
        const LAW: &str = "Who sees the same is asked the same";
        for &who in open {
            let choices = self.position.choices(who);
            let choices = self.sample(&choices, 6);
            let mut after = self.position.duplicate();
            let _ = choices.first().map(|choice| after.play(who, choice));
            let face_up = |position: &mut dyn Position| position.view(Viewer::Public) == position.view(Viewer::All);
            // Where everything lies open the same view is the same position.
            if open.len() == 1 && face_up(&mut *self.position) && face_up(&mut *after) {
                continue;
            }
            for seat in (0..self.n_seats).map(SeatId).filter(|&seat| Who::Seat(seat) != who) {
                let mut copy = self.position.duplicate();
                let mut seen: Vec<(View, Fingerprint, &Choice)> = Vec::new();
                for choice in &choices {
                    if copy.play(who, choice).is_err() {
                        continue;
                    }
                    let (view, fingerprint) = (copy.view(Viewer::Seat(seat)), copy.fingerprint());
                    copy.undo();
                    let same = seen.iter().find(|(known, other, _)| *known == view && *other != fingerprint);
                    if let Some((_, _, other)) = same
                        && let Some((one, two)) =
                            asked_after(&mut *copy, who, choice, seat).zip(asked_after(&mut *copy, who, other, seat))
                        && one != two
                    {
                        let words = (self.position.words(who, choice), self.position.words(who, other));
                        let what = format!(
                            "After “{}” or “{}” {seat:?} sees no difference, and is asked: {one:?}, {two:?}",
                            words.0, words.1
                        );
                        return self.broken(LAW, what);
                    }
                    seen.push((view, fingerprint, choice));
                }
            }
        }
        Ok(())
    }

    /// All that can be seen of the position.
    fn snapshot(&mut self) -> Snapshot {
        let everyone = self.everyone();
        let viewers = self.viewers();
        Snapshot {
            fingerprint: self.position.fingerprint(),
            decision: self.position.decision(),
            prompt: self.position.prompt(),
            turn: self.position.turn(),
            choices: everyone.into_iter().map(|who| self.position.choices(who)).collect(),
            views: viewers.into_iter().map(|viewer| self.position.view(viewer)).collect(),
        }
    }

    fn compare(&self, law: &'static str, before: &Snapshot, after: &Snapshot) -> Result<(), Broken> {
        match before.difference(after) {
            Some(difference) => self.broken(law, difference),
            None => Ok(()),
        }
    }

    /// Numbers that no rulebook gave, and listed ones that were tampered with.
    fn made_up(&mut self, listed: Option<&Choice>) -> Vec<Choice> {
        let mut made_up = vec![
            Choice::of(&[]),
            Choice::of(&[u64::MAX]),
            Choice::of(&[0, u64::MAX]),
            Choice::of(&[u64::MAX; 9]),
            Choice::of(&[self.generator.next(), self.generator.next()]),
        ];
        if let Some(choice) = listed {
            let mut longer = choice.clone();
            longer.0.push(0);
            made_up.push(longer);
            let mut shorter = choice.clone();
            if shorter.0.pop().is_some() {
                made_up.push(shorter);
                let mut other = choice.clone();
                let at = self.generator.below(other.0.len() as u64) as usize;
                other.0[at] = other.0[at].wrapping_add(self.generator.below(1_000));
                made_up.push(other);
            }
        }
        made_up
    }

    fn sample<T: Clone>(&mut self, items: &[T], most: usize) -> Vec<T> {
        let mut items = items.to_vec();
        if items.len() > most {
            self.generator.shuffle(&mut items);
            items.truncate(most);
        }
        items
    }
}

/// A question as a seat hears it: the prompt, and every candidate with what is said against it.
type Question = (String, Vec<(String, Option<Refusal>)>);

/// What a seat is asked after a choice, if it is.
fn asked_after(position: &mut dyn Position, who: Who, choice: &Choice, seat: SeatId) -> Option<Question> {
    position.play(who, choice).ok()?;
    let asked = position.decision().open_to().contains(&Who::Seat(seat)).then(|| {
        let offers = position.offers(seat).into_iter().map(|offer| (offer.words, offer.refused)).collect();
        (position.prompt(), offers)
    });
    position.undo();
    asked
}

fn viewer(who: Who) -> Viewer {
    match who {
        Who::Seat(seat) => Viewer::Seat(seat),
        Who::Nature => Viewer::All,
    }
}
