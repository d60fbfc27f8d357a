use super::{Memory, Reaction, Stage};
use crate::{Scene, Sight, draw};
use houserules_kernel::View;
use std::sync::Arc;

/// One viewer who follows a match: what the views have shown after each step, so that undo goes back to it.
///
/// What a click changes lasts until the next step and is part of no record: a match that is played again from its
/// record shows the same scenes.
pub struct Watching {
    /// After each step: the views there were, what they remembered, what the viewer saw.
    steps: Vec<Step>,
    touched: Option<Memory>,
}

struct Step {
    stage: Option<Arc<Stage>>,
    memory: Memory,
    view: View,
}

impl Watching {
    pub fn open(stage: Option<Arc<Stage>>, view: View) -> Watching {
        let mut watching = Watching { steps: Vec::new(), touched: None };
        watching.change(stage, view);
        watching
    }

    /// After a choice, or something done by hand.
    pub fn step(&mut self, view: View) {
        self.touched = None;
        let last = self.steps.last().expect("there is always the first one");
        let stage = last.stage.clone();
        let memory = match &stage {
            Some(stage) => stage.next(&last.memory, Some(&last.view), &view),
            None => Memory::default(),
        };
        self.steps.push(Step { stage, memory, view });
    }

    /// After a change of rules: views begin anew with what there is.
    pub fn change(&mut self, stage: Option<Arc<Stage>>, view: View) {
        self.touched = None;
        let memory = stage.as_ref().map(|stage| stage.open(&view)).unwrap_or_default();
        self.steps.push(Step { stage, memory, view });
    }

    /// Takes the last step back; false at the start.
    pub fn undo(&mut self) -> bool {
        self.touched = None;
        let undone = self.steps.len() > 1;
        if undone {
            self.steps.pop();
        }
        undone
    }

    pub fn click(&mut self, id: &str) -> Option<Reaction> {
        let last = self.steps.last()?;
        let stage = last.stage.as_ref()?;
        let (memory, reaction) = stage.click(self.memory(), &last.view, id);
        self.touched = Some(memory);
        reaction
    }

    /// What the views remember now.
    pub fn memory(&self) -> &Memory {
        let last = self.steps.last().expect("there is always the first one");
        self.touched.as_ref().unwrap_or(&last.memory)
    }

    /// The scene: the usual drawing, with what views draw themselves.
    pub fn scene(&self, sight: &Sight) -> Scene {
        let mut scene = draw(sight);
        if let Some(Step { stage: Some(stage), view, .. }) = self.steps.last() {
            stage.dress(&mut scene, self.memory(), view);
        }
        scene
    }
}
