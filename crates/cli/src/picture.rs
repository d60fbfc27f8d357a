//! What a viewer sees, as a picture that stands alone: SVG.

use std::sync::Arc;

use houserules_kernel::{Choice, OpenError, Position, Rulebook, Viewer, Who};
use houserules_record::{Event, Match};
use houserules_scene::stage::{Fault, Stage, Watching};
use houserules_scene::{Scene, Sight, Theme, draw, svg};

/// A match as it stands, with what is new since the last action and what may be chosen. What the definition draws by
/// itself remembers what happened, so all steps in effect are gone through again.
pub fn of_match(now: &mut Match, viewer: Viewer, theme: Theme) -> String {
    let steps: Vec<Event> = now.steps().cloned().collect();
    let scene = match now.fork_at("picture", 0) {
        Ok(again) => followed(again, &steps, viewer),
        Err(_) => None,
    };
    let scene = scene.unwrap_or_else(|| {
        let seats = now.seats();
        draw(&sight(now.position(), &seats, viewer))
    });
    svg(&scene, theme)
}

/// None if it does not come that far.
fn followed(mut again: Match, steps: &[Event], viewer: Viewer) -> Option<Scene> {
    let stage = |again: &mut Match| again.running().as_defined().and_then(|defined| Stage::of(defined.definition()));
    let mut known = stage(&mut again);
    let mut watching = Watching::open(known.clone().map(Arc::new), again.position().view(viewer));
    for step in steps {
        again.apply(step).ok()?;
        let (now, view) = (stage(&mut again), again.position().view(viewer));
        if now == known {
            watching.step(view);
        } else {
            watching.change(now.clone().map(Arc::new), view);
            known = now;
        }
    }
    let seats = again.seats();
    Some(watching.scene(&sight(again.position(), &seats, viewer)))
}

fn sight(position: &mut dyn Position, seats: &[String], viewer: Viewer) -> Sight {
    let before = Sight::before(position, viewer);
    Sight::of(position, seats, viewer, before)
}

/// A match from its start, drawn as the definition draws it; with the views that had to be set aside.
pub fn played(
    rulebook: &dyn Rulebook,
    stage: Option<Stage>,
    moves: &[(Who, Choice)],
    viewer: Viewer,
    theme: Theme,
) -> Result<(String, Vec<Fault>), OpenError> {
    let mut position = rulebook.open()?;
    let mut watching = Watching::open(stage.map(Arc::new), position.view(viewer));
    for (who, choice) in moves {
        position.play(*who, choice).map_err(|refusal| OpenError(refusal.to_string()))?;
        watching.step(position.view(viewer));
    }
    let scene = watching.scene(&sight(&mut *position, &rulebook.seats(), viewer));
    Ok((svg(&scene, theme), watching.memory().faults.clone()))
}
