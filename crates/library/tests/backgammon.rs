//! How many positions each first roll of backgammon leads to, against the published table.

use std::collections::HashSet;

use houserules_kernel::{Position, Rulebook, Viewer};
use houserules_library::{Options, open};

/// Backgammon with the first roll given, so that doubles can be counted, too.
const FIRST_ROLL: &str = "\
#game \"First roll\" from \"backgammon\"
#setting high 6
#setting low 5
#setup
  (foreach p in seats
    (foreach n in start (new man at (spot n p) with owner p)))
  (set dice to (list high low))
";

const PUBLISHED: [(u32, [usize; 6]); 6] = [
    (1, [42, 0, 0, 0, 0, 0]),
    (2, [15, 75, 0, 0, 0, 0]),
    (3, [16, 17, 73, 0, 0, 0]),
    (4, [14, 18, 17, 52, 0, 0]),
    (5, [8, 8, 9, 9, 4, 0]),
    (6, [10, 14, 14, 14, 7, 11]),
];

#[test]
fn every_first_roll_leads_to_as_many_positions_as_published() {
    // A folder of its own: another backgammon beside the file would be taken instead of the library's.
    let folder = std::env::temp_dir().join(format!("houserules-first-roll-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("first.gdl");
    std::fs::write(&path, FIRST_ROLL).unwrap();
    let found = open(&path.to_string_lossy()).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    for (high, row) in PUBLISHED {
        for (low, published) in (1..=high).zip(row) {
            let settings = vec![("high".into(), high.to_string()), ("low".into(), low.to_string())];
            let game = found.compile(&Options { settings, ..Options::default() }).unwrap();
            let mut position = game.open().unwrap();
            let turn = position.turn();
            let (mut met, mut last) = (HashSet::new(), HashSet::new());
            explore(&mut *position, turn, &mut met, &mut last);
            assert_eq!(last.len(), published, "positions after {high}-{low}");
        }
    }
}

/// Notes the positions in which the turn that began has passed.
fn explore(position: &mut dyn Position, turn: u64, met: &mut HashSet<String>, last: &mut HashSet<String>) {
    let view = position.view(Viewer::All);
    let men: Vec<_> = view.boards.iter().flat_map(|board| &board.cells).map(|cell| (&cell.mark, cell.count)).collect();
    let rest: Vec<_> = view.things.iter().map(|thing| (&thing.name, thing.count)).collect();
    if position.turn() != turn {
        last.insert(format!("{men:?} {rest:?}"));
        return;
    }
    if !met.insert(format!("{men:?} {rest:?} {:?}", view.facts)) {
        return;
    }
    for who in position.decision().open_to() {
        for choice in position.choices(who) {
            position.play(who, &choice).unwrap();
            explore(position, turn, met, last);
            position.undo();
        }
    }
}
