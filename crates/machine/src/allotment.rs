//! One budget for one question, and who says when it is used up.
//!
//! Native code and the shortcuts do less than the rules say, and what they leave out nobody has counted. So they get
//! only a part of the budget. Where that is used up everything is taken back, and the interpreter without any shortcut
//! answers the question from its beginning, with the whole budget: where rules run too long it alone decides, and a
//! match that is replayed on another computer, or before there is native code, is refused nothing that was played.
//!
//! Random play is no exception. What it draws depends on some of the shortcuts, so there the interpreter that decides
//! takes those and no others, and begins without anything that was kept from earlier questions.

use crate::derived::Derived;
use crate::layout;
use crate::memory::Mark;
use crate::position::{MachinePosition, Phase, Saved};
use crate::program::Program;
use crate::vm::{Machine, Run};
use houserules_kernel::Generator;
use std::sync::{Arc, OnceLock};

/// So many times fewer steps there are where they are not counted exactly.
pub const FEWER: u64 = 16;
/// And so many times less depth: what calls itself inside conditions is several deep each time.
const LESS_DEEP: u64 = 8;

impl Program {
    /// The same program without native code or shortcuts, which counts exactly; none if it is that itself.
    fn exactly(&self) -> Option<&Arc<Program>> {
        let exact: &OnceLock<Arc<Program>> = self.exact.as_ref()?;
        Some(exact.get_or_init(|| Arc::new(self.bare())))
    }

    /// The same for random play: what decides how it draws stays.
    fn exactly_drawing(&self) -> Option<&Arc<Program>> {
        let exact: &OnceLock<Arc<Program>> = self.exact_draws.as_ref()?;
        Some(exact.get_or_init(|| Arc::new(self.drawing())))
    }
}

/// Where a question of random play began.
pub(crate) struct Begun {
    mark: Mark,
    heap: usize,
    compactions: u32,
    /// Who was to move and which turn it was: where nobody goes back, a turn that passes is not written down.
    turns: [u64; 2],
    generator: Generator,
    /// None where nothing ran: what there was is then the same each time.
    running: Option<Box<Saved>>,
}

/// The slots of [`Begun::turns`].
const TURNS: [u32; 2] = [layout::HEAD, layout::TURN];

impl Machine {
    /// Begins a question: as much as there is for it in this program.
    pub(crate) fn allot(&mut self, program: &Program) {
        self.reset_budget(program);
        if std::mem::take(&mut self.ran_out) {
            // Laws that ran too long have let through what they might have refused.
            self.derived = Derived::default();
        }
        if program.exact.is_some() {
            self.allotted /= FEWER;
            self.steps = self.allotted;
            self.deepest = (self.deepest / LESS_DEEP).max(1);
            let used = self.mem.heap.len() + self.mem.slots.len();
            self.room = used + self.room.saturating_sub(used) / 2;
        }
    }
}

impl MachinePosition {
    /// Answers a question within its budget. What has been done by an answer that does not count is taken back.
    pub(crate) fn within<T>(&mut self, mut answer: impl FnMut(&mut Self) -> T, take_back: impl Fn(&mut Self, T)) -> T {
        self.machine.allot(&self.program);
        let answered = answer(self);
        if !self.machine.ran_out {
            return answered;
        }
        let Some(exact) = self.program.exactly().cloned() else { return answered };
        take_back(self, answered);
        let program = std::mem::replace(&mut self.program, exact);
        self.machine.allot(&self.program);
        let answered = answer(self);
        self.program = program;
        self.tell_if_run_out();
        answered
    }

    /// Answers a question at random within its budget.
    pub(crate) fn drawn_within<T>(
        &mut self,
        program: &Program,
        generator: &mut Generator,
        mut draw: impl FnMut(&mut Self, &Program, &mut Generator) -> Run<T>,
    ) -> Run<T> {
        let mut begun = self.begun_at_rest(generator.clone());
        begun.running = Some(Box::new(self.save()));
        self.machine.allot(program);
        let drawn = draw(self, program, generator);
        self.unless_run_out(drawn, begun, generator, draw)
    }

    /// What was drawn, if there was enough for it; otherwise it is drawn again by who counts exactly.
    #[inline]
    pub(crate) fn unless_run_out<T>(
        &mut self,
        drawn: Run<T>,
        begun: Begun,
        generator: &mut Generator,
        draw: impl FnMut(&mut Self, &Program, &mut Generator) -> Run<T>,
    ) -> Run<T> {
        match self.machine.ran_out {
            false => drawn,
            true => self.drawn_exactly(drawn, begun, generator, draw),
        }
    }

    #[cold]
    fn drawn_exactly<T>(
        &mut self,
        drawn: Run<T>,
        mut begun: Begun,
        generator: &mut Generator,
        mut draw: impl FnMut(&mut Self, &Program, &mut Generator) -> Run<T>,
    ) -> Run<T> {
        let Some(exact) = self.program.exactly_drawing().cloned() else { return drawn };
        self.go_back(&mut begun);
        *generator = begun.generator;
        let program = std::mem::replace(&mut self.program, exact.clone());
        self.machine.derived = Derived::default();
        self.machine.allot(&exact);
        let drawn = draw(self, &exact, generator);
        self.machine.derived = Derived::default();
        self.program = program;
        self.tell_if_run_out();
        // Nothing is kept that it could have let through, and whoever plays on has as much as before.
        self.machine.ran_out = false;
        let program = self.program.clone();
        self.machine.allot(&program);
        drawn
    }

    /// Tests must know where the walker, who counts for himself, may go on.
    fn tell_if_run_out(&self) {
        if self.machine.ran_out {
            crate::walk::met::ran_out();
        }
    }

    /// Where a question begins while nothing runs.
    #[inline]
    pub(crate) fn begun_at_rest(&self, generator: Generator) -> Begun {
        let mem = &self.machine.mem;
        let turns = TURNS.map(|slot| mem.slots[slot as usize]);
        Begun { mark: mem.mark(), heap: mem.heap.len(), compactions: mem.compactions, turns, generator, running: None }
    }

    fn go_back(&mut self, begun: &mut Begun) {
        let Begun { mark, heap, compactions, .. } = *begun;
        let saved = match begun.running.take() {
            Some(saved) => *saved,
            None => {
                let asked = std::mem::take(&mut self.asked);
                Saved { mark, heap, compactions, asked, phase: Phase::Ready, ..Saved::default() }
            }
        };
        self.restore(saved);
        for (slot, before) in TURNS.into_iter().zip(begun.turns) {
            self.machine.mem.slots[slot as usize] = before;
        }
    }

    /// As [`MachinePosition::settle`], as a question of its own.
    pub(crate) fn settle_within(&mut self) -> Run<()> {
        let saved = self.save();
        self.within(
            |position| {
                let program = position.program.clone();
                position.settle(&program)
            },
            |position, _| position.restore(saved.clone()),
        )
    }
}
