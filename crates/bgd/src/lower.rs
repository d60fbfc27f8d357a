//! From a program to the text of a definition that plays it.
//!
//! Players who take part are the seats, all others are `neutral`. Locations and objects are things, attributes their
//! properties. A round that only finds something out is a define, any other a message to the game. Actions are
//! offered when asked, and what they require are laws. Main is told to the game at the start, and runs to its end;
//! where it does the same for each turn, its halves are told before and after each choice instead.

mod board;
mod code;
mod expr;
mod things;
mod turns;
mod words;

use crate::Cast;
use crate::names::{Names, Scope};
use crate::syntax::{Expr, Program, each_expr, each_stmt};
use crate::types::Ty;
use board::Spots;
use houserules_model::Origin;
use indexmap::{IndexMap, IndexSet};
use turns::Turns;
use words::Words;

/// A definition, and for each of its places the one in the program it comes from.
#[derive(Clone, Debug)]
pub struct Lowered {
    pub text: String,
    /// From here on, up to the next.
    marks: Vec<(u32, Origin)>,
}

impl Lowered {
    /// Where something in the text of the definition comes from.
    pub fn origin(&self, start: u32) -> Origin {
        let after = self.marks.partition_point(|(at, _)| *at <= start);
        after.checked_sub(1).map_or(Origin::NONE, |at| self.marks[at].1)
    }
}

/// The setting of the definition that says who plays.
pub const SEATED: &str = "seated";

/// Writes the definition with these players at the table, in the order of their turns. The program has no errors.
pub fn lower(program: &Program, cast: &Cast) -> Lowered {
    let names = Names::new(program);
    let words = Words::new(&names);
    let mut writer = Writer {
        uses: Uses::of(&names),
        names,
        words,
        seated: &cast.0,
        text: String::new(),
        marks: Vec::new(),
        indent: 0,
        scope: Vec::new(),
        renamed: Vec::new(),
        hoisted: IndexMap::new(),
        n_hoisted: 0,
        laws: IndexSet::new(),
        spots: board::spots(program),
        begun: Vec::new(),
        turns: Turns::of(program),
        asking: false,
    };
    writer.definition();
    Lowered { text: writer.text, marks: writer.marks }
}

/// What of the language a program uses: the rest is not written.
struct Uses {
    exist_visible: bool,
    value_visible: bool,
    connections: bool,
    supplies: bool,
    /// Something is drawn of an object that is not named.
    drawing: bool,
}

impl Uses {
    fn of(names: &Names) -> Self {
        use crate::syntax::{Attr, ExprKind, Member, Sight, StmtKind};
        let program = names.program;
        let mut uses = Uses {
            exist_visible: false,
            value_visible: false,
            connections: false,
            supplies: program.locations.iter().any(|location| location.supply),
            drawing: false,
        };
        let mut drawing = false;
        let mut look = |expr: &Expr| {
            expr.walk(&mut |inside| match inside.kind {
                ExprKind::Member(_, Member::ExistVisible) => uses.exist_visible = true,
                ExprKind::Member(_, Member::ValueVisible) => uses.value_visible = true,
                ExprKind::Member(_, Member::Connections) | ExprKind::IsConnectedTo(..) => uses.connections = true,
                _ => {}
            });
        };
        let bodies = program.rounds.iter().map(|round| &round.body);
        let bodies = bodies.chain(program.actions.iter().map(|action| &action.effect));
        for body in bodies.chain(&program.start).chain(&program.postgame) {
            each_stmt(body, &mut |stmt| {
                each_expr(stmt, &mut |expr| look(expr));
                drawing |= matches!(&stmt.kind, StmtKind::Randomize(what)
                    if !matches!(what.kind, ExprKind::Name(_) | ExprKind::Attr(..)));
            });
        }
        program.actions.iter().flat_map(|action| &action.requires).for_each(&mut look);
        let secret = |sight: &Option<Sight>| !matches!(sight, None | Some(Sight::Public));
        uses.exist_visible |= program.locations.iter().any(|location| secret(&location.exist));
        let hidden = |attrs: &[Attr]| attrs.iter().any(|attr| attr.hidden);
        let of_types = program.types.iter().map(|kind| &kind.with);
        let of_instances = program.locations.iter().flat_map(|location| &location.inventory);
        uses.value_visible |= of_types
            .chain(of_instances.map(|instance| &instance.with))
            .any(|with| hidden(&with.attrs) || with.randomizer.as_ref().is_some_and(|randomizer| randomizer.hidden));
        uses.drawing = drawing;
        uses
    }
}

struct Writer<'a> {
    names: Names<'a>,
    words: Words,
    seated: &'a [usize],
    uses: Uses,
    text: String,
    marks: Vec<(u32, Origin)>,
    indent: usize,
    scope: Scope,
    /// What parameters are called in the definition, as values.
    renamed: Vec<(String, String)>,
    /// Calls that were made before the statement they stand in, by where they are, and what they gave.
    hoisted: IndexMap<*const Expr, String>,
    n_hoisted: usize,
    laws: IndexSet<String>,
    /// Locations that are places of a board.
    spots: Spots<'a>,
    /// What is known of places, said when a match begins.
    begun: Vec<String>,
    /// Main as what comes before and after each choice, where it is made so.
    turns: Option<Turns<'a>>,
    /// In what an action requires of who chooses, the choice is made by whose turn it is.
    asking: bool,
}

impl Writer<'_> {
    fn mark(&mut self, origin: Origin) {
        self.marks.push((self.text.len() as u32, origin));
    }

    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Begins a line.
    fn line(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
    }

    fn lined(&mut self, text: &str) {
        self.line();
        self.put(text);
    }

    fn blank(&mut self) {
        self.text.push('\n');
    }

    fn definition(&mut self) {
        self.heading();
        self.player_models();
        self.locations();
        self.connections();
        self.objects();
        self.defines();
        self.messages();
        self.actions();
        self.setup();
        self.blank();
    }

    fn setup(&mut self) {
        let start = self.names.program.start.as_deref();
        if start.is_none() && self.turns.is_some() && self.begun.is_empty() {
            return;
        }
        self.blank();
        self.lined("#setup");
        for line in std::mem::take(&mut self.begun) {
            self.lined(&format!("  {line}"));
        }
        if let Some(start) = start {
            self.lined("  (send StartState to game)");
            if self.names.finishing_block(start) {
                self.lined("  (if finished (return))");
            }
        }
        match (self.turns.is_some(), start.is_some()) {
            (true, true) => self.lined("  (end turn to CurrentTurn)"),
            (true, false) => {}
            (false, _) => self.lined("  (send Main to game)"),
        }
    }

    fn ty(&self, expr: &Expr) -> Ty {
        self.names.ty(expr, &self.scope)
    }
}

/// A text in quotes; braces are what they are.
fn quoted(text: &str) -> String {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\"").replace('{', "{{"))
}
