//! Who takes part, who decides, and who has won: read off the names that a program uses.

use houserules_kernel::{Outcome, SeatId};
use smallvec::SmallVec;

use crate::matching::Instance;
use crate::program::{CtorId, Program, StageId, TypeId};
use crate::store::{AtomId, Store, Term};

/// The seats of a program.
#[derive(Clone, Debug, Default)]
pub struct Seats {
    pub names: Vec<String>,
    /// The constant that stands for each seat; none where nobody has a name.
    ctors: Vec<CtorId>,
    of: Option<TypeId>,
}

/// What a fact tells about the end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tells {
    Won(usize),
    Lost(usize),
    Drawn,
    Points(usize, u64),
}

const WON: [&str; 6] = ["win", "wins", "won", "winner", "victory", "win/by"];
const LOST: [&str; 4] = ["lose", "loses", "lost", "loser"];
const DRAWN: [&str; 4] = ["draw", "drawn", "tie", "tied"];
const POINTS: [&str; 4] = ["points", "score", "scored", "count"];
/// Constants beside the players that say that nobody is there.
const NOBODY: [&str; 9] = ["free", "none", "nobody", "empty", "null", "no", "neutral", "blank", "nothing"];

impl Seats {
    /// The constants that decide in some instance; or those that a line `%% seats …` names.
    pub fn of(program: &Program, store: &Store, instances: &[Instance]) -> Seats {
        let declared = program.notes.iter().find(|words| words[0] == "seats" && words.len() > 1);
        let constant = |name: &String| program.ctors.iter().position(|ctor| ctor.name == *name && ctor.args.is_empty());
        let mut seats = Seats::default();
        if let Some(words) = declared {
            seats.ctors = words[1..].iter().filter_map(constant).collect();
            seats.of = seats.ctors.first().map(|&ctor| program.ctors[ctor].of);
        }
        if seats.ctors.is_empty() {
            let named = |wanted: &str| program.types.iter().position(|of| of.name.starts_with(wanted));
            seats.of =
                named("player").or_else(|| named("side")).or_else(|| named("person")).or_else(|| named("colour"));
            if let Some(of) = seats.of {
                let somebody = |ctor: &CtorId| {
                    let known = &program.ctors[*ctor];
                    known.of == of && known.args.is_empty() && !NOBODY.contains(&known.name.as_str())
                };
                seats.ctors = (0..program.ctors.len()).filter(somebody).collect();
                let decides = |instance: &&Instance| {
                    let rule = &program.rules[instance.rule];
                    rule.next.is_none() && program.stages[rule.stage].interactive
                };
                let mut movers = vec![false; seats.ctors.len()];
                for instance in instances.iter().filter(decides) {
                    if let Some(seat) = seats.decider(program, store, instance) {
                        movers[seat] = true;
                    }
                }
                if movers.contains(&true) {
                    let mut decides = movers.into_iter();
                    seats.ctors.retain(|_| decides.next() == Some(true));
                }
            }
        }
        seats.names = seats.ctors.iter().map(|&ctor| program.ctors[ctor].name.clone()).collect();
        if seats.names.is_empty() {
            seats.names.push("player".into());
        }
        seats
    }

    pub fn n_seats(&self) -> usize {
        self.names.len()
    }

    /// The seat that a term stands for.
    pub fn seat(&self, store: &Store, term: Term) -> Option<usize> {
        let (ctor, _) = store.node(term)?;
        self.ctors.iter().position(|&known| known == ctor)
    }

    /// Whose choice an instance is.
    pub fn mover(&self, program: &Program, store: &Store, instance: &Instance) -> usize {
        self.decider(program, store, instance).unwrap_or(0)
    }

    /// The player of the first fact about nothing but a player, such as `turn`; else the first that is named at all.
    fn decider(&self, program: &Program, store: &Store, instance: &Instance) -> Option<usize> {
        let of = self.of?;
        let named = |alone: bool| {
            let about = |atom: &&AtomId| {
                let args = &program.preds[store.atom(**atom).pred].args;
                if alone { args.as_slice() == [of] } else { args.contains(&of) }
            };
            let mut atoms = instance.atoms.iter().filter(about);
            atoms.find_map(|&atom| store.atom(atom).args.iter().find_map(|&arg| self.seat(store, arg)))
        };
        named(true).or_else(|| named(false))
    }

    /// How a match has ended in which these facts are left.
    pub fn outcome(
        &self,
        program: &Program,
        store: &Store,
        stage: StageId,
        atoms: impl Iterator<Item = AtomId>,
    ) -> Outcome {
        let told: SmallVec<[Tells; 8]> = atoms.filter_map(|atom| self.tells(program, store, stage, atom)).collect();
        let n_seats = self.n_seats();
        let mut ranks: SmallVec<[u8; 16]> = SmallVec::from_elem(1, n_seats);
        let some = |wanted: fn(usize) -> Tells, seat: usize| told.contains(&wanted(seat));
        let points = |tells: &Tells| if let Tells::Points(seat, n) = *tells { Some((seat, n)) } else { None };
        if told.iter().any(|tells| matches!(tells, Tells::Won(_))) {
            (0..n_seats).filter(|&seat| !some(Tells::Won, seat)).for_each(|seat| ranks[seat] = 2);
        } else if told.iter().any(|tells| matches!(tells, Tells::Lost(_))) {
            (0..n_seats).filter(|&seat| some(Tells::Lost, seat)).for_each(|seat| ranks[seat] = 2);
        } else if told.contains(&Tells::Drawn) {
        } else if told.iter().filter_map(points).count() == n_seats && n_seats > 1 {
            for (seat, own) in told.iter().filter_map(points) {
                ranks[seat] = 1 + told.iter().filter_map(points).filter(|(_, other)| *other > own).count() as u8;
            }
        } else if n_seats == 1 && program.preds.iter().any(|pred| WON.contains(&pred.name.as_str())) {
            // Alone one wins or does not.
            ranks[0] = 2;
        }
        Outcome { ranks }
    }

    fn tells(&self, program: &Program, store: &Store, stage: StageId, atom: AtomId) -> Option<Tells> {
        let known = store.atom(atom);
        let name = program.preds[known.pred].name.as_str();
        let whom = || known.args.iter().find_map(|&arg| self.seat(store, arg));
        let alone = |seat: Option<usize>| seat.or((self.n_seats() == 1).then_some(0));
        // As Spira writes it: who has been in the stage `win` with success has won.
        let success = name
            .strip_prefix("postoken_")
            .is_some_and(|of| of == program.stages[stage].name && (of.starts_with("win") || of.ends_with("win")));
        match name {
            _ if success => whom().map(Tells::Won),
            _ if WON.contains(&name) => alone(whom()).map(Tells::Won),
            _ if LOST.contains(&name) => alone(whom()).map(Tells::Lost),
            _ if DRAWN.contains(&name) && known.args.is_empty() => Some(Tells::Drawn),
            _ if POINTS.contains(&name) => {
                let number = known.args.iter().find_map(|arg| arg.as_number())?;
                whom().map(|seat| Tells::Points(seat, number))
            }
            _ => None,
        }
    }

    /// Whether a fact says something about the end, in whichever stage that is.
    pub fn is_telling(&self, program: &Program, atom_pred: usize) -> bool {
        let name = program.preds[atom_pred].name.as_str();
        let all = [WON.as_slice(), &LOST, &DRAWN, &POINTS];
        name.starts_with("postoken_") || all.iter().any(|words| words.contains(&name))
    }

    pub fn id(seat: usize) -> SeatId {
        SeatId(seat as u8)
    }
}
