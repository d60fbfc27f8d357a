//! Quantifiers: every, none, any, all, count, sum, max, min, most, least.

use super::*;

/// What is kept while looking.
struct Found {
    count: u32,
    members: Vec<u64>,
    best: Value,
    sum: Value,
}

impl Machine {
    pub(super) fn look(&mut self, program: &Program, here: Here, look: &Look) -> Run<Value> {
        let mut found = Found { count: 0, members: Vec::new(), best: Value::NIL, sum: Value::small(0) };
        match look.domain {
            Domain::Kind(kind) => {
                let extent = &program.extents[kind as usize];
                let made = self.mem.get(layout::MADE).0 as u32;
                for &thing in &extent.things {
                    if !self.is_gone(program, thing)
                        && let Some(done) = self.candidate(program, here, look, Value::entity(thing), &mut found)?
                    {
                        return Ok(done);
                    }
                }
                for thing in program.layout.first_made..program.layout.first_made + made {
                    if program.is_a[self.kind_of(program, thing) as usize][kind as usize]
                        && !self.is_gone(program, thing)
                        && let Some(done) = self.candidate(program, here, look, Value::entity(thing), &mut found)?
                    {
                        return Ok(done);
                    }
                }
            }
            Domain::Reg(reg) => {
                let list = Value(self.regs[here.base + reg as usize]).0 as u32;
                let n = self.mem.members(list).len();
                for at in 0..n {
                    let value = Value(self.mem.members(list)[at]);
                    if let Some(done) = self.candidate(program, here, look, value, &mut found)? {
                        return Ok(done);
                    }
                }
            }
        }
        Ok(match look.quantifier {
            Quantifier::Every | Quantifier::None => Value::TRUE,
            Quantifier::Any => Value::NIL,
            Quantifier::Count => Value::small(found.count),
            Quantifier::Sum => found.sum,
            Quantifier::Max | Quantifier::Min => found.best,
            Quantifier::All | Quantifier::Most | Quantifier::Least => return self.new_list(found.members),
        })
    }

    /// Looks at one candidate; gives the result if that settles it.
    #[inline]
    fn candidate(
        &mut self,
        program: &Program,
        here: Here,
        look: &Look,
        value: Value,
        found: &mut Found,
    ) -> Run<Option<Value>> {
        self.spend(1)?;
        let passes = self.passes(program, here, look.test, value)?;
        match look.quantifier {
            Quantifier::Every => return Ok((!passes).then_some(Value::NIL)),
            Quantifier::None => return Ok(passes.then_some(Value::NIL)),
            _ if !passes => return Ok(None),
            Quantifier::Any => return Ok(Some(value)),
            Quantifier::Count => {
                found.count += 1;
                return Ok(None);
            }
            _ => {}
        }
        let measure = match look.measure {
            Measure::Itself => value,
            Measure::Property(prop) => match value.as_entity() {
                Some(entity) => self.prop(program, prop, entity),
                None => Value::NIL,
            },
            Measure::Code(block) => {
                self.regs[here.base + block.it as usize] = value.0;
                self.block(program, here, block.start)?
            }
        };
        match look.quantifier {
            Quantifier::All => found.members.push(measure.0),
            Quantifier::Sum => found.sum = self.add(program, found.sum, measure)?,
            Quantifier::Max => found.best = self.extreme(program, found.best, measure, true)?,
            Quantifier::Min => found.best = self.extreme(program, found.best, measure, false)?,
            Quantifier::Most | Quantifier::Least if !measure.is_nil() => {
                let better = found.best.is_nil()
                    || if look.quantifier == Quantifier::Most {
                        self.less(program, found.best, measure)?
                    } else {
                        self.less(program, measure, found.best)?
                    };
                if better {
                    found.members.clear();
                    found.best = measure;
                }
                if self.equal(found.best, measure) {
                    found.members.push(value.0);
                }
            }
            _ => {}
        }
        Ok(None)
    }
}
