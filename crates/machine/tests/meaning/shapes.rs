//! Boards cut out of a shape, and graphs made by loops.

use crate::{choices, open, property, refused, value};
use houserules_kernel::{Position, Shape, Viewer};

fn names(position: &mut dyn Position) -> Vec<String> {
    position.view(Viewer::All).boards[0].cells.iter().map(|cell| cell.name.clone()).collect()
}

#[test]
fn a_board_has_only_the_places_that_are_not_cut_away() {
    let text = r#"#game "Plus" #players "X" "O" #setting arm 1
        #model cell #property mark
        #board cell grid 3 3 where (or (= column (+ arm 1)) (= row (+ arm 1)))
        #action place to cell (set mark to player)
        #law "Only empty" on place (require (not mark))
        #sideeffect "Line" on place (if (line 3 of mark) (win player))"#;
    let mut position = open(text);
    assert_eq!(names(&mut *position), ["b1", "a2", "b2", "c2", "b3"]);
    assert_eq!(choices(&mut *position).len(), 5);
    assert_eq!(position.view(Viewer::All).boards[0].shape, Shape::Grid { width: 3, height: 3 });
    for words in ["place b1", "place b2", "place b3"] {
        crate::play(&mut *position, words).unwrap();
    }
    assert_eq!(crate::ranks(&*position), [1, 2], "b1, b2 and b3 are a line");
}

#[test]
fn directions_and_places_by_column_and_row_end_where_a_board_was_cut() {
    let text = |expr: &str| {
        format!(
            r#"#game "Corner" #players "X" "O" #model cell
            #board cell grid 4 4 where (or (< column 3) (< row 3)) #model game #property result
            #action go (set result to {expr})"#
        )
    };
    let seen = |expr: &str| property(&mut *crate::played(&text(expr), &["go"]), "game", "result");
    assert_eq!(seen("(north of c2)"), "nil");
    assert_eq!(seen("(cell at 3 3)"), "nil");
    assert_eq!(seen("(cell at 4 2)"), "d2");
    assert_eq!(seen("(adjacent of b3)"), "(b4 c2 b2 a2 a3 a4)");
    assert_eq!(seen("(count cell)"), "12");
    assert_eq!(seen("(leap 1 2 from b4)"), "(a2 c2)");
    assert_eq!(seen("(between a4 d1)"), "(b3 c2)");
    assert_eq!(seen("(between b4 d2)"), "()", "c3 was cut away");
}

#[test]
fn a_star_of_hexagons_has_121_places() {
    let text = r#"#game "Star" #players "X" "O" #model hole
        #board hole rhombus 17 17 where
          (or (and (>= column 5) (>= row 5) (<= (+ column row) 22)) (and (<= column 13) (<= row 13) (>= (+ column row) 14)))
        #action place to hole"#;
    assert_eq!(choices(&mut *open(text)).len(), 121);
}

#[test]
fn what_a_cut_reads_must_be_known_before_a_match() {
    let text = r#"#game "Toy" #players "X" "O" #model cell #board cell grid 3 3 where (> mark 2) #action go"#;
    assert!(refused(text).contains("mark"));
}

#[test]
fn a_board_that_is_cut_away_wholly_has_no_places() {
    let text =
        r#"#game "Toy" #players "X" "O" #model cell #board cell grid 3 3 where nil #action go #action place to cell"#;
    assert_eq!(choices(&mut *open(text)), ["go"]);
}

#[test]
fn links_and_places_are_made_by_loops() {
    let text = r#"#game "Wheel" #players "X" "O" #setting spokes 4 #property result
        #model stop #board stop graph
          #place hub at 3 3
          #place "rim {n}" at n 1 for each n in (range 1 spokes)
          #link hub "rim {n}" for each n in (range 1 spokes)
          #link "rim {n}" "rim {+ (mod n spokes) 1}" as round one way for each n in (range 1 spokes)
        #action go (set result to (list (linked of hub) (round of (entity "rim 4")) (distance hub (entity "rim 3"))))"#;
    let mut position = open(text);
    assert_eq!(names(&mut *position), ["hub", "rim 1", "rim 2", "rim 3", "rim 4"]);
    let view = position.view(Viewer::All);
    let at: Vec<(i32, i32)> = view.boards[0].cells.iter().map(|cell| cell.at).collect();
    assert_eq!(at, [(3, 3), (1, 1), (2, 1), (3, 1), (4, 1)]);
    crate::play(&mut *position, "go").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "((rim 1 rim 2 rim 3 rim 4) rim 1 1)");
}

#[test]
fn loops_in_loops_make_a_lattice() {
    let text = r#"#game "Lattice" #players "X" "O"
        #model stop #board stop graph
          #link "{x}/{y}" "{+ x 1}/{y}" for each x in (range 1 2) for each y in (range 1 3)
          #link "{x}/{y}" "{x}/{+ y 1}" for each x in (range 1 3) for each y in (range 1 2)
        #action go to stop"#;
    assert_eq!(choices(&mut *open(text)).len(), 9);
}

#[test]
fn lists_are_sorted_reversed_and_flattened() {
    assert_eq!(value("(sort (list 3 1 2.5 2))"), "(1 2 2.5 3)");
    assert_eq!(value("(sort (list \"b\" 2 nil \"a\" 1))"), "(1 2 a b nil)");
    assert_eq!(value("(sort cell by (- number))"), "(c3 b3 a3 c2 b2 a2 c1 b1 a1)");
    assert_eq!(value("(sort cell by (list column (- row)))"), "(a3 a2 a1 b3 b2 b1 c3 c2 c1)");
    assert_eq!(value("(sort n in (range 1 6) by (mod n 3))"), "(3 6 1 4 2 5)");
    assert_eq!(value("(sort cell for X by number)"), "()");
    assert_eq!(value("(sort (list) by it)"), "()");
    assert_eq!(value("(reverse (list 1 (list 2 3) nil))"), "(nil (2 3) 1)");
    assert_eq!(value("(reverse nil)"), "()");
    assert_eq!(value("(flatten (list 1 (list 2 (list (list)) 3) nil))"), "(1 2 3 nil)");
    assert_eq!(value("(sort (first 2 of cell) by owner)"), "(a1 b1)", "what has nil keeps its order");
    assert!(crate::fault("(sort cell by it)").contains("sort"));
}
