//! Conditions as jumps, calls, loops and returns.

use super::body::{Loop, Mode, SELF, Subject, same_op};
use super::*;

impl<'a> Body<'_, 'a> {
    /// Code that jumps away when the truth of a condition is `when`; the jumps are still to land.
    pub fn jump_when(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let mark = self.mark();
        let jumps = self.jumps(when, expr);
        self.release(mark);
        jumps
    }

    pub(super) fn jumps(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let ExprKind::Form(form, slots) = &expr.kind else { return self.plain_jump(when, expr) };
        match form {
            Form::Not => match slots[0].expr() {
                Some(inner) => self.jump_when(!when, inner),
                None => self.plain_jump(when, expr),
            },
            // `and` is false at the first nil, `or` true at the first that is not: those jump at once.
            Form::And | Form::Or if !slots[0].exprs().is_empty() => {
                let settles = *form == Form::Or;
                let exprs = slots[0].exprs();
                let mut jumps = Vec::new();
                if when == settles {
                    for expr in exprs {
                        jumps.extend(self.jump_when(when, expr));
                    }
                    return jumps;
                }
                let mut settled = Vec::new();
                for expr in &exprs[..exprs.len() - 1] {
                    settled.extend(self.jump_when(settles, expr));
                }
                jumps.extend(self.jump_when(when, &exprs[exprs.len() - 1]));
                for jump in settled {
                    self.land(jump);
                }
                jumps
            }
            Form::Equal | Form::Unequal => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                let op = match when == (*form == Form::Equal) {
                    true => Op::JumpEq { a, b, to: 0 },
                    false => Op::JumpNe { a, b, to: 0 },
                };
                vec![self.emit_jump(op, expr.origin)]
            }
            Form::Less | Form::Greater | Form::LessEqual | Form::GreaterEqual => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                // A ≤ B is not B < A, and A ≥ B is not A < B.
                let (a, b) = if matches!(form, Form::Greater | Form::LessEqual) { (b, a) } else { (a, b) };
                let op = match when == matches!(form, Form::Less | Form::Greater) {
                    true => Op::JumpLess { a, b, to: 0 },
                    false => Op::JumpNotLess { a, b, to: 0 },
                };
                vec![self.emit_jump(op, expr.origin)]
            }
            _ => self.plain_jump(when, expr),
        }
    }

    pub(super) fn plain_jump(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let src = self.value(expr);
        let op = if when { Op::JumpSome { src, to: 0 } } else { Op::JumpNil { src, to: 0 } };
        vec![self.emit_jump(op, expr.origin)]
    }

    pub(super) fn call_of(&mut self, name: &Name, args: &'a [Expr], target: &'a Expr, dst: Reg, origin: Origin) {
        let entity = self.value(target);
        if !args.is_empty() {
            let first = self.regs(args.len() + 1);
            for (at, arg) in args.iter().enumerate() {
                self.expr(arg, first + 1 + at as Reg);
            }
            let id = self.lower.texts.id(name);
            if !self.lower.asked.contains_key(&id) {
                self.lower.unknown(name, origin, "Only a define takes values: `(name value of thing)`.");
            }
            self.emit(Op::CallOf { dst, entity, name: id, first, n: args.len() as u16 + 1 }, origin);
            return;
        }
        let subject = self.subject(target, 0);
        let known: Vec<Option<Answer>> = match &subject {
            Subject::Kinds(kinds) => kinds.iter().map(|&kind| self.lower.answer_for(name, kind)).collect(),
            Subject::Unknown => Vec::new(),
        };
        if let Some(&Some(first)) = known.first()
            && known.iter().all(|answer| same_op(*answer, Some(first)))
        {
            return self.answer(entity, first, dst, origin, name);
        }
        if &**name == "players"
            && matches!(&subject, Subject::Kinds(kinds) if kinds.as_slice() == [crate::world::GAME_KIND])
        {
            self.emit(Op::Players { dst }, origin);
            return;
        }
        let answers = self.lower.answering(name);
        if answers.is_empty() && !self.lower.is_attribute(name) && &**name != "players" {
            self.lower.unknown(
                name,
                origin,
                "It would have to be a property, relation, define or direction of some model.",
            );
        }
        let property = match answers.first() {
            Some(&(_, Answer::Property(prop))) if prop != crate::layout::STATE => {
                answers.iter().all(|(_, answer)| *answer == Answer::Property(prop)).then_some(prop)
            }
            _ => None,
        };
        match property {
            Some(prop) => self.emit(Op::GetProp { dst, entity, prop }, origin),
            None => {
                let name = self.lower.texts.id(name);
                self.emit(Op::GetOf { dst, entity, name }, origin)
            }
        };
    }

    pub(super) fn call(&mut self, name: &Name, args: &'a [Expr], dst: Reg, origin: Origin) {
        let n = args.len() as u16;
        let own = self.lower.define_for(name, self.kind).filter(|(_, params)| *params == n);
        let asked = match self.its.last().cloned() {
            Some((reg, Subject::Kinds(kinds)))
                if kinds
                    .iter()
                    .all(|&kind| self.lower.define_for(name, kind).is_some_and(|(_, params)| params == n)) =>
            {
                Some(reg)
            }
            Some((reg, Subject::Unknown)) if own.is_none() && self.lower.global_define(name, n).is_none() => Some(reg),
            _ => None,
        };
        let first = self.regs(args.len() + 1);
        for (at, arg) in args.iter().enumerate() {
            self.expr(arg, first + 1 + at as Reg);
        }
        if let Some(entity) = asked
            && self.lower.texts.find(name).is_some_and(|id| self.lower.asked.contains_key(&id))
        {
            let name = self.lower.texts.id(name);
            self.emit(Op::CallOf { dst, entity, name, first, n: n + 1 }, origin);
            return;
        }
        if let Some((func, _)) = own {
            self.emit(Op::Move { dst: first, src: SELF }, origin);
            self.emit(Op::Call { dst, func, first, n: n + 1 }, origin);
            return;
        }
        let game = self.lower.define_for(name, GAME_KIND).filter(|(_, params)| *params == n).map(|(func, _)| func);
        if let Some(func) = self.lower.global_define(name, n).or(game) {
            self.emit(Op::Const { dst: first, value: Value::entity(crate::world::GAME) }, origin);
            self.emit(Op::Call { dst, func, first, n: n + 1 }, origin);
            return;
        }
        match self.lower.define_params(name) {
            Some(params) => self.fault(
                "Wrong number of values",
                format!("`{name}` takes {}, not {}.", params.len(), args.len()),
                origin,
            ),
            None => self.lower.unknown(name, origin, "The first word in parentheses is a form or a define."),
        }
    }

    pub(super) fn place_at(&mut self, model: &Name, at: &'a [Expr], dst: Reg, origin: Origin) {
        let Some(kind) = self.lower.world.kind(model) else {
            self.lower.unknown(model, origin, "`(cell at 3 2)` needs the model of a board.");
            return;
        };
        let at = at.iter().map(|expr| self.value(expr)).collect();
        self.lower.pools.places.push(PlaceAt { kind, at });
        let place = self.lower.pools.places.len() as u32 - 1;
        self.emit(Op::PlaceAt { dst, place }, origin);
    }

    pub fn begin_loop(&mut self) -> u32 {
        let again = self.here();
        self.loops.push(Loop { again, breaks: Vec::new(), continues: Vec::new() });
        again
    }

    pub fn end_loop(&mut self, origin: Origin) {
        let done = self.loops.pop().expect("ended once");
        for jump in done.continues {
            // A `continue` goes back to the test, which stands at the loop's head.
            if let Op::Jump { to } = &mut self.code[jump] {
                *to = done.again;
            }
        }
        self.emit(Op::Jump { to: done.again }, origin);
        for jump in done.breaks {
            self.land(jump);
        }
    }

    pub fn jump_out(&mut self, breaks: bool, origin: Origin) {
        let jump = self.emit_jump(Op::Jump { to: 0 }, origin);
        match self.loops.last_mut() {
            Some(inner) if breaks => inner.breaks.push(jump),
            Some(inner) => inner.continues.push(jump),
            None => self.fault("Not in a loop", "There is no `foreach` or `while` around this.", origin),
        }
    }

    pub fn return_(&mut self, value: Option<&'a Expr>, origin: Origin) {
        match self.mode {
            Mode::Law(rule) | Mode::AfterLaw(rule) => {
                let reason = match value {
                    Some(value) => self.value(value),
                    None => self.constant(Value::NIL, origin),
                };
                self.refuse(rule, reason, origin);
            }
            Mode::SideEffect(_) | Mode::Behavior => {
                if !self.its.is_empty() {
                    return self.fault(
                        "`return` inside a condition",
                        "A condition cannot end the behavior around it.",
                        origin,
                    );
                }
                match (&self.returns, value) {
                    (Some((Some(result), _)), Some(value)) => {
                        let result = *result;
                        self.expr(value, result);
                    }
                    (Some((Some(result), _)), None) => {
                        let result = *result;
                        self.emit(Op::Const { dst: result, value: Value::NIL }, origin);
                    }
                    // Nobody asks for it, but what it does and its faults are met.
                    (_, Some(value)) => {
                        self.value(value);
                    }
                    _ => {}
                }
                let jump = self.emit_jump(Op::Jump { to: 0 }, origin);
                if let Some((_, jumps)) = &mut self.returns {
                    jumps.push(jump);
                }
            }
            Mode::Define => {
                let src = match value {
                    Some(value) => self.value(value),
                    None => self.constant(Value::NIL, origin),
                };
                self.emit(Op::Return { src }, origin);
            }
        }
    }
}
