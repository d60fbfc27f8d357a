//! The instructions that call: what they enter, or the value they have at once.

use super::*;

/// What came of an instruction that calls.
pub(crate) enum Begun {
    /// A frame was put on top.
    Entered,
    Value(Value),
    /// The thing does not have what was asked for.
    Missing,
}

impl Machine {
    /// Puts the frame on top that the instruction calls, unless its value is known without.
    pub(super) fn begin_call(&mut self, program: &Program, base: usize, op: Op) -> Run<Begun> {
        let reg = |machine: &Self, reg: Reg| Value(machine.regs[base + reg as usize]);
        let entered = match op {
            Op::GetOf { dst, entity, name } => {
                let of = reg(self, entity);
                let answer = self.answer_of(program, of, name)?;
                return self.begin_answer(program, base, dst, of, answer, name);
            }
            Op::GetNamed { dst, entity, name } => {
                let of = reg(self, entity);
                let name = self.text(program, reg(self, name))?;
                let answer = self.answer_of(program, of, name)?;
                return self.begin_answer(program, base, dst, of, answer, name);
            }
            Op::GetIfHas { dst, entity, name, .. } => {
                let of = reg(self, entity);
                return match self.answer_if_has(program, of, name)? {
                    None => Ok(self.message_attribute(of, name).map_or(Begun::Missing, Begun::Value)),
                    answer => self.begin_answer(program, base, dst, of, answer, name),
                };
            }
            Op::CallOf { dst, entity, name, first, n } => {
                let of = self.entity(program, reg(self, entity), "A define")?;
                let answer = of.and_then(|of| program.asked.get(&name)?[self.kind_of(program, of) as usize]);
                match (of, answer) {
                    (Some(of), Some((callee, params))) if params + 1 == n => {
                        let from = base + first as usize;
                        let to = self.push_frame(program, callee, dst, false)?;
                        self.regs.copy_within(from..from + n as usize, to);
                        self.regs[to] = Value::entity(of).0;
                        true
                    }
                    (Some(_), Some((_, params))) => {
                        let name = program.texts.get(name);
                        return Err(Stop::fault(format!("“{name}” takes {params} values, not {}.", n - 1)));
                    }
                    _ => false,
                }
            }
            Op::Send { dst, send } => self.send(program, base, &program.pools.sends[send as usize], dst)?,
            Op::SendValue { dst, message } => self.send_value(program, reg(self, message), dst)?,
            Op::Forward { dst, entity, message } => {
                let to = reg(self, entity);
                self.forward(program, base, &program.pools.received[message as usize], to, dst)?
            }
            Op::Win { dst, player } => self.send_gameover(program, reg(self, player), dst)?,
            _ => return Err(Stop::fault("This instruction calls nothing.")),
        };
        Ok(if entered { Begun::Entered } else { Begun::Value(Value::NIL) })
    }

    fn begin_answer(
        &mut self,
        program: &Program,
        base: usize,
        dst: Reg,
        of: Value,
        answer: Option<Answer>,
        name: NameId,
    ) -> Run<Begun> {
        match answer {
            Some(Answer::Define(callee)) => {
                let entity = self.entity(program, of, "This")?;
                let first = self.push_frame(program, callee, dst, false)?;
                self.regs[first] = entity.map_or(0, |entity| Value::entity(entity).0);
                Ok(Begun::Entered)
            }
            Some(answer) => self.plain_answer(program, of, answer, Value(self.regs[base])).map(Begun::Value),
            None => self.attribute_or_nil(program, of, name).map(Begun::Value),
        }
    }

    /// Carries out an instruction that calls, to its end. None if the thing does not have what was asked for.
    pub(crate) fn carry_out(&mut self, program: &Program, here: Here, op: Op) -> Run<Option<Value>> {
        if let Op::Suppose { message, start, .. } = op {
            let message = Value(self.regs[here.base + message as usize]);
            return self.suppose(program, here, message, start).map(Some);
        }
        let floor = self.frames.len();
        match self.begin_call(program, here.base, op)? {
            Begun::Value(value) => Ok(Some(value)),
            Begun::Missing => Ok(None),
            Begun::Entered => {
                let result = self.nested(|machine| machine.run(program, floor));
                // Who called this cannot be gone on with: frames left here would be run once more by the next one.
                self.drop_frames(floor);
                result.map(Some)
            }
        }
    }
}
