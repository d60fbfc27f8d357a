//! Guessing what is hidden: matches dealt anew that agree with all that a seat has seen.

mod guess;
mod past;

use std::collections::BTreeMap;

use houserules_kernel::{Choice, Generator, Position, SeatId, Who};

use guess::{Guess, Guesser};
use past::{Past, Seen, Step};

/// What a player remembers of its own choices and of its guesses, so that it need not find them out again.
///
/// Of the true position nothing is used here but what the seat may know: its views and what was said to it, who was asked
/// and has answered, and its own choices. Positions with an equal past in these give equal guesses.
#[derive(Default)]
pub(crate) struct Memory {
    chosen: BTreeMap<u64, Choice>,
    /// What was guessed for the last choice, and the match as it had been seen until then.
    guessed: Option<(Vec<Step>, Guesser, Vec<Guess>)>,
}

/// How often a whole match is dealt for each guess that is wanted, where none agrees at once.
const DEALS: usize = 6;

impl Memory {
    pub fn note(&mut self, position: &dyn Position, choice: &Choice) {
        self.chosen.insert(position.fingerprint().0, choice.clone());
    }

    /// Up to `n` positions that the seat cannot tell from this one; none if nothing could be guessed.
    pub fn worlds(
        &mut self,
        position: &mut dyn Position,
        seat: SeatId,
        choices: &[Choice],
        n: usize,
        generator: &mut Generator,
    ) -> Vec<Box<dyn Position>> {
        let offers = |world: &mut dyn Position| world.choices(Who::Seat(seat)) == choices;
        if let Some(past) = Past::of(position, seat, &self.chosen) {
            let (guesser, mut guesses) = self.guesses(&past, seat, n, generator);
            guesses.retain_mut(|guess| offers(&mut *guess.world));
            let worlds: Vec<_> = guesses.iter().map(|guess| guess.world.duplicate()).collect();
            self.guessed = Some((past.steps, guesser, guesses));
            if !worlds.is_empty() {
                return worlds;
            }
        }
        // Where no whole match agrees, at least what lies face down now can be dealt anew.
        let seen = Seen::of(position, seat);
        let mut worlds = Vec::new();
        for _ in 0..2 * n {
            let dealt = position.redeal(seat, generator).filter(|_| worlds.len() < n);
            let Some(mut world) = dealt else { break };
            if seen.agrees(&mut *world, seat) && offers(&mut *world) {
                worlds.push(world);
            }
        }
        worlds
    }

    /// Guesses for the match so far: those of the last choice carried on, mended where they went wrong, and new ones.
    fn guesses(&mut self, past: &Past, seat: SeatId, n: usize, generator: &mut Generator) -> (Guesser, Vec<Guess>) {
        let (mut guesser, before) = match self.guessed.take() {
            Some((steps, guesser, guesses)) if past.steps.starts_with(&steps) => (guesser, guesses),
            _ => (Guesser::new(seat), Vec::new()),
        };
        guesser.begin();
        let mut guesses: Vec<Guess> = Vec::new();
        let mut astray: Vec<Guess> = Vec::new();
        for mut guess in before {
            match guesser.carry_on(past, &mut guess, generator) {
                true => guesses.push(guess),
                false => astray.push(guess),
            }
        }
        // One that was right until lately needs little mending.
        while let Some(guess) = astray.pop().filter(|_| guesses.len() < n.div_ceil(2) && !guesser.has_given_up()) {
            guesses.extend(guesser.mend(past, &guess, generator));
        }
        for _ in 0..n * DEALS {
            if guesses.len() >= n || (guesses.is_empty() && guesser.has_given_up()) {
                break;
            }
            // Those that were mended show the way to others.
            let enough = guesses.len() >= n.div_ceil(2) || (guesser.has_given_up() && !guesses.is_empty());
            if enough && guesser.can_vary() {
                let like = generator.below(guesses.len() as u64) as usize;
                guesses.extend(guesser.vary(past, &guesses[like], generator));
                continue;
            }
            let mut guess = Guess::begin(past);
            if guesser.carry_on(past, &mut guess, generator) {
                guesses.push(guess);
            } else if !guesser.has_given_up() {
                guesses.extend(guesser.mend(past, &guess, generator));
            }
        }
        (guesser, guesses)
    }
}
