//! The table of all directives: how each is written, what it is for, where it may stand.

/// Which part of a definition a directive describes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    Game,
    Things,
    Play,
}

/// Where a directive may stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Belongs {
    /// To the game; it closes an open model or view.
    Game,
    /// To the open model, and to nothing else.
    Model,
    /// To the open model; to the game when none is open.
    ModelOrGame,
    /// To the open model or view; to the game when none is open.
    ModelViewOrGame,
    /// To the open model or view.
    ModelOrView,
    /// Anywhere; what is open stays open.
    Anywhere,
}

/// A directive's line in the table.
#[derive(Clone, Copy, Debug)]
pub struct DirectiveDef {
    /// Without the `#`.
    pub name: &'static str,
    /// What follows the name.
    pub usage: &'static str,
    pub part: Part,
    pub belongs: Belongs,
    /// One line.
    pub summary: &'static str,
    /// More, where there is more to say.
    pub detail: &'static str,
    /// Lines of a definition.
    pub example: &'static str,
}

macro_rules! directives {
    ($($name:literal $usage:literal $part:ident $belongs:ident $summary:literal $detail:literal $example:literal;)*) => {
        static TABLE: &[DirectiveDef] = &[$(DirectiveDef {
            name: $name, usage: $usage, part: Part::$part, belongs: Belongs::$belongs,
            summary: $summary, detail: $detail, example: $example,
        }),*];
    };
}

directives! {
    "game" "NAME [from FILE]" Game Game
        "Begins a definition and names the game."
        "With `from`, everything another game says comes first, except its variants; whatever is said again here under the same name takes its place."
        "#game \"Coins\"";
    "info" "KEY TEXT" Game Anywhere
        "A fact for people, which changes nothing in play."
        "Usual keys are `rules`, `author`, `year`, `licence` and `picture`."
        "#info rules \"Three coins in a row win.\"";
    "include" "FILE" Game Anywhere
        "Reads another file as if its text stood here."
        "The path is relative to this file. What is open here is open there too, so a file may hold only the behaviors of one model; afterwards the same model is open as before."
        "#include \"coins.gdl\"";
    "setting" "NAME… VALUE [from A to B] [among V…] [TEXT]" Game Game
        "A number or word that is chosen before a match."
        "It is read like a variable. Its value may use earlier settings. Several names share all that follows them. TEXT tells players what it is."
        "#setting size 3 from 2 to 9 \"Cells a side\"";
    "players" "NAME [facing DIRECTION]… · A to B [named NAME…] · are MODEL" Game Game
        "Who plays: the names of the seats, or how many there can be."
        "A player faces north, the second one south, unless `facing` says otherwise; `forward` and its relatives follow it. With `are`, each entity of that model with a name of its own is a seat, and a player is one of that model."
        "#players \"X\" \"O\"";
    "teams" "LIST…" Game Game
        "Which players play together."
        "Each list is a team; `(team of P)` gives it back."
        "#players \"N\" \"E\" \"S\" \"W\" #teams (list N S) (list E W)";
    "turns" "[free]" Game Game
        "How turns pass."
        "Without this directive only the player whose turn it is may act, and rules pass the turn. With it, the turn also passes by itself after each action. With `free`, everybody may act whom the laws allow."
        "#turns";
    "history" "THING… [by player]" Game Game
        "What makes two positions the same."
        "Things are models, with all their tracked properties and places, and properties or defines of the game. `by player` adds who moved last. Without the directive everything counts."
        "#history cell by player";
    "properties" "open" Game Game
        "Lets behaviors, too, read and change the properties of other entities."
        ""
        "#properties open";
    "setup" "BODY" Game Game
        "What happens before the first turn."
        "It is the game's answer to `start`. It may ask and roll; a game can be played in it from beginning to end."
        "#setup (set (mark of b2) to X)";
    "picture" "[PROPERTY] ROW…" Game Game
        "Draws the board at the start: a string for each row, the top one first, a sign for each cell."
        "`.` is an empty cell. Signs are those of `#symbol`; with a property, the first letters of players. A picture smaller than the board stands in its middle. With `--position` the player draws another start instead; with a property, a definition may leave the rows to them."
        "#picture mark \"XO\" \"OX\"";
    "model" "NAME [is PARENT]" Things Game
        "A kind of thing. What follows belongs to it, up to a directive that cannot."
        "A child has all its parent has and counts as one of them. Naming a model again opens it again. `game` and `player` are there from the start."
        "#model coin #model gold is coin";
    "property" "NAME [VALUE] [seen by WHO] [untracked]" Things ModelViewOrGame
        "What a thing of the open model knows; with no model open, what the game knows."
        "The value is computed for each thing at the start; without one it is nil. WHO is `everyone`, `nobody`, `self`, `owner` or a form giving players. `untracked` keeps it out of `#history`."
        "#model coin #property worth 1";
    "relation" "NAME [VALUE] [seen by WHO] [untracked]" Things ModelViewOrGame
        "A property that holds things only."
        ""
        "#model coin #relation partner";
    "appearance" "NAME [VALUE]" Things ModelViewOrGame
        "A property that says how a thing looks."
        ""
        "#model coin #appearance colour \"gold\"";
    "define" "NAME PARAM… BODY" Things ModelOrGame
        "A question that is answered without changing anything."
        "In a model it is asked like a property, and each kind may answer in its own way. With no model open it is asked of nobody. The answer is the value of the last expression, or of `return`. It may ask itself."
        "#model coin #define dear (> worth 2)";
    "state" "NAME…" Things ModelOrView
        "The behaviors that follow answer in these states."
        "`*` is every state without an answer of its own. Behaviors before any `#state` answer in `default`, where each thing begins unless its model has a `#property state` with the name of another."
        "#model coin #state spent #onMessage toss (return nil)";
    "onMessage" "LABEL ATTRIBUTE… BODY" Things ModelOrView
        "What a thing does when it is sent a message."
        "Attributes named here can be used as words in the body."
        "#model coin #onMessage raise amount (increase worth by amount)";
    "contents" "[seen by WHO] [counted by WHO]" Things Model
        "Who knows what lies here, and who knows how much."
        "Without it everybody knows both."
        "#model purse #contents seen by owner";
    "capacity" "N" Things Model
        "How many things can lie here at most."
        "A move that would put more here is refused."
        "#model purse #capacity 3";
    "supply" "MODEL [N]" Things Model
        "A place where a thing of this model can always be taken."
        "Taking the top makes a new one; with N, so many at most."
        "#model bank #supply coin 20";
    "symbol" "SIGN… [in STATE SIGN…]" Things Model
        "The sign of a thing in pictures and on the typed board."
        "One sign for all, or one for each seat; other ones in a state."
        "#model coin #symbol \"c\" in spent \"-\"";
    "look" "ATTRIBUTE EXPR …" Things Model
        "How a thing is drawn."
        "Attributes are `shape`, `fill`, `text`, `image`, `size`, `layer`, `x` and `y`. It is drawn anew when something the expression reads has changed. On a typed board of two rows, the number `x` draws a thing beside the board's columns: 0 left of them, 6 after the sixth. `above`, `below`, `left` and `right` of the places of a typed board of hexagons frame it: a text, or a player's name for that player's letter."
        "#model coin #look shape \"circle\" fill (if owner \"gold\" else \"grey\")";
    "entity" "[NAME is] MODEL [N times] [for each player] [for each P in LIST]… [at PLACE] [with P V…]" Things Game
        "Makes things."
        "Each `for each` multiplies them. `for each player` sets their `owner` and gives the player a property with the model's name; `for each P in LIST` sets the property P. `with` gives values to properties that the model has; `with state S` says in which state it begins. What has no model of its own is a `thing`."
        "#entity coin 3 times for each player with worth 2";
    "board" "MODEL SHAPE [where CONDITION] [named NAME] [for each player] [naming WORD]" Things Game
        "Makes places and joins them."
        "Shapes are `grid W H [wrapping]`, `rhombus W H`, `hex N`, `triangle N`, `ring N`, `track N` and `graph`. With `where` only those places of a shape are there for which the condition holds; it may read `row` and `column` of the whole shape. The others are left blank. NAME is then the list of the places. WORD is `go`, which leaves out the column `i`, `top`, which counts rows from the top, `numbers`, or `draughts`, which numbers the dark squares from the top."
        "#board cell grid 3 3";
    "directions" "NAME DIRECTION… · NAME (DIRECTION…)… · NAME leap A B" Things Game
        "A direction of its own: some others, paths of several steps, or a leap."
        ""
        "#directions knight leap 1 2";
    "place" "PLACE [at COLUMN ROW] [for each X in LIST]…" Things Game
        "On a graph: a place, and where it is drawn."
        "With `for each` it is made once for each member; PLACE is then a text with values between braces. `#link` makes places, too, but does not say where they lie."
        "#board stop graph #place mill at 1 2 #place \"inn {n}\" at (+ n 1) 1 for each n in (range 1 3) #link mill \"inn 1\" \"inn 2\" \"inn 3\"";
    "link" "PLACE PLACE… [as RELATION] [one way] [for each X in LIST]…" Things Game
        "On a graph: neighbours in a chain, which is also a straight line."
        "A place that is named for the first time is made. With `for each` there is a link for each member, and names are texts with values between braces."
        "#board stop graph #link mill bridge inn #link \"field {n}\" \"field {+ n 1}\" for each n in (range 1 5)";
    "edges" "MODEL between PLACE [along DIRECTIONS]" Things Game
        "Makes a thing between any two neighbouring places."
        "PLACE is the model of the places; without `along` those are neighbours that share a side or are linked. An edge is called by its ends, such as `a1-b1`. `(crossing A B)` finds it, `(ends-of E)` gives the two places; its model may have properties, and actions may be sent to it."
        "#board cell grid 3 3 #model fence #property closed #edges fence between cell";
    "action" "LABEL [to DOMAIN] [with A DOMAIN …] [as TEXT] [when asked] [BODY]" Play Game
        "What a player may do: send a message to a thing of the domain."
        "Without `to` it goes to the game. Attributes take their values from lists, which may use `player`, `self` and earlier attributes. The body is a behavior for every state without its own. TEXT is how it is told, with names in braces: `{player}`, `{self}`, attributes; `{place}` is `{self}` without the name of whose board it is on. `when asked`: only when `let` offers it."
        "#action place to cell (set mark to player)";
    "law" "NAME on LABEL… [to MODEL…] [in STATE…] [before RULE] BODY · … is FILE" Play Game
        "A rule that is checked before a behavior and may refuse it."
        "With `after` instead of `on` it is checked after the behavior, and refusing rolls the action back. Instead of a model, one thing or one player may be named. `*` stands for any label, receiver or state. It looks at messages that are answered, and at no others. Without a name, the name of the file is the rule's name."
        "#law \"Only empty cells\" on place (require (not mark))";
    "sideeffect" "NAME on LABEL… [to MODEL…] [in STATE…] [before RULE] BODY · … is FILE" Play Game
        "A rule that runs after a behavior."
        "It may read and change everything, and follows a message only if that was answered. Instead of a model, one thing or one player may be named. Rules run in the order of the definition; `before` puts one before another."
        "#sideeffect \"A line wins\" on place (if (line 3 of mark) (win player))";
    "rule" "NAME enforced · NAME advised · NAME off · NAME instead BODY" Play Game
        "Changes a rule that is already there: how strictly it holds, or its body."
        "An advised rule warns the table instead of refusing. The rule keeps its place in the order."
        "#law \"Only empty cells\" on place (require (not mark)) #rule \"Only empty cells\" off";
    "variant" "NAME [from NAME]" Play Game
        "A set of changes that can be chosen. What follows belongs to it, up to the next variant or the end of the file."
        "With `from` it begins where another variant ends."
        "#variant \"Big\" #set size 5";
    "set" "SETTING VALUE" Play Game
        "Another value for a setting, in a variant or in a game made from another."
        ""
        "#setting size 3 #variant \"Big\" #set size 5";
    "evaluator" "NAME EXPR" Play Game
        "How good a position is for `player`; more is better."
        "Computer players use it where they cannot look further."
        "#evaluator \"marks\" (count cell where (= mark player))";
    "view" "NAME of MODEL" Play Game
        "A representation of the things of a model. Properties, states and behaviors that follow belong to it."
        "Without one, boards draw themselves from their shape, `#look` and `#symbol`."
        "#view plain of coin #onMessage start (new graphic disc with fill \"gold\")";
    "editor" "layer NAME [hidden] [protected] · slot RELATION of MODEL [EDGE] [on LAYER] · put ENTITY… on LAYER · workspace WIDTH HEIGHT · group NAME ENTITY… · keep game TEXT · keep model MODEL TEXT · keep slot RELATION of MODEL TEXT · keep entity ENTITY TEXT" Play Anywhere
        "What only a visual editor wants to know: layers, where the slot of a relation is drawn, what lies on which layer, how large the plane is, which entities are listed together."
        "It plays no part in a match. EDGE is `top`, `left`, `right` or `bottom`. TEXT is markup of another editor, which is kept as it is."
        "#model coin #relation partner #editor layer money #editor slot partner of coin right on money";
}

/// Every directive, in the order of the table.
pub fn all() -> &'static [DirectiveDef] {
    TABLE
}

/// The directive with this name, written without `#`.
pub fn named(name: &str) -> Option<&'static DirectiveDef> {
    TABLE.iter().find(|def| def.name == name)
}

impl DirectiveDef {
    /// The ways it is written, one per line of the reference.
    pub fn usages(&self) -> impl Iterator<Item = String> {
        self.usage.split(" · ").map(|usage| format!("#{} {usage}", self.name))
    }
}
