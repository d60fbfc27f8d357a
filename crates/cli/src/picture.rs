//! What a viewer sees, as a picture that stands alone: SVG.

use std::sync::Arc;

use houserules_kernel::{Choice, OpenError, Rulebook, Viewer, Who};
use houserules_record::Match;
use houserules_scene::stage::{Fault, Stage, Watching};
use houserules_scene::{Sight, Theme, svg};
use houserules_server::seen;

/// A match as it stands, with what is new since the last action and what may be chosen. What the definition draws by
/// itself remembers what happened, so all steps in effect are gone through again.
pub fn of_match(now: &mut Match, viewer: Viewer, theme: Theme) -> String {
    svg(&seen(now, viewer), theme)
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
    let scene = watching.scene(&Sight::of(&mut *position, &rulebook.seats(), viewer, before));
    Ok((svg(&scene, theme), watching.memory().faults.clone()))
}
