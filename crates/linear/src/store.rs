//! Terms and atoms, each kept once and known by a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use smallvec::SmallVec;

use crate::fault::Fault;
use crate::program::{CtorId, Pat, PredId};

/// A ground term: a number, or an entry of a [`Store`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(u64);

const NUMBER: u64 = 1 << 63;

impl Term {
    pub fn number(number: u64) -> Term {
        Term(number | NUMBER)
    }

    pub fn as_number(self) -> Option<u64> {
        (self.0 & NUMBER != 0).then_some(self.0 & !NUMBER)
    }
}

/// Nothing says yet what a variable stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unbound;

pub type Args = SmallVec<[Term; 4]>;
pub type AtomId = u32;

/// A predicate with its arguments, used up by rules or for ever.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub pred: PredId,
    pub args: Args,
    pub persistent: bool,
}

/// Looked up, never gone through: what comes out of it has the order in which it was put in.
#[derive(Clone, Default)]
pub struct Store {
    nodes: Vec<Node>,
    node_ids: Map<(CtorId, Args), u64>,
    atoms: Vec<(Atom, u64)>,
    atom_ids: Map<Atom, AtomId>,
}

#[derive(Clone)]
struct Node {
    ctor: CtorId,
    args: Args,
    hash: u64,
    /// How many terms stand inside each other here.
    depth: u32,
    /// How many names it takes to write it down; the same part may stand in it millions of times.
    size: u64,
}

/// Terms nested deeper are refused: rules that build ever larger ones would fill memory, and what is said of them the screen.
const DEEPEST_TERM: u32 = 1_000;
/// Terms that take more names to write down are refused: `f X X` is twice as long as `X`, and kept in as little memory.
const LONGEST_TERM: u64 = 10_000;

pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

impl Store {
    pub fn term(&mut self, ctor: CtorId, args: Args) -> Term {
        let key = (ctor, args);
        if let Some(&id) = self.node_ids.get(&key) {
            return Term(id);
        }
        let id = self.nodes.len() as u64;
        let hash = key.1.iter().fold(mix(ctor as u64 + 1), |hash, &arg| mix(hash ^ self.hash(arg)));
        let depth = 1 + key.1.iter().map(|&arg| self.depth(arg)).max().unwrap_or(0);
        let size = key.1.iter().fold(1, |size: u64, &arg| size.saturating_add(self.size(arg)));
        self.nodes.push(Node { ctor, args: key.1.clone(), hash, depth, size });
        self.node_ids.insert(key, id);
        Term(id)
    }

    pub fn known_term(&self, ctor: CtorId, args: Args) -> Option<Term> {
        self.node_ids.get(&(ctor, args)).map(|&id| Term(id))
    }

    /// Constructor and arguments; none of a number.
    pub fn node(&self, term: Term) -> Option<(CtorId, &Args)> {
        let node = self.nodes.get(usize::try_from(term.0).ok()?)?;
        Some((node.ctor, &node.args))
    }

    /// How many terms stand inside each other in this one; a number is one.
    pub fn depth(&self, term: Term) -> u32 {
        if term.as_number().is_some() { 1 } else { self.nodes[term.0 as usize].depth }
    }

    /// How many names and numbers it takes to write a term down.
    pub fn size(&self, term: Term) -> u64 {
        if term.as_number().is_some() { 1 } else { self.nodes[term.0 as usize].size }
    }

    /// A rule of this name has come to a term: an error if it is one nobody could read.
    pub fn admit(&self, term: Term, rule: &str) -> Result<(), Fault> {
        let (most, of_what) = match (self.depth(term) > DEEPEST_TERM, self.size(term) > LONGEST_TERM) {
            (false, false) => return Ok(()),
            (true, _) => (u64::from(DEEPEST_TERM), "levels"),
            (false, true) => (LONGEST_TERM, "parts"),
        };
        Err(Fault(format!("The rule `{rule}` builds a term of more than {most} {of_what}.")))
    }

    pub fn atom_id(&mut self, atom: Atom) -> AtomId {
        if let Some(&id) = self.atom_ids.get(&atom) {
            return id;
        }
        let id = self.atoms.len() as AtomId;
        let first = mix(mix(atom.pred as u64 + 1) ^ u64::from(atom.persistent));
        let hash = atom.args.iter().fold(first, |hash, &arg| mix(hash ^ self.hash(arg)));
        self.atoms.push((atom.clone(), hash));
        self.atom_ids.insert(atom, id);
        id
    }

    pub fn known_atom(&self, atom: &Atom) -> Option<AtomId> {
        self.atom_ids.get(atom).copied()
    }

    pub fn atom(&self, id: AtomId) -> &Atom {
        &self.atoms[id as usize].0
    }

    /// Follows from what the atom says, not from when it was met.
    pub fn atom_hash(&self, id: AtomId) -> u64 {
        self.atoms[id as usize].1
    }

    pub fn n_atoms(&self) -> usize {
        self.atoms.len()
    }

    fn hash(&self, term: Term) -> u64 {
        match term.as_number() {
            Some(number) => mix(number ^ NUMBER),
            None => self.nodes[term.0 as usize].hash,
        }
    }

    /// Binds the variables of a pattern so that it is the term; what was bound is put on the trail even if it fails.
    pub fn matches(&self, pat: &Pat, term: Term, bound: &mut [Option<Term>], trail: &mut Vec<usize>) -> bool {
        match pat {
            Pat::Var(var) => match bound[*var] {
                Some(known) => known == term,
                None => {
                    bound[*var] = Some(term);
                    trail.push(*var);
                    true
                }
            },
            Pat::Number(number) => term == Term::number(*number),
            Pat::Plus(by, inner) => match term.as_number() {
                Some(number) if number >= *by => self.matches(inner, Term::number(number - by), bound, trail),
                _ => false,
            },
            Pat::Apply(ctor, pats) => match self.node(term) {
                Some((own, args)) if own == *ctor => {
                    pats.iter().zip(args).all(|(pat, &arg)| self.matches(pat, arg, bound, trail))
                }
                _ => false,
            },
        }
    }

    /// The term a pattern stands for, if its variables are bound.
    pub fn build(&mut self, pat: &Pat, bound: &[Option<Term>]) -> Option<Term> {
        match pat {
            Pat::Var(var) => bound[*var],
            Pat::Number(number) => Some(Term::number(*number)),
            Pat::Plus(by, inner) => {
                let number = self.build(inner, bound)?.as_number()?.checked_add(*by)?;
                (number < NUMBER).then_some(Term::number(number))
            }
            Pat::Apply(ctor, pats) => {
                let args = pats.iter().map(|pat| self.build(pat, bound)).collect::<Option<Args>>()?;
                Some(self.term(*ctor, args))
            }
        }
    }

    /// As `build`, without putting anything new into the store. `Unbound` if a variable is not bound, `Ok(None)` if there is
    /// no such term yet.
    pub fn find(&self, pat: &Pat, bound: &[Option<Term>]) -> Result<Option<Term>, Unbound> {
        Ok(match pat {
            Pat::Var(var) => Some(bound[*var].ok_or(Unbound)?),
            Pat::Number(number) => Some(Term::number(*number)),
            Pat::Plus(by, inner) => self
                .find(inner, bound)?
                .and_then(|term| Some(Term::number(term.as_number()?.checked_add(*by).filter(|&n| n < NUMBER)?))),
            Pat::Apply(ctor, pats) => {
                let mut args = Args::new();
                let mut known = true;
                for pat in pats {
                    match self.find(pat, bound)? {
                        Some(arg) => args.push(arg),
                        None => known = false,
                    }
                }
                if known { self.known_term(*ctor, args) } else { None }
            }
        })
    }
}

/// The finisher of splitmix64: the same on every machine.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (value ^ (value >> 31)).wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// Quick, and without a seed.
#[derive(Default)]
pub struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
    }

    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
}
