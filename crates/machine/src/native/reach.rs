//! How far a define can lead: from where a thing stands the places that it can give at most.
//!
//! "Any piece that attacks this square" asks every piece whether the square is in what it attacks. Most stand where
//! nothing on the board would let them: a knight two squares away, a rook on no line with it. What a walk, a step or a
//! leap can give on an empty board never changes, so that is one look into a table, and only the others are asked.

use super::emit::{Emit, Word};
use super::laid::{self, turned};
use crate::code::*;
use crate::layout;
use crate::program::Program;
use crate::shortcut::Shortcut;
use crate::value::Value;
use crate::world::{DirId, EntityId, NOBODY};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use std::collections::BTreeMap;

/// For words that are asked whether a place is in them.
#[derive(Default)]
pub(crate) struct Reaches {
    /// For each kind the address of its table.
    by_kind: BTreeMap<NameId, Box<[u64]>>,
    /// For each place of the board the places that can be given there.
    tables: Vec<Box<[u64]>>,
    /// The first place, and how many there are.
    first: EntityId,
    n: u32,
}

/// Larger boards have no such tables.
const MOST_PLACES: u32 = 64;
/// Defines inside defines, at most.
const DEEPEST: u32 = 4;

impl Reaches {
    pub fn of(program: &Program) -> Reaches {
        let ([board], true) = (program.world.boards.as_slice(), program.may(Shortcut::Reach)) else {
            return Reaches::default();
        };
        let mut reaches = Reaches { first: board.first, n: board.n, ..Reaches::default() };
        if board.n > MOST_PLACES {
            return reaches;
        }
        let everywhere: Box<[u64]> = (0..board.n).map(|_| u64::MAX).collect();
        for function in &program.functions {
            for (pc, op) in function.code.iter().enumerate() {
                if let Op::GetIfHas { name, .. } | Op::GetOf { name, .. } = *op
                    && question(&function.code, pc).is_some()
                    && !reaches.by_kind.contains_key(&name)
                    && let Some(answers) = program.answers.get(&name)
                {
                    let mut addresses = Vec::new();
                    for answer in answers {
                        let known = match answer {
                            Some(Answer::Define(func)) => Reading { program }.given(*func, 0),
                            _ => None,
                        };
                        let table = known.map_or_else(|| everywhere.clone(), Into::into);
                        addresses.push(table.as_ptr() as u64);
                        reaches.tables.push(table);
                    }
                    reaches.by_kind.insert(name, addresses.into());
                }
            }
        }
        reaches
    }
}

/// Where it is asked whether something is in what an instruction gives, if that comes at once.
fn question(code: &[Op], pc: usize) -> Option<usize> {
    let (list, asked) = match (*code.get(pc)?, code.get(pc + 1), code.get(pc + 2)) {
        (Op::GetIfHas { dst, missing, .. }, Some(&Op::Jump { to }), Some(&Op::Const { dst: none, value })) => {
            let else_nothing = missing as usize == pc + 2 && none == dst && value == Value::NIL;
            (dst, (to as usize == pc + 3 && else_nothing).then_some(pc + 3)?)
        }
        (Op::GetOf { dst, .. }, ..) => (dst, pc + 1),
        _ => return None,
    };
    matches!(code.get(asked), Some(Op::IsIn { a, list: given, .. }) if *given == list && *a != list).then_some(asked)
}

/// Reads what a define of a thing gives, whatever stands on the board.
struct Reading<'a> {
    program: &'a Program,
}

/// What a register holds.
#[derive(Clone)]
enum Sign {
    Thing,
    /// Where the thing stands.
    Place,
    Whole(i64),
    /// For each place where the thing can stand some of these.
    Among(Vec<u64>),
    Other,
}

impl Reading<'_> {
    fn given(&self, func: FuncId, depth: u32) -> Option<Vec<u64>> {
        let function = &self.program.functions[func as usize];
        let mut signs = vec![Sign::Other; function.n_regs.max(1) as usize];
        signs[0] = Sign::Thing;
        for op in &function.code {
            let (dst, sign) = match *op {
                Op::Return { src } => match &signs[src as usize] {
                    Sign::Among(places) => return Some(places.clone()),
                    _ => return None,
                },
                Op::Const { dst, value } => (dst, value.as_whole().map_or(Sign::Other, Sign::Whole)),
                Op::Player { dst } | Op::Opponent { dst } => (dst, Sign::Other),
                Op::GetProp { dst, entity, prop: layout::PLACE } if let Sign::Thing = signs[entity as usize] => {
                    (dst, Sign::Place)
                }
                Op::Walk { dst, walk } => {
                    let walk = &self.program.pools.walks[walk as usize];
                    let Sign::Place = signs[walk.from as usize] else { return None };
                    (dst, Sign::Among(self.along(&self.ways(&walk.ways)?, usize::MAX)))
                }
                Op::StepSet { dst, entity, set } if let Sign::Place = signs[entity as usize] => {
                    (dst, Sign::Among(self.along(&self.ways(&Ways::Set(set))?, 1)))
                }
                Op::StepRelativeSet { dst, entity, set } if let Sign::Place = signs[entity as usize] => {
                    (dst, Sign::Among(self.along(&self.ways(&Ways::RelativeSet(set))?, 1)))
                }
                Op::Leap { dst, a, b, from } => match (&signs[a as usize], &signs[b as usize], &signs[from as usize]) {
                    (&Sign::Whole(a), &Sign::Whole(b), Sign::Place) => (dst, Sign::Among(self.leaps(a, b))),
                    _ => return None,
                },
                Op::Call { dst, func, first, n: 1 } if depth < DEEPEST => match signs[first as usize] {
                    Sign::Thing => (dst, Sign::Among(self.given(func, depth + 1)?)),
                    _ => return None,
                },
                _ => return None,
            };
            signs[dst as usize] = sign;
        }
        None
    }

    /// Directions, relative ones for whoever looks along them.
    fn ways(&self, ways: &Ways) -> Option<Vec<DirId>> {
        let program = self.program;
        let seats = 0..program.world.n_seats;
        Some(match *ways {
            Ways::Set(set) => program.sets[set as usize].first()?.clone(),
            Ways::Direction(way) => vec![way],
            Ways::Relative(turn) => seats.flat_map(|seat| turned(program, seat, &[usize::from(turn)])).collect(),
            Ways::RelativeSet(set) => {
                seats.flat_map(|seat| turned(program, seat, &program.relative_sets[set as usize])).collect()
            }
            Ways::Value(_) => return None,
        })
    }

    /// All places at most so many steps away.
    fn along(&self, ways: &[DirId], most: usize) -> Vec<u64> {
        let (world, board) = (&self.program.world, &self.program.world.boards[0]);
        let places = board.first..board.first + board.n;
        let reached = |from: EntityId| {
            let mut set = 0u64;
            for &way in ways {
                let mut place = from;
                for _ in 0..most.min(board.n as usize) {
                    // Several places may lie in one direction; a walk goes on from the first.
                    for next in world.directions.steps(way, place).iter().filter(|next| places.contains(next)) {
                        set |= 1 << (next - board.first);
                    }
                    place = world.directions.step(way, place);
                    if place == NOBODY || !places.contains(&place) {
                        break;
                    }
                }
            }
            set
        };
        places.clone().map(reached).collect()
    }

    fn leaps(&self, a: i64, b: i64) -> Vec<u64> {
        let board = &self.program.world.boards[0];
        let set = |from: EntityId| {
            laid::leaps(self.program, (a, b), from).fold(0, |set, place| set | 1 << (place - board.first))
        };
        (board.first..board.first + board.n).map(set).collect()
    }
}

impl Emit<'_, '_> {
    /// An instruction whose value is only asked whether a place is in it: where a thing can never lead there, that is the
    /// answer, and the instruction is passed over.
    pub(super) fn unless_out_of_reach(&mut self, of: Word, name: NameId) {
        let tables = self.tables;
        let (Some(asked), Some(table)) = (question(self.code, self.pc), tables.reaches.by_kind.get(&name)) else {
            return;
        };
        let Op::IsIn { dst, a, list } = self.code[asked] else { return };
        self.program.permits.write(Shortcut::Reach);
        let between = self.pc + 1..=asked;
        let led_to = |pc: usize| {
            let target = Some(pc as u32);
            self.code.iter().enumerate().any(|(from, op)| op.target() == target && !(self.pc..asked).contains(&from))
        };
        if between.clone().any(led_to) || list != dst && !self.is_dead(list, vec![asked + 1]) {
            return;
        }
        let (first, n) = (tables.reaches.first, tables.reaches.n);
        let (ask, out, look) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let wanted = self.get(a);
        let kind = self.kind_or(of, ask);
        let place = self.property(of, crate::facts::types::ENTITY, layout::PLACE);
        let (from, to) = (self.behind(place, first), self.behind(wanted, first));
        let further = self.b.ins().umax(from, to);
        let on_board = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, further, i64::from(n));
        self.b.ins().brif(on_board, look, &[], ask, &[]);
        self.at(look);
        let address = self.constant(table.as_ptr() as u64);
        let offset = self.b.ins().ishl_imm_u(kind, 3);
        let address = self.b.ins().iadd(address, offset);
        let table = self.load(address, 0);
        let offset = self.b.ins().ishl_imm_u(from, 3);
        let address = self.b.ins().iadd(table, offset);
        let set = self.load(address, 0);
        let bit = self.b.ins().ushr(set, to);
        let bit = self.b.ins().band_imm_u(bit, 1);
        self.b.ins().brif(bit, ask, &[], out, &[]);
        self.at(out);
        let nil = self.nil();
        self.set(dst, nil);
        let after = asked as u32 + 1;
        let label = match self.labels.get(&after) {
            Some(&label) => label,
            None => self.b.create_block(),
        };
        self.labels.insert(after, label);
        self.b.ins().jump(label, &[]);
        self.at(ask);
    }
}
