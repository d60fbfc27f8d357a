//! `cargo xtask bench --scenes`: what it costs to draw what a viewer sees, and how much of it changes with a move.

use std::time::{Duration, Instant};

use houserules_kernel::{Decision, Generator, Rulebook, SeatId, View, Viewer};
use houserules_library::Options;
use houserules_scene::{Change, Graphic, Scene, Shape, Sight, Way, diff, draw};
use serde_json::{Value, json};

use crate::games;

const SEED: u64 = 5;
/// Choices that are followed in each game.
const CHOICES: u32 = 60;

pub fn run(only: Option<&str>) -> Result<(), String> {
    println!(
        "{:20} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "game", "view µs", "draw µs", "change µs", "scene B", "change B"
    );
    for folder in games::folders()?.iter().filter(|folder| only.is_none_or(|only| only == folder.name)) {
        let cost = cost(&folder.name)?;
        let micro = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(cost.n.max(1));
        println!(
            "{:20} {:>10.1} {:>10.1} {:>10.1} {:>10} {:>10}",
            folder.name,
            micro(cost.looking),
            micro(cost.drawing),
            micro(cost.comparing),
            cost.scene / cost.n.max(1) as usize,
            cost.change / cost.n.max(1) as usize,
        );
    }
    Ok(())
}

#[derive(Default)]
struct Cost {
    n: u32,
    looking: Duration,
    drawing: Duration,
    comparing: Duration,
    scene: usize,
    change: usize,
}

/// The first seat follows a random match.
fn cost(name: &str) -> Result<Cost, String> {
    let game = games::compile(name, &Options::default())?;
    let (seats, viewer) = (game.seats(), Viewer::Seat(SeatId(0)));
    let mut position = game.open().map_err(|error| format!("{name}: {error}"))?;
    let mut generator = Generator::new(SEED);
    let mut cost = Cost::default();
    let mut old: Option<(Scene, View)> = None;
    while cost.n < CHOICES {
        if !position.play_random(&mut generator).map_err(|refusal| format!("{name}: {refusal}"))? {
            break;
        }
        if position.decision() == Decision::Nature {
            continue;
        }
        let began = Instant::now();
        let sight = Sight::of(&mut *position, &seats, viewer, old.as_ref().map(|(_, view)| view.clone()));
        cost.looking += began.elapsed();
        let began = Instant::now();
        let scene = draw(&sight);
        cost.drawing += began.elapsed();
        if let Some((old, _)) = &old {
            let began = Instant::now();
            let changes = diff(old, &scene);
            cost.comparing += began.elapsed();
            cost.change += bytes(&json!(changes.iter().map(|change| written(change, old)).collect::<Vec<_>>()));
            cost.n += 1;
        }
        cost.scene +=
            if old.is_some() { bytes(&json!(scene.graphics.values().map(whole).collect::<Vec<_>>())) } else { 0 };
        old = Some((scene, sight.view));
    }
    Ok(cost)
}

fn bytes(value: &Value) -> usize {
    value.to_string().len()
}

/// A change as it would be sent: of a graphic only what is another.
fn written(change: &Change, old: &Scene) -> Value {
    match change {
        Change::Made(graphic) => json!({ "+": whole(graphic) }),
        Change::Changed(graphic) => {
            let (mut now, before) = (whole(graphic), old.graphics.get(&graphic.id).map(whole));
            if let (Some(now), Some(Value::Object(before))) = (now.as_object_mut(), before) {
                now.retain(|key, value| key == "i" || before.get(key) != Some(value));
            }
            json!({ "~": now })
        }
        Change::Gone(id) => json!({ "-": id }),
        Change::Sized(size) => json!({ "s": [size.x, size.y] }),
        Change::Asked(question) => {
            json!({ "q": question.as_ref().map(|question| (&question.prompt, question.asked.iter().map(|seat| seat.0).collect::<Vec<_>>())) })
        }
        Change::Offered(ways) => json!({ "w": ways.iter().map(way).collect::<Vec<_>>() }),
        Change::Ended(ranks) => json!({ "e": ranks }),
        Change::Heard(sound) => json!({ "h": sound.name() }),
    }
}

fn way(way: &Way) -> Value {
    let points: Vec<u32> = way.points.iter().map(|thing| thing.0).collect();
    match (&way.words, points.as_slice()) {
        (Some(words), _) => json!([points, words]),
        (None, [only]) => json!(only),
        (None, _) => json!(points),
    }
}

/// A graphic with what differs from the usual.
fn whole(graphic: &Graphic) -> Value {
    let mut value = json!({ "i": graphic.id, "l": graphic.layer as u8, "a": [graphic.at.x, graphic.at.y], "z": [graphic.size.x, graphic.size.y] });
    let mut put = |key: &str, said: Value, usual: bool| {
        if !usual {
            value[key] = said;
        }
    };
    let points = |points: &[houserules_scene::Place]| json!(points.iter().map(|at| [at.x, at.y]).collect::<Vec<_>>());
    let shape = match &graphic.shape {
        Shape::Text { text, .. } => json!(["t", text]),
        Shape::Image(name) => json!(["i", name]),
        Shape::Path(path) => json!(["p", path]),
        Shape::Polygon(corners) => json!(["g", points(corners)]),
        Shape::Line(along) => json!(["l", points(along)]),
        Shape::Rectangle { round } => json!(["r", round]),
        Shape::Circle => json!("c"),
        Shape::Ellipse => json!("e"),
        Shape::Group => json!(""),
    };
    put("h", shape, false);
    put("o", json!(graphic.opacity), graphic.opacity == 100);
    put("r", json!(graphic.turn), graphic.turn == 0);
    put("f", json!(format!("{:?}", graphic.fill)), graphic.fill == Default::default());
    put("k", json!(format!("{:?}", graphic.stroke.paint)), graphic.stroke.paint == Default::default());
    put("w", json!(graphic.stroke.width), graphic.stroke.width == 0);
    put("n", json!(format!("{:?}", graphic.ink)), graphic.ink == Default::default());
    put("c", json!(graphic.class), graphic.class.is_empty());
    put("b", json!(graphic.label), graphic.label.is_empty());
    put("t", json!(graphic.thing.map(|thing| thing.0)), graphic.thing.is_none());
    put("u", json!(graphic.on.map(|thing| thing.0)), graphic.on.is_none());
    value
}
