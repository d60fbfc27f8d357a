//! The instructions that neither jump nor call: the interpreter and native code share them.

use super::exec::number_value;
use super::*;

macro_rules! reg {
    ($self:ident, $base:ident, $reg:expr) => {
        Value($self.regs[$base + $reg as usize])
    };
}

impl Machine {
    /// Carries out one instruction of a function whose registers begin at `base`.
    pub(crate) fn simple(&mut self, program: &Program, func: FuncId, base: usize, op: Op) -> Run<()> {
        let here = Here { func, base };
        macro_rules! set {
            ($dst:expr, $value:expr) => {{
                let value: Value = $value;
                self.regs[base + $dst as usize] = value.0;
            }};
        }
        match op {
            Op::Opponent { dst } => set!(dst, self.next_player(self.player(), 1)),
            Op::Players { dst } => set!(dst, self.players_list()),
            Op::FirstPlayer { dst } => set!(dst, self.first_player()),
            Op::SetPlayers { src } => self.set_players(program, reg!(self, base, src))?,
            Op::GetField { dst, entity, field } => {
                let value = self.get_field(program, reg!(self, base, entity), field)?;
                set!(dst, value);
            }
            Op::SetNamed { entity, name, src } => {
                let name = self.text(program, reg!(self, base, name))?;
                let prop = program
                    .layout
                    .find(program.texts.get(name))
                    .filter(|&prop| prop > layout::GONE || prop == layout::OWNER);
                match prop {
                    Some(prop) => self.set_prop(program, reg!(self, base, entity), prop, reg!(self, base, src))?,
                    None => return Err(Stop::fault(format!("Nothing has a property “{}”.", program.texts.get(name)))),
                }
            }
            Op::StepSet { dst, entity, set } => {
                let value = self.plain_answer(program, reg!(self, base, entity), Answer::Set(set), Value::NIL)?;
                set!(dst, value);
            }
            Op::StepRelative { dst, entity, turn } => {
                let of = reg!(self, base, entity);
                let value = self.plain_answer(program, of, Answer::Relative(turn), Value(self.regs[base]))?;
                set!(dst, value);
            }
            Op::StepRelativeSet { dst, entity, set } => {
                let of = reg!(self, base, entity);
                let value = self.plain_answer(program, of, Answer::RelativeSet(set), Value(self.regs[base]))?;
                set!(dst, value);
            }
            Op::ChangeState { entity, state } => {
                self.change_state(program, reg!(self, base, entity), reg!(self, base, state))?;
            }
            Op::GetState { dst, entity } => {
                let entity = self.entity(program, reg!(self, base, entity), "`state`")?;
                set!(dst, entity.map_or(Value::NIL, |entity| self.state(program, entity)));
            }

            Op::Mul { dst, a, b } => {
                let value = self.multiply(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Div { dst, a, b } => {
                let value = self.divide(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Mod { dst, a, b } => {
                let value = self.modulo(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Floor { dst, a } => {
                let number = self.number(program, reg!(self, base, a), "`floor`")?;
                set!(dst, number_value(number.floor())?);
            }
            Op::Abs { dst, a } => {
                let number = self.number(program, reg!(self, base, a), "`abs`")?;
                set!(dst, number_value(number.abs())?);
            }
            Op::Max { dst, a, b } => {
                let value = self.extreme(program, reg!(self, base, a), reg!(self, base, b), true)?;
                set!(dst, value);
            }
            Op::Min { dst, a, b } => {
                let value = self.extreme(program, reg!(self, base, a), reg!(self, base, b), false)?;
                set!(dst, value);
            }
            Op::IsIn { dst, a, list } => {
                let found = self.is_in(program, reg!(self, base, a), reg!(self, base, list))?;
                set!(dst, Value::truth(found));
            }
            Op::IsA { dst, a, kind } => {
                let is = self.is_a(program, reg!(self, base, a), reg!(self, base, kind))?;
                set!(dst, Value::truth(is));
            }

            Op::List { dst, first, n } => {
                let from = base + first as usize;
                let offset = self.mem.begin();
                self.mem.heap.extend_from_slice(&self.regs[from..from + n as usize]);
                set!(dst, self.mem.end(offset));
                self.check_memory()?;
            }
            Op::Dictionary { dst, first, n } => {
                let value = self.dictionary(program, base + first as usize, n as usize)?;
                set!(dst, value);
            }
            Op::Range { dst, from, to, step } => {
                let value =
                    self.range(program, reg!(self, base, from), reg!(self, base, to), reg!(self, base, step))?;
                set!(dst, value);
            }
            Op::First { dst, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                set!(dst, self.mem.members(list).first().map_or(Value::NIL, |&word| Value(word)));
            }
            Op::FirstN { dst, n, list } => {
                let value = self.first_n(program, reg!(self, base, n), reg!(self, base, list))?;
                set!(dst, value);
            }
            Op::Last { dst, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                set!(dst, self.mem.members(list).last().map_or(Value::NIL, |&word| Value(word)));
            }
            Op::At { dst, at, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                let at = self.position(program, reg!(self, base, at))?;
                let member = at.and_then(|at| self.mem.members(list).get(at).copied());
                set!(dst, member.map_or(Value::NIL, Value));
            }
            Op::Position { dst, value, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                let wanted = reg!(self, base, value);
                let at = self.mem.members(list).iter().position(|&word| self.equal(Value(word), wanted));
                set!(dst, at.map_or(Value::NIL, |at| Value::small(at as u32)));
            }
            Op::Append { dst, value, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                let mut members = self.mem.members(list).to_vec();
                members.push(reg!(self, base, value).0);
                set!(dst, self.new_list(members)?);
            }
            Op::Insert { dst, value, at, list } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                let at = self.position(program, reg!(self, base, at))?;
                let mut members = self.mem.members(list).to_vec();
                match at.filter(|&at| at <= members.len()) {
                    Some(at) => members.insert(at, reg!(self, base, value).0),
                    None => Err(Stop::fault("`insert` beyond the end of the list."))?,
                }
                set!(dst, self.new_list(members)?);
            }
            Op::Replace { dst, at, list, value } => {
                let list = self.members_of(program, reg!(self, base, list))?;
                let at = self.position(program, reg!(self, base, at))?;
                let mut members = self.mem.members(list).to_vec();
                match at.and_then(|at| members.get_mut(at)) {
                    Some(member) => *member = reg!(self, base, value).0,
                    None => Err(Stop::fault("`replace` beyond the end of the list."))?,
                }
                set!(dst, self.new_list(members)?);
            }
            Op::RemoveFrom { dst, at, list } => {
                let value = self.remove_from(program, reg!(self, base, at), reg!(self, base, list))?;
                set!(dst, value);
            }
            Op::Join { dst, first, n } => {
                let mut members = Vec::new();
                for at in 0..n as usize {
                    let list = self.members_of(program, Value(self.regs[base + first as usize + at]))?;
                    members.extend_from_slice(self.mem.members(list));
                }
                set!(dst, self.new_list(members)?);
            }
            Op::Different { dst, list } => {
                let value = self.different(program, reg!(self, base, list))?;
                set!(dst, value);
            }
            Op::SortBy { dst, list, keys } => {
                let value = self.sort_by(program, reg!(self, base, list), reg!(self, base, keys))?;
                set!(dst, value);
            }
            Op::Reverse { dst, list } => {
                let value = self.reverse(program, reg!(self, base, list))?;
                set!(dst, value);
            }
            Op::Flatten { dst, list } => {
                let value = self.flatten(program, reg!(self, base, list))?;
                set!(dst, value);
            }
            Op::Match { dst, key, dictionary } => {
                let value = self.match_key(program, reg!(self, base, key), reg!(self, base, dictionary))?;
                set!(dst, value);
            }
            Op::Put { dst, value, key, dictionary } => {
                let (value, key) = (reg!(self, base, value), reg!(self, base, key));
                let value = self.put_key(program, value, key, reg!(self, base, dictionary))?;
                set!(dst, value);
            }
            Op::Members { dst, src } => {
                let list = self.members_of(program, reg!(self, base, src))?;
                set!(dst, Value::list(list));
            }
            Op::Look { dst, look } => {
                let value = self.look(program, here, &program.pools.looks[look as usize])?;
                set!(dst, value);
            }
            Op::WalkLines { dst, walk } => {
                let value = self.walk_across(program, here, &program.pools.walks[walk as usize], None)?;
                set!(dst, value);
            }
            Op::Walk { dst, walk } => {
                let value = self.walk(program, here, &program.pools.walks[walk as usize])?;
                set!(dst, value);
            }
            Op::Line { dst, line } => {
                let value = self.line(program, here, &program.pools.lines[line as usize])?;
                set!(dst, value);
            }
            Op::Group { dst, group } => {
                let value = self.group(program, here, &program.pools.groups[group as usize])?;
                set!(dst, value);
            }
            Op::Border { dst, border } => {
                let value = self.border(program, here, &program.pools.borders[border as usize])?;
                set!(dst, value);
            }
            Op::Between { dst, a, b } => {
                let value = self.between(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Toward { dst, a, b } => {
                let value = self.toward(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Distance { dst, distance } => {
                let value = self.distance(program, here, &program.pools.distances[distance as usize])?;
                set!(dst, value);
            }
            Op::Exactly { dst, walk, across } => {
                let (walk, across) = (&program.pools.walks[walk as usize], program.pools.across[across as usize]);
                let value = self.walk_exactly(program, here, walk, across)?;
                set!(dst, value);
            }
            Op::WalkAcross { dst, walk, across } => {
                let (walk, across) = (&program.pools.walks[walk as usize], program.pools.across[across as usize]);
                let value = self.walk_across(program, here, walk, across)?;
                set!(dst, value);
            }
            Op::Reach { dst, reach } => {
                let value = self.reach(program, here, &program.pools.reaches[reach as usize])?;
                set!(dst, value);
            }
            Op::Edge { dst, a, b } => {
                let value = self.edge(program, reg!(self, base, a), reg!(self, base, b))?;
                set!(dst, value);
            }
            Op::Ends { dst, edge } => {
                let value = self.ends(program, reg!(self, base, edge))?;
                set!(dst, value);
            }
            Op::Named { dst, src } => {
                let value = self.named(program, reg!(self, base, src))?;
                set!(dst, value);
            }
            Op::Opposite { dst, src } => {
                let world = &program.world;
                let value =
                    self.turn_each(program, reg!(self, base, src), &|way| world.directions.opposite[way as usize])?;
                set!(dst, value);
            }
            Op::Turned { dst, src, by } => {
                let by = reg!(self, base, by);
                let Some(by) = by.as_whole() else {
                    let told = self.quoted(program, by);
                    return Err(Stop::fault(format!("`turned` needs a whole number, not {told}.")));
                };
                let world = &program.world;
                let value = self.turn_each(program, reg!(self, base, src), &|way| world.turned_by(way, by))?;
                set!(dst, value);
            }
            Op::StepValue { dst, direction, from } => {
                let value = self.step_value(program, reg!(self, base, direction), reg!(self, base, from))?;
                set!(dst, value);
            }
            Op::Leap { dst, a, b, from } => {
                let (a, b) = (reg!(self, base, a), reg!(self, base, b));
                let value = self.leap(program, a, b, reg!(self, base, from))?;
                set!(dst, value);
            }
            Op::DirectionList { dst, directions } => {
                let of = Value(self.regs[base]);
                let value = self.direction_list(program, of, &program.pools.directions[directions as usize])?;
                set!(dst, value);
            }
            Op::PlaceAt { dst, place } => {
                let value = self.place_at(program, here, &program.pools.places[place as usize])?;
                set!(dst, value);
            }
            Op::NewMessage { dst, send } => {
                let value = self.new_message(program, base, &program.pools.sends[send as usize])?;
                set!(dst, value);
            }
            Op::ThisMessage { dst, message } => {
                let value = self.this_message(program, base, &program.pools.received[message as usize])?;
                set!(dst, value);
            }
            Op::MessageAttribute { dst, message, name } => {
                let value = self.attribute_or_nil(program, reg!(self, base, message), name)?;
                set!(dst, value);
            }

            Op::OpenCheckpoint => self.open_checkpoint(),
            Op::MoveTo { thing, place } => self.move_to(program, reg!(self, base, thing), reg!(self, base, place))?,
            Op::New { dst, new } => {
                let value = self.new_thing(program, base, &program.pools.news[new as usize])?;
                set!(dst, value);
            }
            Op::Remove { thing } => self.remove(program, reg!(self, base, thing))?,
            Op::EndTurn { to, given } => self.end_turn(program, given.then(|| reg!(self, base, to)))?,
            Op::Again => self.mem.set(layout::AGAIN, Value::TRUE),
            Op::SetOutcome { winner } => self.win(program, reg!(self, base, winner))?,
            Op::Lose { player } => self.lose(program, reg!(self, base, player))?,
            Op::Draw => self.draw(program),
            Op::Finish { finish } => self.finish(program, here, &program.pools.finishes[finish as usize])?,
            Op::Say { text, to, given } => {
                self.say(program, reg!(self, base, text), given.then(|| reg!(self, base, to)))?;
            }

            Op::Can { dst, label, player } => {
                let can = self.can(program, label, reg!(self, base, player))?;
                set!(dst, Value::truth(can));
            }
            Op::Choices { dst, choices } => {
                let value = self.choices_value(program, base, &program.pools.choices[choices as usize])?;
                set!(dst, value);
            }
            Op::Seen { dst, within, given } => {
                let seen = self.seen(program, given.then(|| reg!(self, base, within)))?;
                set!(dst, seen);
            }

            Op::EnterRule { rule } => self.skipped.push(rule),
            Op::LeaveRule => drop(self.skipped.pop()),
            _ => return Err(Stop::fault("This instruction jumps, calls or asks.")),
        }
        Ok(())
    }
}
