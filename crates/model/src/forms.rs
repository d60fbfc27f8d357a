//! The table of all forms of the language: how each is written, what it is for.
//!
//! The reader tries the patterns of a head word in the order they stand here; the first that fits is taken.

use crate::Pattern;
use std::sync::OnceLock;

/// Which shelf of the reference a form stands on. The visual editor colours blocks by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Shelf {
    /// Flow of control.
    Flow,
    /// Variables, properties and attributes.
    State,
    Messages,
    Rules,
    Arithmetic,
    Logic,
    Lists,
    Dictionaries,
    /// Quantifiers.
    Looking,
    /// Along the board.
    Board,
    /// Things, turns and results.
    Doing,
    /// Questions and chance.
    Asking,
    /// What could be done, and what was.
    Supposing,
    /// Representations.
    Showing,
}

/// What a form does to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Only looks.
    Pure,
    /// Changes a variable, ends a body or a loop: allowed where nothing may change the game.
    Local,
    /// Changes the game.
    Writes,
    /// May stop and wait for an answer.
    Asks,
}

/// A form's line in the table.
#[derive(Clone, Copy, Debug)]
pub struct FormDef {
    pub form: Form,
    pub head: &'static str,
    /// What follows the head.
    pub pattern: &'static str,
    pub shelf: Shelf,
    pub effect: Effect,
    /// One line.
    pub summary: &'static str,
}

macro_rules! forms {
    ($($form:ident $head:literal $pattern:literal $shelf:ident $effect:ident $summary:literal;)*) => {
        /// A form of the language. One head word may have several forms, told apart by what follows it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Form { $($form),* }

        static TABLE: &[FormDef] = &[$(FormDef {
            form: Form::$form, head: $head, pattern: $pattern, shelf: Shelf::$shelf, effect: Effect::$effect, summary: $summary,
        }),*];
    };
}

forms! {
    // Flow of control
    If "if" "C:expr THEN:body [else ELSE:body]" Flow Local "Runs a body when a condition holds, otherwise the other one; gives the value of the one that ran.";
    Switch "switch" "X:expr CASES:cases" Flow Local "Runs the first case whose value equals X.";
    Foreach "foreach" "X:var in L:expr [where C:expr] BODY:body" Flow Local "Runs a body for each member of a list fixed at the start; the condition is tested when a member's turn comes.";
    While "while" "C:expr BODY:body" Flow Local "Runs a body as long as a condition holds.";
    Do "do" "BODY:body [end]" Flow Local "Several statements where one is expected.";
    Return "return" "[V:expr]" Flow Local "Ends the behavior or define with a value. In a law, refuses.";
    Break "break" "" Flow Local "Leaves the innermost loop.";
    Continue "continue" "" Flow Local "Goes on with the next round of the innermost loop.";

    // Variables, properties, attributes
    Var "var" "X:var [V:expr]" State Local "A variable of this body, and its first value.";
    Set "set" "X:target to V:expr" State Writes "Changes a variable, an attribute or a property.";
    Increase "increase" "X:target by N:expr" State Writes "Adds to a variable, an attribute or a property.";
    Decrease "decrease" "X:target by N:expr" State Writes "Subtracts from a variable, an attribute or a property.";
    Property "property" "P:name [of E:expr]" State Pure "The value of a property; the name may be computed.";
    NewProperty "new" "property P:name as V:expr" State Writes "Gives a property of this entity its first value.";
    UpdateProperty "update" "property P:name to V:expr" State Writes "Changes a property of this entity.";
    ChangeState "changeState" "S:name [of E:expr]" State Writes "Puts an entity, usually this one, into another state.";

    // Messages
    SendNew "send" "new message L:name to E:expr [with A:pairs]" Messages Writes "Sends a message and gives the value of the behavior that answered.";
    Send "send" "L:name to E:expr [with A:pairs]" Messages Writes "Sends a message and gives the value of the behavior that answered; to a list: one after the other.";
    SendMessage "send" "M:expr" Messages Writes "Sends a message that was made with `new message` or found by `choices`.";
    Forward "forward" "message to E:expr" Messages Writes "Passes the message being handled on, with its attributes as they are now.";
    UpdateAttribute "update" "message attribute A:name to V:expr" Messages Local "Changes an attribute of the message being handled; later rules of the same message see it.";
    Attribute "attribute" "A:name [of M:expr]" Messages Pure "An attribute of the message being handled, or of another message.";
    NewMessage "new" "message L:name [to E:expr] [with A:pairs]" Messages Pure "A message as a value.";

    // Rules
    Require "require" "C:expr [REASON:expr]" Rules Local "Refuses unless a condition holds. In a side-effect or behavior it rolls the action back.";
    OpenCheckpoint "open" "checkpoint" Rules Local "Marks the point a later rollback goes back to.";
    Rollback "rollback" "[REASON:expr]" Rules Local "Undoes everything since the last checkpoint and ends the action.";

    // Arithmetic
    Add "+" "A:exprs" Arithmetic Pure "The sum.";
    Subtract "-" "A:exprs" Arithmetic Pure "The difference; of one number: its negative.";
    Multiply "*" "A:exprs" Arithmetic Pure "The product.";
    Divide "/" "A:expr B:expr" Arithmetic Pure "The quotient, exact: seven halves are 3.5.";
    Modulo "mod" "A:expr B:expr" Arithmetic Pure "The remainder, with the sign of the divisor.";
    Floor "floor" "A:expr" Arithmetic Pure "The greatest whole number not above A.";
    Abs "abs" "A:expr" Arithmetic Pure "The number without its sign.";
    MaxOf "max" "E:expr of D:domain [where C:expr]" Looking Pure "The greatest of the values of E; of nothing: nil.";
    MinOf "min" "E:expr of D:domain [where C:expr]" Looking Pure "The smallest of the values of E; of nothing: nil.";
    Max "max" "A:exprs" Arithmetic Pure "The greatest; nil is skipped.";
    Min "min" "A:exprs" Arithmetic Pure "The smallest; nil is skipped.";

    // Logic
    Equal "=" "A:expr B:expr" Logic Pure "True when both are the same value.";
    Unequal "!=" "A:expr B:expr" Logic Pure "True when they differ.";
    Less "<" "A:expr B:expr" Logic Pure "True when A is smaller.";
    LessEqual "<=" "A:expr B:expr" Logic Pure "True when A is smaller or equal.";
    Greater ">" "A:expr B:expr" Logic Pure "True when A is greater.";
    GreaterEqual ">=" "A:expr B:expr" Logic Pure "True when A is greater or equal.";
    And "and" "A:exprs" Logic Pure "The last value when none is nil; stops at the first nil.";
    Or "or" "A:exprs" Logic Pure "The first value that is not nil.";
    Not "not" "A:expr" Logic Pure "True when A is nil.";
    IsIn "is" "X:expr in L:expr" Logic Pure "True when a list has a member equal to X.";
    IsA "is" "X:expr a M:expr" Logic Pure "True when X is of that model or a child of it.";

    // Lists
    List "list" "A:exprs" Lists Pure "A list of these values.";
    Range "range" "A:expr B:expr [STEP:expr]" Lists Pure "The numbers from A to B, both included.";
    FirstOf "first" "N:expr of L:expr" Lists Pure "The first N members.";
    First "first" "L:expr" Lists Pure "The first member, or nil.";
    Last "last" "L:expr" Lists Pure "The last member, or nil.";
    At "at" "I:expr of L:expr" Lists Pure "The member at a position, counted from 0; nil beyond the end.";
    Position "position" "of V:expr in L:expr" Lists Pure "Where a value stands first, counted from 0; nil if it does not.";
    Append "append" "V:expr to L:expr" Lists Pure "The list with a value added at the end.";
    Insert "insert" "V:expr at I:expr in L:expr" Lists Pure "The list with a value put in at a position.";
    Replace "replace" "I:expr of L:expr with V:expr" Lists Pure "The list with another value at a position.";
    RemoveFrom "remove" "I:expr from L:expr" Lists Pure "The list without the member at a position, or the dictionary without a key.";
    Join "join" "A:exprs" Lists Pure "Lists one after the other.";
    Different "different" "L:expr" Lists Pure "Each value once, in the order they first come.";

    // Dictionaries
    Dictionary "dictionary" "A:entries" Dictionaries Pure "Keys and their values.";
    Match "match" "K:expr in D:expr" Dictionaries Pure "The value of a key, or nil.";
    Put "put" "V:expr at K:expr in D:expr" Dictionaries Pure "The dictionary with a value at a key.";

    // Quantifiers
    Every "every" "D:domain [where C:expr]" Looking Pure "True when the condition holds for every candidate.";
    None "none" "D:domain [where C:expr]" Looking Pure "True when it holds for no candidate.";
    Any "any" "D:domain [where C:expr]" Looking Pure "The first candidate for which it holds, or nil.";
    AllOf "all" "E:expr of D:domain [where C:expr]" Looking Pure "The values of E for all candidates.";
    All "all" "D:domain [where C:expr]" Looking Pure "The list of candidates for which it holds.";
    Count "count" "D:domain [where C:expr]" Looking Pure "How many candidates.";
    SumOf "sum" "E:expr of D:domain [where C:expr]" Looking Pure "The sum of the values of E.";
    Sum "sum" "D:domain [where C:expr]" Looking Pure "The sum of the members of a list.";
    Most "most" "E:expr of D:domain [where C:expr]" Looking Pure "The candidates with the greatest E.";
    Least "least" "E:expr of D:domain [where C:expr]" Looking Pure "The candidates with the smallest E.";

    // Along the board
    Walk "walk" "D:direction from C:expr [up to N:expr] [while X:expr] [until Y:expr] [then Z:expr]" Board Pure "The places met in each direction, as long as a condition holds.";
    Line "line" "N:expr of E:expr [through C:expr] [along D:direction] [exactly]" Board Pure "The first straight run of at least N places with equal E, or nil.";
    Group "group" "D:direction from C:expr while X:expr" Board Pure "A place and all that are reached from it through places that fit.";
    Border "border" "D:direction of L:expr" Board Pure "The places next to those of a list, not in it.";
    Between "between" "A:expr B:expr" Board Pure "The places strictly between two, on a straight line.";
    Toward "toward" "A:expr B:expr" Board Pure "The direction from one place to another on a straight line, or nil.";
    Distance "distance" "A:expr B:expr [along D:direction]" Board Pure "How many steps apart two places are, or nil.";
    Step "step" "D:direction from C:expr" Board Pure "One step, or nil at the edge.";
    Leap "leap" "A:expr B:expr from C:expr" Board Pure "The up to eight leaps of a grid, such as a knight's.";
    Directions "directions" "D:names" Board Pure "Directions as values.";

    // Things, turns, results
    Move "move" "X:expr to P:expr" Doing Writes "A thing, or each of a list, leaves its place and becomes the top of another.";
    Remove "remove" "X:expr" Doing Writes "A thing leaves the game.";
    EndTurn "end" "turn [to P:expr]" Doing Writes "The turn passes to the next player, or to P.";
    Again "again" "" Doing Writes "In this action the turn does not pass.";
    Win "win" "P:expr" Doing Writes "A player, or each of a team, wins and the others lose.";
    Lose "lose" "P:expr" Doing Writes "A player is out, behind all still in; the last one in wins.";
    Draw "draw" "" Doing Writes "The game ends and nobody wins.";
    Finish "finish" "by E:expr [then MORE:exprs]" Doing Writes "The game ends; players are ranked by E, greatest first.";
    Say "say" "TEXT:expr [to P:expr]" Doing Writes "A line for the table, or for one player.";

    // Representations; before `new MODEL`, which would take any word
    NewGraphic "new" "graphic ID:name [with A:pairs]" Showing Writes "A graphical object of this representation.";
    UpdateGraphic "update" "graphic ID:name attribute A:name to V:expr" Showing Writes "Changes how a graphical object looks.";
    DeleteGraphic "delete" "graphic ID:name" Showing Writes "Takes a graphical object away.";
    Observe "observe" "P:name [after] notify L:name" Showing Writes "Sends this representation a message when a property changes.";
    OnClickedNotify "on" "ID:name clicked notify M:expr" Showing Writes "A click on a graphical object sends a message.";
    OnClickedEmit "on" "ID:name clicked emit S:name [with TAG:expr]" Showing Writes "A click on a graphical object emits a signal.";
    New "new" "M:expr [at P:expr] [with A:pairs]" Doing Writes "A new thing, and the value of the form.";

    // Questions and chance
    Roll "roll" "N:expr [times K:expr]" Asking Asks "A die with N sides; K times: a list.";
    RandomOf "random" "of L:expr" Asking Asks "One member of a list, by chance.";
    Random "random" "A:expr B:expr" Asking Asks "A whole number from A to B, by chance.";
    Shuffle "shuffle" "X:expr" Asking Asks "Puts a place's contents in random order; of a list: gives the list in random order.";
    AskTimes "ask" "P:expr TEXT:expr N:expr times among L:expr" Asking Asks "A player chooses N times from a list, the same again if wanted.";
    AskSome "ask" "P:expr TEXT:expr some of L:expr" Asking Asks "A player chooses any number of members of a list.";
    AskMany "ask" "P:expr TEXT:expr N:expr of L:expr" Asking Asks "A player chooses N different members of a list.";
    Ask "ask" "P:expr TEXT:expr among L:expr" Asking Asks "A player chooses one member of a list; a list of players: all at once, unseen.";
    Let "let" "P:expr do L:names" Asking Asks "A player makes one of these actions, under its laws; a list of players: all at once, unseen.";
    WaitSignal "wait" "signal S:name" Asking Asks "Stops until a representation emits a signal; gives its tag.";

    // What could be done
    Can "can" "L:name [for P:expr]" Supposing Pure "True when a player has a legal choice of this action.";
    Choices "choices" "L:name [for P:expr] [ignoring R:names]" Supposing Pure "The legal choices of an action, as messages.";
    Suppose "suppose" "M:expr E:expr" Supposing Pure "E as it would be after a message and all it sets off; nil when it is refused.";
    Seen "seen" "[within N:expr]" Supposing Pure "How often the present position stood before at the end of an action.";
}

impl FormDef {
    /// How the form is written, such as `(step D from C)`.
    pub fn usage(&self) -> String {
        match self.form.pattern().to_string() {
            rest if rest.is_empty() => format!("({})", self.head),
            rest => format!("({} {rest})", self.head),
        }
    }
}

impl Form {
    pub fn def(self) -> &'static FormDef {
        &TABLE[self as usize]
    }

    pub fn head(self) -> &'static str {
        self.def().head
    }

    pub fn pattern(self) -> &'static Pattern {
        static PATTERNS: OnceLock<Vec<Pattern>> = OnceLock::new();
        &PATTERNS.get_or_init(|| TABLE.iter().map(|def| Pattern::read(def.pattern)).collect())[self as usize]
    }
}

/// Every form, in the order of the table.
pub fn all() -> &'static [FormDef] {
    TABLE
}

/// The forms with this head word, in the order they are tried.
pub fn with_head(head: &str) -> impl Iterator<Item = &'static FormDef> {
    TABLE.iter().filter(move |def| def.head == head)
}
