//! Boards of every shape, drawn.

use houserules::draw;
use houserules::paint::Paint;
use houserules_kernel::{BoardView, CellView, Link, Mark, SeatId, Shape, Shown, ThingView, View};

fn cell(name: &str, at: (i32, i32), sign: &str, seat: Option<u8>) -> CellView {
    CellView { name: name.into(), at, mark: Mark { sign: sign.into(), seat: seat.map(SeatId) }, ..CellView::default() }
}

fn linked(to: &[u32]) -> Vec<Link> {
    to.iter().map(|&to| Link { to, kind: String::new() }).collect()
}

fn board(shape: Shape, cells: Vec<CellView>) -> View {
    let board = BoardView { name: "board".into(), shape, cells, ..BoardView::default() };
    View { boards: vec![board], ..View::default() }
}

fn drawn(view: &View) -> String {
    draw::view(view, &["Ann".into(), "Bo".into()], Paint::Plain)
}

fn grid(width: i32, height: i32, sign: impl Fn(i32, i32) -> (&'static str, Option<u8>)) -> Vec<CellView> {
    let cells = (1..=height).flat_map(|row| (1..=width).map(move |column| (column, row)));
    cells
        .map(|(column, row)| {
            let (sign, seat) = sign(column, row);
            cell(&format!("{}{row}", (b'a' + column as u8 - 1) as char), (column, row), sign, seat)
        })
        .collect()
}

#[test]
fn a_grid_has_rows_from_the_bottom_and_letters_below() {
    let cells = grid(4, 10, |column, row| match (column, row) {
        (1, 1) => ("X", Some(0)),
        (2, 10) => ("O", Some(1)),
        _ => ("", None),
    });
    insta::assert_snapshot!(drawn(&board(Shape::Grid { width: 4, height: 10 }, cells)));
}

#[test]
fn what_lies_between_two_cells_is_drawn_between_them() {
    let edge = |between: &str, sign: &str| ThingView {
        name: between.replace(' ', "-"),
        kind: "wall".into(),
        mark: Mark { sign: sign.into(), seat: None },
        look: vec![("between".into(), between.into())],
        ..ThingView::default()
    };
    let mut view = board(Shape::Grid { width: 3, height: 2 }, grid(3, 2, |_, _| ("", None)));
    view.things = vec![edge("a1 b1", "#"), edge("b1 b2", "="), edge("c1 c2", "="), edge("a1 a2", "")];
    assert_eq!(drawn(&view).lines().collect::<Vec<_>>(), ["2  · · ·", "     = =", "1  ·#· ·", "   a b c"]);
}

#[test]
fn a_column_has_the_letter_that_its_cells_have() {
    let letters = ["g", "h", "j", "k"];
    let cells = (1..=2).flat_map(|row| (1..=4).map(move |column| (column, row)));
    let cells = cells.map(|(column, row)| {
        let name = format!("{}{row}", letters[column as usize - 1]);
        cell(&name, (column, row), if column == 3 && row == 2 { "X" } else { "" }, None)
    });
    let drawn = drawn(&board(Shape::Grid { width: 4, height: 2 }, cells.collect()));
    assert_eq!(drawn.lines().map(str::trim_end).collect::<Vec<_>>(), ["2  · · X ·", "1  · · · ·", "   g h j k"]);
}

/// Cells of a board of Go, all empty.
fn go(size: i32) -> View {
    let letters: Vec<char> = ('a'..='z').filter(|letter| *letter != 'i').collect();
    let cells = (1..=size).flat_map(|row| (1..=size).map(move |column| (column, row)));
    let cells = cells
        .map(|(column, row)| cell(&format!("{}{row}", letters[column as usize - 1]), (column, row), "", None))
        .collect();
    board(Shape::Grid { width: size as u32, height: size as u32 }, cells)
}

#[test]
fn a_board_of_go_has_its_star_points() {
    insta::assert_snapshot!(drawn(&go(9)));
    let stars = |size: i32| drawn(&go(size)).matches('+').count();
    assert_eq!([stars(8), stars(9), stars(10), stars(13), stars(19)], [0, 5, 0, 5, 9]);
    assert!(!drawn(&board(Shape::Grid { width: 9, height: 9 }, grid(9, 9, |_, _| ("", None)))).contains('+'));
}

#[test]
fn rows_counted_from_the_top_have_the_letters_above() {
    let mut cells = grid(3, 3, |column, row| if column == row { ("X", None) } else { ("", None) });
    for cell in &mut cells {
        cell.name = format!("{}{}", &cell.name[..1], 4 - cell.at.1);
    }
    let drawn = drawn(&board(Shape::Grid { width: 3, height: 3 }, cells));
    assert_eq!(drawn.lines().collect::<Vec<_>>(), ["   a b c", "1  · · X", "2  · X ·", "3  X · ·"]);
}

#[test]
fn a_board_of_hexagons_is_framed_by_whom_its_edges_belong_to() {
    let mut view = board(Shape::Hexes { width: 3, height: 3 }, grid(3, 3, |_, _| ("", None)));
    let sides = [("above", "Ann"), ("below", "Ann"), ("left", "Bo"), ("right", "Bo")];
    view.boards[0].look = sides.map(|(side, who)| (side.into(), who.into())).to_vec();
    insta::assert_snapshot!(drawn(&view));
}

/// [SP-43] A player's marker is the first letter, upper case, and coloured on terminals that can.
#[test]
fn a_mark_without_a_sign_is_the_letter_of_its_seat() {
    let view = board(Shape::Grid { width: 2, height: 1 }, grid(2, 1, |column, _| ("", Some(column as u8 - 1))));
    let seats = ["ann".into(), "bo".into()];
    assert_eq!(draw::view(&view, &seats, Paint::Plain), "1  A B\n   a b");
    let coloured = draw::view(&view, &seats, Paint::Colour);
    assert!(coloured.contains("\x1b[1;34mA\x1b[0m \x1b[1;31mB\x1b[0m"), "{coloured:?}");
}

/// Cells that are not there stay blank: a cross.
#[test]
fn a_grid_with_missing_cells_keeps_its_shape() {
    let mut cells = grid(5, 5, |_, _| ("", None));
    cells.retain(|cell| cell.at.0 == 3 || cell.at.1 == 3);
    insta::assert_snapshot!(drawn(&board(Shape::Grid { width: 5, height: 5 }, cells)));
}

#[test]
fn wide_signs_keep_columns_straight() {
    let mut cells = grid(3, 2, |column, row| if column == row { ("wK", Some(0)) } else { ("", None) });
    cells[2].count = Some(12);
    insta::assert_snapshot!(drawn(&board(Shape::Grid { width: 3, height: 2 }, cells)));
}

#[test]
fn hexes_lean_to_the_right() {
    let cells = grid(3, 3, |column, row| if column == 2 && row == 2 { ("B", Some(1)) } else { ("", None) });
    insta::assert_snapshot!(drawn(&board(Shape::Hexes { width: 3, height: 3 }, cells)));
}

#[test]
fn a_hexagon_of_hexes_has_its_other_letters_above() {
    let mut cells = grid(5, 5, |_, _| ("", None));
    cells.retain(|cell| (4..=8).contains(&(cell.at.0 + cell.at.1)));
    insta::assert_snapshot!(drawn(&board(Shape::Hexes { width: 5, height: 5 }, cells)));
}

#[test]
fn a_ring_runs_round_two_rows() {
    let mut view = board(
        Shape::Ring { n: 12 },
        (1..=12).map(|number| cell(&number.to_string(), (number, 1), "", Some(u8::from(number > 6)))).collect(),
    );
    for (idx, cell) in view.boards[0].cells.iter_mut().enumerate() {
        cell.mark.sign = if idx == 7 { String::new() } else { [4, 0, 12][idx % 3].to_string() };
        cell.mark.seat = None;
        cell.count = (idx == 7).then_some(5);
    }
    insta::assert_snapshot!(drawn(&view));
}

#[test]
fn a_track_shows_stacks_with_their_height() {
    let mut cells: Vec<CellView> = (1..=24).map(|number| cell(&number.to_string(), (number, 1), "", None)).collect();
    cells[0].mark = Mark { sign: "w".into(), seat: Some(SeatId(0)) };
    cells[0].count = Some(2);
    cells[5].mark = Mark { sign: "b".into(), seat: Some(SeatId(1)) };
    cells[5].count = Some(5);
    insta::assert_snapshot!(drawn(&board(Shape::Track { n: 24 }, cells)));
}

#[test]
fn a_graph_lists_places_and_their_links() {
    let mut cells =
        vec![cell("Amdo", (1, 1), "A", Some(0)), cell("Bara", (2, 1), "", None), cell("Chu", (3, 1), "", None)];
    cells[0].linked = linked(&[1, 2]);
    cells[1].linked = linked(&[0]);
    cells[2].linked = linked(&[0, 9]);
    insta::assert_snapshot!(drawn(&board(Shape::Graph, cells)));
}

#[test]
fn a_graph_with_names_of_cells_is_a_map() {
    let mut cells = vec![
        cell("a3", (0, 0), "A", Some(0)),
        cell("c3", (0, 0), "", None),
        cell("c2", (0, 0), "12", None),
        cell("a1", (0, 0), "", None),
    ];
    cells[0].linked = linked(&[1, 3]);
    cells[1].linked = linked(&[0, 2]);
    cells[2].linked = linked(&[1, 3]);
    cells[3].linked = linked(&[0, 2]);
    insta::assert_snapshot!(drawn(&board(Shape::Graph, cells)));
}

#[test]
fn several_boards_hands_and_scores() {
    let thing = |name: &str, owner: Option<u8>, contents: Option<Vec<ThingView>>, count| ThingView {
        name: name.into(),
        kind: "hand".into(),
        owner: owner.map(SeatId),
        contents,
        count,
        ..ThingView::default()
    };
    let card = |name: &str| ThingView { name: name.into(), ..ThingView::default() };
    let small = |name: &str, owner| BoardView {
        name: name.into(),
        shape: Shape::Grid { width: 2, height: 1 },
        owner: Some(SeatId(owner)),
        cells: grid(2, 1, |_, _| ("", None)),
        ..BoardView::default()
    };
    let view = View {
        boards: vec![small("sea", 0), small("sea", 1)],
        facts: vec![
            ThingView {
                properties: vec![("score".into(), Shown::Value("3".into())), ("plan".into(), Shown::Hidden)],
                ..thing("Ann", None, None, None)
            },
            thing("Bo", None, None, None),
        ],
        things: vec![
            thing("hand of Ann", Some(0), Some(vec![card("A♠"), card("7♥")]), Some(2)),
            thing("hand of Bo", Some(1), None, Some(5)),
            thing("discard", None, Some(vec![]), Some(0)),
        ],
        turn: Some(SeatId(0)),
    };
    insta::assert_snapshot!(drawn(&view));
}

fn player(name: &str, property: &str, value: &str) -> ThingView {
    ThingView {
        name: name.into(),
        kind: "player".into(),
        properties: vec![(property.into(), Shown::Value(value.into()))],
        ..ThingView::default()
    }
}

#[test]
fn what_players_have_taken_stands_at_the_ends_of_their_rows() {
    let hole = |number: i32| cell(&format!("hole {number}"), (number, 1), "4", Some(u8::from(number > 6)));
    let mut view = board(Shape::Ring { n: 12 }, (1..=12).map(hole).collect());
    view.facts = vec![player("Ann", "stones", "3"), player("Bo", "stones", "12")];
    view.turn = Some(SeatId(1));
    insta::assert_snapshot!(drawn(&view));
}

#[test]
fn stacks_on_a_ring_stand_on_points_with_the_bar_between() {
    let mut cells: Vec<CellView> =
        (1..=24).map(|number| cell(&format!("point {number}"), (number, 1), "", None)).collect();
    for (number, seat, count) in [(1, 1, 2), (6, 0, 5), (8, 0, 3), (12, 1, 7), (13, 0, 5), (24, 0, 1)] {
        let at = &mut cells[number - 1];
        at.mark = Mark { sign: ["A", "B"][seat].into(), seat: Some(SeatId(seat as u8)) };
        at.count = Some(count);
    }
    let mut view = board(Shape::Ring { n: 24 }, cells);
    let thing = |kind: &str, x: &str, owner: u8, count: u32| ThingView {
        name: format!("{kind} of {owner}"),
        kind: kind.into(),
        owner: Some(SeatId(owner)),
        count: Some(count),
        look: vec![("x".into(), x.into())],
        ..ThingView::default()
    };
    view.things =
        vec![thing("bar", "6", 0, 1), thing("bar", "6", 1, 0), thing("off", "12", 0, 0), thing("off", "12", 1, 11)];
    let dice = vec![("dice".into(), Shown::Value("(4 1)".into())), ("most".into(), Shown::Value("0".into()))];
    view.facts = vec![ThingView { kind: "game".into(), properties: dice, ..ThingView::default() }];
    insta::assert_snapshot!(drawn(&view));
}

#[test]
fn cells_with_numbers_of_their_own_show_them() {
    let mut cells = grid(4, 4, |column, row| if row == 4 && column % 2 == 0 { ("b", Some(0)) } else { ("", None) });
    let mut dark: Vec<&mut CellView> = cells.iter_mut().filter(|cell| (cell.at.0 + cell.at.1) % 2 == 0).collect();
    dark.sort_by_key(|cell| (-cell.at.1, cell.at.0));
    for (idx, cell) in dark.into_iter().enumerate() {
        cell.name = (idx + 1).to_string();
    }
    insta::assert_snapshot!(drawn(&board(Shape::Grid { width: 4, height: 4 }, cells)));
}
