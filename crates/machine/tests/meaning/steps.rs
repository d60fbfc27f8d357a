//! Steps that cannot always be made, things between places, and whatever else leads from one thing to the next.

use crate::{choices, open, play, played, property, value};

/// A board of three by three with a fence between any two neighbours, and a token on a1.
const FENCES: &str = r#"#game "Fences" #players "X" "O"
    #model cell #board cell grid 3 3
    #model fence #property closed
    #edges fence between cell
    #model token #define free (group orthogonal while true across (not (closed of (crossing here it))))
    #entity token at a1
    #property result
    #define far goal (distance a1 goal along orthogonal across (not (closed of (crossing here it))))
    #define slides (walk orthogonal from a1 across (not (closed of (crossing here it))))
    #action build to fence (set closed to true)
    #law "Once" on build (require (not closed))
    #law "Everything stays within reach" after build (require (far c3) "{self} would shut {cell at 3 3} in.")
    #action look (set result to (list (count (free of token)) (far b1) (count slides)))"#;

#[test]
fn an_edge_is_found_from_both_sides_and_knows_its_ends() {
    let seen = |expr: &str| {
        let text = FENCES.replace("(list (count (free of token)) (far b1) (count slides))", expr);
        property(&mut *played(&text, &["look"]), "game", "result")
    };
    assert_eq!(seen("(crossing a1 b1)"), "a1-b1");
    assert_eq!(seen("(crossing b1 a1)"), "a1-b1");
    assert_eq!(seen("(crossing a1 b2)"), "nil", "corners have none");
    assert_eq!(seen("(crossing a1 nil)"), "nil");
    assert_eq!(seen("(ends-of (crossing b1 a1))"), "(a1 b1)");
    assert_eq!(seen("(ends-of token)"), "()");
    assert_eq!(seen("(count fence)"), "12");
}

#[test]
fn groups_walks_and_distances_stop_at_a_step_that_cannot_be_made() {
    let look = |moves: &[&str]| {
        let mut position = played(FENCES, moves);
        play(&mut *position, "look").unwrap();
        property(&mut *position, "game", "result")
    };
    assert_eq!(look(&[]), "(9 1 4)");
    assert_eq!(look(&["build a1-b1"]), "(9 3 2)");
    assert_eq!(look(&["build a1-b1", "build a2-a3"]), "(9 3 1)");
    assert_eq!(look(&["build b1-b2"]), "(9 1 4)");
    let mut shut = played(FENCES, &["build a1-b1", "build a2-a3"]);
    assert!(!choices(&mut *shut).contains(&"build a2-b2".to_string()));
}

#[test]
fn a_reason_tells_values() {
    let mut position = played(FENCES, &["build a1-b1", "build a2-a3"]);
    let refused = crate::refusal(&mut *position, "build a2-b2").expect("the token would be shut in");
    assert_eq!(refused.reason, "a2-b2 would shut c3 in.");
}

#[test]
fn a_step_that_cannot_be_made_is_an_edge_for_until_and_then() {
    let across = "across (!= (row of it) 3)";
    assert_eq!(value(&format!("(walk north from (cell at 1 1) while (< row 2) then true {across})")), "(a2)");
    assert_eq!(value(&format!("(walk north from (cell at 1 1) while (< row 3) until true {across})")), "()");
    assert_eq!(value(&format!("(walk north from (cell at 1 1) up to 1 until true {across})")), "()");
    assert_eq!(value("(walk north from (cell at 1 1) up to 1 until true across (= (column of here) column))"), "(a2)");
}

#[test]
fn a_walk_of_exactly_so_many_steps_gives_its_last_place() {
    assert_eq!(value("(walk orthogonal from (cell at 1 1) exactly 2)"), "(a3 c1)");
    assert_eq!(value("(walk orthogonal from (cell at 2 2) exactly 2)"), "()");
    assert_eq!(value("(walk orthogonal from (cell at 1 1) exactly 0)"), "()");
    assert_eq!(value("(walk orthogonal from (cell at 1 1) exactly 2 while (!= it (cell at 1 2)))"), "(c1)");
    assert_eq!(value("(walk orthogonal from (cell at 1 1) exactly 2 while (= row 1) then (= column 3))"), "(c1)");
    assert_eq!(value("(walk orthogonal from (cell at 1 1) exactly 2 across (= (row of here) row))"), "(c1)");
    assert_eq!(value("(walk orthogonal from nil exactly 2)"), "()");
}

#[test]
fn on_a_graph_walks_go_along_its_lines() {
    let seen = |expr: &str| {
        let text = format!(
            r#"#game "Toy" #players "X" "O" #property result #model stop #board stop graph
            #link a b c d #link e b f
            #action go (set result to {expr})"#
        );
        property(&mut *played(&text, &["go"]), "game", "result")
    };
    assert_eq!(seen("(walk linked from b)"), "(c d a f e)");
    assert_eq!(seen("(walk linked from b exactly 2)"), "(d)");
    assert_eq!(seen("(walk linked from a exactly 3)"), "(d)");
    assert_eq!(seen("(walk linked from b across (!= it a))"), "(c d f e)");
    assert_eq!(seen("(walk linked from a across (!= here c))"), "(b c)");
}

#[test]
fn directions_can_be_reversed_and_turned() {
    assert_eq!(value("(turned north back)"), "south");
    assert_eq!(value("(turned forward back)"), "south");
    assert_eq!(value("(turned (directions north east) back)"), "(south west)");
    assert_eq!(value("(turned orthogonal back)"), "(south west north east)");
    assert_eq!(value("(turned nil back)"), "nil");
    assert_eq!(value("(turned north by 1)"), "northeast");
    assert_eq!(value("(turned north by -9)"), "northwest");
    assert_eq!(value("(turned (toward (cell at 1 1) (cell at 2 1)) by 4)"), "west");
    assert_eq!(value("(walk (turned orthogonal by 1) from (cell at 2 2))"), "(c3 c1 a1 a3)");
}

#[test]
fn hexagons_turn_by_sixths() {
    let text = r#"#game "Toy" #players "X" "O" #model cell #board cell hex 2 #property result
        #action go (set result to (list (turned east by 1) (turned northeast back) (turned east by 6)))"#;
    assert_eq!(property(&mut *played(text, &["go"]), "game", "result"), "(southeast southwest east)");
}

/// Stones that are tied together in play, without a board.
const TIES: &str = r#"#game "Ties" #players "X" "O"
    #model stone #relation tied (list) #property heavy
      #property weight
    #entity ash is stone with weight 1 #entity birch is stone with weight 2 #entity cedar is stone with weight 3
    #entity date is stone with weight 4
    #property result
    #action tie to stone with other (all stone where (!= it self))
    #law "Once" on tie (require (not (is other in tied)))
    #sideeffect "Both ways" on tie
      (set tied to (append other to tied))
      (set (tied of other) to (append self to (tied of other)))
    #action untie to stone with other tied
    #sideeffect "Both ways again" on untie
      (set tied to (remove (position of other in tied) from tied))
      (set (tied of other) to (remove (position of self in (tied of other)) from (tied of other)))
    #action load to stone (set heavy to true)
    #action look (set result to (list (group via tied from ash while true) (group via (tied of it) from ash while (not heavy)) (distance ash date via tied)))"#;

#[test]
fn links_are_made_and_unmade_in_play() {
    let look = |moves: &[&str]| {
        let mut position = played(TIES, moves);
        play(&mut *position, "look").unwrap();
        property(&mut *position, "game", "result")
    };
    assert_eq!(look(&[]), "((ash) (ash) nil)");
    assert_eq!(look(&["tie ash birch", "tie birch date"]), "((ash birch date) (ash birch date) 2)");
    assert_eq!(look(&["tie ash birch", "tie birch date", "load birch"]), "((ash birch date) (ash) 2)");
    assert_eq!(look(&["tie ash birch", "tie birch date", "untie date birch"]), "((ash birch) (ash birch) nil)");
}

#[test]
fn things_made_in_play_are_reached_too() {
    let text = r#"#game "Tiles" #players "X" "O"
        #model tile #property x 0 #property y 0
          #define beside (all tile where (= 1 (+ (abs (- x (x of self))) (abs (- y (y of self))))))
        #entity start is tile
        #property result
        #action lay with at (range 1 3) (new tile with x at y 0)
        #action look (set result to (list (count (group via beside from start while true)) (count tile)))"#;
    let look = |moves: &[&str]| {
        let mut position = played(text, moves);
        play(&mut *position, "look").unwrap();
        property(&mut *position, "game", "result")
    };
    assert_eq!(look(&["lay 2"]), "(1 2)");
    assert_eq!(look(&["lay 2", "lay 1"]), "(3 3)");
    assert_eq!(look(&["lay 2", "lay 3"]), "(1 3)");
}

#[test]
fn a_property_that_leads_nowhere_leads_nowhere() {
    assert_eq!(value("(count (group via nil from (cell at 1 1) while true))"), "1");
    assert_eq!(value("(group via (orthogonal of it) from nil while true)"), "()");
    assert_eq!(value("(distance (cell at 1 1) nil via (orthogonal of it))"), "nil");
    assert!(crate::fault("(group via 3 from (cell at 1 1) while true)").contains('3'));
}

#[test]
fn here_is_only_known_on_the_way() {
    let text = r#"#game "Toy" #players "X" "O" #model cell #board cell grid 3 3 #property result
        #action go (set result to here)"#;
    assert!(crate::refused(text).contains("here"));
    let mut position = open(&text.replace(
        "to here)",
        "to (do (var here 4) (count (group orthogonal from a1 while true across (= here a1))) here))",
    ));
    play(&mut *position, "go").unwrap();
    assert_eq!(property(&mut *position, "game", "result"), "4", "a variable of the same name is kept");
}
