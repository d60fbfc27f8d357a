//! The interpreter's loop.

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

    /// Runs a block of the function on top, for one thing, and gives its value.
    pub(crate) fn block(&mut self, program: &Program, start: u32) -> Run<Value> {
        let frame = *self.frames.last().expect("a block stands in a function");
        let floor = self.frames.len() - 1;
        self.nested(|machine| machine.exec(program, frame.func, frame.base as usize, start as usize, floor))
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
        loop {
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
                    if self.equal(reg!(self, base, a), reg!(self, base, b)) {
                        pc = to as usize;
                    }
                }
                Op::JumpNe { a, b, to } => {
                    if !self.equal(reg!(self, base, a), reg!(self, base, b)) {
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
                Op::Opponent { dst } => set!(dst, self.next_player(self.player(), 1)),
                Op::Players { dst } => set!(dst, self.players_list()),
                Op::FirstPlayer { dst } => set!(dst, self.first_player()),
                Op::SetPlayers { src } => or_stop!(self.set_players(program, reg!(self, base, src))),
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
                Op::GetField { dst, entity, field } => {
                    let value = or_stop!(self.get_field(program, reg!(self, base, entity), field));
                    set!(dst, value);
                }
                Op::GetOf { dst, entity, name } => {
                    let of = reg!(self, base, entity);
                    match or_stop!(self.answer_of(program, of, name)) {
                        Some(Answer::Define(callee)) => {
                            let first = or_stop!(self.push_frame(program, callee, dst, false));
                            self.regs[first] =
                                or_stop!(self.entity(program, of, "This")).map_or(0, |entity| Value::entity(entity).0);
                            enter!();
                        }
                        Some(answer) => {
                            let value = or_stop!(self.plain_answer(program, of, answer, Value(self.regs[base])));
                            set!(dst, value);
                        }
                        None => {
                            let value = or_stop!(self.attribute_or_nil(program, of, name));
                            set!(dst, value);
                        }
                    }
                }
                Op::GetIfHas { dst, entity, name, missing } => {
                    let of = reg!(self, base, entity);
                    match or_stop!(self.answer_if_has(program, of, name)) {
                        Some(Answer::Define(callee)) => {
                            let first = or_stop!(self.push_frame(program, callee, dst, false));
                            self.regs[first] = of.0;
                            enter!();
                        }
                        Some(answer) => {
                            let value = or_stop!(self.plain_answer(program, of, answer, Value(self.regs[base])));
                            set!(dst, value);
                        }
                        None => match self.message_attribute(of, name) {
                            Some(value) => set!(dst, value),
                            None => pc = missing as usize,
                        },
                    }
                }
                Op::GetNamed { dst, entity, name } => {
                    let of = reg!(self, base, entity);
                    let name = or_stop!(self.text(program, reg!(self, base, name)));
                    match or_stop!(self.answer_of(program, of, name)) {
                        Some(Answer::Define(callee)) => {
                            let first = or_stop!(self.push_frame(program, callee, dst, false));
                            self.regs[first] = of.0;
                            enter!();
                        }
                        Some(answer) => {
                            let value = or_stop!(self.plain_answer(program, of, answer, Value(self.regs[base])));
                            set!(dst, value);
                        }
                        None => {
                            let value = or_stop!(self.attribute_or_nil(program, of, name));
                            set!(dst, value);
                        }
                    }
                }
                Op::SetNamed { entity, name, src } => {
                    let name = or_stop!(self.text(program, reg!(self, base, name)));
                    let prop = program
                        .layout
                        .find(program.texts.get(name))
                        .filter(|&prop| prop > layout::GONE || prop == layout::OWNER);
                    match prop {
                        Some(prop) => {
                            or_stop!(self.set_prop(program, reg!(self, base, entity), prop, reg!(self, base, src)))
                        }
                        None => {
                            or_stop!(Err(Stop::fault(format!("Nothing has a property “{}”.", program.texts.get(name)))))
                        }
                    }
                }
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
                Op::StepSet { dst, entity, set } => {
                    let value =
                        or_stop!(self.plain_answer(program, reg!(self, base, entity), Answer::Set(set), Value::NIL));
                    set!(dst, value);
                }
                Op::StepRelative { dst, entity, turn } => {
                    let of = reg!(self, base, entity);
                    let value =
                        or_stop!(self.plain_answer(program, of, Answer::Relative(turn), Value(self.regs[base])));
                    set!(dst, value);
                }
                Op::StepRelativeSet { dst, entity, set } => {
                    let of = reg!(self, base, entity);
                    let value =
                        or_stop!(self.plain_answer(program, of, Answer::RelativeSet(set), Value(self.regs[base])));
                    set!(dst, value);
                }
                Op::ChangeState { entity, state } => {
                    or_stop!(self.change_state(program, reg!(self, base, entity), reg!(self, base, state)));
                }
                Op::GetState { dst, entity } => {
                    let entity = or_stop!(self.entity(program, reg!(self, base, entity), "`state`"));
                    set!(dst, entity.map_or(Value::NIL, |entity| self.state(program, entity)));
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
                Op::Mul { dst, a, b } => {
                    let value = or_stop!(self.multiply(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, value);
                }
                Op::Div { dst, a, b } => {
                    let value = or_stop!(self.divide(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, value);
                }
                Op::Mod { dst, a, b } => {
                    let value = or_stop!(self.modulo(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, value);
                }
                Op::Floor { dst, a } => {
                    let number = or_stop!(self.number(program, reg!(self, base, a), "`floor`"));
                    set!(dst, or_stop!(number_value(number.floor())));
                }
                Op::Abs { dst, a } => {
                    let number = or_stop!(self.number(program, reg!(self, base, a), "`abs`"));
                    set!(dst, or_stop!(number_value(number.abs())));
                }
                Op::Max { dst, a, b } => {
                    let value = or_stop!(self.extreme(program, reg!(self, base, a), reg!(self, base, b), true));
                    set!(dst, value);
                }
                Op::Min { dst, a, b } => {
                    let value = or_stop!(self.extreme(program, reg!(self, base, a), reg!(self, base, b), false));
                    set!(dst, value);
                }
                Op::Eq { dst, a, b } => set!(dst, Value::truth(self.equal(reg!(self, base, a), reg!(self, base, b)))),
                Op::Ne { dst, a, b } => set!(dst, Value::truth(!self.equal(reg!(self, base, a), reg!(self, base, b)))),
                Op::Lt { dst, a, b } => {
                    let less = or_stop!(self.less(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, Value::truth(less));
                }
                Op::Le { dst, a, b } => {
                    let more = or_stop!(self.less(program, reg!(self, base, b), reg!(self, base, a)));
                    set!(dst, Value::truth(!more));
                }
                Op::Not { dst, a } => set!(dst, Value::truth(reg!(self, base, a).is_nil())),
                Op::IsIn { dst, a, list } => {
                    let found = or_stop!(self.is_in(program, reg!(self, base, a), reg!(self, base, list)));
                    set!(dst, Value::truth(found));
                }
                Op::IsA { dst, a, kind } => {
                    let is = or_stop!(self.is_a(program, reg!(self, base, a), reg!(self, base, kind)));
                    set!(dst, Value::truth(is));
                }

                Op::List { dst, first, n } => {
                    let from = base + first as usize;
                    let offset = self.mem.begin();
                    self.mem.heap.extend_from_slice(&self.regs[from..from + n as usize]);
                    set!(dst, self.mem.end(offset));
                    or_stop!(self.check_memory(program));
                }
                Op::Dictionary { dst, first, n } => {
                    let value = or_stop!(self.dictionary(program, base + first as usize, n as usize));
                    set!(dst, value);
                }
                Op::Range { dst, from, to, step } => {
                    let value = or_stop!(self.range(
                        program,
                        reg!(self, base, from),
                        reg!(self, base, to),
                        reg!(self, base, step)
                    ));
                    set!(dst, value);
                }
                Op::First { dst, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    set!(dst, self.mem.members(list).first().map_or(Value::NIL, |&word| Value(word)));
                }
                Op::FirstN { dst, n, list } => {
                    let value = or_stop!(self.first_n(program, reg!(self, base, n), reg!(self, base, list)));
                    set!(dst, value);
                }
                Op::Last { dst, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    set!(dst, self.mem.members(list).last().map_or(Value::NIL, |&word| Value(word)));
                }
                Op::At { dst, at, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let at = or_stop!(self.position(program, reg!(self, base, at)));
                    let member = at.and_then(|at| self.mem.members(list).get(at).copied());
                    set!(dst, member.map_or(Value::NIL, Value));
                }
                Op::Position { dst, value, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let wanted = reg!(self, base, value);
                    let at = self.mem.members(list).iter().position(|&word| self.equal(Value(word), wanted));
                    set!(dst, at.map_or(Value::NIL, |at| Value::small(at as u32)));
                }
                Op::Append { dst, value, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let mut members = self.mem.members(list).to_vec();
                    members.push(reg!(self, base, value).0);
                    set!(dst, or_stop!(self.new_list(program, members)));
                }
                Op::Insert { dst, value, at, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let at = or_stop!(self.position(program, reg!(self, base, at)));
                    let mut members = self.mem.members(list).to_vec();
                    match at.filter(|&at| at <= members.len()) {
                        Some(at) => members.insert(at, reg!(self, base, value).0),
                        None => or_stop!(Err(Stop::fault("`insert` beyond the end of the list."))),
                    }
                    set!(dst, or_stop!(self.new_list(program, members)));
                }
                Op::Replace { dst, at, list, value } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let at = or_stop!(self.position(program, reg!(self, base, at)));
                    let mut members = self.mem.members(list).to_vec();
                    match at.and_then(|at| members.get_mut(at)) {
                        Some(member) => *member = reg!(self, base, value).0,
                        None => or_stop!(Err(Stop::fault("`replace` beyond the end of the list."))),
                    }
                    set!(dst, or_stop!(self.new_list(program, members)));
                }
                Op::RemoveFrom { dst, at, list } => {
                    let value = or_stop!(self.remove_from(program, reg!(self, base, at), reg!(self, base, list)));
                    set!(dst, value);
                }
                Op::Join { dst, first, n } => {
                    let mut members = Vec::new();
                    for at in 0..n as usize {
                        let list = or_stop!(self.members_of(program, Value(self.regs[base + first as usize + at])));
                        members.extend_from_slice(self.mem.members(list));
                    }
                    set!(dst, or_stop!(self.new_list(program, members)));
                }
                Op::Different { dst, list } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, list)));
                    let mut members: Vec<u64> = Vec::new();
                    for &word in self.mem.members(list) {
                        if !members.iter().any(|&known| self.equal(Value(known), Value(word))) {
                            members.push(word);
                        }
                    }
                    set!(dst, or_stop!(self.new_list(program, members)));
                }
                Op::Match { dst, key, dictionary } => {
                    let value = or_stop!(self.match_key(program, reg!(self, base, key), reg!(self, base, dictionary)));
                    set!(dst, value);
                }
                Op::Put { dst, value, key, dictionary } => {
                    let (value, key) = (reg!(self, base, value), reg!(self, base, key));
                    let value = or_stop!(self.put_key(program, value, key, reg!(self, base, dictionary)));
                    set!(dst, value);
                }
                Op::Members { dst, src } => {
                    let list = or_stop!(self.members_of(program, reg!(self, base, src)));
                    set!(dst, Value::list(list));
                }
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

                Op::Look { dst, look } => {
                    let value = or_stop!(self.look(program, base, &program.pools.looks[look as usize]));
                    set!(dst, value);
                }
                Op::Walk { dst, walk } => {
                    let value = or_stop!(self.walk(program, base, &program.pools.walks[walk as usize]));
                    set!(dst, value);
                }
                Op::Line { dst, line } => {
                    let value = or_stop!(self.line(program, base, &program.pools.lines[line as usize]));
                    set!(dst, value);
                }
                Op::Group { dst, group } => {
                    let value = or_stop!(self.group(program, base, &program.pools.groups[group as usize]));
                    set!(dst, value);
                }
                Op::Border { dst, border } => {
                    let value = or_stop!(self.border(program, base, &program.pools.borders[border as usize]));
                    set!(dst, value);
                }
                Op::Between { dst, a, b } => {
                    let value = or_stop!(self.between(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, value);
                }
                Op::Toward { dst, a, b } => {
                    let value = or_stop!(self.toward(program, reg!(self, base, a), reg!(self, base, b)));
                    set!(dst, value);
                }
                Op::Distance { dst, distance } => {
                    let value = or_stop!(self.distance(program, base, &program.pools.distances[distance as usize]));
                    set!(dst, value);
                }
                Op::StepValue { dst, direction, from } => {
                    let value = or_stop!(self.step_value(program, reg!(self, base, direction), reg!(self, base, from)));
                    set!(dst, value);
                }
                Op::Leap { dst, a, b, from } => {
                    let (a, b) = (reg!(self, base, a), reg!(self, base, b));
                    let value = or_stop!(self.leap(program, a, b, reg!(self, base, from)));
                    set!(dst, value);
                }
                Op::DirectionList { dst, directions } => {
                    let of = Value(self.regs[base]);
                    let value =
                        or_stop!(self.direction_list(program, of, &program.pools.directions[directions as usize]));
                    set!(dst, value);
                }
                Op::PlaceAt { dst, place } => {
                    let value = or_stop!(self.place_at(program, base, &program.pools.places[place as usize]));
                    set!(dst, value);
                }
                Op::BlockEnd { src } => return Ok(reg!(self, base, src)),

                Op::Call { dst, func: callee, first, n } => {
                    let from = base + first as usize;
                    let to = or_stop!(self.push_frame(program, callee, dst, false));
                    self.regs.copy_within(from..from + n as usize, to);
                    enter!();
                }
                Op::CallOf { dst, entity, name, first, n } => {
                    let of = or_stop!(self.entity(program, reg!(self, base, entity), "A define"));
                    let answer = of.and_then(|of| program.asked.get(&name)?[self.kind_of(program, of) as usize]);
                    match (of, answer) {
                        (Some(of), Some((callee, params))) if params + 1 == n => {
                            let from = base + first as usize;
                            let to = or_stop!(self.push_frame(program, callee, dst, false));
                            self.regs.copy_within(from..from + n as usize, to);
                            self.regs[to] = Value::entity(of).0;
                            enter!();
                        }
                        (Some(_), Some((_, params))) => {
                            let name = program.texts.get(name);
                            or_stop!(Err(Stop::fault(format!("“{name}” takes {params} values, not {}.", n - 1))))
                        }
                        _ => set!(dst, Value::NIL),
                    }
                }
                Op::Return { src } => leave!(reg!(self, base, src)),
                Op::Send { dst, send } => {
                    match or_stop!(self.send(program, base, &program.pools.sends[send as usize], dst)) {
                        true => enter!(),
                        false => set!(dst, Value::NIL),
                    }
                }
                Op::SendValue { dst, message } => {
                    match or_stop!(self.send_value(program, reg!(self, base, message), dst)) {
                        true => enter!(),
                        false => set!(dst, Value::NIL),
                    }
                }
                Op::Forward { dst, entity, message } => {
                    let to = reg!(self, base, entity);
                    match or_stop!(self.forward(program, base, &program.pools.received[message as usize], to, dst)) {
                        true => enter!(),
                        false => set!(dst, Value::NIL),
                    }
                }
                Op::NewMessage { dst, send } => {
                    let value = or_stop!(self.new_message(program, base, &program.pools.sends[send as usize]));
                    set!(dst, value);
                }
                Op::ThisMessage { dst, message } => {
                    let value = or_stop!(self.this_message(program, base, &program.pools.received[message as usize]));
                    set!(dst, value);
                }
                Op::MessageAttribute { dst, message, name } => {
                    let value = or_stop!(self.attribute_or_nil(program, reg!(self, base, message), name));
                    set!(dst, value);
                }

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
                Op::OpenCheckpoint => {
                    let mark = self.mem.mark();
                    if !self.in_action {
                        self.checkpoints.push(mark);
                    }
                }
                Op::SkipRule { rule, to } => {
                    if self.skipped.contains(&rule) {
                        pc = to as usize;
                    }
                }
                Op::EnterRule { rule } => self.skipped.push(rule),
                Op::LeaveRule => {
                    self.skipped.pop();
                }

                Op::MoveTo { thing, place } => {
                    or_stop!(self.move_to(program, reg!(self, base, thing), reg!(self, base, place)))
                }
                Op::New { dst, new } => {
                    let value = or_stop!(self.new_thing(program, base, &program.pools.news[new as usize]));
                    set!(dst, value);
                }
                Op::Remove { thing } => or_stop!(self.remove(program, reg!(self, base, thing))),
                Op::EndTurn { to, given } => or_stop!(self.end_turn(program, given.then(|| reg!(self, base, to)))),
                Op::Again => self.mem.set(layout::AGAIN, Value::TRUE),
                Op::Win { dst, player } => {
                    if or_stop!(self.send_gameover(program, reg!(self, base, player), dst)) {
                        enter!();
                    }
                }
                Op::SetOutcome { winner } => or_stop!(self.win(program, reg!(self, base, winner))),
                Op::Lose { player } => or_stop!(self.lose(program, reg!(self, base, player))),
                Op::Draw => self.draw(program),
                Op::Finish { finish } => or_stop!(self.finish(program, base, &program.pools.finishes[finish as usize])),
                Op::Say { text, to, given } => {
                    or_stop!(self.say(program, reg!(self, base, text), given.then(|| reg!(self, base, to))));
                }

                Op::Can { dst, label, player } => {
                    let can = or_stop!(self.can(program, label, reg!(self, base, player)));
                    set!(dst, Value::truth(can));
                }
                Op::Choices { dst, choices } => {
                    let value = or_stop!(self.choices_value(program, base, &program.pools.choices[choices as usize]));
                    set!(dst, value);
                }
                Op::Suppose { dst, message, start, end } => {
                    let value = or_stop!(self.suppose(program, reg!(self, base, message), start));
                    set!(dst, value);
                    pc = end as usize;
                }
                Op::Seen { dst, within, given } => {
                    let seen = or_stop!(self.seen(program, given.then(|| reg!(self, base, within))));
                    set!(dst, seen);
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
                        return Err(Stop::Asked);
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
            }
        }
    }
}

pub(super) fn number_value(number: f64) -> Run<Value> {
    Value::decimal(number).ok_or_else(|| Stop::fault("This number is too large."))
}
