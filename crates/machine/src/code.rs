//! The code a definition is compiled to: functions over registers.

use crate::value::Value;
use crate::world::{DirId, EntityId, KindId};
use houserules_model::Origin;

pub type Reg = u16;
pub type FuncId = u32;
pub type PropId = u16;
pub type LabelId = u16;
pub type RuleId = u16;
pub type NameId = u32;

/// Actions with more attributes, and functions with more arguments, stay with the interpreter and are not drawn by lot.
pub const MOST_ARGS: usize = 6;

/// What every thing has without being told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Field {
    Name,
    Kind,
    Number,
    Row,
    Column,
    Contents,
    Top,
    Empty,
    Next,
    Previous,
    Team,
}

/// What a word means for things of one kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answer {
    Property(PropId),
    Define(FuncId),
    Field(Field),
    Direction(DirId),
    /// A set of directions: an index into the program's list.
    Set(u16),
    /// One of the relative directions.
    Relative(u8),
    /// A relative set: an index into the program's list.
    RelativeSet(u16),
}

/// Whether a word gives places of whatever answers it, so that it gives none of nil.
pub fn gives_places(mut answers: impl Iterator<Item = Answer>) -> bool {
    let places = |answer| matches!(answer, Answer::Set(_) | Answer::RelativeSet(_));
    answers.next().is_some_and(places) && answers.all(places)
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Op {
    Const {
        dst: Reg,
        value: Value,
    },
    Move {
        dst: Reg,
        src: Reg,
    },
    Jump {
        to: u32,
    },
    JumpNil {
        src: Reg,
        to: u32,
    },
    JumpSome {
        src: Reg,
        to: u32,
    },
    JumpList {
        src: Reg,
        to: u32,
    },
    JumpEq {
        a: Reg,
        b: Reg,
        to: u32,
    },
    JumpNe {
        a: Reg,
        b: Reg,
        to: u32,
    },
    JumpLess {
        a: Reg,
        b: Reg,
        to: u32,
    },
    JumpNotLess {
        a: Reg,
        b: Reg,
        to: u32,
    },
    /// The player who acts; outside an action, the one whose turn it is.
    Player {
        dst: Reg,
    },
    Opponent {
        dst: Reg,
    },
    Players {
        dst: Reg,
    },
    FirstPlayer {
        dst: Reg,
    },
    SetPlayers {
        src: Reg,
    },
    /// A property where the receiver can only have it as a property; `name` for messages.
    GetProp {
        dst: Reg,
        entity: Reg,
        prop: PropId,
    },
    SetProp {
        entity: Reg,
        prop: PropId,
        src: Reg,
    },
    GetSlot {
        dst: Reg,
        slot: u32,
    },
    SetSlot {
        slot: u32,
        src: Reg,
    },
    GetField {
        dst: Reg,
        entity: Reg,
        field: Field,
    },
    /// Whatever the word means for that thing or message; nil if nothing.
    GetOf {
        dst: Reg,
        entity: Reg,
        name: NameId,
    },
    /// As `GetOf` if the thing has it, otherwise jumps.
    GetIfHas {
        dst: Reg,
        entity: Reg,
        name: NameId,
        missing: u32,
    },
    /// A property by computed name.
    GetNamed {
        dst: Reg,
        entity: Reg,
        name: Reg,
    },
    SetNamed {
        entity: Reg,
        name: Reg,
        src: Reg,
    },
    Step {
        dst: Reg,
        entity: Reg,
        direction: DirId,
    },
    StepSet {
        dst: Reg,
        entity: Reg,
        set: u16,
    },
    StepRelative {
        dst: Reg,
        entity: Reg,
        turn: u8,
    },
    StepRelativeSet {
        dst: Reg,
        entity: Reg,
        set: u16,
    },
    ChangeState {
        entity: Reg,
        state: Reg,
    },
    GetState {
        dst: Reg,
        entity: Reg,
    },

    Add {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Sub {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mul {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Div {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Mod {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Floor {
        dst: Reg,
        a: Reg,
    },
    Abs {
        dst: Reg,
        a: Reg,
    },
    Max {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Min {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Eq {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ne {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Lt {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Le {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Not {
        dst: Reg,
        a: Reg,
    },
    IsIn {
        dst: Reg,
        a: Reg,
        list: Reg,
    },
    IsA {
        dst: Reg,
        a: Reg,
        kind: Reg,
    },

    List {
        dst: Reg,
        first: Reg,
        n: u16,
    },
    Dictionary {
        dst: Reg,
        first: Reg,
        n: u16,
    },
    Range {
        dst: Reg,
        from: Reg,
        to: Reg,
        step: Reg,
    },
    First {
        dst: Reg,
        list: Reg,
    },
    FirstN {
        dst: Reg,
        n: Reg,
        list: Reg,
    },
    Last {
        dst: Reg,
        list: Reg,
    },
    At {
        dst: Reg,
        at: Reg,
        list: Reg,
    },
    Position {
        dst: Reg,
        value: Reg,
        list: Reg,
    },
    Append {
        dst: Reg,
        value: Reg,
        list: Reg,
    },
    Insert {
        dst: Reg,
        value: Reg,
        at: Reg,
        list: Reg,
    },
    Replace {
        dst: Reg,
        at: Reg,
        list: Reg,
        value: Reg,
    },
    RemoveFrom {
        dst: Reg,
        at: Reg,
        list: Reg,
    },
    Join {
        dst: Reg,
        first: Reg,
        n: u16,
    },
    Different {
        dst: Reg,
        list: Reg,
    },
    /// A list in the order of another list, of keys.
    SortBy {
        dst: Reg,
        list: Reg,
        keys: Reg,
    },
    Reverse {
        dst: Reg,
        list: Reg,
    },
    Flatten {
        dst: Reg,
        list: Reg,
    },
    Match {
        dst: Reg,
        key: Reg,
        dictionary: Reg,
    },
    Put {
        dst: Reg,
        value: Reg,
        key: Reg,
        dictionary: Reg,
    },
    /// The members a loop runs over: a list as it is, a model's things, a dictionary's keys.
    Members {
        dst: Reg,
        src: Reg,
    },
    /// The next member, or out of the loop.
    Next {
        dst: Reg,
        list: Reg,
        at: Reg,
        end: u32,
    },

    Look {
        dst: Reg,
        look: u32,
    },
    /// The same where some place has several neighbours in one direction: along the lines of its board.
    WalkLines {
        dst: Reg,
        walk: u32,
    },
    Walk {
        dst: Reg,
        walk: u32,
    },
    Line {
        dst: Reg,
        line: u32,
    },
    Group {
        dst: Reg,
        group: u32,
    },
    Border {
        dst: Reg,
        border: u32,
    },
    Between {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Toward {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Distance {
        dst: Reg,
        distance: u32,
    },
    /// A walk that is exactly as long as `most` says; only its last place.
    Exactly {
        dst: Reg,
        walk: u32,
        across: u32,
    },
    /// A walk on which not every step can be made.
    WalkAcross {
        dst: Reg,
        walk: u32,
        across: u32,
    },
    /// A group or a distance with conditions on its steps.
    Reach {
        dst: Reg,
        reach: u32,
    },
    Edge {
        dst: Reg,
        a: Reg,
        b: Reg,
    },
    Ends {
        dst: Reg,
        edge: Reg,
    },
    /// The entity that a text names.
    Named {
        dst: Reg,
        src: Reg,
    },
    Opposite {
        dst: Reg,
        src: Reg,
    },
    Turned {
        dst: Reg,
        src: Reg,
        by: Reg,
    },
    StepValue {
        dst: Reg,
        direction: Reg,
        from: Reg,
    },
    Leap {
        dst: Reg,
        a: Reg,
        b: Reg,
        from: Reg,
    },
    DirectionList {
        dst: Reg,
        directions: u32,
    },
    PlaceAt {
        dst: Reg,
        place: u32,
    },
    /// Ends a condition or value inside a form.
    BlockEnd {
        src: Reg,
    },

    Call {
        dst: Reg,
        func: FuncId,
        first: Reg,
        n: u16,
    },
    /// A define answered by the thing's own kind, with arguments.
    CallOf {
        dst: Reg,
        entity: Reg,
        name: NameId,
        first: Reg,
        n: u16,
    },
    Return {
        src: Reg,
    },
    Send {
        dst: Reg,
        send: u32,
    },
    SendValue {
        dst: Reg,
        message: Reg,
    },
    Forward {
        dst: Reg,
        entity: Reg,
        message: u32,
    },
    NewMessage {
        dst: Reg,
        send: u32,
    },
    /// The message being handled, as a value.
    ThisMessage {
        dst: Reg,
        message: u32,
    },
    MessageAttribute {
        dst: Reg,
        message: Reg,
        name: NameId,
    },

    /// A law refuses: the action, if this message is the action, otherwise this message only.
    Refuse {
        rule: RuleId,
        reason: Reg,
    },
    /// An after-law, a side-effect or a behavior refuses: the whole action.
    Rollback {
        rule: RuleId,
        reason: Reg,
    },
    OpenCheckpoint,
    /// Past this rule if it is left out of the question being asked.
    SkipRule {
        rule: RuleId,
        to: u32,
    },
    EnterRule {
        rule: RuleId,
    },
    LeaveRule,

    MoveTo {
        thing: Reg,
        place: Reg,
    },
    New {
        dst: Reg,
        new: u32,
    },
    Remove {
        thing: Reg,
    },
    EndTurn {
        to: Reg,
        given: bool,
    },
    Again,
    Win {
        dst: Reg,
        player: Reg,
    },
    SetOutcome {
        winner: Reg,
    },
    Lose {
        player: Reg,
    },
    Draw,
    Finish {
        finish: u32,
    },
    Say {
        text: Reg,
        to: Reg,
        given: bool,
    },

    Roll {
        dst: Reg,
        sides: Reg,
        times: Reg,
        given: bool,
    },
    RandomOf {
        dst: Reg,
        list: Reg,
    },
    Random {
        dst: Reg,
        from: Reg,
        to: Reg,
    },
    Shuffle {
        dst: Reg,
        what: Reg,
    },
    Ask {
        dst: Reg,
        ask: u32,
    },
    Let {
        dst: Reg,
        player: Reg,
        labels: u32,
    },
    Wait {
        dst: Reg,
        signal: u32,
    },

    Can {
        dst: Reg,
        label: LabelId,
        player: Reg,
    },
    Choices {
        dst: Reg,
        choices: u32,
    },
    Suppose {
        dst: Reg,
        message: Reg,
        start: u32,
        end: u32,
    },
    Seen {
        dst: Reg,
        within: Reg,
        given: bool,
    },
}

impl Op {
    /// Where the instruction may lead besides the next one.
    pub fn target(&self) -> Option<u32> {
        let mut copy = *self;
        copy.target_mut().map(|to| *to)
    }

    pub fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Op::Jump { to }
            | Op::JumpNil { to, .. }
            | Op::JumpSome { to, .. }
            | Op::JumpList { to, .. }
            | Op::JumpEq { to, .. }
            | Op::JumpNe { to, .. }
            | Op::JumpLess { to, .. }
            | Op::JumpNotLess { to, .. }
            | Op::SkipRule { to, .. }
            | Op::Next { end: to, .. }
            | Op::Suppose { end: to, .. }
            | Op::GetIfHas { missing: to, .. } => Some(to),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub n_regs: u16,
    pub n_args: u16,
    pub code: Vec<Op>,
    pub origins: Vec<Origin>,
}

impl Function {
    /// Where the instruction was written, or the nearest one around it that was written at all.
    pub fn origin(&self, at: usize) -> Origin {
        let (before, after) = self.origins.split_at((at + 1).min(self.origins.len()));
        let written = |origin: &&Origin| !origin.is_none();
        before.iter().rev().find(written).or_else(|| after.iter().find(written)).copied().unwrap_or(Origin::NONE)
    }
}

/// A condition on the thing looked at; the usual ones need no code.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Test {
    Always,
    Some(PropId),
    Nil(PropId),
    Equal(PropId, Reg),
    Unequal(PropId, Reg),
    /// The place holds nothing.
    Empty,
    /// The place holds something.
    Occupied,
    Code(Block),
}

impl Test {
    /// The property that a plain condition is about.
    pub fn property(self) -> Option<PropId> {
        match self {
            Test::Some(prop) | Test::Nil(prop) | Test::Equal(prop, _) | Test::Unequal(prop, _) => Some(prop),
            Test::Empty | Test::Occupied => Some(crate::layout::TOP),
            Test::Always | Test::Code(_) => None,
        }
    }
}

/// Code inside a function that looks at one thing: where it begins, and where the thing is put.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Block {
    pub start: u32,
    pub it: Reg,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Measure {
    Itself,
    Property(PropId),
    Code(Block),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    Every,
    None,
    Any,
    All,
    Count,
    Sum,
    Max,
    Min,
    Most,
    Least,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Domain {
    Kind(KindId),
    Reg(Reg),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    pub quantifier: Quantifier,
    pub domain: Domain,
    pub test: Test,
    pub measure: Measure,
}

/// Directions of a form: known ones for each board, relative ones, or a value.
#[derive(Clone, PartialEq, Debug)]
pub enum Ways {
    Set(u16),
    Direction(DirId),
    Relative(u8),
    RelativeSet(u16),
    Value(Reg),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Walk {
    pub ways: Ways,
    pub from: Reg,
    pub most: Option<Reg>,
    pub while_: Test,
    pub until: Option<Test>,
    pub then: Option<Test>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    pub n: Reg,
    pub measure: Measure,
    pub through: Reg,
    pub along: Option<Ways>,
    pub exactly: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    pub ways: Ways,
    pub from: Reg,
    pub while_: Test,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Border {
    pub ways: Ways,
    pub list: Reg,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Distance {
    pub a: Reg,
    pub b: Reg,
    pub along: Option<Ways>,
}

/// A condition on a step: `it` is where it ends, `here` where it begins.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Across {
    pub block: Block,
    pub here: Reg,
}

/// What leads from one thing to the next.
#[derive(Clone, PartialEq, Debug)]
pub enum Leads {
    Ways(Ways),
    /// To all neighbours on the board.
    Adjacent,
    Code(Block),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Reach {
    pub from: Reg,
    /// How far it is to this one; without it, all that is reached.
    pub to: Option<Reg>,
    pub leads: Leads,
    pub while_: Test,
    pub across: Option<Across>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PlaceAt {
    pub kind: KindId,
    pub at: Vec<Reg>,
}

/// A message to be sent: label, receiver, attributes.
#[derive(Clone, PartialEq, Debug)]
pub struct SendSpec {
    pub label: LabelRef,
    pub to: Option<Reg>,
    pub with: Vec<(NameId, Reg)>,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum LabelRef {
    Known(LabelId),
    Computed(Reg),
}

/// Where the attributes of the message being handled stand.
#[derive(Clone, PartialEq, Debug)]
pub struct Received {
    pub label: LabelId,
    pub attributes: Vec<(NameId, Reg)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct New {
    pub kind: Reg,
    pub at: Option<Reg>,
    pub with: Vec<(NameId, Reg)>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Finish {
    pub by: Vec<Block>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AskMode {
    One,
    Times,
    Of,
    Some,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Ask {
    pub who: Reg,
    pub text: Reg,
    pub mode: AskMode,
    pub n: Option<Reg>,
    pub among: Reg,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Choices {
    pub label: LabelId,
    pub player: Reg,
    pub ignoring: Vec<RuleId>,
    /// By kind, where rules are ignored: what could still refuse without them once the early laws have passed.
    pub tests: Vec<Left>,
}

/// What could still refuse an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Left {
    /// That depends on more than the kind of the receiver.
    #[default]
    Unknown,
    Nothing,
    Test(FuncId),
}

/// All the odd-sized operands of a program.
/// The things of a kind whose representation emits a signal, and the code that gives the tag of each; none: it has no tag.
#[derive(Clone, PartialEq, Debug)]
pub struct Emitters {
    pub kind: KindId,
    pub tags: Vec<Option<FuncId>>,
}

#[derive(Clone, Debug, Default)]
pub struct Pools {
    pub looks: Vec<Look>,
    pub walks: Vec<Walk>,
    pub lines: Vec<Line>,
    pub groups: Vec<Group>,
    pub borders: Vec<Border>,
    pub distances: Vec<Distance>,
    pub reaches: Vec<Reach>,
    pub across: Vec<Option<Across>>,
    pub places: Vec<PlaceAt>,
    pub sends: Vec<SendSpec>,
    pub received: Vec<Received>,
    pub news: Vec<New>,
    pub finishes: Vec<Finish>,
    pub asks: Vec<Ask>,
    pub lets: Vec<Vec<LabelId>>,
    /// For each signal that is waited for who emits it.
    pub waits: Vec<Vec<Emitters>>,
    pub choices: Vec<Choices>,
    pub directions: Vec<Vec<Ways>>,
}

/// Entities in play order; the things of a kind that exist from the start.
#[derive(Clone, Debug, Default)]
pub struct Extent {
    pub things: Vec<EntityId>,
    /// Set when the things are numbered without gaps.
    pub range: Option<(EntityId, EntityId)>,
}
