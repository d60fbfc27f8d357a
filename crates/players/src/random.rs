use houserules_kernel::{Generator, Position, Refusal, Who};

use crate::player::{Player, Thought, lots};

/// Any legal choice, all equally likely. Plays every game and needs no evaluator.
pub struct Random {
    generator: Generator,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random { generator: Generator::new(seed) }
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".into()
    }

    fn about(&self) -> String {
        "Takes any legal choice, all equally likely.".into()
    }

    fn choose(&mut self, position: &mut dyn Position, who: Who) -> Result<Thought, Refusal> {
        lots(position, who, &mut self.generator)
    }
}
