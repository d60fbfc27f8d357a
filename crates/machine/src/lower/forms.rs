//! Each form of the table as code. Forms that look at lists and boards are in `looking`.

use super::body::{Meaning, SELF};
use super::*;

impl<'a> Body<'_, 'a> {
    pub(super) fn form(&mut self, form: Form, slots: &'a [Slot], dst: Reg, origin: Origin) {
        match form {
            // Flow of control
            Form::If => self.if_(slots, dst, origin),
            Form::Switch => self.switch(slots, dst, origin),
            Form::Foreach => self.foreach(slots, dst, origin),
            Form::While => self.while_(slots, dst, origin),
            Form::Do => self.statements(slots[0].exprs(), dst),
            Form::Return => self.return_(slots[0].expr(), origin),
            Form::Break => self.jump_out(true, origin),
            Form::Continue => self.jump_out(false, origin),

            // Variables, properties, attributes
            Form::Var => self.var(slots, dst, origin),
            Form::Set => {
                let value = self.slot(&slots[1]);
                self.assign(&slots[0], value, origin);
                self.emit(Op::Move { dst, src: value }, origin);
            }
            Form::Increase | Form::Decrease => {
                let old = self.slot(&slots[0]);
                let by = self.slot(&slots[1]);
                let value = self.reg();
                let op = if form == Form::Increase {
                    Op::Add { dst: value, a: old, b: by }
                } else {
                    Op::Sub { dst: value, a: old, b: by }
                };
                self.emit(op, origin);
                self.assign(&slots[0], value, origin);
                self.emit(Op::Move { dst, src: value }, origin);
            }
            Form::Property => {
                let entity = if slots[1].given() { self.slot(&slots[1]) } else { SELF };
                self.get_property(&slots[0], entity, dst, origin);
            }
            Form::NewProperty | Form::UpdateProperty => {
                let value = self.slot(&slots[1]);
                self.set_property(&slots[0], SELF, value, origin);
                self.emit(Op::Move { dst, src: value }, origin);
            }
            Form::Entity => self.named_entity(&slots[0], dst, origin),
            Form::ChangeState => {
                let entity = if slots[1].given() { self.slot(&slots[1]) } else { SELF };
                let state = self.name_value(&slots[0], origin);
                self.emit(Op::ChangeState { entity, state }, origin);
                self.nil(dst, origin);
            }

            // Messages
            Form::Send | Form::SendNew => self.send(slots, dst, origin),
            Form::SendMessage => {
                let message = self.slot(&slots[0]);
                self.emit(Op::SendValue { dst, message }, origin);
            }
            Form::Forward => match self.received {
                Some(message) => {
                    let to = self.slot(&slots[0]);
                    self.tell_each(slots[0].expr(), to, dst, origin, |body, entity| {
                        body.emit(Op::Forward { dst, entity, message }, origin);
                    });
                }
                None => self.fault("Nothing to forward", "There is no message here.", origin),
            },
            Form::UpdateAttribute => {
                let value = self.slot(&slots[1]);
                match slots[0].name().and_then(NameRef::known).cloned() {
                    Some(name) => match self.attributes.iter().find(|(known, _)| *known == name) {
                        Some((_, reg)) => {
                            let reg = *reg;
                            self.emit(Op::Move { dst: reg, src: value }, origin);
                        }
                        None => {
                            self.fault("No message here", "Attributes belong to the message being handled.", origin)
                        }
                    },
                    None => self.fault("The attribute must be named", "Write the name as a word.", origin),
                }
                self.nil(dst, origin);
            }
            Form::Attribute => self.attribute(slots, dst, origin),
            Form::NewMessage => {
                let send = self.message_spec(&slots[0], slots[1].expr(), slots[2].pairs());
                self.emit(Op::NewMessage { dst, send }, origin);
            }

            // Rules
            Form::Require => {
                let fine = slots[0].expr().map_or(Vec::new(), |condition| self.jump_when(true, condition));
                let reason = self.reason(&slots[1], origin);
                let rule = self.rule_id();
                self.refuse(rule, reason, origin);
                for jump in fine {
                    self.land(jump);
                }
                self.nil(dst, origin);
            }
            Form::OpenCheckpoint => {
                self.emit(Op::OpenCheckpoint, origin);
                self.nil(dst, origin);
            }
            Form::Rollback => {
                let reason = self.reason(&slots[0], origin);
                let rule = self.rule_id();
                self.emit(Op::Rollback { rule, reason }, origin);
            }

            // Arithmetic
            Form::Add => self.fold(slots, dst, origin, Value::small(0), |dst, a, b| Op::Add { dst, a, b }),
            Form::Multiply => self.fold(slots, dst, origin, Value::small(1), |dst, a, b| Op::Mul { dst, a, b }),
            Form::Subtract => match slots[0].exprs() {
                [only] => {
                    let zero = self.constant(Value::small(0), origin);
                    let b = self.value(only);
                    self.emit(Op::Sub { dst, a: zero, b }, origin);
                }
                _ => self.fold(slots, dst, origin, Value::small(0), |dst, a, b| Op::Sub { dst, a, b }),
            },
            Form::Divide => self.binary(slots, dst, origin, |dst, a, b| Op::Div { dst, a, b }),
            Form::Modulo => self.binary(slots, dst, origin, |dst, a, b| Op::Mod { dst, a, b }),
            Form::Floor => self.unary(slots, dst, origin, |dst, a| Op::Floor { dst, a }),
            Form::Abs => self.unary(slots, dst, origin, |dst, a| Op::Abs { dst, a }),
            Form::Max => self.fold(slots, dst, origin, Value::NIL, |dst, a, b| Op::Max { dst, a, b }),
            Form::Min => self.fold(slots, dst, origin, Value::NIL, |dst, a, b| Op::Min { dst, a, b }),

            // Logic
            Form::Equal => self.binary(slots, dst, origin, |dst, a, b| Op::Eq { dst, a, b }),
            Form::Unequal => self.binary(slots, dst, origin, |dst, a, b| Op::Ne { dst, a, b }),
            Form::Less => self.binary(slots, dst, origin, |dst, a, b| Op::Lt { dst, a, b }),
            Form::LessEqual => self.binary(slots, dst, origin, |dst, a, b| Op::Le { dst, a, b }),
            Form::Greater => self.binary(slots, dst, origin, |dst, a, b| Op::Lt { dst, a: b, b: a }),
            Form::GreaterEqual => self.binary(slots, dst, origin, |dst, a, b| Op::Le { dst, a: b, b: a }),
            Form::And => self.shortcut(slots[0].exprs(), dst, origin, Value::TRUE, |src| Op::JumpNil { src, to: 0 }),
            Form::Or => self.shortcut(slots[0].exprs(), dst, origin, Value::NIL, |src| Op::JumpSome { src, to: 0 }),
            Form::Not => self.unary(slots, dst, origin, |dst, a| Op::Not { dst, a }),
            Form::IsIn => self.binary(slots, dst, origin, |dst, a, list| Op::IsIn { dst, a, list }),
            Form::IsA => {
                let a = self.slot(&slots[0]);
                // In this position a word that is a model means the model, unless a variable hides it.
                let kind = match slots[1].expr().map(|expr| &expr.kind) {
                    Some(ExprKind::Word(word)) if !self.is_variable(word) && self.lower.world.kind(word).is_some() => {
                        let kind = self.lower.world.kind(word).expect("just found");
                        self.constant(Value::kind(kind), origin)
                    }
                    _ => self.slot(&slots[1]),
                };
                self.emit(Op::IsA { dst, a, kind }, origin);
            }

            // Lists and dictionaries
            Form::List => self.many(slots[0].exprs(), dst, origin, |dst, first, n| Op::List { dst, first, n }),
            Form::Join => self.many(slots[0].exprs(), dst, origin, |dst, first, n| Op::Join { dst, first, n }),
            Form::Range => {
                let (from, to) = (self.slot(&slots[0]), self.slot(&slots[1]));
                let step = if slots[2].given() { self.slot(&slots[2]) } else { self.constant(Value::small(1), origin) };
                self.emit(Op::Range { dst, from, to, step }, origin);
            }
            Form::First => {
                let list = self.slot(&slots[0]);
                // Nobody needs the list of the players to know the first. A word that may mean something else has
                // branches, and they would jump to behind the instruction that is replaced.
                let certain = match slots[0].expr().map(|expr| &expr.kind) {
                    Some(ExprKind::Word(word)) => self.meaning(word) == Meaning::Players,
                    Some(ExprKind::Call { .. }) => true,
                    _ => false,
                };
                match self.code.last() {
                    Some(&Op::Players { dst: made }) if made == list && certain => {
                        self.code.pop();
                        self.origins.pop();
                        self.emit(Op::FirstPlayer { dst }, origin);
                    }
                    _ => self.emit(Op::First { dst, list }, origin),
                }
            }
            Form::FirstOf => self.binary(slots, dst, origin, |dst, n, list| Op::FirstN { dst, n, list }),
            Form::Last => self.unary(slots, dst, origin, |dst, list| Op::Last { dst, list }),
            Form::At => self.binary(slots, dst, origin, |dst, at, list| Op::At { dst, at, list }),
            Form::Position => self.binary(slots, dst, origin, |dst, value, list| Op::Position { dst, value, list }),
            Form::Append => self.binary(slots, dst, origin, |dst, value, list| Op::Append { dst, value, list }),
            Form::Insert => {
                let (value, at, list) = (self.slot(&slots[0]), self.slot(&slots[1]), self.slot(&slots[2]));
                self.emit(Op::Insert { dst, value, at, list }, origin);
            }
            Form::Replace => {
                let (at, list, value) = (self.slot(&slots[0]), self.slot(&slots[1]), self.slot(&slots[2]));
                self.emit(Op::Replace { dst, at, list, value }, origin);
            }
            Form::RemoveFrom => self.binary(slots, dst, origin, |dst, at, list| Op::RemoveFrom { dst, at, list }),
            Form::Different => self.unary(slots, dst, origin, |dst, list| Op::Different { dst, list }),
            Form::SortBy => self.sort_by(slots, dst, origin),
            Form::Sort => self.unary(slots, dst, origin, |dst, list| Op::SortBy { dst, list, keys: list }),
            Form::Reverse => self.unary(slots, dst, origin, |dst, list| Op::Reverse { dst, list }),
            Form::Flatten => self.unary(slots, dst, origin, |dst, list| Op::Flatten { dst, list }),
            Form::Dictionary => {
                let entries = slots[0].entries();
                if !self.has_room(2 * entries.len(), origin) {
                    return;
                }
                let first = self.regs(2 * entries.len());
                for (at, (key, value)) in entries.iter().enumerate() {
                    self.expr(key, first + 2 * at as Reg);
                    self.expr(value, first + 2 * at as Reg + 1);
                }
                self.emit(Op::Dictionary { dst, first, n: entries.len() as u16 }, origin);
            }
            Form::Match => self.binary(slots, dst, origin, |dst, key, dictionary| Op::Match { dst, key, dictionary }),
            Form::Put => {
                let (value, key, dictionary) = (self.slot(&slots[0]), self.slot(&slots[1]), self.slot(&slots[2]));
                self.emit(Op::Put { dst, value, key, dictionary }, origin);
            }

            // Things, turns, results
            Form::Move => {
                let (thing, place) = (self.slot(&slots[0]), self.slot(&slots[1]));
                self.emit(Op::MoveTo { thing, place }, origin);
                self.nil(dst, origin);
            }
            Form::New => self.new_thing(slots, dst, origin),
            Form::Remove => {
                let thing = self.slot(&slots[0]);
                self.emit(Op::Remove { thing }, origin);
                self.nil(dst, origin);
            }
            Form::EndTurn => {
                let to = self.slot(&slots[0]);
                self.emit(Op::EndTurn { to, given: slots[0].given() }, origin);
                self.nil(dst, origin);
            }
            Form::Again => self.plain(Op::Again, dst, origin),
            Form::Draw => self.plain(Op::Draw, dst, origin),
            Form::Win => {
                let player = self.slot(&slots[0]);
                self.emit(Op::Win { dst, player }, origin);
                self.nil(dst, origin);
            }
            Form::Lose => {
                let player = self.slot(&slots[0]);
                self.emit(Op::Lose { player }, origin);
                self.nil(dst, origin);
            }
            Form::Finish => self.finish_by(slots, dst, origin),
            Form::Say => {
                let text = self.slot(&slots[0]);
                let to = self.slot(&slots[1]);
                self.emit(Op::Say { text, to, given: slots[1].given() }, origin);
                self.nil(dst, origin);
            }

            // Questions and chance
            Form::Roll => {
                let sides = self.slot(&slots[0]);
                let times = self.slot(&slots[1]);
                self.emit(Op::Roll { dst, sides, times, given: slots[1].given() }, origin);
            }
            Form::RandomOf => self.unary(slots, dst, origin, |dst, list| Op::RandomOf { dst, list }),
            Form::Random => self.binary(slots, dst, origin, |dst, from, to| Op::Random { dst, from, to }),
            Form::Shuffle => self.unary(slots, dst, origin, |dst, what| Op::Shuffle { dst, what }),
            Form::Ask => self.ask(AskMode::One, slots, None, 2, dst, origin),
            Form::AskMany => self.ask(AskMode::Of, slots, Some(2), 3, dst, origin),
            Form::AskTimes => self.ask(AskMode::Times, slots, Some(2), 3, dst, origin),
            Form::AskSome => self.ask(AskMode::Some, slots, None, 2, dst, origin),
            Form::Let => self.let_(slots, dst, origin),
            Form::WaitSignal => {
                let emitters = self.lower.emitters(slots[0].name());
                self.lower.pools.waits.push(emitters);
                let signal = self.lower.pools.waits.len() as u32 - 1;
                self.emit(Op::Wait { dst, signal }, origin);
            }

            // What could be done
            Form::Can => {
                let player = self.acting(&slots[1], origin);
                if let Some(label) = self.action_label(slots[0].name(), origin) {
                    self.emit(Op::Can { dst, label, player }, origin);
                }
            }
            Form::Choices => {
                let player = self.acting(&slots[1], origin);
                let ignoring = slots[2].names().iter().filter_map(|name| self.ignored(name)).collect();
                if let Some(label) = self.action_label(slots[0].name(), origin) {
                    self.lower.pools.choices.push(Choices { label, player, ignoring, tests: Vec::new() });
                    let choices = self.lower.pools.choices.len() as u32 - 1;
                    self.emit(Op::Choices { dst, choices }, origin);
                }
            }
            Form::Suppose => {
                let message = self.slot(&slots[0]);
                let suppose = self.emit_jump(Op::Suppose { dst, message, start: 0, end: 0 }, origin);
                let start = self.here();
                let value = self.slot(&slots[1]);
                self.emit(Op::BlockEnd { src: value }, origin);
                self.set_start(suppose, start);
                self.land(suppose);
            }
            Form::Seen => {
                let within = self.slot(&slots[0]);
                self.emit(Op::Seen { dst, within, given: slots[0].given() }, origin);
            }

            // Representations stand beside the game: they draw it and have no part in its rules.
            Form::NewGraphic
            | Form::UpdateGraphic
            | Form::DeleteGraphic
            | Form::Observe
            | Form::OnClickedNotify
            | Form::OnClickedEmit => {
                self.fault("Only a representation can draw", "Put this into a `#view`.", origin);
            }

            _ => self.look(form, slots, dst, origin),
        }
    }

    // Small helpers

    pub(super) fn slot(&mut self, slot: &'a Slot) -> Reg {
        match slot.expr() {
            Some(expr) => self.value(expr),
            None => self.constant(Value::NIL, Origin::NONE),
        }
    }

    pub(super) fn nil(&mut self, dst: Reg, origin: Origin) {
        self.emit(Op::Const { dst, value: Value::NIL }, origin);
    }

    fn plain(&mut self, op: Op, dst: Reg, origin: Origin) {
        self.emit(op, origin);
        self.nil(dst, origin);
    }

    fn unary(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin, op: fn(Reg, Reg) -> Op) {
        let a = self.slot(&slots[0]);
        self.emit(op(dst, a), origin);
    }

    fn binary(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin, op: fn(Reg, Reg, Reg) -> Op) {
        let a = self.slot(&slots[0]);
        let b = self.slot(&slots[1]);
        self.emit(op(dst, a, b), origin);
    }

    fn fold(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin, empty: Value, op: fn(Reg, Reg, Reg) -> Op) {
        let exprs = slots[0].exprs();
        let Some((first, rest)) = exprs.split_first() else {
            self.emit(Op::Const { dst, value: empty }, origin);
            return;
        };
        let sum = self.reg();
        let value = self.value(first);
        if rest.is_empty() {
            self.emit(Op::Move { dst, src: value }, origin);
            return;
        }
        let mut so_far = value;
        for expr in rest {
            let mark = self.mark();
            let value = self.value(expr);
            self.emit(op(sum, so_far, value), origin);
            self.release(mark);
            so_far = sum;
        }
        self.emit(Op::Move { dst, src: sum }, origin);
    }

    fn shortcut(&mut self, exprs: &'a [Expr], dst: Reg, origin: Origin, empty: Value, jump: fn(Reg) -> Op) {
        if exprs.is_empty() {
            self.emit(Op::Const { dst, value: empty }, origin);
        }
        let value = self.reg();
        let mut jumps = Vec::new();
        for (at, expr) in exprs.iter().enumerate() {
            self.expr(expr, value);
            if at + 1 < exprs.len() {
                jumps.push(self.emit_jump(jump(value), expr.origin));
            }
        }
        for jump in jumps {
            self.land(jump);
        }
        if !exprs.is_empty() {
            self.emit(Op::Move { dst, src: value }, origin);
        }
    }

    fn many(&mut self, exprs: &'a [Expr], dst: Reg, origin: Origin, op: fn(Reg, Reg, u16) -> Op) {
        if !self.has_room(exprs.len(), origin) {
            return;
        }
        let first = self.regs(exprs.len());
        for (at, expr) in exprs.iter().enumerate() {
            self.expr(expr, first + at as Reg);
        }
        self.emit(op(dst, first, exprs.len() as u16), origin);
    }

    /// The reason of a refusal; without one, the rule's name is the reason.
    fn reason(&mut self, slot: &'a Slot, origin: Origin) -> Reg {
        match slot.expr() {
            Some(expr) => self.value(expr),
            None => self.constant(Value::NIL, origin),
        }
    }

    /// A name position as a value: a text.
    pub(super) fn name_value(&mut self, slot: &'a Slot, origin: Origin) -> Reg {
        match slot.name() {
            Some(NameRef::Given(name, origin)) => {
                let value = Value::text(self.lower.texts.id(name));
                self.constant(value, *origin)
            }
            Some(NameRef::Computed(expr)) => self.value(expr),
            None => self.constant(Value::NIL, origin),
        }
    }

    fn acting(&mut self, slot: &'a Slot, origin: Origin) -> Reg {
        if slot.given() {
            return self.slot(slot);
        }
        let dst = self.reg();
        self.emit(Op::Player { dst }, origin);
        dst
    }

    fn action_label(&mut self, name: Option<&NameRef>, origin: Origin) -> Option<LabelId> {
        let known: Vec<Name> = self.lower.definition.actions().map(|action| action.label.clone()).collect();
        match name.and_then(NameRef::known) {
            Some(name) if known.contains(name) => Some(self.lower.label(name)),
            Some(name) => {
                let mut diagnostic =
                    Diagnostic::error("name/action", "Unknown action", origin, format!("There is no action `{name}`."));
                if let Some(near) = nearest(name, known.iter().map(|known| &**known)) {
                    diagnostic = diagnostic.hint(format!("Did you mean `{near}`?"));
                }
                self.lower.diagnostics.push(diagnostic);
                None
            }
            None => {
                self.fault("The action must be named", "Write its label as a word.", origin);
                None
            }
        }
    }

    fn ignored(&mut self, name: &NameRef) -> Option<RuleId> {
        let known = name.known()?;
        let found = self.lower.rules.iter().position(|rule| rule.name == *known);
        if found.is_none() {
            self.fault("Unknown rule", format!("There is no rule “{known}”."), name.origin());
        }
        found.map(|at| at as RuleId)
    }

    // Flow of control

    fn if_(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let otherwise = slots[0].expr().map_or(Vec::new(), |condition| self.jump_when(false, condition));
        self.statements(slots[1].exprs(), dst);
        let done = self.emit_jump(Op::Jump { to: 0 }, origin);
        for jump in otherwise {
            self.land(jump);
        }
        self.statements(slots[2].exprs(), dst);
        self.land(done);
    }

    fn switch(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let value = self.slot(&slots[0]);
        let Slot::Cases { cases, otherwise } = &slots[1] else { return };
        let mut done = Vec::new();
        for case in cases {
            let mark = self.mark();
            let wanted = self.value(&case.value);
            let same = self.reg();
            self.emit(Op::Eq { dst: same, a: value, b: wanted }, origin);
            let next = self.emit_jump(Op::JumpNil { src: same, to: 0 }, origin);
            self.statements(&case.body, dst);
            done.push(self.emit_jump(Op::Jump { to: 0 }, origin));
            self.land(next);
            self.release(mark);
        }
        self.statements(otherwise.as_deref().unwrap_or(&[]), dst);
        for jump in done {
            self.land(jump);
        }
    }

    /// The value of an expression where a list stands: a word that names both a model and its only entity means the model.
    fn listed(&mut self, slot: &'a Slot) -> Reg {
        if let Some(Expr { kind: ExprKind::Word(word), origin }) = slot.expr()
            && let Some(kind) = self.lower.world.kind(word)
            && let super::body::Meaning::Const(value) = self.meaning(word)
            && value.as_entity().is_some()
        {
            return self.constant(Value::kind(kind), *origin);
        }
        self.slot(slot)
    }

    fn foreach(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let Some(NameRef::Given(name, _)) = slots[0].name() else { return };
        let list_expr = slots[1].expr();
        let subject = list_expr.map_or(super::body::Subject::Unknown, |expr| self.members_subject(expr));
        let source = self.listed(&slots[1]);
        let list = self.reg();
        self.emit(Op::Members { dst: list, src: source }, origin);
        let at = self.constant(Value::small(0), origin);
        let member = self.declare(name);
        self.begin_loop();
        let next = self.emit_jump(Op::Next { dst: member, list, at, end: 0 }, origin);
        if let Some(condition) = slots[2].expr() {
            self.its.push((member, subject));
            let holds = self.jump_when(true, condition);
            self.its.pop();
            self.jump_out(false, origin);
            for jump in holds {
                self.land(jump);
            }
        }
        let sink = self.sink();
        self.statements(slots[3].exprs(), sink);
        self.end_loop(origin);
        self.land(next);
        self.nil(dst, origin);
    }

    fn while_(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        self.begin_loop();
        let done = slots[0].expr().map_or(Vec::new(), |condition| self.jump_when(false, condition));
        let sink = self.sink();
        self.statements(slots[1].exprs(), sink);
        self.end_loop(origin);
        for jump in done {
            self.land(jump);
        }
        self.nil(dst, origin);
    }

    // Variables and properties

    fn var(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let Some(NameRef::Given(name, _)) = slots[0].name() else { return };
        // The value is looked up before the variable is there: `(var stones stones)` copies the property.
        let value = self.slot(&slots[1]);
        let reg = self.declare(name);
        self.emit(Op::Move { dst: reg, src: value }, origin);
        self.emit(Op::Move { dst, src: value }, origin);
    }

    fn assign(&mut self, target: &'a Slot, value: Reg, origin: Origin) {
        let Some(target) = target.expr() else { return };
        match &target.kind {
            ExprKind::Word(word) => {
                if let Some((_, reg)) = self.locals.iter().rev().find(|(name, _)| name == word) {
                    let dst = *reg;
                    self.emit(Op::Move { dst, src: value }, origin);
                } else if let Some((_, reg)) = self.attributes.iter().find(|(name, _)| name == word) {
                    let dst = *reg;
                    self.emit(Op::Move { dst, src: value }, origin);
                } else if &**word == "players" {
                    self.emit(Op::SetPlayers { src: value }, origin);
                } else {
                    self.assign_property(word, value, target.origin);
                }
            }
            ExprKind::Call { name, args, of: Some(entity), name_origin } if args.is_empty() => {
                if &**name == "players" {
                    self.emit(Op::SetPlayers { src: value }, origin);
                    return;
                }
                let entity = self.value(entity);
                match self.settable(name, *name_origin) {
                    Some(prop) => self.emit(Op::SetProp { entity, prop, src: value }, origin),
                    None => self.cannot_set(name, *name_origin),
                }
            }
            ExprKind::Form(Form::Property, slots) => {
                let entity = if slots[1].given() { self.slot(&slots[1]) } else { SELF };
                self.set_property(&slots[0], entity, value, origin);
            }
            ExprKind::Form(Form::Attribute, slots) => {
                let known = slots[0].name().and_then(NameRef::known);
                if let Some((_, reg)) = self.attributes.iter().find(|(name, _)| Some(name) == known) {
                    let dst = *reg;
                    self.emit(Op::Move { dst, src: value }, origin);
                }
            }
            _ => self.fault("This cannot be set", "A variable, an attribute or a property can be set.", target.origin),
        }
    }

    fn assign_property(&mut self, word: &Name, value: Reg, origin: Origin) {
        let settable = self.settable(word, origin);
        match settable {
            Some(prop) if self.lower.layout.has(prop, self.kind) => {
                match self.lower.layout.slot(prop, crate::world::GAME) {
                    Some(slot) if self.kind == GAME_KIND && !self.lower.layout.is_relation(prop, GAME_KIND) => {
                        self.emit(Op::SetSlot { slot, src: value }, origin);
                    }
                    _ => self.emit(Op::SetProp { entity: SELF, prop, src: value }, origin),
                }
            }
            Some(prop) if self.lower.layout.has(prop, GAME_KIND) && prop > crate::layout::GONE => {
                let slot = self.lower.layout.slot(prop, crate::world::GAME).expect("the game has it");
                // What a relation may hold is looked at whoever sets it.
                if self.lower.layout.is_relation(prop, GAME_KIND) {
                    let entity = self.constant(Value::entity(crate::world::GAME), origin);
                    self.emit(Op::SetProp { entity, prop, src: value }, origin);
                } else {
                    self.emit(Op::SetSlot { slot, src: value }, origin);
                }
            }
            _ => self.cannot_set(word, origin),
        }
    }

    /// The property of this name, if it may be set by `set`.
    fn settable(&mut self, name: &Name, origin: Origin) -> Option<PropId> {
        let prop = self.lower.layout.find(name)?;
        let instead = match prop {
            crate::layout::PLACE => "(move thing to place)",
            crate::layout::STATE => "(changeState name)",
            _ => return Some(prop),
        };
        self.fault(&format!("`{name}` is not set directly"), format!("Write `{instead}`."), origin);
        Some(prop)
    }

    fn cannot_set(&mut self, name: &Name, origin: Origin) {
        let known: Vec<String> = self
            .lower
            .layout
            .props
            .iter()
            .skip(6)
            .map(|prop| prop.name.to_string())
            .chain(self.locals.iter().map(|(name, _)| name.to_string()))
            .collect();
        let kind = self.lower.world.kinds[self.kind as usize].name.clone();
        let mut diagnostic = Diagnostic::error(
            "name/property",
            "Nothing to set",
            origin,
            format!("There is no variable or property `{name}` here."),
        )
        .note(format!("This is code of `{kind}`."));
        diagnostic = match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => diagnostic.hint(format!("Did you mean `{near}`?")),
            None => diagnostic.hint(format!("Declare it with `(var {name} …)` or `#property {name}`.")),
        };
        self.lower.diagnostics.push(diagnostic);
    }

    fn get_property(&mut self, name: &'a Slot, entity: Reg, dst: Reg, origin: Origin) {
        match name.name() {
            Some(NameRef::Given(name, _)) if &**name == "players" => self.emit(Op::Players { dst }, origin),
            Some(NameRef::Given(name, name_origin)) => {
                if self.lower.answering(name).is_empty() {
                    self.lower.unknown(name, *name_origin, "`property` takes the name of a property.");
                }
                if entity == SELF
                    && let Some(answer) = self.lower.answer_for(name, self.kind)
                {
                    return self.answer(SELF, answer, dst, origin, name);
                }
                let name = self.lower.texts.id(name);
                self.emit(Op::GetOf { dst, entity, name }, origin);
            }
            _ => {
                let name = self.name_value(name, origin);
                self.emit(Op::GetNamed { dst, entity, name }, origin);
            }
        }
    }

    fn set_property(&mut self, name: &'a Slot, entity: Reg, value: Reg, origin: Origin) {
        match name.name() {
            Some(NameRef::Given(name, _)) if &**name == "players" => self.emit(Op::SetPlayers { src: value }, origin),
            Some(NameRef::Given(name, name_origin)) => match self.settable(name, *name_origin) {
                Some(prop) => self.emit(Op::SetProp { entity, prop, src: value }, origin),
                None => self.cannot_set(name, *name_origin),
            },
            _ => {
                let name = self.name_value(name, origin);
                self.emit(Op::SetNamed { entity, name, src: value }, origin);
            }
        }
    }

    fn attribute(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let Some(name) = slots[0].name() else { return };
        if slots[1].given() {
            let message = self.slot(&slots[1]);
            match name.known() {
                Some(name) => {
                    let name = self.lower.texts.id(name);
                    self.emit(Op::MessageAttribute { dst, message, name }, origin);
                }
                None => self.fault("The attribute must be named", "Write the name as a word.", origin),
            }
            return;
        }
        match name.known() {
            Some(known) if &**known == "label" => {
                let label = self.received.map(|received| self.lower.pools.received[received as usize].label);
                let value = label.map_or(Value::NIL, |label| Value::text(self.lower.labels[label as usize].name));
                self.emit(Op::Const { dst, value }, origin);
            }
            Some(known) => match self.attributes.iter().find(|(name, _)| name == known) {
                Some((_, reg)) => {
                    let src = *reg;
                    self.emit(Op::Move { dst, src }, origin);
                }
                None => self.nil(dst, origin),
            },
            None => self.fault("The attribute must be named", "Write the name as a word.", origin),
        }
    }

    // Messages

    fn message_spec(&mut self, label: &'a Slot, to: Option<&'a Expr>, pairs: &'a [(NameRef, Expr)]) -> u32 {
        let label = match label.name() {
            Some(NameRef::Given(name, _)) => LabelRef::Known(self.lower.label(name)),
            Some(NameRef::Computed(expr)) => LabelRef::Computed(self.value(expr)),
            None => LabelRef::Known(0),
        };
        let to = to.map(|expr| self.value(expr));
        let mut with = Vec::new();
        for (name, value) in pairs {
            // Each value gets a register of its own: a variable may change while later ones are computed.
            let reg = self.reg();
            self.expr(value, reg);
            match name.known() {
                Some(name) => with.push((self.lower.texts.id(name), reg)),
                None => self.fault("The attribute must be named", "Write the name as a word.", name.origin()),
            }
        }
        self.lower.pools.sends.push(SendSpec { label, to, with });
        self.lower.pools.sends.len() as u32 - 1
    }

    fn send(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let send = self.message_spec(&slots[0], slots[1].expr(), slots[2].pairs());
        let to = self.lower.pools.sends[send as usize].to.expect("a send has a receiver");
        self.tell_each(slots[1].expr(), to, dst, origin, |body, to| {
            let mut own = body.lower.pools.sends[send as usize].clone();
            let send = match own.to.replace(to) == Some(to) {
                true => send,
                false => {
                    body.lower.pools.sends.push(own);
                    body.lower.pools.sends.len() as u32 - 1
                }
            };
            body.emit(Op::Send { dst, send }, origin);
        });
    }

    /// To one receiver, or to each of a list; the value is that of the last.
    fn tell_each(
        &mut self,
        receiver: Option<&Expr>,
        to: Reg,
        dst: Reg,
        origin: Origin,
        mut tell: impl FnMut(&mut Self, Reg),
    ) {
        if receiver.is_some_and(|expr| self.surely_one(expr)) {
            tell(self, to);
            return;
        }
        let several = self.emit_jump(Op::JumpList { src: to, to: 0 }, origin);
        tell(self, to);
        let done = self.emit_jump(Op::Jump { to: 0 }, origin);
        self.land(several);
        self.nil(dst, origin);
        let list = self.reg();
        self.emit(Op::Members { dst: list, src: to }, origin);
        let at = self.constant(Value::small(0), origin);
        let member = self.reg();
        self.begin_loop();
        let next = self.emit_jump(Op::Next { dst: member, list, at, end: 0 }, origin);
        tell(self, member);
        self.end_loop(origin);
        self.land(next);
        self.land(done);
    }

    fn surely_one(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Word(word) => {
                matches!(
                    self.meaning(word),
                    Meaning::Player
                        | Meaning::Opponent
                        | Meaning::Reg(SELF)
                        | Meaning::Of(_, Answer::Direction(_) | Answer::Relative(_))
                ) || matches!(self.meaning(word), Meaning::Const(value) if value.as_entity().is_some())
            }
            ExprKind::Text(_) => true,
            ExprKind::Call { name, of: Some(_), .. } => self
                .lower
                .answering(name)
                .iter()
                .all(|(_, answer)| matches!(answer, Answer::Direction(_) | Answer::Relative(_))),
            _ => false,
        }
    }

    // Things and results

    fn new_thing(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let kind = match slots[0].expr().map(|expr| &expr.kind) {
            Some(ExprKind::Word(word)) if !self.is_variable(word) && self.lower.world.kind(word).is_some() => {
                let kind = self.lower.world.kind(word).expect("just found");
                self.constant(Value::kind(kind), origin)
            }
            _ => self.slot(&slots[0]),
        };
        let at = slots[1].expr().map(|expr| self.value(expr));
        let mut with = Vec::new();
        for (name, value) in slots[2].pairs() {
            let reg = self.reg();
            self.expr(value, reg);
            let Some(known) = name.known() else { continue };
            if self.lower.layout.find(known).is_none() {
                self.lower.unknown(known, name.origin(), "`new … with` takes names of properties.");
            }
            with.push((self.lower.texts.id(known), reg));
        }
        self.lower.pools.news.push(New { kind, at, with });
        let new = self.lower.pools.news.len() as u32 - 1;
        self.emit(Op::New { dst, new }, origin);
    }

    fn finish_by(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let over = self.emit_jump(Op::Jump { to: 0 }, origin);
        let mut by = Vec::new();
        for expr in slots[0].expr().into_iter().chain(slots[1].exprs()) {
            let it = self.reg();
            self.its.push((it, super::body::Subject::Kinds(vec![PLAYER_KIND])));
            let start = self.here();
            let value = self.value(expr);
            self.emit(Op::BlockEnd { src: value }, origin);
            self.its.pop();
            by.push(Block { start, it });
        }
        self.land(over);
        self.lower.pools.finishes.push(Finish { by });
        let finish = self.lower.pools.finishes.len() as u32 - 1;
        self.emit(Op::Finish { finish }, origin);
        self.nil(dst, origin);
    }

    // Questions

    fn ask(&mut self, mode: AskMode, slots: &'a [Slot], n: Option<usize>, among: usize, dst: Reg, origin: Origin) {
        let (who, text) = (self.slot(&slots[0]), self.slot(&slots[1]));
        let n = n.map(|at| self.slot(&slots[at]));
        let source = self.listed(&slots[among]);
        let list = self.reg();
        self.emit(Op::Members { dst: list, src: source }, origin);
        self.lower.pools.asks.push(Ask { who, text, mode, n, among: list });
        let ask = self.lower.pools.asks.len() as u32 - 1;
        self.emit(Op::Ask { dst, ask }, origin);
    }

    fn let_(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let player = self.slot(&slots[0]);
        let labels: Vec<LabelId> =
            slots[1].names().iter().filter_map(|name| self.action_label(Some(name), name.origin())).collect();
        self.lower.pools.lets.push(labels);
        let labels = self.lower.pools.lets.len() as u32 - 1;
        self.emit(Op::Let { dst, player, labels }, origin);
    }
}

impl<'a> Lower<'a> {
    /// Who emits a signal, in the order of the definition.
    fn emitters(&mut self, signal: Option<&NameRef>) -> Vec<Emitters> {
        let Some(signal) = signal.and_then(NameRef::known) else { return Vec::new() };
        let definition = self.definition;
        let mut found = Vec::new();
        for item in definition.items() {
            let ItemKind::View(view) = &item.kind else { continue };
            let Some(kind) = self.world.kind(&view.of) else { continue };
            let mut emitting: Vec<Option<&'a Expr>> = Vec::new();
            item.exprs(&mut |top| {
                top.walk(&mut |inner| {
                    if let ExprKind::Form(Form::OnClickedEmit, slots) = &inner.kind
                        && slots[1].name().and_then(NameRef::known) == Some(signal)
                    {
                        emitting.push(slots[2].expr());
                    }
                });
            });
            let tags = emitting.into_iter().map(|tag| tag.map(|tag| self.expression(kind, tag, signal))).collect();
            found.push(Emitters { kind, tags });
        }
        found
    }
}
