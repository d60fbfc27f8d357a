//! What a viewer sees: facts about coordinates as a board, the others as facts.

use std::collections::{BTreeMap, BTreeSet};

use houserules_kernel::{BoardView, CellView, Link, Mark, Shape, Shown, ThingId, ThingView, View, Viewer};

use crate::net::Net;
use crate::position::LinearPosition;
use crate::print;
use crate::program::{PredId, Program, TypeId};
use crate::run::Running;
use crate::seats::Seats;
use crate::store::{Atom, AtomId, Store, Term};

/// Which facts lie on a board, and where.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Per predicate: where its facts lie, if they lie anywhere.
    places: Vec<Option<Place>>,
    boards: Vec<Board>,
    /// Predicates whose facts are known only to whom they name.
    secret: Vec<bool>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// An argument that is a term of two numbers.
    Term(usize),
    /// Two arguments that are numbers.
    Numbers(usize, usize),
    /// One argument that is a number, on a ring or a track.
    Number(usize),
    /// One argument whose constants are the places, on a board of any form.
    Constant(usize),
}

#[derive(Clone, Debug)]
struct Board {
    name: String,
    /// Each player has one of these.
    owner: Option<usize>,
    shape: Shape,
    cells: Vec<(i64, i64)>,
    /// On boards of any form the names of the places and which are joined.
    named: Vec<(Term, String)>,
    linked: Vec<Vec<Link>>,
}

/// Facts of these say that nothing is there.
const BARE: [&str; 8] = ["free", "empty", "open", "none", "nobody", "blank", "null", "vacant"];

/// How facts begin by which Spira says that a stage begins or has done something.
const TOKENS: [&str; 2] = ["pretoken_", "postoken_"];

impl Layout {
    pub fn of(program: &Program, net: Option<&Net>, start: &Running, seats: &Seats) -> Layout {
        let note = |pred: &str| {
            program.notes.iter().find(|words| words[0] == "board" && words.iter().skip(2).any(|word| word == pred))
        };
        let kind = |pred: PredId| note(&program.preds[pred].name).and_then(|words| words.get(1)).map(String::as_str);
        let places: Vec<Option<Place>> = (0..program.preds.len())
            .map(|pred| if program.preds[pred].backward { None } else { place(program, pred, kind(pred)) })
            .collect();
        let secret = (0..program.preds.len()).map(|pred| program.is_secret(pred)).collect();
        let mut layout = Layout { places, boards: Vec::new(), secret };
        let initial: Vec<Atom> =
            start.facts.newest_first().into_iter().map(|(atom, _)| start.store.atom(atom).clone()).collect();
        let (store, mut atoms): (&Store, Vec<Atom>) = match net.filter(|net| net.complete) {
            Some(net) => (
                &net.store,
                (0..net.n_atoms as u32)
                    .filter(|&atom| net.is_admitted(atom))
                    .map(|atom| net.store.atom(atom).clone())
                    .collect(),
            ),
            None => (&start.store, initial.clone()),
        };
        atoms.retain(|atom| layout.places[atom.pred].is_some());
        if atoms.is_empty() {
            return layout;
        }
        let coordinates: BTreeSet<(i64, i64)> = atoms.iter().filter_map(|atom| layout.at(store, atom)).collect();
        let constants = atoms.iter().find_map(|atom| match layout.places[atom.pred] {
            Some(Place::Constant(at)) => Some(program.preds[atom.pred].args[at]),
            _ => None,
        });
        // The same place for several players at once: each has a board of his own.
        let mut owners: BTreeMap<(PredId, (i64, i64)), BTreeSet<usize>> = BTreeMap::new();
        for atom in &atoms {
            if BARE.contains(&program.preds[atom.pred].name.as_str())
                && let Some(at) = layout.at(store, atom)
                && let Some(seat) = atom.args.iter().find_map(|&arg| seats.seat(store, arg))
            {
                owners.entry((atom.pred, at)).or_default().insert(seat);
            }
        }
        let own = seats.n_seats() > 1 && owners.values().any(|seats| seats.len() > 1);
        let cells: Vec<(i64, i64)> = coordinates.into_iter().collect();
        let width = cells.iter().map(|(x, _)| x + 1).max().unwrap_or(1) as u32;
        let height = cells.iter().map(|(_, y)| y + 1).max().unwrap_or(1) as u32;
        let kinds: Vec<&str> = (0..program.preds.len()).filter_map(kind).collect();
        let shape = match (constants, kinds.first()) {
            (Some(_), _) => Shape::Graph,
            (None, Some(&"hex")) => Shape::Hexes { width, height },
            (None, Some(&"ring")) => Shape::Ring { n: width },
            (None, Some(&"track")) => Shape::Track { n: width },
            _ => Shape::Grid { width, height },
        };
        let (named, linked) = constants.map_or(Default::default(), |of| places_of(program, store, of));
        let board = Board { name: "board".into(), owner: None, shape, cells, named, linked };
        layout.boards = match own {
            true => (0..seats.n_seats()).map(|seat| Board { owner: Some(seat), ..board.clone() }).collect(),
            false => vec![board],
        };
        layout
    }

    /// Column and row of a fact that lies somewhere.
    fn at(&self, store: &Store, atom: &Atom) -> Option<(i64, i64)> {
        let number = |term: Term| term.as_number().and_then(|number| i64::try_from(number).ok());
        match self.places[atom.pred]? {
            Place::Term(at) => {
                let (_, args) = store.node(atom.args[at])?;
                let numbers: Vec<i64> = args.iter().filter_map(|&arg| number(arg)).collect();
                (numbers.len() == 2).then(|| (numbers[0], numbers[1]))
            }
            Place::Numbers(column, row) => Some((number(atom.args[column])?, number(atom.args[row])?)),
            Place::Number(at) => Some((number(atom.args[at])?, 0)),
            Place::Constant(at) => {
                let known = self.boards.first()?.named.iter().position(|(term, _)| *term == atom.args[at])?;
                Some((known as i64, 0))
            }
        }
    }
}

/// Where facts of a predicate lie, by their types.
fn place(program: &Program, pred: PredId, kind: Option<&str>) -> Option<Place> {
    let args = &program.preds[pred].args;
    let is_number = |of: TypeId| program.types[of].nat.is_some();
    let is_pair = |of: TypeId| {
        program
            .ctors
            .iter()
            .any(|ctor| ctor.of == of && ctor.args.len() == 2 && ctor.args.iter().all(|&of| is_number(of)))
    };
    let pairs: Vec<usize> = (0..args.len()).filter(|&at| is_pair(args[at])).collect();
    let numbers: Vec<usize> = (0..args.len()).filter(|&at| is_number(args[at])).collect();
    match (kind, pairs.as_slice(), numbers.as_slice()) {
        (Some("graph"), ..) => {
            let constant = |&at: &usize| {
                let of = args[at];
                !program.types[of].name.starts_with("player")
                    && program.ctors.iter().filter(|ctor| ctor.of == of).count() > 2
                    && program.ctors.iter().all(|ctor| ctor.of != of || ctor.args.is_empty())
            };
            (0..args.len()).rev().find(constant).map(Place::Constant)
        }
        (Some("ring" | "track"), [], &[.., at]) => Some(Place::Number(at)),
        (_, &[at], _) => Some(Place::Term(at)),
        (_, [], &[column, row]) => Some(Place::Numbers(column, row)),
        _ => None,
    }
}

/// The constants of a type as places, joined where a backward fact names two of them.
fn places_of(program: &Program, store: &Store, of: TypeId) -> (Vec<(Term, String)>, Vec<Vec<Link>>) {
    use crate::program::Pat;
    let ctors: Vec<usize> = (0..program.ctors.len()).filter(|&ctor| program.ctors[ctor].of == of).collect();
    let named: Vec<(Term, String)> = ctors
        .iter()
        .filter_map(|&ctor| Some((store.known_term(ctor, Default::default())?, program.ctors[ctor].name.clone())))
        .collect();
    let index = |pat: &Pat| match pat {
        Pat::Apply(ctor, _) => named.iter().position(|(_, name)| *name == program.ctors[*ctor].name),
        _ => None,
    };
    let mut linked = vec![Vec::new(); named.len()];
    for clause in program.clauses.iter().filter(|clause| clause.goals.is_empty()) {
        let ends: Vec<usize> = clause.head.1.iter().filter_map(index).collect();
        if let [one, other] = ends[..] {
            for (from, to) in [(one, other), (other, one)] {
                let link = Link { to: to as u32, kind: String::new() };
                if !linked[from].contains(&link) {
                    linked[from].push(link);
                }
            }
        }
    }
    (named, linked)
}

/// What a viewer may know of a position.
pub fn view(position: &LinearPosition, viewer: Viewer) -> View {
    let rules = &position.rules;
    let (program, store, layout, seats) = (&*rules.program, position.store(), &rules.layout, &rules.seats);
    let mut boards: Vec<BTreeMap<(i64, i64), CellView>> =
        layout.boards.iter().map(|board| cells(board, seats)).collect();
    let mut game: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut of_seat: Vec<BTreeMap<String, Vec<String>>> = vec![BTreeMap::new(); seats.n_seats()];
    for (id, count) in position.world.atoms() {
        let atom = store.atom(id);
        let pred = &program.preds[atom.pred];
        let seat = atom.args.iter().find_map(|&arg| seats.seat(store, arg));
        let hidden = layout.secret[atom.pred]
            && match viewer {
                Viewer::All => false,
                Viewer::Public => true,
                Viewer::Seat(own) => seat.is_none_or(|seat| Seats::id(seat) != own),
            };
        let place = layout.at(store, atom);
        let which = match layout.boards.as_slice() {
            [] => None,
            [_] => Some(0),
            _ => seat,
        };
        if let (Some(at), Some(which)) = (place, which) {
            // What may not be known must not show by being there.
            if !hidden {
                let board = &layout.boards[which];
                let cell = boards[which].entry(at).or_insert_with(|| cell(board, at, seats));
                put(cell, program, store, atom, seats, layout.boards.len() > 1, layout.places[atom.pred]);
            }
            continue;
        }
        // Whose turn it is is told by the view, and not by how Spira keeps it.
        if hidden || TOKENS.iter().any(|token| pred.name.starts_with(token)) {
            continue;
        }
        let about = if atom.args.first().is_some_and(|&arg| seats.seat(store, arg).is_some()) { seat } else { None };
        let said: Vec<String> =
            atom.args.iter().skip(usize::from(about.is_some())).map(|&arg| print::plain(program, store, arg)).collect();
        let said = match (said.is_empty(), count) {
            (true, 1) => "yes".to_owned(),
            (true, count) => count.to_string(),
            (false, 1) => said.join(" "),
            (false, count) => format!("{} ({count} times)", said.join(" ")),
        };
        match about {
            Some(seat) => of_seat[seat].entry(pred.name.clone()).or_default().push(said),
            None => game.entry(pred.name.clone()).or_default().push(said),
        }
    }
    let thing = |name: String, kind: &str, owner: Option<usize>, facts: BTreeMap<String, Vec<String>>| ThingView {
        id: ThingId((1 << 30) + owner.map_or(0, |seat| seat as u32 + 1)),
        name,
        kind: kind.into(),
        owner: owner.map(Seats::id),
        properties: facts
            .into_iter()
            .map(|(name, mut values)| {
                values.sort();
                (name, Shown::Value(values.join(", ")))
            })
            .collect(),
        ..ThingView::default()
    };
    let mut facts = Vec::new();
    if !game.is_empty() {
        facts.push(thing("game".into(), "game", None, game));
    }
    for (seat, known) in of_seat.into_iter().enumerate() {
        if !known.is_empty() {
            facts.push(thing(seats.names[seat].clone(), "player", Some(seat), known));
        }
    }
    let hints = program.notes.iter().filter(|words| words[0] == "look" && words.len() > 2);
    let look: Vec<(String, String)> = hints.map(|words| (words[1].clone(), words[2..].join(" "))).collect();
    let board = |(board, cells): (&Board, BTreeMap<(i64, i64), CellView>)| BoardView {
        name: board.name.clone(),
        kind: board.name.clone(),
        shape: board.shape,
        owner: board.owner.map(Seats::id),
        cells: cells.into_values().collect(),
        look: look.clone(),
        facing: Vec::new(),
    };
    use houserules_kernel::{Decision, Position};
    let turn = match position.decision() {
        Decision::Seats { asked, .. } => asked.first().copied(),
        _ => None,
    };
    View { boards: layout.boards.iter().zip(boards).map(board).collect(), facts, things: Vec::new(), turn }
}

fn cells(board: &Board, seats: &Seats) -> BTreeMap<(i64, i64), CellView> {
    let named = (0..board.named.len()).map(|at| (at as i64, 0));
    let all = board.cells.iter().copied().filter(|_| board.named.is_empty()).chain(named);
    all.map(|at| (at, cell(board, at, seats))).collect()
}

fn cell(board: &Board, (column, row): (i64, i64), seats: &Seats) -> CellView {
    let own = match (board.named.get(column as usize), board.shape) {
        (Some((_, name)), _) => name.clone(),
        (None, Shape::Ring { .. } | Shape::Track { .. }) => column.to_string(),
        _ => format!("{column}/{row}"),
    };
    let name = match board.owner {
        Some(owner) => format!("{} {own}", seats.names[owner]),
        None => own,
    };
    CellView {
        id: id(board.owner.unwrap_or(0), (column, row)),
        name,
        at: (column as i32 + 1, row as i32 + 1),
        mark: Mark::default(),
        count: None,
        properties: Vec::new(),
        look: Vec::new(),
        linked: board.linked.get(column as usize).cloned().unwrap_or_default(),
        ..CellView::default()
    }
}

/// The number of a place: the same in every position and for every viewer.
fn id(which: usize, (column, row): (i64, i64)) -> ThingId {
    ThingId(((which as u32) << 20) | ((row as u32 & 0x3ff) << 10) | (column as u32 & 0x3ff))
}

/// Where something changes by these comings and goings: first where the player's own goes away, then the rest.
pub(crate) fn points(position: &LinearPosition, changes: &[(AtomId, i32)], mover: usize) -> Vec<ThingId> {
    let rules = &position.rules;
    let (store, layout, seats) = (position.store(), &rules.layout, &rules.seats);
    let mut points: Vec<(bool, ThingId)> = Vec::new();
    for &(atom, by) in changes {
        let atom = store.atom(atom);
        let Some(at) = layout.at(store, atom) else { continue };
        let seat = atom.args.iter().find_map(|&arg| seats.seat(store, arg));
        let which = if layout.boards.len() > 1 { seat.unwrap_or(0) } else { 0 };
        let later = !(by < 0 && seat == Some(mover));
        match points.iter_mut().find(|(_, known)| *known == id(which, at)) {
            Some((known, _)) => *known &= later,
            None => points.push((later, id(which, at))),
        }
    }
    points.sort();
    points.into_iter().map(|(_, point)| point).collect()
}

/// Shows a fact on its cell: the letter of the player or of the piece; of a predicate, where each player has a board.
fn put(
    cell: &mut CellView,
    program: &Program,
    store: &Store,
    atom: &Atom,
    seats: &Seats,
    own_boards: bool,
    place: Option<Place>,
) {
    let name = &program.preds[atom.pred].name;
    let is_place = |at: usize| match place {
        Some(Place::Term(own) | Place::Number(own) | Place::Constant(own)) => at == own,
        Some(Place::Numbers(column, row)) => at == column || at == row,
        None => false,
    };
    let mut seat = None;
    let mut piece = None;
    for (_, &arg) in atom.args.iter().enumerate().filter(|(at, _)| !is_place(*at)) {
        gather(program, store, seats, arg, &mut seat, &mut piece);
    }
    let letter = |word: &str| word.chars().next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    let bare = BARE.contains(&name.as_str()) || piece.as_deref().is_some_and(|piece| BARE.contains(&piece));
    let sign = match (bare, &piece, seat) {
        (true, ..) => return,
        (false, Some(piece), _) => letter(piece),
        (false, None, Some(_)) if own_boards => letter(name),
        (false, None, Some(seat)) => letter(&seats.names[seat]),
        (false, None, None) => letter(name),
    };
    let value = match (piece, seat) {
        (Some(piece), Some(seat)) => format!("{} {piece}", seats.names[seat]),
        (Some(piece), None) => piece,
        (None, Some(seat)) => seats.names[seat].clone(),
        (None, None) => "yes".into(),
    };
    cell.properties.push((name.clone(), Shown::Value(value)));
    if cell.mark.sign.is_empty() {
        cell.mark = Mark { sign, seat: if own_boards { None } else { seat.map(Seats::id) } };
    }
}

fn gather(
    program: &Program,
    store: &Store,
    seats: &Seats,
    term: Term,
    seat: &mut Option<usize>,
    piece: &mut Option<String>,
) {
    if let Some(own) = seats.seat(store, term) {
        seat.get_or_insert(own);
        return;
    }
    let Some((ctor, args)) = store.node(term) else { return };
    match args.is_empty() {
        true => {
            piece.get_or_insert_with(|| program.ctors[ctor].name.clone());
        }
        false => args.iter().for_each(|&arg| gather(program, store, seats, arg, seat, piece)),
    }
}
