//! Questions about a group of places that need no list of them.
//!
//! "Any place beside my chain that is empty" is written as defines that give lists: the chain, its edge, the first of
//! the edge that fits. Here such a row of instructions is found, through the defines it calls, and answered by one
//! search that stops at the first place that fits. It meets the places beside the group in the order in which the
//! list would hold them, so the answer is the same.

use super::emit::{Emit, Word};
use super::regions::{self, ANYTHING, Region};
use crate::code::*;
use crate::facts::{self, types};
use crate::program::Program;
use crate::shortcut::Shortcut;
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

/// What the value of a register is made from.
#[derive(Clone, Debug)]
enum Made {
    Arg(usize),
    Player,
    Property(Box<Made>, PropId),
    Group(Box<Chain>),
    /// What lies beside a group in the directions that join it.
    Edge(Box<Chain>),
}

#[derive(Clone, Debug)]
struct Chain {
    set: u16,
    prop: PropId,
    from: Made,
    /// What the places hold, or do not hold.
    wanted: Option<Made>,
    same: bool,
}

/// Defines inside defines, at most.
const DEEPEST: u32 = 4;

/// What a function gives, if it does nothing but make it.
fn result(program: &Program, func: FuncId, depth: u32) -> Option<Made> {
    let function = &program.functions[func as usize];
    let mut regs: Vec<Option<Made>> = vec![None; function.n_regs.max(function.n_args) as usize];
    for (at, reg) in regs.iter_mut().take(function.n_args as usize).enumerate() {
        *reg = Some(Made::Arg(at));
    }
    for op in &function.code {
        if let Op::Return { src } = *op {
            return regs[src as usize].clone();
        }
        let made = made(program, op, depth, |reg| regs[reg as usize].clone())?;
        regs[facts::operands(op, &program.pools).dst? as usize] = Some(made);
    }
    None
}

fn made(program: &Program, op: &Op, depth: u32, reg: impl Fn(Reg) -> Option<Made>) -> Option<Made> {
    match *op {
        Op::Move { src, .. } | Op::Members { src, .. } => reg(src),
        Op::Player { .. } => Some(Made::Player),
        Op::GetProp { entity, prop, .. } => Some(Made::Property(Box::new(reg(entity)?), prop)),
        Op::Group { group, .. } => {
            let group = &program.pools.groups[group as usize];
            let Ways::Set(set) = group.ways else { return None };
            let (wanted, same) = match group.while_ {
                Test::Equal(_, value) => (Some(reg(value)?), true),
                Test::Unequal(_, value) => (Some(reg(value)?), false),
                Test::Nil(_) | Test::Empty => (None, true),
                Test::Some(_) | Test::Occupied => (None, false),
                Test::Always | Test::Code(_) => return None,
            };
            let prop = group.while_.property()?;
            Some(Made::Group(Box::new(Chain { set, prop, from: reg(group.from)?, wanted, same })))
        }
        Op::Border { border, .. } => {
            let border = &program.pools.borders[border as usize];
            match reg(border.list)? {
                Made::Group(chain) if border.ways == Ways::Set(chain.set) => Some(Made::Edge(chain)),
                _ => None,
            }
        }
        Op::Call { func, first, n, .. } if depth < DEEPEST => {
            let args = (first..first + n).map(reg).collect::<Option<Vec<Made>>>()?;
            put(result(program, func, depth + 1)?, &args)
        }
        _ => None,
    }
}

/// The same with the arguments put in.
fn put(made: Made, args: &[Made]) -> Option<Made> {
    let chain = |chain: Box<Chain>| {
        let wanted = match chain.wanted.clone() {
            Some(wanted) => Some(put(wanted, args)?),
            None => None,
        };
        Some(Box::new(Chain { from: put(chain.from.clone(), args)?, wanted, ..*chain }))
    };
    Some(match made {
        Made::Arg(at) => args.get(at)?.clone(),
        Made::Player => Made::Player,
        Made::Property(of, prop) => Made::Property(Box::new(put(*of, args)?), prop),
        Made::Group(group) => Made::Group(chain(group)?),
        Made::Edge(edge) => Made::Edge(chain(edge)?),
    })
}

impl Emit<'_, '_> {
    fn region(&self, set: u16, prop: PropId) -> Option<&Region> {
        self.tables.regions.get(&(set, prop)).map(|region| &**region)
    }

    /// Writes a row of instructions that ends in a question about an edge as one search; false if none begins here.
    pub(super) fn plan(&mut self, op: &Op) -> bool {
        if !self.program.may(Shortcut::Plans) {
            return false;
        }
        let args: Vec<Reg> = facts::operands(op, &self.program.pools).uses;
        let Some((end, chain)) = self.row(op, &args) else { return false };
        let Op::Look { dst, look } = self.code[end] else { return false };
        let look = &self.program.pools.looks[look as usize];
        let Some(region) = self.region(chain.set, chain.prop) else { return false };
        let (address, first, n) = (region as *const Region as u64, region.first, region.n);
        // The property asked for, seen from the first place of the region.
        let (column, to, base) = self.program.layout.column(look.test.property().unwrap_or(chain.prop));
        if column > first || to < first + n {
            return false;
        }
        let base = base + (first - column);
        let from = self.word_of(&chain.from, &args);
        let wanted = match &chain.wanted {
            Some(wanted) => self.word_of(wanted, &args),
            None => self.nil(),
        };
        let (fast, slow, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        // Lists are equal by content, and what is no place has its own way of being refused.
        let inside = self.is_among(from, first, first + n);
        let mut odd = self.b.ins().icmp_imm_u(IntCC::Equal, inside, 0);
        let mut compared = vec![wanted];
        if let Test::Equal(_, reg) | Test::Unequal(_, reg) = look.test
            && !self.is_made_between(reg, end)
        {
            compared.push(self.get(reg));
        }
        for word in compared {
            let in_heap = self.in_heap(word);
            odd = self.b.ins().bor(odd, in_heap);
        }
        self.b.ins().brif(odd, slow, &[], fast, &[]);
        let begin = self.pc;
        self.at(slow);
        for pc in begin..=end {
            self.pc = pc;
            self.op_as_it_is(self.code[pc]);
        }
        self.b.ins().jump(done, &[]);
        self.at(fast);
        for pc in begin + 1..end {
            self.pc = pc;
            if !matches!(self.code[pc], Op::Border { .. } | Op::Members { .. } | Op::Move { .. }) {
                self.op_as_it_is(self.code[pc]);
            }
        }
        self.pc = end;
        let (held, mut holds) = match look.test {
            Test::Equal(_, reg) => (self.get(reg), true),
            Test::Unequal(_, reg) => (self.get(reg), false),
            Test::Nil(_) | Test::Empty => (self.nil(), true),
            Test::Some(_) | Test::Occupied => (self.nil(), false),
            Test::Always | Test::Code(_) => (self.constant(ANYTHING), false),
        };
        // Every one fits where none fails to.
        holds ^= look.quantifier == Quantifier::Every;
        let args = [
            self.constant(address),
            from,
            wanted,
            self.constant(u64::from(chain.same)),
            self.constant(u64::from(base)),
            held,
            self.constant(u64::from(holds)),
        ];
        self.program.permits.write(Shortcut::Plans);
        let found = self.helper_here(regions::beside as *const () as usize, &args);
        let value = match look.quantifier {
            Quantifier::Any => found,
            _ => {
                let none = self.b.ins().icmp_imm_u(IntCC::Equal, found, 0);
                self.truth(none)
            }
        };
        self.set(dst, value);
        self.b.ins().jump(done, &[]);
        self.at(done);
        self.written = end + 1;
        true
    }

    /// Where the row that begins here ends in its question, and the group it is about.
    fn row(&self, op: &Op, args: &[Reg]) -> Option<(usize, Chain)> {
        let (Op::Call { dst, .. } | Op::Group { dst, .. }) = *op else { return None };
        let arg = |reg: Reg| args.iter().position(|&known| known == reg).map(Made::Arg);
        let mut value = made(self.program, op, 0, arg)?;
        let mut list = dst;
        let mut pc = self.pc + 1;
        loop {
            let next = self.code.get(pc)?;
            if self.labels.contains_key(&(pc as u32)) {
                return None;
            }
            let operands = facts::operands(next, &self.program.pools);
            // The list must go straight on to the question, and to nobody else.
            let handed_on = |to: Reg| to == list || self.is_dead(list, vec![pc + 1]);
            match *next {
                Op::Border { dst, .. } | Op::Members { dst, .. } | Op::Move { dst, .. }
                    if operands.uses.contains(&list) =>
                {
                    value = made(self.program, next, 0, |reg| (reg == list).then(|| value.clone()))?;
                    if !handed_on(dst) {
                        return None;
                    }
                    list = dst;
                }
                Op::Look { dst, look } => {
                    let look = &self.program.pools.looks[look as usize];
                    let asks = matches!(look.quantifier, Quantifier::Any | Quantifier::None | Quantifier::Every);
                    let plain = !matches!(look.test, Test::Code(_)) && look.domain == Domain::Reg(list);
                    return match value {
                        Made::Edge(chain) if asks && plain && handed_on(dst) => Some((pc, *chain)),
                        _ => None,
                    };
                }
                Op::Player { dst } | Op::Opponent { dst } | Op::Const { dst, .. } if dst != list => {}
                _ => return None,
            }
            pc += 1;
        }
    }

    /// Whether a register is written between here and there: then it holds a player or what is written in the rules.
    fn is_made_between(&self, reg: Reg, end: usize) -> bool {
        self.code[self.pc + 1..end].iter().any(|op| facts::operands(op, &self.program.pools).dst == Some(reg))
    }

    fn word_of(&mut self, made: &Made, args: &[Reg]) -> Word {
        match made {
            Made::Arg(at) => self.get(args[*at]),
            Made::Player => self.player(),
            Made::Property(of, prop) => {
                let of = self.word_of(of, args);
                self.property(of, types::ANY, *prop)
            }
            Made::Group(_) | Made::Edge(_) => unreachable!("a list is no place"),
        }
    }

    /// A group as a list.
    pub(super) fn group(&mut self, dst: Reg, group: &Group, op: &Op) {
        let known = match (&group.ways, group.while_.property()) {
            (Ways::Set(set), Some(prop)) => self.region(*set, prop),
            _ => None,
        };
        let Some(region) = known else { return self.simple(op) };
        let (address, first, n) = (region as *const Region as u64, region.first, region.n);
        let (wanted, same) = match group.while_ {
            Test::Equal(_, reg) => (self.get(reg), true),
            Test::Unequal(_, reg) => (self.get(reg), false),
            Test::Nil(_) | Test::Empty => (self.nil(), true),
            _ => (self.nil(), false),
        };
        let from = self.get(group.from);
        let (search, odd, done) = (self.b.create_block(), self.cold(), self.b.create_block());
        let inside = self.is_among(from, first, first + n);
        let in_heap = self.in_heap(wanted);
        let outside = self.b.ins().icmp_imm_u(IntCC::Equal, inside, 0);
        let either = self.b.ins().bor(outside, in_heap);
        self.b.ins().brif(either, odd, &[], search, &[]);
        self.at(odd);
        self.simple(op);
        self.b.ins().jump(done, &[]);
        self.at(search);
        let args = [self.constant(address), from, wanted, self.constant(u64::from(same))];
        self.program.permits.write(Shortcut::Regions);
        let list = self.helper_here(regions::group as *const () as usize, &args);
        self.set(dst, list);
        self.b.ins().jump(done, &[]);
        self.at(done);
    }
}

/// The regions that groups of a program are looked for in.
pub(super) fn regions(program: &Program) -> std::collections::BTreeMap<(u16, PropId), Box<Region>> {
    let mut found = std::collections::BTreeMap::new();
    for group in program.pools.groups.iter().filter(|_| program.may(Shortcut::Regions)) {
        if let (Ways::Set(set), Some(prop)) = (&group.ways, group.while_.property())
            && let Some(region) = Region::of(program, *set, prop)
        {
            found.insert((*set, prop), Box::new(region));
        }
    }
    found
}
