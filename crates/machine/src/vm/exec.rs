//! The interpreter's loop.

use super::calls::Begun;
use super::*;

macro_rules! reg {
    ($self:ident, $base:ident, $reg:expr) => {
        Value($self.regs[$base + $reg as usize])
    };
}

impl Machine {
    /// Runs the topmost frames down to `floor` and gives the value of the last one.
    pub fn run(&mut self, program: &Program, floor: usize) -> Run<Value> {
        let frame = *self.frames.last().expect("something to run");
        self.exec(program, frame.func, frame.base as usize, frame.pc as usize, floor)
    }

    /// Runs a block of a function, for one thing, and gives its value.
    pub(crate) fn block(&mut self, program: &Program, here: Here, start: u32) -> Run<Value> {
        let floor = self.frames.len();
        // What the block calls returns to this frame; the function itself may run without one.
        let skipped = self.skipped.len() as u16;
        let frame =
            Frame { func: here.func, pc: start, base: here.base as u32, dst: 0, action: false, let_for: None, skipped };
        self.frames.push(frame);
        let top = self.top;
        let result = self.nested(|machine| machine.exec(program, here.func, here.base, start as usize, floor));
        self.top = top;
        self.frames.truncate(floor);
        result
    }

    fn exec(&mut self, program: &Program, func: FuncId, base: usize, pc: usize, floor: usize) -> Run<Value> {
        let (mut func, mut base, mut pc) = (func, base, pc);
        let mut code: &[Op] = &program.functions[func as usize].code;
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value: Value = $value;
                self.regs[base + $dst as usize] = value.0;
            }};
        }
        // Whatever fails says where.
        macro_rules! or_stop {
            ($result:expr) => {
                match $result {
                    Ok(value) => value,
                    Err(stop) => return Err(stop.at(program.functions[func as usize].origin(pc.saturating_sub(1)))),
                }
            };
        }
        // Goes on in the frame that was just pushed.
        macro_rules! enter {
            () => {{
                let n = self.frames.len();
                self.frames[n - 2].pc = pc as u32;
                let frame = &self.frames[n - 1];
                func = frame.func;
                base = frame.base as usize;
                pc = 0;
                code = &program.functions[func as usize].code;
            }};
        }
        // Ends the frame on top with a value and goes on in the one beneath.
        macro_rules! leave {
            ($value:expr) => {{
                let value: Value = $value;
                let done = self.frames.pop().expect("a frame is running");
                self.skipped.truncate(done.skipped as usize);
                self.top = done.base as usize;
                if self.frames.len() == floor {
                    return Ok(value);
                }
                let caller = self.frames.last().expect("above the floor");
                func = caller.func;
                base = caller.base as usize;
                pc = caller.pc as usize;
                code = &program.functions[func as usize].code;
                self.regs[base + done.dst as usize] = value.0;
                if let Some(actor) = done.let_for {
                    self.mem.set(layout::ACTOR, actor);
                    if or_stop!(self.next_let(program, done.dst)) {
                        enter!();
                    }
                }
            }};
        }
        let native = program.native();
        loop {
            if pc == 0
                && let Some(native) = native
                && let Some(address) = native.complete(func)
            {
                let action = self.frames.last().expect("a frame is running").action;
                let n_args = program.functions[func as usize].n_args;
                let mut args = [0; crate::code::MOST_ARGS];
                args[..n_args as usize].copy_from_slice(&self.regs[base..base + n_args as usize]);
                let value = self.enter_native(native, address, n_args, &args[..n_args as usize], action)?;
                leave!(value);
                continue;
            }
            if self.steps == 0 {
                or_stop!(self.spend(1));
            }
            self.steps -= 1;
            let op = code[pc];
            pc += 1;
            match op {
                Op::Const { dst, value } => set!(dst, value),
                Op::Move { dst, src } => self.regs[base + dst as usize] = self.regs[base + src as usize],
                Op::Jump { to } => pc = to as usize,
                Op::JumpNil { src, to } => {
                    if self.regs[base + src as usize] == 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpSome { src, to } => {
                    if self.regs[base + src as usize] != 0 {
                        pc = to as usize;
                    }
                }
                Op::JumpList { src, to } => {
                    if matches!(reg!(self, base, src).kinded(), Kinded::List(_) | Kinded::Kind(_)) {
                        pc = to as usize;
                    }
                }
                Op::JumpEq { a, b, to } => {
                    if or_stop!(self.equal_counted(reg!(self, base, a), reg!(self, base, b))) {
                        pc = to as usize;
                    }
                }
                Op::JumpNe { a, b, to } => {
                    if !or_stop!(self.equal_counted(reg!(self, base, a), reg!(self, base, b))) {
                        pc = to as usize;
                    }
                }
                Op::JumpLess { a, b, to } => {
                    if or_stop!(self.less(program, reg!(self, base, a), reg!(self, base, b))) {
                        pc = to as usize;
                    }
                }
                Op::JumpNotLess { a, b, to } => {
                    if !or_stop!(self.less(program, reg!(self, base, a), reg!(self, base, b))) {
                        pc = to as usize;
                    }
                }
                Op::Player { dst } => set!(dst, self.player()),
                Op::GetProp { dst, entity, prop } => {
                    let value = match reg!(self, base, entity).as_entity() {
                        Some(entity) => self.prop(program, prop, entity),
                        None => or_stop!(self.get_prop_slow(program, reg!(self, base, entity), prop)),
                    };
                    set!(dst, value);
                }
                Op::SetProp { entity, prop, src } => {
                    or_stop!(self.set_prop(program, reg!(self, base, entity), prop, reg!(self, base, src)))
                }
                Op::GetSlot { dst, slot } => set!(dst, self.mem.get(slot)),
                Op::SetSlot { slot, src } => self.mem.set(slot, reg!(self, base, src)),
                Op::GetOf { dst, .. }
                | Op::GetNamed { dst, .. }
                | Op::CallOf { dst, .. }
                | Op::Send { dst, .. }
                | Op::SendValue { dst, .. }
                | Op::Forward { dst, .. }
                | Op::Win { dst, .. } => match or_stop!(self.begin_call(program, base, op)) {
                    Begun::Entered => enter!(),
                    Begun::Value(value) => set!(dst, value),
                    Begun::Missing => {}
                },
                Op::GetIfHas { dst, missing, .. } => match or_stop!(self.begin_call(program, base, op)) {
                    Begun::Entered => enter!(),
                    Begun::Value(value) => set!(dst, value),
                    Begun::Missing => pc = missing as usize,
                },
                Op::Step { dst, entity, direction } => {
                    let value = match reg!(self, base, entity).as_entity() {
                        Some(place) => Value::maybe(program.world.directions.step(direction, place)),
                        None => or_stop!(self.plain_answer(
                            program,
                            reg!(self, base, entity),
                            Answer::Direction(direction),
                            Value::NIL
                        )),
                    };
                    set!(dst, value);
                }
                Op::Add { dst, a, b } => {
                    let (a, b) = (reg!(self, base, a), reg!(self, base, b));
                    let value = or_stop!(self.add(program, a, b));
                    set!(dst, value);
                }
                Op::Sub { dst, a, b } => {
                    let (a, b) = (reg!(self, base, a), reg!(self, base, b));
                    let value = or_stop!(self.subtract(program, a, b));
                    set!(dst, value);
                }
                Op::Eq { dst, a, b } => {
                    let same = or_stop!(self.equal_counted(reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, Value::truth(same));
                }
                Op::Ne { dst, a, b } => {
                    let same = or_stop!(self.equal_counted(reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, Value::truth(!same));
                }
                Op::Lt { dst, a, b } => {
                    let less = or_stop!(self.less(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, Value::truth(less));
                }
                Op::Le { dst, a, b } => {
                    let more = or_stop!(self.less(program, reg!(self, base, b), reg!(self, base, a)));
                    set!(dst, Value::truth(!more));
                }
                Op::Not { dst, a } => set!(dst, Value::truth(reg!(self, base, a).is_nil())),
                Op::Next { dst, list, at, end } => {
                    let index = reg!(self, base, at).0 as u32 as usize;
                    let list = reg!(self, base, list).0 as u32;
                    match self.mem.members(list).get(index) {
                        Some(&word) => {
                            self.regs[base + dst as usize] = word;
                            set!(at, Value::small(index as u32 + 1));
                        }
                        None => pc = end as usize,
                    }
                }

                Op::BlockEnd { src } => return Ok(reg!(self, base, src)),

                Op::Call { dst, func: callee, first, n } => {
                    let from = base + first as usize;
                    let to = or_stop!(self.push_frame(program, callee, dst, false));
                    self.regs.copy_within(from..from + n as usize, to);
                    enter!();
                }
                Op::Return { src } => leave!(reg!(self, base, src)),
                Op::Refuse { rule, reason } => {
                    let frame = self.frames.last().expect("a law runs in a frame");
                    if frame.action {
                        return Err(Stop::Refused { rule, reason: reg!(self, base, reason) });
                    }
                    // Inside an action a law stops its own message only, quietly.
                    leave!(Value::NIL);
                }
                Op::Rollback { rule, reason } => {
                    return Err(or_stop!(self.roll_back(program, rule, reg!(self, base, reason))));
                }
                Op::SkipRule { rule, to } => {
                    if self.skipped.contains(&rule) {
                        pc = to as usize;
                    }
                }

                Op::Suppose { dst, message, start, end } => {
                    let value = or_stop!(self.suppose(program, Here { func, base }, reg!(self, base, message), start));
                    set!(dst, value);
                    pc = end as usize;
                }
                Op::Roll { .. }
                | Op::RandomOf { .. }
                | Op::Random { .. }
                | Op::Shuffle { .. }
                | Op::Ask { .. }
                | Op::Let { .. }
                | Op::Wait { .. } => {
                    if self.is_over() {
                        return Err(Stop::Finished);
                    }
                    if self.testing {
                        if or_stop!(self.would_ask(program, base, op)) {
                            return Err(Stop::Asked);
                        }
                        continue;
                    }
                    if self.nested > 0 {
                        or_stop!(Err(Stop::fault(
                            "A question cannot be asked, nor dice rolled, inside a condition or a define."
                        )));
                    }
                    let n = self.frames.len();
                    self.frames[n - 1].pc = pc as u32;
                    if or_stop!(self.ask(program, base, op)) {
                        return Err(Stop::Asked);
                    }
                }
                op => or_stop!(self.simple(program, func, base, op)),
            }
        }
    }
}

pub(super) fn number_value(number: f64) -> Run<Value> {
    Value::decimal(number).ok_or_else(|| Stop::fault("This number is too large."))
}
