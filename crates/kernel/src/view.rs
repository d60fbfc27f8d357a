use crate::SeatId;

/// Who is looking.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Viewer {
    Seat(SeatId),
    /// Somebody at the table without a seat.
    Public,
    /// Sees everything: a referee, a test, a replay after the match.
    All,
}

/// What one viewer may know of a position, and nothing else.
///
/// Nothing leads from a view back to a position. Two positions that differ only in what is hidden
/// from a viewer give that viewer equal views.
#[derive(Clone, PartialEq, Hash, Debug, Default)]
pub struct View {
    pub boards: Vec<BoardView>,
    /// The game and the players, each with the properties that may be seen.
    pub facts: Vec<ThingView>,
    /// Things that lie on no board: hands, decks, supplies.
    pub things: Vec<ThingView>,
    /// The seat whose turn it is.
    pub turn: Option<SeatId>,
}

/// Tells the things of a match apart: the same thing has the same number in every view that shows it.
///
/// What a viewer may not see has no number for that viewer, only a place and a count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ThingId(pub u32);

/// A board with all its cells, as one viewer sees it.
#[derive(Clone, PartialEq, Hash, Debug, Default)]
pub struct BoardView {
    pub name: String,
    /// What its cells are.
    pub kind: String,
    pub shape: Shape,
    pub owner: Option<SeatId>,
    pub cells: Vec<CellView>,
    /// Hints for drawing it, such as what stands beyond its edges.
    pub look: Vec<(String, String)>,
    /// The direction that is forward for each seat; empty where there is none.
    pub facing: Vec<String>,
}

/// How the cells of a board lie, for whoever draws it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Shape {
    Grid {
        width: u32,
        height: u32,
    },
    /// Six neighbours; cells carry axial coordinates already turned into columns and rows.
    Hexes {
        width: u32,
        height: u32,
    },
    Ring {
        n: u32,
    },
    Track {
        n: u32,
    },
    #[default]
    Graph,
}

/// A cell of a board, as one viewer sees it.
#[derive(Clone, PartialEq, Hash, Debug, Default)]
pub struct CellView {
    pub id: ThingId,
    pub name: String,
    /// Column and row from 1; on rings, tracks and graphs the number and 1.
    pub at: (i32, i32),
    pub mark: Mark,
    /// How many things lie here, where that may be known.
    pub count: Option<u32>,
    /// What lies here from the bottom up, where that may be seen.
    pub pieces: Option<Vec<ThingView>>,
    pub properties: Vec<(String, Shown)>,
    /// How the definition wants it drawn.
    pub look: Vec<(String, String)>,
    /// On graphs: the cells joined to this one.
    pub linked: Vec<Link>,
}

/// That a cell is joined to another one of its board.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Link {
    /// The other one, by index.
    pub to: u32,
    /// What the definition calls such a link; empty where it has no word for it.
    pub kind: String,
}

/// What to draw on a cell: a short sign, and the seat whose colour it takes.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Mark {
    pub sign: String,
    pub seat: Option<SeatId>,
}

/// The game, a player, a piece, or a thing that lies on no board, as one viewer sees it.
#[derive(Clone, PartialEq, Hash, Debug, Default)]
pub struct ThingView {
    pub id: ThingId,
    pub name: String,
    pub kind: String,
    pub owner: Option<SeatId>,
    /// Its sign on a board.
    pub mark: Mark,
    /// The state it is in, where it has a sign of its own in that.
    pub state: Option<String>,
    pub properties: Vec<(String, Shown)>,
    /// What lies in it, where that may be seen.
    pub contents: Option<Vec<ThingView>>,
    /// How much lies in it, where that may be known.
    pub count: Option<u32>,
    /// How the definition wants it drawn: `x` and a column, `shape` and a name.
    pub look: Vec<(String, String)>,
}

/// A value as a viewer sees it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shown {
    Value(String),
    /// There is something here that this viewer may not know.
    Hidden,
}
