use houserules_kernel::{Choice, Decision, Generator, Outcome, Position, Refusal, Rulebook, SeatId, Who};
use houserules_players::{Player, Thought};

/// Plays one match: asks each player in turn, answers for Nature, and cuts what does not end.
pub struct Referee<'a> {
    pub rulebook: &'a dyn Rulebook,
    /// Dice and decks follow from this.
    pub seed: u64,
    /// The match is cut after so many choices of seats.
    pub longest: u64,
}

/// How a match went.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// None if the match was cut.
    pub outcome: Option<Outcome>,
    /// Choices made by seats.
    pub choices: u64,
}

/// One thing that was chosen.
pub struct Step<'a> {
    pub who: Who,
    pub choice: &'a Choice,
    pub words: &'a str,
    /// What the player thought; none for Nature.
    pub thought: Option<&'a Thought>,
}

/// Somebody who looks on.
pub trait Watcher {
    /// Before anything is chosen.
    fn begin(&mut self, _position: &mut dyn Position) {}
    /// Somebody is about to be asked.
    fn asked(&mut self, _position: &mut dyn Position, _who: Who) {}
    /// Something was played.
    fn played(&mut self, _position: &mut dyn Position, _step: &Step) {}
}

/// Nobody looks on.
impl Watcher for () {}

impl Referee<'_> {
    /// A refusal is a fault of the rules: players choose among what is offered.
    pub fn play(&self, players: &mut [Box<dyn Player>], watcher: &mut dyn Watcher) -> Result<Played, Refusal> {
        let opened = self.rulebook.open();
        let mut position = opened.map_err(|error| Refusal::not_offered(error.to_string()))?;
        let mut nature = Generator::new(self.seed);
        let mut choices = 0;
        watcher.begin(&mut *position);
        loop {
            let decision = position.decision();
            if let Decision::Over(outcome) = decision {
                return Ok(Played { outcome: Some(outcome), choices });
            }
            if choices >= self.longest {
                return Ok(Played { outcome: None, choices });
            }
            let Some(&who) = decision.open_to().first() else {
                return Err(Refusal::not_offered("The match is not over, and nobody is asked."));
            };
            watcher.asked(&mut *position, who);
            let (choice, thought) = match who {
                Who::Nature => (drawn(&mut *position, &mut nature)?, None),
                Who::Seat(SeatId(seat)) => {
                    let Some(player) = players.get_mut(usize::from(seat)) else {
                        return Err(Refusal::not_offered(format!("Nobody sits on seat {}.", seat + 1)));
                    };
                    let thought = player.choose(&mut *position, who)?;
                    choices += 1;
                    (thought.choice.clone(), Some(thought))
                }
            };
            let words = position.words(who, &choice);
            position.play(who, &choice)?;
            watcher.played(&mut *position, &Step { who, choice: &choice, words: &words, thought: thought.as_ref() });
        }
    }
}

/// What chance brings, by weight.
fn drawn(position: &mut dyn Position, nature: &mut Generator) -> Result<Choice, Refusal> {
    let choices = position.choices(Who::Nature);
    let total: u64 = choices.iter().map(|choice| u64::from(position.weight(choice))).sum();
    if total == 0 {
        return Err(Refusal::not_offered("Chance has nothing to choose from."));
    }
    let mut at = nature.below(total);
    for choice in &choices {
        let weight = u64::from(position.weight(choice));
        if at < weight {
            return Ok(choice.clone());
        }
        at -= weight;
    }
    unreachable!("a draw below the total weight falls on a choice")
}
