//! A game written by hand is drawn like any other.

use houserules_kernel::twin::TicTacToe;
use houserules_kernel::{Position, Rulebook, SeatId, ThingId, Viewer, Who};
use houserules_scene::{Change, Scene, Sight, Sound, Unknown, diff, draw};

const X: SeatId = SeatId(0);
const O: SeatId = SeatId(1);

fn open() -> (Box<dyn Position>, Vec<String>) {
    let rules = TicTacToe::new(3, 3, 3).unwrap();
    (rules.open().unwrap(), rules.seats())
}

fn scene(position: &mut dyn Position, seats: &[String], viewer: Viewer) -> Scene {
    let before = Sight::before(position, viewer);
    draw(&Sight::of(position, seats, viewer, before))
}

#[test]
fn every_empty_cell_is_a_way_to_choose_for_who_is_asked() {
    let (mut position, seats) = open();
    let scene = |position: &mut dyn Position, viewer| scene(position, &seats, viewer);
    let mine = scene(&mut *position, Viewer::Seat(X));
    assert_eq!(mine.ways.len(), 9);
    assert!(mine.ways.iter().enumerate().all(|(at, way)| way.points == [ThingId(at as u32)] && way.words.is_none()));
    assert!(scene(&mut *position, Viewer::Seat(O)).ways.is_empty());
    assert!(scene(&mut *position, Viewer::Public).ways.is_empty());
    let id = mine.graphics.values().find(|graphic| graphic.thing == Some(ThingId(4))).unwrap().id.clone();
    assert_eq!(mine.pointed(&id), [ThingId(4)]);
}

#[test]
fn a_move_makes_its_mark_and_touches_little_else() {
    let (mut position, seats) = open();
    let before = scene(&mut *position, &seats, Viewer::Public);
    let choice = position.choices(Who::Seat(X))[4].clone();
    position.play(Who::Seat(X), &choice).unwrap();
    let after = scene(&mut *position, &seats, Viewer::Public);
    let changes = diff(&before, &after);
    let made: Vec<&str> = changes
        .iter()
        .filter_map(|change| match change {
            Change::Made(graphic) => Some(&*graphic.id),
            _ => None,
        })
        .collect();
    assert!(made.contains(&"m4") && made.contains(&"l0.0"), "{made:?}");
    assert!(changes.len() < 9, "{changes:?}");
    assert!(changes.contains(&Change::Heard(Sound::Placed)), "{changes:?}");
    assert!(diff(&after, &before).contains(&Change::Heard(Sound::Captured)));
    let mut followed = before.clone();
    followed.apply(&changes).unwrap();
    assert_eq!(followed, after);
    position.undo();
    followed.apply(&diff(&after, &before)).unwrap();
    assert_eq!(followed, scene(&mut *position, &seats, Viewer::Public));
}

#[test]
fn a_change_for_another_scene_is_told() {
    let (mut position, seats) = open();
    let mut drawn = scene(&mut *position, &seats, Viewer::Public);
    assert_eq!(drawn.apply(&[Change::Gone("nobody".into())]), Err(Unknown("nobody".into())));
    let there = drawn.graphics.values().next().unwrap().clone();
    assert_eq!(drawn.apply(&[Change::Made(there.clone())]), Err(Unknown(there.id)));
}
