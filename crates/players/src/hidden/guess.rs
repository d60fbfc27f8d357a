//! One guess of a match, and how it is made to agree with what was seen.

use houserules_kernel::{Choice, Generator, Position, SeatId, Who};

use super::past::{Past, Step};

/// What might have been chosen in each step, and the position that comes of it.
pub(super) struct Guess {
    line: Vec<Choice>,
    pub world: Box<dyn Position>,
}

impl Guess {
    pub fn begin(past: &Past) -> Self {
        Guess { line: Vec::new(), world: past.start.duplicate() }
    }
}

/// Makes guesses, and learns from each what the seat sees of the steps of others.
pub(super) struct Guesser {
    seat: SeatId,
    /// By step.
    learned: Vec<Learned>,
    /// Changes that may still be tried for this choice.
    left: usize,
    /// Whether mending ever helped: where it does not, nobody should wait for it again and again.
    helped: bool,
}

/// What the seat sees of a step of somebody else.
#[derive(Clone, Default, PartialEq)]
enum Learned {
    #[default]
    Nothing,
    /// Only this looks as what was done.
    Told(Choice),
    /// Several choices look like it.
    Free,
}

/// How many changes are tried to mend one guess.
const MENDING: usize = 400;
/// For all guesses of one choice; and for all choices as long as it never helped.
const MENDING_ALL: usize = 2_500;
const MENDING_IN_VAIN: usize = 1_200;
/// How many are tried to make another guess out of one that agrees.
const VARYING: usize = 12;
/// Once in so many times two change places.
const CHANGING_PLACES: u64 = 4;
/// One difference more is accepted once in so many times, two once in the square of it: a way around what is in the way.
const AROUND: u64 = 4;
/// Differences that each step counts for which a guess does not reach.
const CANNOT_BE_PLAYED: usize = 100;

impl Guesser {
    pub fn new(seat: SeatId) -> Self {
        Guesser { seat, learned: Vec::new(), left: MENDING_IN_VAIN, helped: false }
    }

    /// Plays a guess on, with own choices as they were made and everything else drawn; false, and as far as it came, if
    /// what comes of it is not what the seat has seen.
    pub fn carry_on(&mut self, past: &Past, guess: &mut Guess, generator: &mut Generator) -> bool {
        self.learned.resize(self.learned.len().max(past.steps.len()), Learned::default());
        for (number, step) in past.steps.iter().enumerate().skip(guess.line.len()) {
            let choice = match &step.own {
                Some(own) => self.agrees(&mut *guess.world, step, own).then(|| own.clone()),
                None => self.draw(&mut *guess.world, number, step, generator),
            };
            let Some(choice) = choice else { return false };
            guess.line.push(choice);
        }
        true
    }

    /// Before the guesses for one choice.
    pub fn begin(&mut self) {
        if self.helped {
            self.left = MENDING_ALL;
        }
    }

    /// Another choice here and there, until everything agrees.
    pub fn mend(&mut self, past: &Past, guess: &Guess, generator: &mut Generator) -> Option<Guess> {
        let line = self.completed(past, guess, generator)?;
        let most = MENDING.min(self.left);
        self.left -= most;
        let mended = self.change(past, line, most, true, generator);
        if mended.is_some() && !self.helped {
            (self.helped, self.left) = (true, MENDING_ALL);
        }
        mended
    }

    /// Whether nothing more is mended for this choice.
    pub fn has_given_up(&self) -> bool {
        self.left == 0
    }

    /// Whether there is anything that could be chosen otherwise without being seen.
    pub fn can_vary(&self) -> bool {
        self.learned.contains(&Learned::Free)
    }

    /// A guess that is like another one in part.
    pub fn vary(&mut self, past: &Past, guess: &Guess, generator: &mut Generator) -> Option<Guess> {
        self.change(past, guess.line.clone(), VARYING, false, generator)
    }

    fn change(
        &mut self,
        past: &Past,
        mut line: Vec<Choice>,
        most: usize,
        until_it_agrees: bool,
        generator: &mut Generator,
    ) -> Option<Guess> {
        let free: Vec<usize> = (0..past.steps.len()).filter(|&number| self.is_free(past, number)).collect();
        if free.is_empty() {
            return None;
        }
        let mut apart = self.n_apart(past, &line);
        for _ in 0..most {
            if apart == 0 && until_it_agrees {
                break;
            }
            let any = |generator: &mut Generator| free[generator.below(free.len() as u64) as usize];
            let number = any(generator);
            let mut changed = line.clone();
            if generator.below(CHANGING_PLACES) == 0 {
                changed.swap(number, any(generator));
            } else {
                let Some(other) = self.otherwise(past, &line, number, generator) else { continue };
                // Whoever had that gets what is free now, as when two cards change hands.
                match free.iter().find(|&&with| line[with] == other) {
                    Some(&with) => changed.swap(number, with),
                    None => changed[number] = other,
                }
            }
            let changed_apart = self.n_apart(past, &changed);
            let worse = changed_apart.saturating_sub(apart) as u32;
            // What agrees is not given up for what does not.
            if worse == 0 || (until_it_agrees && worse < 8 && generator.below(AROUND.pow(worse)) == 0) {
                (line, apart) = (changed, changed_apart);
            }
        }
        let mut guess = Guess::begin(past);
        let agrees = apart == 0
            && past.steps.iter().zip(&line).all(|(step, choice)| self.agrees(&mut *guess.world, step, choice));
        agrees.then(|| Guess { line, ..guess })
    }

    /// The guess to the end; from where it went astray on, with what looks most like what was seen.
    fn completed(&mut self, past: &Past, guess: &Guess, generator: &mut Generator) -> Option<Vec<Choice>> {
        let mut line = guess.line.clone();
        let mut world = guess.world.duplicate();
        for (number, step) in past.steps.iter().enumerate().skip(line.len()) {
            let choice = match (&step.own, &self.learned[number]) {
                (Some(own), _) => own.clone(),
                (None, Learned::Told(told)) => told.clone(),
                (None, _) => self.most_alike(&mut *world, number, step, generator)?,
            };
            world.play(step.who, &choice).ok()?;
            line.push(choice);
        }
        Some(line)
    }

    fn is_free(&self, past: &Past, number: usize) -> bool {
        past.steps[number].own.is_none() && self.learned.get(number) == Some(&Learned::Free)
    }

    /// Plays a choice; false, and the position as it was, if it does not look as it did.
    fn agrees(&self, world: &mut dyn Position, step: &Step, choice: &Choice) -> bool {
        if world.play(step.who, choice).is_err() {
            return false;
        }
        let agrees = step.after.agrees(world, self.seat);
        if !agrees {
            world.undo();
        }
        agrees
    }

    /// Plays something that looks as it did.
    fn draw(
        &mut self,
        world: &mut dyn Position,
        number: usize,
        step: &Step,
        generator: &mut Generator,
    ) -> Option<Choice> {
        match self.learned[number].clone() {
            Learned::Told(told) if self.agrees(world, step, &told) => Some(told),
            // What was learned in a guess that had gone astray need not be true.
            Learned::Told(_) | Learned::Nothing => {
                let choice = self.most_alike(world, number, step, generator)?;
                self.agrees(world, step, &choice).then_some(choice)
            }
            Learned::Free => {
                answers(world, step.who, generator).into_iter().find(|choice| self.agrees(world, step, choice))
            }
        }
    }

    /// One of the choices after which the table looks most like it did, and what is learned of the step from how many
    /// these are. It works in a guess that has gone astray, too: what is wrong before is equally wrong after each choice.
    fn most_alike(
        &mut self,
        world: &mut dyn Position,
        number: usize,
        step: &Step,
        generator: &mut Generator,
    ) -> Option<Choice> {
        let mut best: Vec<Choice> = Vec::new();
        let mut least = usize::MAX;
        for choice in answers(world, step.who, generator) {
            if world.play(step.who, &choice).is_err() {
                continue;
            }
            let apart = step.after.n_apart(world, self.seat);
            world.undo();
            if apart < least {
                best.clear();
                least = apart;
            }
            if apart == least {
                best.push(choice);
            }
        }
        self.learned[number] = match best.as_slice() {
            [] => Learned::Nothing,
            [told] => Learned::Told(told.clone()),
            _ => Learned::Free,
        };
        best.into_iter().next()
    }

    /// Another answer in one step of a match.
    fn otherwise(&self, past: &Past, line: &[Choice], number: usize, generator: &mut Generator) -> Option<Choice> {
        let mut world = past.start.duplicate();
        for (step, choice) in past.steps.iter().zip(line).take(number) {
            world.play(step.who, choice).ok()?;
        }
        let who = past.steps[number].who;
        answers(&mut *world, who, generator).into_iter().find(|choice| *choice != line[number])
    }

    /// How much of a match looks otherwise than it was seen. What cannot be played counts most.
    fn n_apart(&self, past: &Past, line: &[Choice]) -> usize {
        let mut world = past.start.duplicate();
        let mut apart = 0;
        for (number, (step, choice)) in past.steps.iter().zip(line).enumerate() {
            if world.play(step.who, choice).is_err() {
                return apart + CANNOT_BE_PLAYED * (past.steps.len() - number);
            }
            apart += match number + 1 == past.steps.len() {
                // What was seen on the way still shows at the end, mostly; and views are dear.
                false => usize::from(!step.after.sounds_like(&*world, self.seat)),
                true => step.after.n_apart(&mut *world, self.seat),
            };
        }
        apart
    }
}

/// What could be answered, in any order.
fn answers(world: &mut dyn Position, who: Who, generator: &mut Generator) -> Vec<Choice> {
    let mut choices = world.choices(who);
    generator.shuffle(&mut choices);
    choices.retain(|choice| who != Who::Nature || world.weight(choice) > 0);
    choices
}
