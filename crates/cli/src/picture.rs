//! What a viewer sees, as a picture that stands alone: SVG.

use std::sync::Arc;

use houserules_kernel::{Choice, OpenError, Position, Rulebook, View, Viewer, Who};
use houserules_scene::stage::{Fault, Stage, Watching};
use houserules_scene::{Scene, Sight, Theme, draw};

/// A position as a viewer sees it, with what is new since the last action and what may be chosen.
pub fn position(position: &mut dyn Position, seats: &[String], viewer: Viewer, theme: Theme) -> String {
    let before = Sight::before(position, viewer);
    written(&draw(&Sight::of(position, seats, viewer, before)), theme)
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
    let before = Sight::before(&*position, viewer);
    let sight = Sight::of(&mut *position, &rulebook.seats(), viewer, before);
    Ok((written(&watching.scene(&sight), theme), watching.memory().faults.clone()))
}

/// A view by itself.
pub fn view(view: &View, seats: &[String]) -> String {
    let sight = Sight { view: view.clone(), seats: seats.to_vec(), ..Sight::default() };
    written(&draw(&sight), Theme::Light)
}

fn written(scene: &Scene, theme: Theme) -> String {
    houserules_scene::svg(scene, theme)
}
