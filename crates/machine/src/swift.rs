//! Random play: drawing one action, and playing on without ceremony where a game runs as native code.
//!
//! The short way does what `run_on` does, in one go: the slots that only matter inside an action are written without the
//! journal, because they hold nothing before and after. Whatever is out of the ordinary is left to the long way.

use crate::code::{FuncId, MOST_ARGS};
use crate::layout;
use crate::memory::Mark;
use crate::native::Outcome as Ran;
use crate::plan::{Draw, Drawer, Tried};
use crate::position::{MachinePosition, Phase};
use crate::program::{Program, Woven};
use crate::sampler::{Attributes, Drawn, Lazy, Sampler, Tickets};
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::vm::{Asking, Machine, Question, Run, Stop};
use crate::world::{EntityId, GAME};
use houserules_kernel::{Choice, Generator};
use houserules_model::Turns;

/// Tickets drawn before everything is listed after all.
pub(crate) const MOST_DRAWS: u32 = 64;

/// The same where each draw lists somebody or leaves one ticket less.
const MOST_LAZY_DRAWS: u32 = 1 << 10;

/// Turns in a row that a game may end as soon as they begin.
const MOST_SKIPPED: u32 = 16;

impl MachinePosition {
    /// Plays at random for at most so many actions; says how many, and whether nobody could act after that and the game
    /// was told. Stops where the long way is needed.
    pub(crate) fn swift_moves(&mut self, program: &Program, generator: &mut Generator, most: u64) -> Run<(u64, bool)> {
        if program.native().is_none() || !program.swift {
            return Ok((0, false));
        }
        let mut moves = 0;
        if let Some((played, stuck)) = self.lane_moves(generator, most)? {
            if stuck {
                return Ok((played, true));
            }
            moves = played;
        }
        // Nothing of this can be undone, so what is passed on from turn to turn needs no journal either.
        self.undo.clear();
        self.machine.forget_changes();
        self.machine.allot(program);
        while moves < most && !self.machine.is_over() && self.machine.question.is_none() {
            self.machine.steps = self.machine.allotted;
            let begun = self.begun_at_rest(generator.clone());
            let heap = self.machine.mem.heap.len();
            let drawn = self.draw_lean(program, generator);
            if !self.unless_run_out(drawn, begun, generator, Self::draw)? {
                return Ok((moves, true));
            }
            moves += 1;
            program.permits.take(Shortcut::Swift);
            if !self.machine.frames.is_empty() {
                break;
            }
            if !self.machine.is_over() {
                self.machine.keep_up(program);
                self.machine.check_derived(program);
                self.machine.forget_changes();
            }
            self.machine.mem.sweep(heap, &mut []);
        }
        Ok((moves, false))
    }

    /// Plays an action of whoever is to move, never to go back; false where nobody had a choice.
    fn draw_lean(&mut self, program: &Program, generator: &mut Generator) -> Run<bool> {
        self.machine.said.clear();
        let player = self.machine.first_player().as_entity().expect("somebody is to move");
        let played = self.draw_action(program, player, generator, true)?;
        if !played {
            self.stuck(program)?;
        }
        Ok(played)
    }

    /// Plays a uniformly random legal action of a player: candidates are drawn and tried until one is legal, and if
    /// that takes too long they are all listed and drawn without replacement. False if there is none.
    ///
    /// What is drawn follows from the position and the generator alone, however the program is run. `lean` is for
    /// those who never go back.
    pub(crate) fn draw_action(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<bool> {
        // Once everything stands for itself, few tickets are drawn no more.
        let mut few = true;
        for &drawer in &program.plan().drawers {
            let drawn = match drawer {
                Drawer::Strides => self.draw_strides(program, player, generator, lean)?,
                Drawer::Picks => self.draw_picks(program, player, generator, lean)?,
                Drawer::Listing if lean => self.draw_found(program, player, generator)?,
                Drawer::Listing => Draw::Unsuited,
                Drawer::Tickets => self.draw_tickets(program, player, generator, lean, few)?,
                Drawer::Outlook => self.draw_in_prospect(program, player, generator, lean)?,
                Drawer::Candidates => self.draw_candidate(program, player, generator, lean)?,
                Drawer::Everything => return self.draw_listed(program, player, generator),
            };
            match drawn {
                Draw::Played => return Ok(true),
                Draw::Nobody => return Ok(false),
                Draw::Unsuited => {}
                Draw::TooLong => few = false,
                Draw::GaveUp => break,
            }
        }
        self.draw_listed(program, player, generator)
    }

    /// Draws from the list of all candidates without replacement. False if none is legal.
    pub(crate) fn draw_listed(&mut self, program: &Program, player: EntityId, generator: &mut Generator) -> Run<bool> {
        let (mut candidates, mut fault) = self.machine.candidates(program, player, None, false);
        while !candidates.is_empty() {
            let at = generator.below(candidates.len() as u64) as usize;
            let choice = candidates.swap_remove(at);
            match self.attempt(program, player, &choice) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(stop) => fault = Some(stop),
            }
        }
        match fault {
            Some(stop) if stop.is_spent() => Err(self.machine.exhausted.take().unwrap_or(stop)),
            fault => fault.map_or(Ok(false), Err),
        }
    }

    /// The candidates of actions without attributes are known while nothing was made in play; whether they are kept, and
    /// those that are not somebody else's.
    fn open_candidates(&mut self, program: &Program, player: EntityId) -> Option<(bool, Option<u64>)> {
        if self.machine.mem.slots[layout::MADE as usize] != 0 {
            return None;
        }
        let kept = self.machine.sync_kept(program);
        let first = self.machine.first_player().0;
        let open = match &program.keeper {
            Some(keeper) if kept => self.machine.open_to(keeper, Value::entity(player).0, first),
            _ => None,
        };
        Some((kept, open))
    }

    /// Draws among the candidates for whom a walk finds something: few are left, so those that were refused are not drawn
    /// again.
    fn draw_in_prospect(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let Some((true, open)) = self.open_candidates(program, player) else { return Ok(Draw::Unsuited) };
        let Some(outlook) = &program.outlook else { return Ok(Draw::Unsuited) };
        let Some(mut narrowed) = self.machine.narrowed(outlook, Value::entity(player).0, open) else {
            return Ok(Draw::Unsuited);
        };
        program.permits.take(Shortcut::Outlook);
        program.permits.take(Shortcut::Marks);
        while narrowed.count() > 0 {
            let rank = generator.below(u64::from(narrowed.count())) as u32;
            let at = narrowed.select_with(rank, crate::bits::select);
            match self.try_plain(program, player, at, generator, lean)? {
                Tried::Played => return Ok(Draw::Played),
                Tried::Refused => narrowed.remove(at),
                Tried::Faulty | Tried::Stopped => return Ok(Draw::GaveUp),
            }
        }
        Ok(Draw::Nobody)
    }

    /// Draws among actions without attributes.
    fn draw_candidate(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let Some((kept, open)) = self.open_candidates(program, player) else { return Ok(Draw::Unsuited) };
        let n = match open {
            Some(open) => (self.machine.derived.kept.few() & open).count_ones(),
            None if kept => self.machine.derived.kept.count(),
            None => program.plain.len() as u32,
        };
        if kept {
            program.permits.take(Shortcut::Keeper);
        }
        if open.is_some() {
            program.permits.take(Shortcut::Guard);
        }
        if n == 0 {
            return Ok(Draw::Nobody);
        }
        for _ in 0..8 + n / 2 {
            // A rule that asked in the middle of an action has made the bits know what was then taken back.
            if kept && self.machine.derived.kept.is_stale() {
                self.machine.sync_kept(program);
            }
            let rank = generator.below(u64::from(n)) as u32;
            let at = match open {
                Some(open) => crate::bits::select(self.machine.derived.kept.few() & open, rank) as usize,
                None if kept => self.machine.derived.kept.select(rank),
                None => rank as usize,
            };
            if self.try_plain(program, player, at, generator, lean)? == Tried::Played {
                return Ok(Draw::Played);
            }
        }
        Ok(Draw::GaveUp)
    }

    /// Tries an action without attributes.
    fn try_plain(
        &mut self,
        program: &Program,
        player: EntityId,
        at: usize,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Tried> {
        let (action, receiver) = program.plain[at];
        let native = program.native().filter(|_| lean && !program.tells_turns());
        let address = native.and_then(|native| Some((native, native.plain_address(program, &self.machine, at)?)));
        match address {
            Some((native, address)) => {
                let receiver = Value::entity(receiver).0;
                self.swift_try(program, player, |machine| machine.run_native(native, address, receiver))
            }
            None if !program.swift && !self.machine.may_be_drawn(program, receiver) => Ok(Tried::Refused),
            None => {
                let label = program.actions[action as usize].label;
                let Some(Woven { full, .. }) = self.machine.handler(program, label, receiver) else {
                    return Ok(Tried::Refused);
                };
                let receiver = Value::entity(receiver).0;
                self.try_action(program, player, (full, full), &[receiver], lean.then_some(generator))
            }
        }
    }

    /// Draws tickets until one stands for something legal: at first as few as can be, if `few`.
    fn draw_tickets(
        &mut self,
        program: &Program,
        player: EntityId,
        generator: &mut Generator,
        lean: bool,
        few: bool,
    ) -> Run<Draw> {
        let Some(sampler) = &program.sampler else { return Ok(Draw::Unsuited) };
        let mut drawn = Ok(Draw::GaveUp);
        // Where few of the tickets stand for something it is less work to list what there is.
        for all in [false, true] {
            if !all && !few {
                continue;
            }
            let mut tickets = std::mem::take(&mut self.machine.tickets);
            let heap = self.machine.mem.heap.len();
            let handed_out =
                self.machine.as_actor(player, |machine| machine.hand_out(program, sampler, player, &mut tickets, all));
            if handed_out {
                program.permits.take(Shortcut::Roster);
                program.permits.take(Shortcut::Sampler);
                if tickets.n_receivers > 0 || !tickets.lazy.is_empty() {
                    program.permits.take(Shortcut::Tickets);
                }
            }
            drawn = match handed_out {
                true => self.draw_from(program, sampler, player, &mut tickets, generator, lean),
                false => Ok(Draw::GaveUp),
            };
            if drawn != Ok(Draw::Played) {
                self.machine.mem.heap.truncate(heap);
            }
            let over = drawn != Ok(Draw::GaveUp) || !handed_out || tickets.n_receivers == 0;
            self.machine.tickets = tickets;
            if over {
                break;
            }
        }
        drawn
    }

    fn draw_from(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        tickets: &mut Tickets,
        generator: &mut Generator,
        lean: bool,
    ) -> Run<Draw> {
        let mut heap = self.machine.mem.heap.len();
        let (by_receiver, n) = (tickets.n_by_receiver(), tickets.len());
        let mut unspent = tickets.listed.len();
        let most = match tickets.lazy.is_empty() {
            true if by_receiver > 0 => 2 + tickets.n_receivers / 2,
            true => MOST_DRAWS,
            false => MOST_LAZY_DRAWS,
        };
        for _ in 0..most {
            let lazy: u32 = tickets.lazy.iter().map(|lazy| lazy.n).sum();
            if by_receiver == 0 && unspent == 0 && lazy == 0 {
                return Ok(Draw::Nobody);
            }
            let number = generator.below(u64::from(n + lazy)) as u32;
            let mut args = [0; MOST_ARGS];
            let lots = lean.then_some(&mut *generator);
            if number >= n {
                match self.draw_lazy(program, sampler, player, (tickets, number - n), &mut heap, lots)? {
                    Tried::Played => return Ok(Draw::Played),
                    Tried::Refused => {}
                    Tried::Faulty | Tried::Stopped => return Ok(Draw::GaveUp),
                }
            } else if number < by_receiver {
                let at = tickets.by_receiver.iter().position(|&(upto, ..)| number < upto).expect("below the last one");
                let first = if at == 0 { 0 } else { tickets.by_receiver[at - 1].0 };
                let (_, each, drawn, set) = tickets.by_receiver[at];
                let receiver = self.machine.derived.enrolled.select(set, (number - first) / each);
                args[0] = Value::entity(receiver).0;
                let combination = (number - first) % each;
                let drawn = &sampler.actions[drawn];
                let kind = self.machine.kind_of(program, receiver) as usize;
                let Some(attributes) = &drawn.by_ticket[kind] else { continue };
                let tried =
                    self.try_drawn(program, (drawn, attributes), player, (receiver, combination), &mut args, lots)?;
                if tried == Tried::Played {
                    return Ok(Draw::Played);
                }
            } else {
                let at = tickets.listed.partition_point(|&(upto, ..)| upto <= number);
                if tickets.spent[at] {
                    continue;
                }
                let (upto, receiver, drawn, from) = tickets.listed[at];
                let in_full = tickets.in_full[drawn as usize];
                let drawn = &sampler.actions[drawn as usize];
                let kind = self.machine.kind_of(program, receiver) as usize;
                let by_kind = if in_full { &drawn.in_full } else { &drawn.by_list };
                let Some(attributes) = &by_kind[kind] else { continue };
                args[0] = Value::entity(receiver).0;
                for at in 0..attributes.listed {
                    let attribute = program.actions[drawn.action].with[at].0;
                    args[1 + attribute as usize] = tickets.given[from as usize + at];
                }
                let ticket = (receiver, upto - 1 - number);
                let tried = self.try_drawn(program, (drawn, attributes), player, ticket, &mut args, lots)?;
                if tried == Tried::Played {
                    return Ok(Draw::Played);
                }
                if attributes.further == 1 && tried == Tried::Refused {
                    tickets.spent[at] = true;
                    unspent -= 1;
                    if unspent == 0 && by_receiver == 0 && lazy == 0 {
                        return Ok(Draw::Nobody);
                    }
                }
            }
            self.machine.mem.heap.truncate(heap);
        }
        Ok(Draw::GaveUp)
    }

    /// Tries what a ticket of a receiver stands for that is listed now at the latest. Refused where there is no such
    /// ticket; what was refused has none any more.
    fn draw_lazy(
        &mut self,
        program: &Program,
        sampler: &Sampler,
        player: EntityId,
        (tickets, mut number): (&mut Tickets, u32),
        heap: &mut usize,
        lots: Option<&mut Generator>,
    ) -> Run<Tried> {
        let mine = |lazy: &&mut Lazy| match number < lazy.n {
            true => true,
            false => {
                number -= lazy.n;
                false
            }
        };
        let Some(lazy) = tickets.lazy.iter_mut().find(mine) else { return Ok(Tried::Refused) };
        let drawn = &sampler.actions[lazy.drawn as usize];
        if lazy.from.is_none() {
            let listed =
                self.machine.as_actor(player, |machine| machine.list_lazy(program, drawn, lazy, &mut tickets.given));
            if listed.is_err() {
                return Ok(Tried::Faulty);
            }
            // A list that is an attribute itself has to stay.
            *heap = self.machine.mem.heap.len();
        }
        let code = &program.actions[drawn.action];
        let (Some(from), true) = (lazy.from, number < lazy.n) else { return Ok(Tried::Refused) };
        let kind = self.machine.kind_of(program, lazy.receiver) as usize;
        let Some(attributes) = drawn.one_by_one(kind) else { return Ok(Tried::Refused) };
        let at = |number: u32| from as usize + number as usize * attributes.listed;
        let mut args = [0; MOST_ARGS];
        args[0] = Value::entity(lazy.receiver).0;
        let given = &tickets.given[at(number)..at(number + 1)];
        for (&(attribute, _), &given) in code.with.iter().zip(given) {
            args[1 + attribute as usize] = given;
        }
        let tried = self.try_drawn(program, (drawn, attributes), player, (lazy.receiver, 0), &mut args, lots)?;
        if tried == Tried::Refused {
            lazy.n -= 1;
            tickets.given.copy_within(at(lazy.n)..at(lazy.n + 1), at(number));
        }
        Ok(tried)
    }

    /// Tries an action once the attributes that were not listed are drawn.
    fn try_drawn(
        &mut self,
        program: &Program,
        (drawn, attributes): (&Drawn, &Attributes),
        player: EntityId,
        (receiver, combination): (EntityId, u32),
        args: &mut [u64; MOST_ARGS],
        lots: Option<&mut Generator>,
    ) -> Run<Tried> {
        let code = &program.actions[drawn.action];
        let Some(woven) = self.machine.handler(program, code.label, receiver) else { return Ok(Tried::Refused) };
        let by_ticket = attributes.listed == 0 && drawn.tickets.is_some();
        if by_ticket || !attributes.most.is_empty() {
            let kind = self.machine.kind_of(program, receiver) as usize;
            let complete = self.machine.as_actor(player, |machine| {
                // A law with a fault refuses.
                let passes = !by_ticket || machine.passes_each(program, woven, receiver) == Ok(true);
                passes && machine.draw_attributes(program, code, kind, attributes, combination, args)
            });
            if !complete {
                return Ok(Tried::Refused);
            }
        }
        self.try_rest(program, player, woven, args, lots)
    }

    /// Tries an action once the laws that do not read attributes have passed.
    pub(crate) fn try_rest(
        &mut self,
        program: &Program,
        player: EntityId,
        woven: Woven,
        args: &[u64; MOST_ARGS],
        lots: Option<&mut Generator>,
    ) -> Run<Tried> {
        let n_args = program.functions[woven.full as usize].n_args as usize;
        let rest = woven.split.map_or(woven.full, |split| split.rest);
        self.try_action(program, player, (woven.full, rest), &args[..n_args], lots)
    }

    /// Tries an action: as native code all that is left of it, otherwise the whole. `lots` is for those who never go
    /// back: what is asked on the way is drawn from it.
    fn try_action(
        &mut self,
        program: &Program,
        player: EntityId,
        (full, rest): (FuncId, FuncId),
        args: &[u64],
        lots: Option<&mut Generator>,
    ) -> Run<Tried> {
        if let Some((native, lots)) = program.native().zip(lots)
            && let Some(address) = native.address(rest)
            && (!program.tells_turns() || native.begins_turns())
        {
            let asks = native.may_stop(rest) || program.tells_turns();
            if asks {
                self.machine.lots = Some(lots.clone());
                self.machine.drew_lots = false;
            }
            let tried = self.swift_try(program, player, |machine| {
                match machine.run_action(native, address, args) {
                    // Whoever has answered already cannot be refused: as the interpreter tells it.
                    Ran::Refused if asks && machine.drew_lots => Ran::Stopped,
                    ran => ran,
                }
            });
            let stopped = tried == Ok(Tried::Stopped);
            if asks
                && let Some(drawn) = self.machine.lots.take()
                && self.machine.drew_lots
                && !stopped
            {
                *lots = drawn;
            }
            if !stopped {
                return tried;
            }
            // Native code cannot wait for an answer: all is taken back, and the interpreter does it.
        }
        Ok(match self.attempt_with(program, player, full, args) {
            Ok(true) => Tried::Played,
            Ok(false) => Tried::Refused,
            Err(_) => Tried::Faulty,
        })
    }

    fn swift_try(&mut self, program: &Program, player: EntityId, run: impl FnOnce(&mut Machine) -> Ran) -> Run<Tried> {
        let mark = self.machine.mem.mark();
        let heap = self.machine.mem.heap.len();
        self.machine.mem.slots[layout::ACTOR as usize] = Value::entity(player).0;
        self.machine.in_action = true;
        self.machine.answered = false;
        self.machine.begin_checkpoints();
        let ran = run(&mut self.machine);
        self.machine.in_action = false;
        if ran != Ran::Done {
            self.machine.mem.slots[layout::ACTOR as usize] = Value::NIL.0;
            self.machine.take_back(mark, heap);
            return Ok(if ran == Ran::Refused { Tried::Refused } else { Tried::Stopped });
        }
        let slots = &self.machine.mem.slots;
        let kept = slots[layout::AGAIN as usize] != 0 || slots[layout::ENDED as usize] != 0;
        if program.world.turns == Turns::Passing && !kept {
            match program.tells_turns() {
                // What the game then does may have to be taken back with the action.
                true => self.machine.end_turn(program, None)?,
                false => self.machine.pass_turn(),
            }
        }
        if program.history.is_some() {
            self.machine.remember(program, Value::entity(player))?;
        }
        let ended = self.machine.quiet(program);
        if ended && program.tells_turns() && !self.machine.turns_begin(program) {
            self.machine.answered = false;
            self.machine.take_back(mark, heap);
            return Ok(Tried::Stopped);
        }
        Ok(Tried::Played)
    }

    /// Tries an action at once; false if it is refused, and then nothing has changed.
    pub(crate) fn attempt(&mut self, program: &Program, player: EntityId, choice: &Choice) -> Run<bool> {
        let mark = self.machine.mem.mark();
        let begun = self.begin_action(program, player, choice);
        let result = begun.and_then(|()| self.run_on(program));
        self.attempted(mark, result)
    }

    pub(crate) fn attempted(&mut self, mark: Mark, result: Run<()>) -> Run<bool> {
        let Err(stop) = result else { return Ok(true) };
        let second_try = self.machine.answered;
        self.machine.drop_frames(0);
        self.machine.skipped.clear();
        // What was refused has said nothing.
        self.machine.said.clear();
        self.machine.rollback(mark);
        self.machine.in_action = false;
        self.phase = Phase::Ready;
        if stop.is_spent() && self.machine.exhausted.is_none() {
            self.machine.exhausted = Some(stop.clone());
        }
        match stop {
            Stop::Refused { .. } if !second_try => Ok(false),
            stop => Err(stop),
        }
    }

    /// As `attempt`, for an action whose arguments are known.
    pub(crate) fn attempt_with(
        &mut self,
        program: &Program,
        player: EntityId,
        full: FuncId,
        args: &[u64],
    ) -> Run<bool> {
        let mark = self.machine.mem.mark();
        self.open_action(program, player);
        let begun = self.machine.push_frame(program, full, 0, true);
        let result = begun.and_then(|base| {
            self.machine.regs[base..base + args.len()].copy_from_slice(args);
            self.run_on(program)
        });
        self.attempted(mark, result)
    }

    /// Answers whatever is open at random; false where nobody had a choice. `asked` need not be known.
    pub(crate) fn draw(&mut self, program: &Program, generator: &mut Generator) -> Run<bool> {
        self.machine.said.clear();
        match &self.machine.question {
            Some(Question::Chance(chance)) => {
                let drawn = generator.below(u64::from(chance.n)) as u32;
                if self.machine.answer_chance(program, drawn)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Ask(asking)) => {
                let player =
                    asking.seats.iter().find(|(_, _, done)| !done).expect("an open question waits for somebody").0;
                let pick = self.machine.drawn_pick(asking, player, generator);
                if self.machine.answer_ask(player, pick)? {
                    self.run_on(program)?;
                }
            }
            Some(Question::Let(letting)) => {
                let player = letting
                    .seats
                    .iter()
                    .find(|(_, chosen)| chosen.is_none())
                    .expect("an open question waits for somebody")
                    .0;
                let labels = letting.labels.clone();
                let mut legal = Vec::new();
                for candidate in self.machine.candidates(program, player, Some(&labels), false).0 {
                    if self.machine.is_legal(program, player, &candidate, &[]) == Ok(true) {
                        legal.push(candidate);
                    }
                }
                let choice = legal.swap_remove(generator.below(legal.len() as u64) as usize);
                if self.machine.answer_let(program, player, &choice)? {
                    self.run_on(program)?;
                }
            }
            None if program.world.turns == Turns::Free => {
                self.settle(program)?;
                if self.phase != Phase::Ready || self.machine.is_over() {
                    return Ok(false);
                }
                let player = self.asked[0];
                return self.draw_action(program, player, generator, false);
            }
            None => {
                let player = self.machine.first_player().as_entity().expect("somebody is to move");
                if !self.draw_action(program, player, generator, false)? {
                    self.stuck(program)?;
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

impl Machine {
    /// An answer by lot.
    pub(crate) fn drawn_pick(&self, asking: &Asking, player: EntityId, generator: &mut Generator) -> u64 {
        let picks = self.picks(asking, player);
        let lots = || picks.iter().map(|&pick| (pick, u64::from(self.lot(asking, player, pick))));
        let mut at = generator.below(lots().map(|(_, lot)| lot).sum());
        let pick = lots().find(|(_, lot)| {
            let here = at < *lot;
            at = at.saturating_sub(*lot);
            here
        });
        pick.expect("a draw below the sum of lots falls on a pick").0
    }

    /// Nobody acts any more. Says whether the turn was ended.
    fn quiet(&mut self, program: &Program) -> bool {
        let ended = self.mem.slots[layout::ENDED as usize] != 0;
        for slot in [layout::ACTOR, layout::AGAIN, layout::ENDED] {
            self.mem.slots[slot as usize] = Value::NIL.0;
        }
        if !self.leaving.is_empty() {
            self.let_go(program);
        }
        self.clear_checkpoints();
        ended
    }

    /// Tells the game that a turn begins, and the next one if it ends that at once. False where that is left to the
    /// interpreter, and all has to be taken back.
    fn turns_begin(&mut self, program: &Program) -> bool {
        let Some(native) = program.native() else { return false };
        self.answered = false;
        // A game that ends every turn at once uses up its budget: the interpreter tells that.
        for _ in 0..MOST_SKIPPED {
            if self.is_over() {
                return true;
            }
            let Some(woven) = self.handler(program, program.turn, GAME) else { return true };
            let Some(address) = native.address(woven.full) else { return false };
            if self.run_action(native, address, &[Value::entity(GAME).0]) != Ran::Done {
                return false;
            }
            if !self.quiet(program) {
                return true;
            }
        }
        false
    }

    /// Goes back to where a try began.
    pub(crate) fn take_back(&mut self, mark: Mark, heap: usize) {
        if self.mem.changed_since(mark) {
            self.rollback(mark);
        }
        self.mem.heap.truncate(heap);
        self.said.clear();
        self.skipped.clear();
        self.leaving.clear();
        self.clear_checkpoints();
    }
}
