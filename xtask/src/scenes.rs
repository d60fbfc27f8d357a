//! `cargo xtask bench --scenes`: what it costs to draw what viewers see, and how much of it is sent after a choice.

use std::collections::BTreeMap;

use houserules_kernel::{Decision, Generator, Position, QuestionKind as Kind, Rulebook, SeatId, Viewer, Who};
use houserules_library::Options;
use houserules_protocol::play::{Question, QuestionKind, Way, Ways, Words, Yours};
use houserules_protocol::scene::{Gone, Scene};
use houserules_scene::stage::Stage;
use houserules_scene::{Audience, Sight, draw};
use houserules_server::to_wire;

use crate::clock::thread_seconds;
use crate::games;

const SEED: u64 = 5;
/// Choices that are followed in each game.
const CHOICES: u32 = 60;

pub fn run(only: Option<&str>) -> Result<(), String> {
    println!("µs and bytes of JSON, for each viewer and choice; every seat and the public follow a random match.");
    println!(
        "{:20} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "game", "scene", "scene B", "change", "choices", "to JSON", "change B", "largest", "question B"
    );
    for folder in games::folders()?.iter().filter(|folder| only.is_none_or(|only| only == folder.name)) {
        let cost = cost(&folder.name)?;
        let each = |seconds: f64| seconds * 1e6 / f64::from((cost.n * cost.n_viewers).max(1));
        println!(
            "{:20} {:>9.1} {:>9} {:>9.1} {:>9.1} {:>9.1} {:>9} {:>9} {:>9}",
            folder.name,
            each(cost.drawing),
            cost.scene / (cost.n * cost.n_viewers).max(1) as usize,
            each(cost.following - cost.choosing),
            each(cost.choosing),
            each(cost.writing),
            cost.change / (cost.n * cost.n_viewers).max(1) as usize,
            cost.largest,
            cost.question / (cost.n * cost.n_viewers).max(1) as usize,
        );
    }
    println!(
        "scene: looked at and drawn whole. change: what was touched; choices: of the seats that are asked, listed by"
    );
    println!("the rules. question: prompt, who is asked, and the viewer's own choices.");
    Ok(())
}

#[derive(Default)]
struct Cost {
    n: u32,
    n_viewers: u32,
    drawing: f64,
    following: f64,
    choosing: f64,
    writing: f64,
    scene: usize,
    change: usize,
    largest: usize,
    question: usize,
}

fn timed<T>(total: &mut f64, work: impl FnOnce() -> T) -> T {
    let began = thread_seconds();
    let done = work();
    *total += thread_seconds() - began;
    done
}

fn cost(name: &str) -> Result<Cost, String> {
    let game = games::compile(name, &Options::default())?;
    let stage = Stage::of(&houserules_library::find(name)?.arrange(&Options::default())?);
    let seats = game.seats();
    let of_seats = (0..seats.len()).map(|seat| Viewer::Seat(SeatId(seat as u8)));
    let viewers: Vec<Viewer> = of_seats.chain([Viewer::Public]).collect();
    let mut position = game.open().map_err(|error| format!("{name}: {error}"))?;
    let mut generator = Generator::new(SEED);
    let mut audience = Audience::open(&mut *position, &seats, &viewers);
    if stage.is_some() {
        let mut start = position.duplicate();
        audience.staged(&*position, 0, 0, |_, viewers| {
            Some((stage.clone(), viewers.iter().map(|viewer| start.view(*viewer)).collect()))
        });
        audience.jumped(&mut *position);
    }
    let mut sent: Vec<Scene> = (0..viewers.len()).map(|viewer| to_wire::scene(audience.scene(viewer))).collect();
    (0..viewers.len()).for_each(|viewer| audience.tell(viewer));
    let (mut gone, mut laid_aside) = (vec![Gone::default(); viewers.len()], vec![Gone::default(); viewers.len()]);
    let mut told: BTreeMap<SeatId, Vec<Way>> = BTreeMap::new();
    let mut cost = Cost { n_viewers: viewers.len() as u32, ..Cost::default() };
    while cost.n < CHOICES {
        if !position.play_random(&mut generator).map_err(|refusal| format!("{name}: {refusal}"))? {
            break;
        }
        // Cards are shuffled one by one before anybody sees anything.
        let is_counted = position.decision() != Decision::Nature;
        let mut spent = Cost::default();
        timed(&mut spent.following, || audience.played(&mut *position));
        for who in position.decision().open_to().into_iter().filter(|who| *who != Who::Nature) {
            timed(&mut spent.choosing, || position.choices(who));
        }
        for (at, viewer) in viewers.iter().enumerate() {
            let (change, text) = timed(&mut spent.writing, || {
                let change = to_wire::scene_change(audience.told(at), &mut gone[at]);
                let text = serde_json::to_string(&change).unwrap_or_default();
                (change, text)
            });
            if !sent[at].apply(&change, &mut laid_aside[at]) {
                return Err(format!("{name}: a change does not fit the scene that was sent."));
            }
            audience.tell(at);
            let question = question(&mut *position, *viewer, audience.scene(at), &mut told);
            let question = question.map_or(0, |question| serde_json::to_string(&question).unwrap_or_default().len());
            spent.change += text.len();
            spent.question += question;
            spent.largest = spent.largest.max(text.len());
            if is_counted {
                let whole = timed(&mut spent.drawing, || draw(&Sight::of(&mut *position, &seats, *viewer, None)));
                spent.scene += serde_json::to_string(&to_wire::scene(&whole)).unwrap_or_default().len();
            }
        }
        if is_counted {
            cost.n += 1;
            cost.drawing += spent.drawing;
            cost.following += spent.following;
            cost.choosing += spent.choosing;
            cost.writing += spent.writing;
            cost.scene += spent.scene;
            cost.change += spent.change;
            cost.question += spent.question;
            cost.largest = cost.largest.max(spent.largest);
        }
    }
    Ok(cost)
}

/// What a viewer is asked, told by the difference from what the viewer was told before.
fn question(
    position: &mut dyn Position,
    viewer: Viewer,
    scene: &houserules_scene::Scene,
    told: &mut BTreeMap<SeatId, Vec<Way>>,
) -> Option<Question> {
    let Decision::Seats { asked, kind } = position.decision() else { return None };
    let kind = if kind == Kind::Action { QuestionKind::Action } else { QuestionKind::Answer };
    let mut yours = Vec::new();
    if let Viewer::Seat(seat) = viewer
        && asked.contains(&seat)
    {
        let points = |way: &houserules_scene::Way| way.points.iter().map(|thing| thing.0).collect();
        let ways: Vec<Way> = scene.ways.iter().map(points).collect();
        let words = |(at, way): (usize, &houserules_scene::Way)| Some(Words(at as u32, way.words.clone()?));
        let words = scene.ways.iter().enumerate().filter_map(words).collect();
        let known = told.insert(seat, ways.clone());
        let ways = known.map_or_else(|| Ways::whole(&ways), |known| Ways::between(&known, &ways));
        yours.push(Yours { seat: seat.0, ways, words, warnings: Vec::new(), picking: None });
    }
    let asked = asked.iter().map(|seat| seat.0).collect();
    Some(Question { asked, kind, prompt: Some(position.prompt()), yours })
}
