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

    /// How many steps have been told, the beginning not counted.
    pub fn n_steps(&self) -> usize {
        self.steps.len() - 1
    }

    /// The views there are now.
    pub fn stage(&self) -> Option<&Stage> {
        self.steps.last()?.stage.as_deref()
    }

    /// Goes to where a match stands that has `n_steps` in effect, of which this viewer has been told the first `n_known`
    /// as they are: the rest is taken back, and what followed instead is told step by step.
    ///
    /// `look` says what the definition draws and what the viewer sees after so many steps; it is asked in order. Where it
    /// says nothing, what was told before it stands.
    pub fn follow(
        &mut self,
        n_known: usize,
        n_steps: usize,
        mut look: impl FnMut(usize) -> Option<(Option<Stage>, View)>,
    ) {
        self.take_back(n_known);
        for step in self.n_steps() + 1..=n_steps {
            let Some((stage, view)) = look(step) else { return };
            self.go_on(stage.as_ref(), view);
        }
    }

    /// Takes back all steps but so many.
    pub(crate) fn take_back(&mut self, n_steps: usize) {
        self.touched = None;
        self.steps.truncate(n_steps + 1);
    }

    /// After a step of any kind, with what the definition draws now.
    pub(crate) fn go_on(&mut self, stage: Option<&Stage>, view: View) {
        if stage == self.stage() { self.step(view) } else { self.change(stage.cloned().map(Arc::new), view) }
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
