//! Games, each on a page.

use crate::{Board, Implication, Interactive, Noninteractive, Spira, Stage, Term, becomes};

/// Three in a line; a full board is a draw.
pub fn tic_tac_toe() -> Spira {
    let mut g = Spira::new("Tic-tac-toe");
    g.about("Three in a line wins; a full board is a draw.");
    let players = g.players(&["oskar", "xena"]);
    g.look("ground", "paper");
    let board = g.simple_board(3, 3);
    let (p, at) = (g.binding(g.player()), g.binding(board.coord_type));
    let mark = becomes([board.tile.of([&board.free, &at])], [board.tile.of([&p, &at])]);
    let play = g.stage("play", Interactive, &p, vec![mark]);
    let lines = g.in_a_line(&board, 3, &p);
    let win = g.stage("win", Noninteractive, &p, lines);
    let draw = g.draw_stage();
    g.then(&play, &win);
    g.otherwise(&play, &draw);
    g.otherwise(&win, &players.next);
    g.then(&players.next, &play);
    g.start(&play, &players.all[0]);
    g
}

/// A tile falls on the one below; four in a line win, a full board is a draw.
pub fn connect_four(columns: usize, rows: usize, goal: usize) -> Spira {
    let mut g = Spira::new("Connect Four");
    g.about("Drop discs into a standing grid; four in a line wins.");
    let players = g.players(&["red", "yellow"]);
    g.look("ground", "rack");
    let board = g.masked_board(columns, rows, |_, row| row == 0);
    g.output_names(&board.tile, &["_", "Col/_"]);
    let less = g.less();
    let (p, x, y) = (g.binding(g.player()), g.binding(g.nat()), g.binding(g.nat()));
    let (here, above) = (board.coord.of([&x, &y]), board.coord.of([&x, &g.plus(&y, 1)]));
    let drop = becomes(
        [board.tile.of([&board.free, &here]), less.of([&g.plus(&y, 1), &g.number(rows)])],
        [board.tile.of([&p, &here]), board.tile.of([&board.free, &above])],
    );
    let top = board.coord.of([&x, &g.number(rows - 1)]);
    let fill = becomes([board.tile.of([&board.free, &top])], [board.tile.of([&p, &top])]);
    let play = g.stage("play", Interactive, &p, vec![drop, fill]);
    let lines = g.in_a_line(&board, goal, &p);
    let win = g.stage("win", Noninteractive, &p, lines);
    let draw = g.draw_stage();
    g.then(&play, &win);
    g.otherwise(&play, &draw);
    g.otherwise(&win, &players.next);
    g.then(&players.next, &play);
    g.start(&play, &players.all[0]);
    g
}

/// Discs between a new one and another of one's own are turned over; who cannot move ends the match, and most discs win.
pub fn othello(size: usize) -> Spira {
    let mut g = Spira::new("Othello");
    g.about("Bracket discs of the other colour to turn them over; when somebody cannot move, most discs win.");
    let players = g.players(&["black", "white"]);
    g.look("ground", "felt");
    let board = g.simple_board(size, size);
    g.output_names(&board.tile, &["_", "_"]);
    let shown = g.equal("coord_eq", board.coord_type);
    g.output_names(&shown, &["_", "Col/Row"]);
    let last = g.predicate("last_placed", &[g.player(), board.coord_type]);
    let (p, q, at) = (g.binding(g.player()), g.binding(g.player()), g.binding(board.coord_type));
    let (mut place, mut flip): (Vec<Implication>, Vec<Implication>) = (Vec::new(), Vec::new());
    for n in 3..=size {
        for direction in [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)] {
            let ray = g.ray(&board, n, direction);
            let (start, between, end) = (&ray[0], &ray[1..n - 1], &ray[n - 1]);
            let theirs = || between.iter().map(|middle| board.tile.of([&q, middle]));
            let own = || board.tile.of([&p, end]).keep();
            let left = [players.follows.of([&p, &q]), board.tile.of([&board.free, start])];
            let left = left.into_iter().chain(theirs().map(|tile| tile.keep())).chain([own(), shown.of([start, &at])]);
            place.push(becomes(left, [board.tile.of([&p, start]), last.of([&p, start])]));
            let left =
                [players.follows.of([&p, &q]), last.of([&p, start]).keep()].into_iter().chain(theirs()).chain([own()]);
            flip.push(becomes(left, between.iter().map(|middle| board.tile.of([&p, middle]))));
        }
    }
    let play = g.stage("play", Interactive, &p, place);
    let flip = g.stage("flip", Noninteractive, &p, flip);
    let forget = g.stage("forget_last", Noninteractive, &p, vec![becomes([last.of([&p, &at])], [])]);
    let points = g.predicate("points", &[g.player(), g.nat()]);
    let counted = g.predicate("counted", &[g.player(), board.coord_type]);
    let less = g.less();
    let win = g.predicate("win", &[g.player()]);
    let (anybody, x, y) = (g.binding(g.player()), g.binding(g.nat()), g.binding(g.nat()));
    let more = becomes(
        [players.follows.of([&p, &q]), points.of([&p, &x]), points.of([&q, &y]), less.of([&x, &y])],
        [points.of([&p, &x]), points.of([&q, &y]), win.of([&q])],
    );
    let winner = g.stage("winner", Noninteractive, &anybody, vec![more]);
    let (tile, done) = (board.tile.of([&p, &at]), counted.of([&p, &at]));
    let count = g.counting("count", tile, done, |n| points.of([&p, n]), &winner);
    let draw = g.draw_stage();
    g.then(&play, &flip);
    g.then(&flip, &flip);
    g.otherwise(&flip, &forget);
    g.then(&forget, &players.next);
    g.then(&players.next, &play);
    g.otherwise(&play, &count);
    g.otherwise(&winner, &draw);
    let (low, high) = (size / 2 - 1, size / 2);
    for (player, column, row) in [(0, low, high), (0, high, low), (1, low, low), (1, high, high)] {
        let place = g.place(&board, column, row);
        g.put(board.tile.of([&players.all[player], &place]));
    }
    let none = g.number(0);
    g.at_first(players.all.iter().map(|player| points.of([player, &none])));
    g.start(&play, &players.all[0]);
    g
}

/// Heaps of sticks; whoever takes the last one wins. Equal sticks are equal facts.
pub fn nim(heaps: &[usize], most: usize) -> Spira {
    let mut g = Spira::new("Nim");
    g.about("Take any number from one heap; who takes the last stick wins.");
    let players = g.players(&["ann", "bob"]);
    let heap = g.new_type("heap");
    let stick = g.predicate("stick", &[heap]);
    g.output_names(&stick, &["Heap"]);
    let (p, h) = (g.binding(g.player()), g.binding(heap));
    let take = |n: usize| becomes((0..n).map(|_| stick.of([&h])), []);
    let play = g.stage("take", Interactive, &p, (1..=most).map(take).collect());
    let lose = g.predicate("lose", &[g.player()]);
    let end = g.stage("lost", Noninteractive, &p, vec![becomes([], [lose.of([&p])])]);
    g.then(&play, &players.next);
    g.then(&players.next, &play);
    g.otherwise(&play, &end);
    for (at, &n) in heaps.iter().enumerate() {
        let heap = g.constant(&format!("h{}", at + 1), heap);
        g.at_first((0..n).map(|_| stick.of([&heap])));
    }
    g.start(&play, &players.all[0]);
    g
}

/// Two places on a board, one for each hand; nobody sees the other's before both lie there.
pub fn rock_paper_scissors() -> Spira {
    let mut g = Spira::new("Rock-paper-scissors");
    g.about("Both lay down a hand, and see the other's when both lie there.");
    let players = g.players(&["ann", "bob"]);
    let (sign, coord_type) = (g.new_type("sign"), g.new_type("coordType"));
    let coord = g.constructor("coord", &[g.nat(), g.nat()], coord_type);
    let signs: Vec<Term> = ["rock", "paper", "scissors"].iter().map(|name| g.constant(name, sign)).collect();
    let (may, beats) = (g.known("may_show", &[sign]), g.known("beats", &[sign, sign]));
    for at in 0..3 {
        g.holds(may.of([&signs[at]]), &[]);
        g.holds(beats.of([&signs[(at + 1) % 3], &signs[at]]), &[]);
    }
    g.output_names(&may, &["Shows"]);
    let free = g.predicate("free", &[g.player(), coord_type]);
    let hand = g.predicate("hand", &[g.player(), sign, coord_type]);
    let open = g.predicate("shown", &[g.player(), sign, coord_type]);
    let (win, draw) = (g.predicate("win", &[g.player()]), g.predicate("draw", &[]));
    g.secret(&hand);
    let (p, q, anybody) = (g.binding(g.player()), g.binding(g.player()), g.binding(g.player()));
    let (a, b, x, y) = (g.binding(sign), g.binding(sign), g.binding(coord_type), g.binding(coord_type));
    let show = becomes([free.of([&p, &x]), may.of([&a])], [hand.of([&p, &a, &x])]);
    let choose = g.stage("choose", Interactive, &p, vec![show]);
    let both = |one: &Term, other: &Term| [hand.of([&p, one, &x]), hand.of([&q, other, &y])];
    let seen = |one: &Term, other: &Term| [open.of([&p, one, &x]), open.of([&q, other, &y])];
    let better =
        becomes(both(&a, &b).into_iter().chain([beats.of([&a, &b])]), seen(&a, &b).into_iter().chain([win.of([&p])]));
    let same = becomes(both(&a, &a), seen(&a, &a).into_iter().chain([draw.of([])]));
    let judge = g.stage("judge", Noninteractive, &anybody, vec![better, same]);
    g.then(&choose, &players.next);
    g.then(&players.next, &choose);
    g.otherwise(&choose, &judge);
    for (at, player) in players.all.iter().enumerate() {
        let place = coord.of([&g.number(at), &g.number(0)]);
        g.at_first([free.of([player, &place])]);
    }
    g.start(&choose, &players.all[0]);
    g
}

/// Each player hides a ship of two places and one of one, then they shoot in turn.
pub fn battleships(size: usize) -> Spira {
    let mut g = Spira::new("Battleships");
    g.about("Both hide a boat and a cutter, then they shoot in turn.");
    let players = g.players(&["alice", "bob"]);
    let (ship, coord_type) = (g.new_type("ship"), g.new_type("coordType"));
    let coord = g.constructor("coord", &[g.nat(), g.nat()], coord_type);
    let (boat, cutter) = (g.constant("boat", ship), g.constant("cutter", ship));
    let way = g.new_type("way");
    let (across, up) = (g.constant("across", way), g.constant("up", way));
    let (said_ship, said_way) = (g.equal("ship_eq", ship), g.equal("way_eq", way));
    g.output_names(&said_ship, &["_", "Ship"]);
    g.output_names(&said_way, &["_", "Lies"]);
    let of_place = [g.player(), coord_type];
    let to_place = g.predicate("to_place", &[g.player(), ship]);
    let [open, free, guess, hit, miss] =
        ["open", "free", "guess", "hit", "miss"].map(|name| g.predicate(name, &of_place));
    let deck = g.predicate("deck", &[g.player(), ship, coord_type]);
    let struck = g.predicate("struck", &[g.player(), ship]);
    let sunk = g.predicate("sunk", &[g.player(), ship]);
    g.secret(&deck);
    g.secret(&open);
    g.secret(&to_place);
    g.output_names(&open, &["_", "Col/Row"]);
    g.output_names(&free, &["At", "Col/Row"]);
    let (p, q, s) = (g.binding(g.player()), g.binding(g.player()), g.binding(ship));
    let (x, y, at) = (g.binding(g.nat()), g.binding(g.nat()), g.binding(coord_type));
    let (here, right, above) = (coord.of([&x, &y]), coord.of([&g.plus(&x, 1), &y]), coord.of([&x, &g.plus(&y, 1)]));
    let (named, lies) = (g.binding(ship), g.binding(way));
    let lay = |which: &Term, places: &[&Term], how: Option<&Term>| {
        let left = places.iter().map(|place| open.of([&p, place]));
        let said = [said_ship.of([which, &named])].into_iter().chain(how.map(|how| said_way.of([how, &lies])));
        let made = places.iter().map(|place| deck.of([&p, which, place]));
        becomes([to_place.of([&p, which])].into_iter().chain(left).chain(said), made)
    };
    let rules = vec![
        lay(&boat, &[&here, &right], Some(&across)),
        lay(&boat, &[&here, &above], Some(&up)),
        lay(&cutter, &[&here], None),
    ];
    let place = g.stage("place", Interactive, &p, rules);
    let aim = becomes([players.follows.of([&p, &q]), free.of([&q, &at])], [guess.of([&q, &at])]);
    let shoot = g.stage("shoot", Interactive, &p, vec![aim]);
    let strike = becomes([guess.of([&q, &at]), deck.of([&q, &s, &at])], [hit.of([&q, &at]), struck.of([&q, &s])]);
    let strike = g.stage("strike", Noninteractive, &p, vec![strike]);
    let splash = g.stage("splash", Noninteractive, &p, vec![becomes([guess.of([&q, &at])], [miss.of([&q, &at])])]);
    let floats = becomes([struck.of([&q, &s]), deck.of([&q, &s, &at]).keep()], []);
    let floats = g.stage("floats", Noninteractive, &p, vec![floats]);
    let sink = g.stage("sink", Noninteractive, &p, vec![becomes([struck.of([&q, &s])], [sunk.of([&q, &s])])]);
    let victory = g.win_stage("victory");
    let pass = g.passing("pass", &players);
    let fleet = vec![players.follows.of([&p, &q]), deck.of([&q, &s, &at])];
    let fleet = g.whether("fleet", &p, fleet, &pass, &victory);
    for (from, done, failed) in [(&place, &players.next, &shoot), (&strike, &floats, &splash), (&floats, &pass, &sink)]
    {
        g.then(from, done);
        g.otherwise(from, failed);
    }
    for (from, done) in [(&players.next, &place), (&shoot, &strike), (&splash, &pass), (&sink, &fleet), (&pass, &shoot)]
    {
        g.then(from, done);
    }
    for player in &players.all {
        g.at_first([to_place.of([player, &boat]), to_place.of([player, &cutter])]);
        for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
            let place = coord.of([&g.number(column), &g.number(row)]);
            g.at_first([open.of([player, &place]), free.of([player, &place])]);
        }
    }
    g.start(&place, &players.all[0]);
    g
}

/// A king and two knights each on four by four places: whoever takes the king wins, and after forty moves it is a draw.
pub fn skirmish() -> Spira {
    const KING: [(i32, i32); 8] = [(1, 0), (0, 1), (1, 1), (1, -1), (-1, 0), (0, -1), (-1, -1), (-1, 1)];
    const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
    let mut g = Spira::new("Skirmish");
    g.about("A king and two knights each on four by four places: who takes the king wins.");
    let players = g.players(&["white", "black"]);
    let (piece, coord_type) = (g.new_type("piece"), g.new_type("coordType"));
    let coord = g.constructor("coord", &[g.nat(), g.nat()], coord_type);
    let (king, knight) = (g.constant("king", piece), g.constant("n", piece));
    let on = g.predicate("on", &[g.player(), piece, coord_type]);
    let empty = g.predicate("empty", &[coord_type]);
    let taken = g.predicate("taken", &[g.player(), piece]);
    let moves = g.predicate("moves_left", &[]);
    let (p, q, r, x, y) =
        (g.binding(g.player()), g.binding(g.player()), g.binding(piece), g.binding(g.nat()), g.binding(g.nat()));
    let (from, to) = (g.binding(coord_type), g.binding(coord_type));
    let (shown_from, shown_to) = (g.equal("leaves", coord_type), g.equal("enters", coord_type));
    g.output_names(&shown_from, &["_", "From"]);
    g.output_names(&shown_to, &["_", "To"]);
    let mut rules = Vec::new();
    for (which, steps) in [(&king, KING), (&knight, KNIGHT)] {
        for (dx, dy) in steps {
            let at =
                |g: &Spira, x_by: i32, y_by: i32| coord.of([&g.plus(&x, x_by as usize), &g.plus(&y, y_by as usize)]);
            let leave = at(&g, (-dx).max(0), (-dy).max(0));
            let enter = at(&g, dx.max(0), dy.max(0));
            let said = [shown_from.of([&leave, &from]), shown_to.of([&enter, &to])];
            let go = [on.of([&p, which, &leave]), empty.of([&enter]), moves.of([])];
            rules.push(becomes(go.into_iter().chain(said.clone()), [on.of([&p, which, &enter]), empty.of([&leave])]));
            let take =
                [on.of([&p, which, &leave]), players.follows.of([&p, &q]), on.of([&q, &r, &enter]), moves.of([])];
            let done = [on.of([&p, which, &enter]), empty.of([&leave]), taken.of([&q, &r])];
            rules.push(becomes(take.into_iter().chain(said), done));
        }
    }
    let play = g.stage("play", Interactive, &p, rules);
    let won = g.stage("win", Noninteractive, &p, vec![becomes([taken.of([&q, &king]).keep()], [])]);
    let draw = g.draw_stage();
    g.then(&play, &won);
    g.otherwise(&play, &draw);
    g.otherwise(&won, &players.next);
    g.then(&players.next, &play);
    for (column, row) in (0..4).flat_map(|column| (0..4).map(move |row| (column, row))) {
        let place = coord.of([&g.number(column), &g.number(row)]);
        let side = match row {
            0 => Some((&players.all[0], column)),
            3 => Some((&players.all[1], 3 - column)),
            _ => None,
        };
        let fact = match side {
            Some((player, 1)) => on.of([player, &king, &place]),
            Some((player, 0 | 3)) => on.of([player, &knight, &place]),
            _ => empty.of([&place]),
        };
        g.at_first([fact]);
    }
    g.at_first((0..40).map(|_| moves.of([])));
    g.start(&play, &players.all[0]);
    g
}

/// Every game with the name of its folder in the library.
pub fn all() -> Vec<(&'static str, Spira)> {
    vec![
        ("battleships", battleships(4)),
        ("connect-four", connect_four(7, 6, 4)),
        ("nim", nim(&[3, 4, 5], 5)),
        ("othello", othello(8)),
        ("rock-paper-scissors", rock_paper_scissors()),
        ("skirmish", skirmish()),
        ("tic-tac-toe", tic_tac_toe()),
    ]
}

/// A board on which only the places of a cross are there, as in Ludo.
pub fn cross(g: &mut Spira, arm: usize) -> Board {
    let full = 2 * arm + 3;
    let inside = move |at: usize| (arm..arm + 3).contains(&at);
    g.masked_board(full, full, move |column, row| inside(column) || inside(row))
}

impl Spira {
    /// Another stage in which the turn passes on.
    pub fn passing(&mut self, name: &str, players: &crate::Players) -> Stage {
        let player = self.player();
        let (one, other) = (self.binding(player), self.binding(player));
        let stage = self.tokens(name);
        let rule = becomes([stage.before.of([&one]), players.follows.of([&one, &other])], [stage.after.of([&other])]);
        self.write_stage(name, Noninteractive, &[rule]);
        stage
    }
}
