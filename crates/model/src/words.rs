//! The table of the words that are there from the start, and of the messages the machine sends.

/// Of whom a word is asked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asked {
    /// Of nobody: it means the same wherever it stands, or depends on what is going on.
    Nobody,
    /// Of every thing.
    Things,
    /// Of the places of a board, or of what lies there.
    Places,
    /// Of a board, by the model of its places.
    Board,
    Players,
    Game,
    /// Of a message.
    Message,
    /// A direction: of a place it is the next place that way.
    Direction,
    /// A set of directions: of a place it is a list of places.
    Directions,
}

/// A word's line in the table.
#[derive(Clone, Copy, Debug)]
pub struct WordDef {
    pub word: &'static str,
    pub asked: Asked,
    /// One line.
    pub summary: &'static str,
    /// More, where there is more to say.
    pub detail: &'static str,
    /// Run like the examples of forms. Without one: it needs a board that the game of the examples has not.
    pub example: &'static [(&'static str, &'static str)],
}

/// A message that the machine sends by itself, always to the game.
#[derive(Clone, Copy, Debug)]
pub struct MessageDef {
    pub label: &'static str,
    pub attributes: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    pub detail: &'static str,
    /// Lines of a definition.
    pub example: &'static str,
}

macro_rules! words {
    ($($asked:ident { $($word:literal $summary:literal $detail:literal [$($shown:literal => $value:literal),*];)* })*) => {
        static TABLE: &[WordDef] = &[$($(WordDef {
            word: $word, asked: Asked::$asked, summary: $summary, detail: $detail, example: &[$(($shown, $value)),*],
        }),*),*];
    };
}

words! {
    Nobody {
        "player" "Who acts; outside an action, whose turn it is."
            "In an action, its laws and everything it sets off, this is who chose it."
            ["player" => "X"];
        "opponent" "The other player, in a game for two."
            "With more players it is an error; write `(next of player)`."
            ["opponent" => "O"];
        "self" "The thing whose code runs: the receiver of the message."
            "In a law or a side-effect, too, it is the receiver. In a define of a model it is the thing that was asked."
            ["(= self game)" => "true"];
        "it" "The candidate that is being looked at."
            "It is there in `where`, `while`, `until`, `then`, in the E of `(all E of …)` and in `(finish by E)`. Bare words mean its properties first, then those of `self`."
            ["(all coin where (!= it penny))" => "(list florin crown)"];
        "message" "The message being handled, as a value."
            "Its attributes are words of their own; `(label of message)` is what it is called."
            ["(label of message)" => "\"examine\""];
        "game" "The game itself, which has the properties declared outside any model."
            ""
            ["(round of game)" => "0"];
        "nil" "Nothing. Alone of all values it counts as false."
            "Of nil every property is nil, and a message to nil does nothing: the edge of a board needs no special case."
            ["(worth of nil)" => "nil"];
        "true" "What a condition that holds gives where it gives nothing better."
            ""
            ["(= 1 1)" => "true"];
    }
    Things {
        "name" "What a thing is called, as a text."
            "A thing made in play is called like its model."
            ["(name of crown)" => "\"crown\""];
        "kind" "The model of a thing."
            "`(is X a MODEL)` also holds for the children of a model."
            ["(= (kind of crown) coin)" => "true"];
        "number" "Which one it is: of the places of a board, of the seats, of the things of one line of the definition; counted from 1."
            ""
            ["(number of b1)" => "2", "(number of O)" => "2"];
        "state" "The state a thing is in, as a text; at first \"default\"."
            "It is changed by `changeState`."
            ["(state of penny)" => "\"default\""];
        "owner" "The player it belongs to, or nil."
            "`for each player` sets it; rules may change it."
            ["(owner of (purse of O))" => "O", "(owner of penny)" => "nil"];
        "place" "Where a thing lies, or nil."
            "It is changed by `move`."
            ["(move penny to b2) (place of penny)" => "b2"];
        "contents" "The list of what lies in or on a thing, the lowest first."
            ""
            ["(move coin to b2) (contents of b2)" => "(list penny florin crown)"];
        "top" "The uppermost of the contents, which came last; nil where nothing lies."
            "A `#supply` makes it anew."
            ["(move coin to b2) (top of b2)" => "crown"];
        "empty" "True where nothing lies in or on a thing."
            "It says nothing of properties: a cell with a mark is empty, too."
            ["(empty of b2)" => "true"];
    }
    Places {
        "row" "The row of a place, counted from 1 at the bottom."
            "Of a thing that lies on a place, when asked without `of`, that of the place. On tracks and rings it is 1."
            ["(row of b3)" => "3"];
        "column" "The column of a place, counted from 1 at the left."
            "On tracks and rings it is the number."
            ["(column of b3)" => "2"];
    }
    Board {
        "at" "The place of a board by where it lies, or nil where there is none."
            "MODEL is the model of the places. On rings and tracks NUMBER is enough."
            ["(cell at 2 3)" => "b3", "(cell at 9 9)" => "nil"];
    }
    Players {
        "score" "A number that is 0 at first; rules change it."
            "`(finish by score)` ranks by it."
            ["(increase (score of X) by 3) (score of X)" => "3"];
        "team" "The list of those who play together, as `#teams` says."
            "Who is in no team plays alone: then it has one member."
            ["(team of X)" => "(list X)"];
        "next" "The player after this one, of those still in."
            ""
            ["(next of X)" => "O"];
        "previous" "The player before this one, of those still in."
            ""
            ["(previous of X)" => "O"];
    }
    Game {
        "players" "The players still in; the first of them has the turn."
            "It may be set: the order is the order of turns."
            ["players" => "(list X O)"];
        "seats" "All players in the order of the definition, those that are out included."
            ""
            ["seats" => "(list X O)"];
    }
    Message {
        "label" "What a message is called, as a text."
            ""
            ["(label of (first (choices place)))" => "\"place\""];
    }
    Direction {
        "north" "The place above, on a grid." "" ["(north of a1)" => "a2", "(north of a3)" => "nil"];
        "northeast" "The place above and to the right; on hexagons the upper right one." "" ["(northeast of a1)" => "b2"];
        "east" "The place to the right, on grids and hexagons." "" ["(east of a1)" => "b1"];
        "southeast" "The place below and to the right; on hexagons the lower right one." "" ["(southeast of a2)" => "b1"];
        "south" "The place below, on a grid." "" ["(south of a2)" => "a1"];
        "southwest" "The place below and to the left; on hexagons the lower left one." "" ["(southwest of b2)" => "a1"];
        "west" "The place to the left, on grids and hexagons." "" ["(west of b1)" => "a1"];
        "northwest" "The place above and to the left; on hexagons the upper left one." "" ["(northwest of b1)" => "a2"];
        "next" "The place after this one, on a ring or a track." "On a ring the first comes after the last." [];
        "previous" "The place before this one, on a ring or a track." "" [];
        "forward" "The place straight ahead, as seen by the owner of `self`, or by `player` where it has none."
            "The first player faces north and the second south, unless `#players` says otherwise; on a track it is `next`."
            ["(forward of a1)" => "a2"];
        "backward" "The place straight behind, as a player faces." "" ["(backward of a2)" => "a1"];
        "left" "The place to the left, as a player faces." "There is none on hexagons." ["(left of b1)" => "a1"];
        "right" "The place to the right, as a player faces." "There is none on hexagons." ["(right of a1)" => "b1"];
        "forward-left" "The place ahead and to the left, as a player faces." "" ["(forward-left of b1)" => "a2"];
        "forward-right" "The place ahead and to the right, as a player faces." "" ["(forward-right of a1)" => "b2"];
        "backward-left" "The place behind and to the left, as a player faces." "" ["(backward-left of b2)" => "a1"];
        "backward-right" "The place behind and to the right, as a player faces." "" ["(backward-right of a2)" => "b1"];
    }
    Directions {
        "orthogonal" "All places that share a side."
            "On hexagons the six around, on tracks the next and the previous, on a graph the linked ones."
            ["(orthogonal of a1)" => "(list a2 b1)"];
        "diagonal" "On a grid, all places that share only a corner." "" ["(diagonal of a1)" => "(list b2)"];
        "adjacent" "All places that share a side or a corner." "" ["(adjacent of a1)" => "(list a2 b2 b1)"];
        "linked" "On a graph, all places that a link leads to." "The relations of `#link … as RELATION` are asked in the same way." [];
        "forwards" "The three places ahead, as a player faces: straight, left and right." "" ["(forwards of b1)" => "(list a2 b2 c2)"];
        "forward-diagonal" "The two places ahead, to the left and to the right." "" ["(forward-diagonal of b1)" => "(list a2 c2)"];
        "backward-diagonal" "The two places behind, to the left and to the right." "" ["(backward-diagonal of b2)" => "(list a1 c1)"];
    }
}

static MESSAGES: &[MessageDef] = &[
    MessageDef {
        label: "start",
        attributes: &[],
        summary: "A match begins.",
        detail: "`#setup` is the game's answer. It comes once, before the first turn.",
        example: "#sideeffect \"Deal\" on start (move coin to b2)",
    },
    MessageDef {
        label: "turn",
        attributes: &[],
        summary: "A turn begins.",
        detail: "`player` is whose turn it is. It comes before the player is asked, also on the first turn; rules may roll, move and ask here.",
        example: "#sideeffect \"Count\" on turn (increase round by 1)",
    },
    MessageDef {
        label: "stuck",
        attributes: &[],
        summary: "Nobody who may act has a legal choice.",
        detail: "Without an answer the match is a draw. An answer must change something, else the match stops with an error.",
        example: "#sideeffect \"No moves\" on stuck (win opponent)",
    },
    MessageDef {
        label: "gameover",
        attributes: &["winner"],
        summary: "Somebody has won by `win`.",
        detail: "The built-in answer sets the outcome; a law that refuses it keeps the match going.",
        example: "#law \"Only after three rounds\" on gameover (require (> round 3))",
    },
];

/// Every word, in the order of the table. A word that is asked of several kinds stands there several times.
pub fn all() -> &'static [WordDef] {
    TABLE
}

/// What a word means, of whomever it is asked.
pub fn named(word: &str) -> impl Iterator<Item = &'static WordDef> {
    TABLE.iter().filter(move |def| def.word == word)
}

/// The words that are asked of somebody.
pub fn asked(of: Asked) -> impl Iterator<Item = &'static str> {
    TABLE.iter().filter(move |def| def.asked == of).map(|def| def.word)
}

/// Every message the machine sends.
pub fn messages() -> &'static [MessageDef] {
    MESSAGES
}

impl WordDef {
    /// How it is written.
    pub fn usage(&self) -> String {
        let word = self.word;
        match self.asked {
            Asked::Nobody => word.into(),
            Asked::Game => format!("{word} · ({word} of game)"),
            Asked::Board => format!("(MODEL {word} COLUMN ROW) · (MODEL {word} NUMBER)"),
            Asked::Message => format!("({word} of MESSAGE)"),
            Asked::Players => format!("{word} · ({word} of PLAYER)"),
            Asked::Things => format!("{word} · ({word} of THING)"),
            Asked::Places | Asked::Direction | Asked::Directions => format!("{word} · ({word} of PLACE)"),
        }
    }
}
