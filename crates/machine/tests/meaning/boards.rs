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

/// What a man says of himself; he stands on b2 and belongs to O, who faces south.
fn said_by_a_man(expr: &str) -> String {
    let mut position = open(&format!(
        r#"#game "Toy" #players "X" "O" #property result #property wide 7
        #model cell #board cell grid 3 3 #model hand #entity hand
        #model man #define answer {expr}
        #setup (var one (new man at b2 with owner O)) (new man at c2 with owner X)
          (set result to (list (answer of one))) (move one to hand)
          (set result to (append (answer of one) to result))
        #action go"#
    ));
    property(&mut *position, "game", "result")
}

/// A bare direction, row or column is that of the place; off the board there is none.
#[test]
fn a_thing_has_the_directions_of_its_place() {
    assert_eq!(said_by_a_man("forward"), "(b1 nil)");
    assert_eq!(said_by_a_man("north"), "(b3 nil)");
    assert_eq!(said_by_a_man("forward-diagonal"), "((c1 a1) ())");
    assert_eq!(said_by_a_man("(count adjacent)"), "(8 0)");
    assert_eq!(said_by_a_man("(list column row)"), "((2 2) (nil nil))");
    assert_eq!(said_by_a_man("(all man where (= place east))"), "((man 2) ())");
    assert_eq!(said_by_a_man("(all cell where (= it (north of north)))"), "(() ())");
    assert_eq!(said_by_a_man("(all cell where (not north))"), "((a3 b3 c3) (a3 b3 c3))", "that of the candidate");
}

#[test]
fn without_from_a_form_begins_where_self_or_the_candidate_is() {
    assert_eq!(said_by_a_man("(walk forward)"), "((b1) ())");
    assert_eq!(said_by_a_man("(walk orthogonal while empty)"), "((b3 b1 a2) ())");
    assert_eq!(said_by_a_man("(step west)"), "(a2 nil)");
    assert_eq!(said_by_a_man("(count (leap 0 1))"), "(4 0)");
    assert_eq!(said_by_a_man("(group orthogonal while top)"), "((b2 c2) (hand))");
    assert_eq!(said_by_a_man("(all cell where (not (any (walk north))))"), "((a3 b3 c3) (a3 b3 c3))");
    assert_eq!(said_by_a_man("(all man where (not (any (walk east))))"), "((man 2) (man 1 man 2))");
    assert_eq!(value("(all cell where (= (count (walk adjacent)) 8))"), "(b2)");
}

#[test]
fn a_form_that_may_begin_at_a_place_or_a_thing_must_say_where() {
    let text = r#"#game "Toy" #players "X" #model cell #board cell grid 2 2 #model man
        #define here things (any things where (any (walk north)))
        #action go (here (list a1))"#;
    let told = crate::refused(text);
    assert!(told.contains("It is not clear where this begins"), "{told}");
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

/// A first value may ask where the piece was drawn, and what stands beside it.
#[test]
fn first_values_know_where_drawn_pieces_stand() {
    let mut position = open(
        r#"#game "Toy" #players "X" #property result
        #model cell #board cell grid 3 1 #model man #symbol "m" #property home place #property paired (top of east)
        #picture "mm."
        #setup (set result to (list (all home of man) (all paired of man)))
        #action go"#,
    );
    assert_eq!(property(&mut *position, "game", "result"), "((a1 b1) (man 2 nil))");
}

#[test]
fn directions_can_be_chosen() {
    let mut position = open(
        r#"#game "Toy" #players "X" #model cell #board cell grid 2 2
        #action slide to (list a1) with way (directions north east)"#,
    );
    assert_eq!(choices(&mut *position), ["slide a1 north", "slide a1 east"]);
}

/// Where it is clear whose board is meant, a choice need not say so.
#[test]
fn a_place_can_be_told_without_the_name_of_whose_it_is() {
    let text = |words: &str| {
        format!(
            r#"#game "Toy" #players "Ann" "Bo" #turns
            #model cell #property shot
            #board cell grid 2 1 named sea for each player
            #action shoot to (sea of opponent) as "{words}" (set shot to true)"#
        )
    };
    let told = |words: &str| choices(&mut *open(&text(words)));
    assert_eq!(told("{place}"), ["a1", "b1"]);
    assert_eq!(told("{self}"), ["Bo a1", "Bo b1"]);
    assert_eq!(told("{place}, that is {self}"), ["a1, that is Bo a1", "b1, that is Bo b1"]);
}
