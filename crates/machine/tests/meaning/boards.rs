use crate::{choices, open, property, value};

#[test]
fn places_are_found_by_column_and_row() {
    assert_eq!(value("(cell at 2 3)"), "b3");
    assert_eq!(value("(cell at 4 1)"), "nil");
    assert_eq!(value("(cell at 1.5 1)"), "nil");
}

#[test]
fn directions_give_a_place_and_sets_a_list() {
    assert_eq!(value("(north of (cell at 1 1))"), "a2");
    assert_eq!(value("(orthogonal of (cell at 1 1))"), "(a2 b1)");
    assert_eq!(value("(diagonal of (cell at 2 2))"), "(c3 c1 a1 a3)");
}

#[test]
fn forward_turns_with_the_player() {
    assert_eq!(value("(forward of (cell at 2 2))"), "b3");
    let mut position = open(
        r#"#game "Toy" #players "X" "O" #property result
        #model cell #board cell grid 3 3
        #model man #define ahead (forward of place)
        #setup (set result to (ahead of (new man at b2 with owner O)))
        #action go"#,
    );
    assert_eq!(property(&mut *position, "game", "result"), "b1");
}

#[test]
fn a_walk_goes_on_as_long_as_its_condition_holds() {
    assert_eq!(value("(walk orthogonal from (cell at 1 1))"), "(a2 a3 b1 c1)");
    assert_eq!(value("(walk north from (cell at 1 1) up to 1)"), "(a2)");
    assert_eq!(value("(walk north from (cell at 1 1) while (< row 3))"), "(a2)");
    assert_eq!(value("(walk north from (cell at 1 1) while (< row 3) then (= row 3))"), "(a2 a3)");
    assert_eq!(value("(walk north from (cell at 1 1) while (< row 3) until (= row 3))"), "(a2)");
    assert_eq!(value("(walk north from (cell at 1 1) until true)"), "()", "the edge is no place to stop at");
    assert_eq!(value("(walk north from nil)"), "()");
}

#[test]
fn groups_and_borders_follow_neighbours() {
    assert_eq!(value("(group orthogonal from (cell at 1 1) while (= row 1))"), "(a1 b1 c1)");
    assert_eq!(value("(group orthogonal from (cell at 1 1) while (= row 2))"), "()");
    assert_eq!(value("(border orthogonal of (list (cell at 1 1) (cell at 2 1)))"), "(a2 b2 c1)");
}

#[test]
fn lines_are_straight_runs_of_equal_values() {
    assert_eq!(value("(count (line 3 of row through (cell at 2 2)))"), "3");
    assert_eq!(value("(line 4 of row through (cell at 2 2))"), "nil");
    assert_eq!(value("(line 2 of row through (cell at 2 2) exactly)"), "nil");
    assert_eq!(value("(line 3 of mark through (cell at 2 2))"), "nil", "nil makes no line");
}

#[test]
fn ways_between_two_places() {
    assert_eq!(value("(between (cell at 1 1) (cell at 3 3))"), "(b2)");
    assert_eq!(value("(toward (cell at 1 1) (cell at 3 3))"), "northeast");
    assert_eq!(value("(toward (cell at 1 1) (cell at 2 3))"), "nil");
    assert_eq!(value("(distance (cell at 1 1) (cell at 3 2))"), "2");
    assert_eq!(value("(distance (cell at 1 1) (cell at 3 2) along orthogonal)"), "3");
    assert_eq!(value("(step east from (cell at 1 1))"), "b1");
    assert_eq!(value("(leap 1 2 from (cell at 1 1))"), "(b3 c2)");
}

#[test]
fn a_ring_is_closed_and_a_track_is_not() {
    let text = |shape: &str| {
        format!(
            r#"#game "Toy" #players "X" #property result
            #model hole #board hole {shape} 4
            #setup (set result to (list (all number of (walk next from (hole at 3))) (next of (hole at 4))))
            #action go"#
        )
    };
    let mut ring = open(&text("ring"));
    assert_eq!(property(&mut *ring, "game", "result"), "((4 1 2) hole 1)");
    let mut track = open(&text("track"));
    assert_eq!(property(&mut *track, "game", "result"), "((4) nil)");
}

#[test]
fn directions_can_be_chosen() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model cell #board cell grid 2 2
        #action slide to (list a1) with way (directions north east)"#,
    );
    assert_eq!(choices(&mut *position), ["slide a1 north", "slide a1 east"]);
}
