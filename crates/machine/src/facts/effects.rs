//! What each instruction may do, besides writing its register.
//!
//! What it enters counts for itself: see [`super::called`]. A new instruction is named here, or this does not compile; one
//! of which it is not known what it does is like [`ANYTHING`].

use crate::code::Op;

/// What an instruction may do by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Effects {
    /// Stop for an answer of a player or of chance.
    pub asks: bool,
    /// Of chance alone.
    pub chance: bool,
    /// Change memory, lists in the heap apart.
    pub writes: bool,
    /// Change whose turn it is, or who is in.
    pub turns: bool,
    /// Refuse the action or the message.
    pub refuses: bool,
    pub goes: Goes,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Goes {
    /// The next instruction.
    On,
    /// The next one, or the one it names.
    Either,
    /// The one it names.
    Away,
    /// Nothing: the function or the block ends.
    End,
}

const NOTHING: Effects =
    Effects { asks: false, chance: false, writes: false, turns: false, refuses: false, goes: Goes::On };
const ANYTHING: Effects = Effects { asks: true, writes: true, turns: true, refuses: true, ..NOTHING };
const EITHER: Effects = Effects { goes: Goes::Either, ..NOTHING };
const WRITES: Effects = Effects { writes: true, ..NOTHING };
const TURNS: Effects = Effects { turns: true, ..WRITES };
const CHANCE: Effects = Effects { asks: true, chance: true, ..NOTHING };
const END: Effects = Effects { goes: Goes::End, ..NOTHING };

pub(crate) fn of(op: &Op) -> Effects {
    match op {
        Op::Const { .. }
        | Op::Move { .. }
        | Op::Player { .. }
        | Op::Opponent { .. }
        | Op::Players { .. }
        | Op::FirstPlayer { .. }
        | Op::GetProp { .. }
        | Op::GetSlot { .. }
        | Op::GetField { .. }
        | Op::GetOf { .. }
        | Op::GetNamed { .. }
        | Op::GetState { .. }
        | Op::Step { .. }
        | Op::StepSet { .. }
        | Op::StepRelative { .. }
        | Op::StepRelativeSet { .. }
        | Op::Add { .. }
        | Op::Sub { .. }
        | Op::Mul { .. }
        | Op::Div { .. }
        | Op::Mod { .. }
        | Op::Floor { .. }
        | Op::Abs { .. }
        | Op::Max { .. }
        | Op::Min { .. }
        | Op::Eq { .. }
        | Op::Ne { .. }
        | Op::Lt { .. }
        | Op::Le { .. }
        | Op::Not { .. }
        | Op::IsIn { .. }
        | Op::IsA { .. } => NOTHING,
        // Lists and dictionaries never change: what puts something into one makes another.
        Op::List { .. }
        | Op::Dictionary { .. }
        | Op::Range { .. }
        | Op::First { .. }
        | Op::FirstN { .. }
        | Op::Last { .. }
        | Op::At { .. }
        | Op::Position { .. }
        | Op::Append { .. }
        | Op::Insert { .. }
        | Op::Replace { .. }
        | Op::RemoveFrom { .. }
        | Op::Join { .. }
        | Op::Different { .. }
        | Op::SortBy { .. }
        | Op::Reverse { .. }
        | Op::Flatten { .. }
        | Op::Match { .. }
        | Op::Put { .. }
        | Op::Members { .. } => NOTHING,
        // Their blocks stand in the same code, and count there.
        Op::Look { .. }
        | Op::Walk { .. }
        | Op::WalkLines { .. }
        | Op::WalkAcross { .. }
        | Op::Exactly { .. }
        | Op::Reach { .. }
        | Op::Line { .. }
        | Op::Group { .. }
        | Op::Border { .. }
        | Op::Between { .. }
        | Op::Toward { .. }
        | Op::Distance { .. }
        | Op::Edge { .. }
        | Op::Ends { .. }
        | Op::Named { .. }
        | Op::Opposite { .. }
        | Op::Turned { .. }
        | Op::StepValue { .. }
        | Op::Leap { .. }
        | Op::DirectionList { .. }
        | Op::PlaceAt { .. } => NOTHING,
        // What is entered counts for itself, and what is only tried is taken back.
        Op::Call { .. }
        | Op::CallOf { .. }
        | Op::Send { .. }
        | Op::Forward { .. }
        | Op::NewMessage { .. }
        | Op::ThisMessage { .. }
        | Op::MessageAttribute { .. }
        | Op::Can { .. }
        | Op::Choices { .. }
        | Op::Seen { .. } => NOTHING,
        Op::Suppose { .. } => Effects { goes: Goes::Away, ..NOTHING },
        // It may be any message.
        Op::SendValue { .. } => TURNS,
        Op::Jump { .. } => Effects { goes: Goes::Away, ..NOTHING },
        Op::JumpNil { .. }
        | Op::JumpSome { .. }
        | Op::JumpList { .. }
        | Op::JumpEq { .. }
        | Op::JumpNe { .. }
        | Op::JumpLess { .. }
        | Op::JumpNotLess { .. }
        | Op::GetIfHas { .. }
        | Op::Next { .. }
        | Op::SkipRule { .. } => EITHER,
        Op::EnterRule { .. } | Op::LeaveRule => NOTHING,
        Op::BlockEnd { .. } | Op::Return { .. } => END,
        Op::Refuse { .. } => Effects { refuses: true, ..END },
        Op::Rollback { .. } => Effects { refuses: true, writes: true, ..END },
        Op::SetProp { .. }
        | Op::SetSlot { .. }
        | Op::SetNamed { .. }
        | Op::ChangeState { .. }
        | Op::OpenCheckpoint
        | Op::Again
        | Op::Win { .. }
        | Op::SetOutcome { .. }
        | Op::Draw
        | Op::Say { .. }
        | Op::Remove { .. } => WRITES,
        // A place may be full.
        Op::MoveTo { .. } | Op::New { .. } => Effects { refuses: true, ..WRITES },
        Op::SetPlayers { .. } | Op::EndTurn { .. } | Op::Lose { .. } | Op::Finish { .. } => TURNS,
        Op::Roll { .. } | Op::RandomOf { .. } | Op::Random { .. } => CHANCE,
        // Asks chance, too, but about many things at once.
        Op::Shuffle { .. } => Effects { asks: true, ..WRITES },
        Op::Ask { .. } | Op::Wait { .. } => Effects { asks: true, ..NOTHING },
        // Another action is carried out.
        Op::Let { .. } => ANYTHING,
    }
}

impl Op {
    /// Whether the next instruction may follow.
    pub fn falls_through(&self) -> bool {
        matches!(of(self).goes, Goes::On | Goes::Either)
    }
}
