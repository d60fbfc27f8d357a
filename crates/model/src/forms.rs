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
    /// More, where there is more to say.
    pub detail: &'static str,
    /// Bodies run as a rule of the game [`examples::DEMO`](crate::examples::DEMO) at its first turn, and the value of
    /// each, written as the language writes it. Questions and chance are answered with the first choice. Without a
    /// value: something for a view, which is only read.
    pub example: &'static [(&'static str, &'static str)],
}

macro_rules! forms {
    ($($form:ident $head:literal $pattern:literal $shelf:ident $effect:ident $summary:literal $detail:literal [$($shown:literal => $value:literal),*];)*) => {
        /// A form of the language. One head word may have several forms, told apart by what follows it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum Form { $($form),* }

        static TABLE: &[FormDef] = &[$(FormDef {
            form: Form::$form, head: $head, pattern: $pattern, shelf: Shelf::$shelf, effect: Effect::$effect,
            summary: $summary, detail: $detail, example: &[$(($shown, $value)),*],
        }),*];
    };
}

forms! {
    // Flow of control
    If "if" "C:expr THEN:body [else ELSE:body]" Flow Local "Runs a body when a condition holds, otherwise the other one; gives the value of the one that ran."
        "Both bodies may hold several statements. Without `else` and without the condition, the value is nil."
        ["(if (> 2 1) \"more\" else \"less\")" => "\"more\"", "(if (> 1 2) \"more\")" => "nil"];
    Switch "switch" "X:expr CASES:cases" Flow Local "Runs the first case whose value equals X."
        "No case and no `else`: nothing happens, and the value is nil."
        ["(switch (worth of crown) (case 1 \"penny\") (case 5 \"crown\") (else \"other\"))" => "\"crown\""];
    Foreach "foreach" "X:var in L:expr [where C:expr] BODY:body" Flow Local "Runs a body for each member of a list fixed at the start; the condition is tested when a member's turn comes."
        "The list is taken once, before the first round. A change made in one round is seen by the condition of the next."
        ["(var n 0) (foreach c in coin where (> (worth of c) 1) (increase n by 1)) n" => "2"];
    While "while" "C:expr BODY:body" Flow Local "Runs a body as long as a condition holds."
        ""
        ["(var n 1) (while (< n 100) (set n to (* 2 n))) n" => "128"];
    Do "do" "BODY:body [end]" Flow Local "Several statements where one is expected."
        "Bodies of other forms may hold several statements without it. The word `end` may close it."
        ["(do (var n 4) (* n n))" => "16"];
    Return "return" "[V:expr]" Flow Local "Ends the behavior or define with a value. In a law, refuses."
        "In a law, with or without a value, it refuses; the value is the reason."
        ["(return 5) 6" => "5"];
    Break "break" "" Flow Local "Leaves the innermost loop."
        ""
        ["(var n 0) (while true (increase n by 1) (if (= n 3) (break))) n" => "3"];
    Continue "continue" "" Flow Local "Goes on with the next round of the innermost loop."
        ""
        ["(var n 0) (foreach i in (range 1 5) (if (= i 2) (continue)) (increase n by i)) n" => "13"];

    // Variables, properties, attributes
    Var "var" "X:var [V:expr]" State Local "A variable of this body, and its first value."
        "It lasts to the end of the behavior, rule or define it stands in. The form gives the value, as `set` does."
        ["(var n 3) (+ n 1)" => "4", "(var n) n" => "nil"];
    Set "set" "X:target to V:expr" State Writes "Changes a variable, an attribute or a property."
        "A behavior changes properties of its own entity; a side-effect those of every one."
        ["(var n 1) (set n to (+ n 1)) n" => "2", "(set (worth of penny) to 7) (worth of penny)" => "7"];
    Increase "increase" "X:target by N:expr" State Writes "Adds to a variable, an attribute or a property."
        ""
        ["(increase round by 2) round" => "2"];
    Decrease "decrease" "X:target by N:expr" State Writes "Subtracts from a variable, an attribute or a property."
        ""
        ["(decrease (worth of crown) by 1) (worth of crown)" => "4"];
    Property "property" "P:name [of E:expr]" State Pure "The value of a property; the name may be computed."
        "Where the name is known, `worth` and `(worth of crown)` say the same in fewer words. The value is a copy: changing a list that was read changes no property."
        ["(property worth of crown)" => "5", "(property (if true \"worth\" else \"state\") of crown)" => "5"];
    NewProperty "new" "property P:name as V:expr" State Writes "Gives a property of this entity its first value."
        ""
        ["(new property round as 3) round" => "3"];
    UpdateProperty "update" "property P:name to V:expr" State Writes "Changes a property of this entity."
        ""
        ["(update property round to 3) round" => "3"];
    Entity "entity" "NAME:expr" State Pure "The entity of that name, for names that are no plain words."
        "The name may be computed: `(entity \"Hole {n}\")`. Where nothing is called so, the match stops with an error."
        ["(worth of (entity \"crown\"))" => "5", "(entity \"{name of penny}\")" => "penny"];
    ChangeState "changeState" "S:name [of E:expr]" State Writes "Puts an entity, usually this one, into another state."
        "The next message is answered by the behaviors of the new state; the running one goes on."
        ["(changeState spent of penny) (state of penny)" => "\"spent\""];

    // Messages
    SendNew "send" "new message L:name to E:expr [with A:pairs]" Messages Writes "Sends a message and gives the value of the behavior that answered."
        ""
        ["(send new message \"raise\" to penny with \"amount\" 2) (worth of penny)" => "3"];
    Send "send" "L:name to E:expr [with A:pairs]" Messages Writes "Sends a message and gives the value of the behavior that answered; to a list: one after the other."
        "The sender waits until the receiver has finished. A receiver whose state has no behavior for the label does nothing: no law looks at such a message, and no side-effect follows it. An action answers by its own body, for those it can go to."
        ["(send raise to penny with amount 2) (worth of penny)" => "3", "(send raise to coin with amount 1) (worth of crown)" => "6"];
    SendMessage "send" "M:expr" Messages Writes "Sends a message that was made with `new message` or found by `choices`."
        ""
        ["(var m (new message raise to penny with amount 4)) (send m) (worth of penny)" => "5"];
    Forward "forward" "message to E:expr" Messages Writes "Passes the message being handled on, with its attributes as they are now; to a list: to one after the other."
        ""
        ["(forward message to penny) (worth of penny)" => "1"];
    UpdateAttribute "update" "message attribute A:name to V:expr" Messages Local "Changes an attribute of the message being handled; later rules of the same message see it."
        "An attribute the message did not have is added to it."
        ["(update message attribute left to 3) (attribute left)" => "3"];
    Attribute "attribute" "A:name [of M:expr]" Messages Pure "An attribute of the message being handled, or of another message."
        ""
        ["(attribute amount of (new message raise to penny with amount 4))" => "4"];
    NewMessage "new" "message L:name [to E:expr] [with A:pairs]" Messages Pure "A message as a value."
        ""
        ["(attribute amount of (new message raise with amount 4))" => "4"];

    // Rules
    Require "require" "C:expr [REASON:expr]" Rules Local "Refuses unless a condition holds. In a side-effect or behavior it rolls the action back."
        "Without a reason, the name of the rule is the reason."
        ["(require (> (worth of crown) 1)) \"allowed\"" => "\"allowed\""];
    OpenCheckpoint "open" "checkpoint" Rules Local "Marks the point a later rollback goes back to."
        "Checkpoints are a stack. Every action has one of its own, its beginning; outside actions there is none but those that are opened."
        ["(open checkpoint) round" => "0"];
    Rollback "rollback" "[REASON:expr]" Rules Local "Restores the innermost checkpoint, tells the reason and ends the action."
        "What the action had changed before that checkpoint stays, and the action is made. Where that is nothing, because a law opened it or nobody did, the action is refused."
        ["(if (> round 5) (rollback \"The game lasts five rounds.\")) round" => "0"];

    // Arithmetic
    Add "+" "A:exprs" Arithmetic Pure "The sum."
        ""
        ["(+ 1 2 3)" => "6"];
    Subtract "-" "A:exprs" Arithmetic Pure "The difference; of one number: its negative."
        ""
        ["(- 10 3 2)" => "5", "(- 4)" => "-4"];
    Multiply "*" "A:exprs" Arithmetic Pure "The product."
        ""
        ["(* 2 3 4)" => "24"];
    Divide "/" "A:expr B:expr" Arithmetic Pure "The quotient, exact: seven halves are 3.5."
        ""
        ["(/ 7 2)" => "3.5", "(/ 6 2)" => "3"];
    Modulo "mod" "A:expr B:expr" Arithmetic Pure "The remainder, with the sign of the divisor."
        ""
        ["(mod 7 3)" => "1", "(mod -1 3)" => "2"];
    Floor "floor" "A:expr" Arithmetic Pure "The greatest whole number not above A."
        ""
        ["(floor 3.5)" => "3", "(floor -3.5)" => "-4"];
    Abs "abs" "A:expr" Arithmetic Pure "The number without its sign."
        ""
        ["(abs -4)" => "4"];
    MaxOf "max" "E:expr of D:domain [where C:expr]" Looking Pure "The greatest of the values of E; of nothing: nil."
        ""
        ["(max worth of coin)" => "5", "(max worth of coin where (> worth 9))" => "nil"];
    MinOf "min" "E:expr of D:domain [where C:expr]" Looking Pure "The smallest of the values of E; of nothing: nil."
        ""
        ["(min worth of coin)" => "1"];
    Max "max" "A:exprs" Arithmetic Pure "The greatest; nil is skipped."
        ""
        ["(max 3 nil 7)" => "7"];
    Min "min" "A:exprs" Arithmetic Pure "The smallest; nil is skipped."
        ""
        ["(min 3 nil 7)" => "3"];

    // Logic
    Equal "=" "A:expr B:expr" Logic Pure "True when both are the same value."
        ""
        ["(= (+ 1 1) 2)" => "true", "(= \"a\" \"b\")" => "nil"];
    Unequal "!=" "A:expr B:expr" Logic Pure "True when they differ."
        ""
        ["(!= \"a\" \"b\")" => "true"];
    Less "<" "A:expr B:expr" Logic Pure "True when A is smaller."
        ""
        ["(< 1 2)" => "true"];
    LessEqual "<=" "A:expr B:expr" Logic Pure "True when A is smaller or equal."
        ""
        ["(<= 2 2)" => "true"];
    Greater ">" "A:expr B:expr" Logic Pure "True when A is greater."
        ""
        ["(> 1 2)" => "nil"];
    GreaterEqual ">=" "A:expr B:expr" Logic Pure "True when A is greater or equal."
        ""
        ["(>= 2 2)" => "true"];
    And "and" "A:exprs" Logic Pure "The last value when none is nil; stops at the first nil."
        "Only nil is false: 0, the empty string and the empty list are true."
        ["(and 1 2)" => "2", "(and nil 2)" => "nil"];
    Or "or" "A:exprs" Logic Pure "The first value that is not nil."
        ""
        ["(or nil 2)" => "2"];
    Not "not" "A:expr" Logic Pure "True when A is nil."
        ""
        ["(not nil)" => "true", "(not 0)" => "nil"];
    IsIn "is" "X:expr in L:expr" Logic Pure "True when a list has a member equal to X."
        ""
        ["(is 2 in (list 1 2 3))" => "true"];
    IsA "is" "X:expr a M:expr" Logic Pure "True when X is of that model or a child of it."
        ""
        ["(is penny a coin)" => "true", "(is a1 a coin)" => "nil"];

    // Lists
    List "list" "A:exprs" Lists Pure "A list of these values."
        ""
        ["(list 1 \"two\" penny)" => "(list 1 \"two\" penny)"];
    Range "range" "A:expr B:expr [STEP:expr]" Lists Pure "The numbers from A to B, both included."
        ""
        ["(range 2 5)" => "(list 2 3 4 5)", "(range 10 1 -3)" => "(list 10 7 4 1)"];
    FirstOf "first" "N:expr of L:expr" Lists Pure "The first N members."
        ""
        ["(first 2 of (list 7 8 9))" => "(list 7 8)"];
    First "first" "L:expr" Lists Pure "The first member, or nil."
        ""
        ["(first (list 7 8 9))" => "7", "(first (list))" => "nil"];
    Last "last" "L:expr" Lists Pure "The last member, or nil."
        ""
        ["(last (list 7 8 9))" => "9"];
    At "at" "I:expr of L:expr" Lists Pure "The member at a position, counted from 0; nil beyond the end."
        ""
        ["(at 0 of (list 7 8 9))" => "7", "(at 5 of (list 7 8 9))" => "nil"];
    Position "position" "of V:expr in L:expr" Lists Pure "Where a value stands first, counted from 0; nil if it does not."
        ""
        ["(position of 8 in (list 7 8))" => "1"];
    Append "append" "V:expr to L:expr" Lists Pure "The list with a value added at the end."
        ""
        ["(append 9 to (list 7 8))" => "(list 7 8 9)"];
    Insert "insert" "V:expr at I:expr in L:expr" Lists Pure "The list with a value put in at a position."
        ""
        ["(insert 9 at 1 in (list 7 8))" => "(list 7 9 8)"];
    Replace "replace" "I:expr of L:expr with V:expr" Lists Pure "The list with another value at a position."
        ""
        ["(replace 0 of (list 7 8) with 9)" => "(list 9 8)"];
    RemoveFrom "remove" "I:expr from L:expr" Lists Pure "The list without the member at a position, or the dictionary without a key."
        ""
        ["(remove 0 from (list 7 8))" => "(list 8)", "(remove \"a\" from (dictionary \"a\" 1 \"b\" 2))" => "(dictionary \"b\" 2)"];
    Join "join" "A:exprs" Lists Pure "Lists one after the other."
        ""
        ["(join (list 1 2) (list 3))" => "(list 1 2 3)"];
    Different "different" "L:expr" Lists Pure "Each value once, in the order they first come."
        ""
        ["(different (list 1 2 1))" => "(list 1 2)"];
    SortBy "sort" "D:domain by E:expr" Lists Pure "The candidates in the order of their E, the smallest first."
        "E is a number or a text, or a list of these: what stands first decides, then what follows. Where E is equal the order stays; what has nil comes last."
        ["(sort coin by (- worth))" => "(list crown florin penny)", "(sort n in (list 3 1 2) by n)" => "(list 1 2 3)", "(sort coin by (list (mod worth 2) worth))" => "(list florin penny crown)"];
    Sort "sort" "L:expr" Lists Pure "The members of a list of numbers or texts, the smallest first."
        ""
        ["(sort (list 3 1 2))" => "(list 1 2 3)", "(sort (list \"b\" \"a\"))" => "(list \"a\" \"b\")"];
    Reverse "reverse" "L:expr" Lists Pure "The members from the last to the first."
        ""
        ["(reverse (list 7 8 9))" => "(list 9 8 7)"];
    Flatten "flatten" "L:expr" Lists Pure "The members of a list, and in place of each list among them its members."
        "Lists inside lists inside lists are taken apart, too. What is nil stays."
        ["(flatten (list 1 (list 2 (list 3)) 4))" => "(list 1 2 3 4)"];

    // Dictionaries
    Dictionary "dictionary" "A:entries" Dictionaries Pure "Keys and their values."
        "A key is a string, a number or an entity."
        ["(dictionary \"a\" 1 penny 2)" => "(dictionary \"a\" 1 penny 2)"];
    Match "match" "K:expr in D:expr" Dictionaries Pure "The value of a key, or nil."
        ""
        ["(match \"b\" in (dictionary \"a\" 1 \"b\" 2))" => "2", "(match \"c\" in (dictionary \"a\" 1))" => "nil"];
    Put "put" "V:expr at K:expr in D:expr" Dictionaries Pure "The dictionary with a value at a key."
        ""
        ["(put 3 at \"a\" in (dictionary \"a\" 1))" => "(dictionary \"a\" 3)"];

    // Quantifiers
    Every "every" "D:domain [where C:expr]" Looking Pure "True when the condition holds for every candidate."
        ""
        ["(every coin where (> worth 0))" => "true"];
    None "none" "D:domain [where C:expr]" Looking Pure "True when it holds for no candidate."
        ""
        ["(none cell where mark)" => "true"];
    Any "any" "D:domain [where C:expr]" Looking Pure "The first candidate for which it holds, or nil."
        "Without `where` it is the first of all, so `(any l)` asks whether a list has members."
        ["(any coin where (> worth 1))" => "florin", "(any cell where mark)" => "nil"];
    AllOf "all" "E:expr of D:domain [where C:expr]" Looking Pure "The values of E for all candidates."
        ""
        ["(all worth of coin)" => "(list 1 2 5)"];
    All "all" "D:domain [where C:expr]" Looking Pure "The list of candidates for which it holds."
        "With `for`, as in all forms of this shelf, only what a player owns is looked at."
        ["(all coin where (< worth 5))" => "(list penny florin)", "(all n in (range 1 6) where (= (mod n 2) 0))" => "(list 2 4 6)"];
    Count "count" "D:domain [where C:expr]" Looking Pure "How many candidates."
        ""
        ["(count purse for X)" => "1", "(count cell where (not mark))" => "9", "(count (list 7 8))" => "2"];
    SumOf "sum" "E:expr of D:domain [where C:expr]" Looking Pure "The sum of the values of E."
        ""
        ["(sum worth of coin)" => "8"];
    Sum "sum" "D:domain [where C:expr]" Looking Pure "The sum of the members of a list."
        ""
        ["(sum (list 1 2 3))" => "6"];
    Most "most" "E:expr of D:domain [where C:expr]" Looking Pure "The candidates with the greatest E."
        "A list, so that a tie can be seen."
        ["(most worth of coin)" => "(list crown)"];
    Least "least" "E:expr of D:domain [where C:expr]" Looking Pure "The candidates with the smallest E."
        ""
        ["(least worth of coin)" => "(list penny)"];

    // Along the board
    Walk "walk" "D:direction [from C:expr] [up to N:expr] [while X:expr] [until Y:expr] [then Z:expr] [across W:expr]" Board Pure "The places met in each direction, as long as a condition holds."
        "The first place is not part of it. Without `from` it begins at `self`, or where that lies; inside a `where`, at the candidate. `up to` bounds the steps. `until`: nothing, unless the place where it stopped is there and fits. `then`: that place too, if it fits. `across`: a step for which this does not hold cannot be made, as at the edge of the board; there `here` is the place the step begins at, and `it` the place where it ends."
        ["(walk north from a1)" => "(list a2 a3)", "(walk north from a1 up to 1)" => "(list a2)", "(walk north from a1 while (< row 3))" => "(list a2)"];
    WalkExactly "walk" "D:direction [from C:expr] exactly N:expr [while X:expr] [then Z:expr] [across W:expr]" Board Pure "The places at the end of N steps, one for each direction in which so many steps can be made."
        "All places on the way fit `while`; the last one fits `then` instead, where that is given. So `(walk orthogonal exactly 2 while top then empty)` is where a jump over one piece ends. It does not come back to where it began."
        ["(walk north from a1 exactly 2)" => "(list a3)", "(walk orthogonal from a1 exactly 2 then (= row 1))" => "(list c1)", "(walk north from a1 exactly 3)" => "(list)"];
    Line "line" "N:expr of E:expr [through C:expr] [along D:direction] [exactly]" Board Pure "The first straight run of at least N places with equal E, or nil."
        "Without `through` it goes through `self`. `along` keeps to some directions; with `exactly` a longer run does not count."
        ["(foreach c in cell where (= row 1) (set (mark of c) to X)) (count (line 3 of mark through a1))" => "3", "(line 3 of mark through a1)" => "nil"];
    GroupVia "group" "via E:expr [from C:expr] while X:expr [across W:expr]" Board Pure "A thing and all that are reached from it, by whatever leads from one to the next."
        "E is asked of each thing reached and gives the thing or things one step on: a relation that play makes and unmakes, or a define. It needs no board."
        ["(count (group via (orthogonal of it) from a1 while (= row 1)))" => "3", "(group via (all coin where (> worth (worth of penny))) from penny while true)" => "(list penny florin crown)"];
    Group "group" "D:direction [from C:expr] while X:expr [across W:expr]" Board Pure "A place and all that are reached from it through places that fit."
        "Without `from` it begins where a walk would. `across`: only steps for which this holds; `here` is where a step begins, `it` where it ends."
        ["(count (group orthogonal from a1 while (= row 1)))" => "3", "(count (group orthogonal from a1 while true across (= (row of here) row)))" => "3"];
    Border "border" "D:direction of L:expr" Board Pure "The places next to those of a list, not in it."
        ""
        ["(count (border orthogonal of (list a1)))" => "2"];
    Between "between" "A:expr B:expr" Board Pure "The places strictly between two, on a straight line."
        ""
        ["(between a1 a3)" => "(list a2)"];
    Toward "toward" "A:expr B:expr" Board Pure "The direction from one place to another on a straight line, or nil."
        ""
        ["(walk (toward a1 a2) from a1)" => "(list a2 a3)"];
    DistanceVia "distance" "A:expr B:expr via E:expr [while X:expr] [across W:expr]" Board Pure "How many steps apart two things are, by whatever leads from one to the next, or nil."
        "E is asked of each thing and gives the thing or things one step on."
        ["(distance a1 b2 via (orthogonal of it))" => "2"];
    Distance "distance" "A:expr B:expr [along D:direction] [while X:expr] [across W:expr]" Board Pure "How many steps apart two places are, or nil."
        "`while`: every place stepped on fits, the last one included. `across`: only steps for which this holds; `here` is where a step begins, `it` where it ends."
        ["(distance a1 a3)" => "2", "(distance a1 c1 along orthogonal while (!= it b1))" => "4", "(distance a1 b1 along orthogonal across (= (column of here) column))" => "nil"];
    Edge "crossing" "A:expr B:expr" Board Pure "The edge that a step between two places crosses, as `#edges` made it, or nil."
        "Which of the two is named first does not matter."
        ["(crossing a1 a3)" => "nil"];
    Ends "ends-of" "E:expr" Board Pure "The two places that an edge lies between."
        "Of what is no edge: an empty list."
        ["(ends-of penny)" => "(list)"];
    Step "step" "D:direction [from C:expr]" Board Pure "One step, or nil at the edge."
        "Without `from` it begins where a walk would."
        ["(step north from a1)" => "a2", "(step south from a1)" => "nil"];
    Leap "leap" "A:expr B:expr [from C:expr]" Board Pure "The up to eight leaps of a grid, such as a knight's."
        "Without `from` it begins where a walk would."
        ["(count (leap 1 2 from a1))" => "2"];
    Directions "directions" "D:names" Board Pure "Directions as values."
        "A bare direction such as `north` is the place in that direction, from `self` or from where that lies; here the direction itself is wanted."
        ["(walk (directions north) from a1)" => "(list a2 a3)"];

    Opposite "turned" "D:direction back" Board Pure "The direction that leads back; of several directions a list."
        "Leaps and paths have none."
        ["(step (turned north back) from a2)" => "a1", "(walk (turned (toward a1 a2) back) from a2)" => "(list a1)", "(count (turned orthogonal back))" => "4"];
    Turned "turned" "D:direction by N:expr" Board Pure "The direction N turns further, clockwise; of several directions a list."
        "A turn is to the next direction of the board: an eighth on a grid, a sixth on hexagons. A negative N turns the other way."
        ["(step (turned north by 2) from a1)" => "b1", "(step (turned north by -1) from b1)" => "a2"];

    // Things, turns, results
    Move "move" "X:expr to P:expr" Doing Writes "A thing, or each of a list, leaves its place and becomes the top of another."
        ""
        ["(move penny to a1) (place of penny)" => "a1"];
    Remove "remove" "X:expr" Doing Writes "A thing leaves the game."
        "Rules of the same action can still read it. Of nil: nothing happens."
        ["(remove penny) (count coin)" => "2"];
    EndTurn "end" "turn [to P:expr]" Doing Writes "The turn passes to the next player, or to P."
        ""
        ["(end turn) (first players)" => "O", "(end turn to X) (first players)" => "X"];
    Again "again" "" Doing Writes "In this action the turn does not pass."
        ""
        ["(again) (first players)" => "X"];
    Win "win" "P:expr" Doing Writes "A player, or each of a team, wins and the others lose."
        "The first outcome stands. What is running goes on to its end, but nothing more is asked."
        ["(win X) (count seats)" => "2"];
    Lose "lose" "P:expr" Doing Writes "A player is out, behind all still in; the last one in wins."
        ""
        ["(lose O) (count players)" => "1"];
    Draw "draw" "" Doing Writes "The game ends and nobody wins."
        ""
        ["(draw) (count seats)" => "2"];
    Finish "finish" "by E:expr [then MORE:exprs]" Doing Writes "The game ends; players are ranked by E, greatest first."
        "The expression is asked of each player, who is `it`. After `then` stands what decides between equals; those still equal share the rank."
        ["(finish by score) (count seats)" => "2"];
    Say "say" "TEXT:expr [to P:expr]" Doing Writes "A line for the table, or for one player."
        "Whatever it is: a text, a thing, a number, a list. In every text a value may stand between braces: a word, or a form without its parentheses; `{{` is a brace. The same holds for the questions of `ask` and for the reasons of `require`, `rollback` and `return`."
        ["(say \"Heads!\") round" => "0", "(say \"{player} has {count coin} coins, the best is {name of crown}.\") round" => "0"];

    // Representations; before `new MODEL`, which would take any word
    NewGraphic "new" "graphic ID:name [with A:pairs]" Showing Writes "A graphical object of this representation."
        ""
        ["(new graphic disc with fill \"gold\")" => ""];
    UpdateGraphic "update" "graphic ID:name attribute A:name to V:expr" Showing Writes "Changes how a graphical object looks."
        ""
        ["(update graphic disc attribute fill to \"grey\")" => ""];
    DeleteGraphic "delete" "graphic ID:name" Showing Writes "Takes a graphical object away."
        ""
        ["(delete graphic disc)" => ""];
    Observe "observe" "P:name [after] notify L:name" Showing Writes "Sends this representation a message when a property changes."
        "The message carries `old` and `new`. With `after` it is sent when the action is over."
        ["(observe worth notify repaint)" => ""];
    OnClickedNotify "on" "ID:name clicked notify M:expr" Showing Writes "A click on a graphical object sends a message."
        "A message that is an action goes through the laws of the seat that clicked."
        ["(on disc clicked notify (new message place to self))" => ""];
    OnClickedEmit "on" "ID:name clicked emit S:name [with TAG:expr]" Showing Writes "A click on a graphical object emits a signal."
        ""
        ["(on disc clicked emit chosen with self)" => ""];
    New "new" "M:expr [at P:expr] [with A:pairs]" Doing Writes "A new thing, and the value of the form."
        ""
        ["(new coin with worth 9) (count coin)" => "4", "(place of (new coin at a1))" => "a1"];

    // Questions and chance
    Roll "roll" "N:expr [times K:expr]" Asking Asks "A die with N sides; K times: a list."
        "Chance is a decision like others; it is answered by Nature and written into the record."
        ["(roll 6)" => "1", "(roll 6 times 2)" => "(list 1 1)"];
    RandomOf "random" "of L:expr" Asking Asks "One member of a list, by chance."
        ""
        ["(random of (list 4 5))" => "4"];
    Random "random" "A:expr B:expr" Asking Asks "A whole number from A to B, by chance."
        ""
        ["(random 3 9)" => "3"];
    Shuffle "shuffle" "X:expr" Asking Asks "Puts a place's contents in random order; of a list: gives the list in random order."
        ""
        ["(count (shuffle (list 1 2 3)))" => "3"];
    AskTimes "ask" "P:expr TEXT:expr N:expr times among L:expr" Asking Asks "A player chooses N times from a list, the same again if wanted."
        ""
        ["(ask X \"Plan\" 2 times among (list \"go\" \"rest\"))" => "(list \"go\" \"go\")"];
    AskSome "ask" "P:expr TEXT:expr some of L:expr" Asking Asks "A player chooses any number of members of a list."
        ""
        ["(ask X \"Which do you keep?\" some of (list))" => "(list)"];
    AskMany "ask" "P:expr TEXT:expr N:expr of L:expr" Asking Asks "A player chooses N different members of a list."
        ""
        ["(ask X \"Which two?\" 2 of (list 7 8))" => "(list 7 8)"];
    Ask "ask" "P:expr TEXT:expr among L:expr" Asking Asks "A player chooses one member of a list; a list of players: all at once, unseen."
        "Asked of a list of players it gives a dictionary of their answers; nobody sees one before all are given."
        ["(ask X \"Heads or tails?\" among (list \"heads\" \"tails\"))" => "\"heads\""];
    Let "let" "P:expr do L:names" Asking Asks "A player makes one of these actions, under its laws; a list of players: all at once, unseen."
        "Actions marked `when asked` are offered only here."
        ["(let X do place) (mark of a1)" => "X"];
    WaitSignal "wait" "signal S:name" Asking Asks "Stops until a representation emits a signal; gives its tag."
        "A signal without a tag gives true. One that nobody can emit is not waited for: nil."
        ["(wait signal chosen)" => ""];

    // What could be done
    Can "can" "L:name [for P:expr]" Supposing Pure "True when a player has a legal choice of this action."
        "A law that asks this is left out of its own question, so it cannot ask for ever."
        ["(can place)" => "true", "(can place for O)" => "true"];
    Choices "choices" "L:name [for P:expr] [ignoring R:names]" Supposing Pure "The legal choices of an action, as messages."
        "Rules named after `ignoring` are left out of all that is asked and done while a choice is tried, and again when it is supposed."
        ["(count (choices place))" => "9"];
    Suppose "suppose" "M:expr E:expr" Supposing Pure "E as it would be after a message and all it sets off; nil when it is refused."
        "Everything is undone afterwards."
        ["(suppose (new message place to a1) (mark of a1))" => "X"];
    Seen "seen" "[within N:expr]" Supposing Pure "How often the present position stood before at the end of an action."
        "`#history` says what counts as the same position. With `within`, only the last so many positions are looked at."
        ["(seen)" => "0"];
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
