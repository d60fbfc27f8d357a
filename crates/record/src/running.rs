use crate::Change;
use houserules_kernel::{Choice, Position, Refusal, Who};
use houserules_model::{Mode, RuleKind};

/// A game that is being played: a position, and the rules it is played by.
///
/// What cannot be done is refused in words and leaves everything as it was.
pub trait Running: Send {
    fn title(&self) -> String;
    fn seats(&self) -> Vec<String>;
    fn position(&mut self) -> &mut dyn Position;
    fn look(&self) -> &dyn Position;
    fn duplicate(&self) -> Box<dyn Running>;

    /// The same, where it is made from a definition.
    fn as_defined(&self) -> Option<&crate::Defined> {
        None
    }

    /// The rules that can be switched, in their order.
    fn rules(&self) -> Vec<RuleState> {
        Vec::new()
    }

    fn change(&mut self, _change: &Change) -> Result<(), String> {
        Err("The rules of this game are written by hand and cannot be changed during a match.".into())
    }

    /// What a change would give away that somebody may not know, as far as the checker finds out.
    fn leaks(&self, _change: &Change) -> Option<String> {
        None
    }

    /// Carries out statements of the definition language between two actions, as if a thing did it.
    fn by_hand(&mut self, _entity: &str, _statements: &str) -> Result<(), String> {
        Err("Nothing can be set by hand in this game.".into())
    }

    /// Every property of everything, in a fixed order.
    fn properties(&mut self) -> Vec<Property> {
        let view = self.position().view(houserules_kernel::Viewer::All);
        crate::trail::seen(&view)
    }

    /// Everything the position consists of, in words that are the same in every version of the program; what a behavior
    /// stopped in the middle still knows is left out. None where only the kernel's fingerprint is known.
    fn meaning(&mut self) -> Option<String> {
        None
    }

    /// Whether any rule is only advised.
    fn advises(&self) -> bool {
        false
    }

    /// The choices that are offered although an advised rule is against them, each with the reason.
    fn warnings(&mut self, _who: Who) -> Vec<(Choice, Refusal)> {
        Vec::new()
    }

    /// Plays a choice against the advised rules.
    fn overrule(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        self.position().play(who, choice)
    }

    /// The position with every advised rule enforced, for players that follow all rules; none where nothing is advised.
    fn strict(&self) -> Option<Box<dyn Position>> {
        None
    }
}

/// A rule and how far it is in force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleState {
    pub name: String,
    pub kind: RuleKind,
    pub mode: Mode,
}

/// What one thing knows, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Property {
    pub entity: String,
    pub property: String,
    pub value: String,
}
