//! One function under construction: registers, variables, jumps, words.

use super::*;

/// What kind of code is being compiled; decides what `require` and `return` mean.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Mode {
    Law(RuleId),
    AfterLaw(RuleId),
    SideEffect(RuleId),
    Behavior,
    Define,
}

/// What is known about the thing a word is asked of.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Subject {
    Kinds(Vec<KindId>),
    Unknown,
}

/// What a word means where it stands.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Meaning {
    Reg(Reg),
    Const(Value),
    Setting(Const),
    Player,
    Opponent,
    Players,
    Seats,
    Message,
    /// An answer of the thing in a register, which surely has it.
    Of(Reg, Answer),
    /// What the place answers where `self` lies.
    There(Answer),
    /// The thing in a register may have it; if not, the other meaning holds.
    Perhaps(Reg, Box<Meaning>),
    /// A property of the game: its slot is known.
    Slot(u32),
    Board(usize),
    Global(FuncId),
    Unknown,
}

pub(super) struct Body<'l, 'a> {
    pub lower: &'l mut Lower<'a>,
    pub kind: KindId,
    pub mode: Mode,
    pub code: Vec<Op>,
    pub origins: Vec<Origin>,
    pub next: Reg,
    pub most: Reg,
    pub n_args: u16,
    /// Variables in the order they were met; later ones hide earlier ones.
    pub locals: Vec<(Name, Reg)>,
    /// Values that nobody wants go here, and plain ones are not even written.
    pub sink: Option<Reg>,
    /// Registers kept for the variables of the present body.
    pub kept: Vec<(Name, Reg)>,
    pub attributes: Vec<(Name, Reg)>,
    pub received: Option<u32>,
    /// The things looked at, innermost last.
    pub its: Vec<(Reg, Subject)>,
    pub loops: Vec<Loop>,
    /// Where a `return` puts its value and jumps to, outside defines.
    pub returns: Option<(Option<Reg>, Vec<usize>)>,
    pub depth: u32,
}

pub(super) struct Loop {
    pub again: u32,
    pub breaks: Vec<usize>,
    pub continues: Vec<usize>,
}

/// `self` is always here.
pub(super) const SELF: Reg = 0;

/// Deeper nesting than this is no rule but an attack on the compiler's stack.
const DEEPEST: u32 = 200;

/// Values one body may keep at once; what a list adds to the last of them still has a number.
const MOST_REGS: Reg = 40_000;

impl<'l, 'a> Body<'l, 'a> {
    pub fn new(lower: &'l mut Lower<'a>, kind: KindId, mode: Mode) -> Self {
        Body {
            lower,
            kind,
            mode,
            code: Vec::new(),
            origins: Vec::new(),
            next: 1,
            most: 1,
            n_args: 1,
            locals: Vec::new(),
            sink: None,
            kept: Vec::new(),
            attributes: Vec::new(),
            received: None,
            its: Vec::new(),
            loops: Vec::new(),
            returns: None,
            depth: 0,
        }
    }

    pub fn finish(self, name: &str) -> Function {
        if self.most > MOST_REGS {
            let origin = self.origins.iter().copied().find(|origin| !origin.is_none()).unwrap_or(Origin::NONE);
            let label = "It keeps more values at once than the machine can count.";
            let fault = Diagnostic::error("limit/body", "This is too long for one body", origin, label);
            self.lower.diagnostics.push(fault.hint("Take parts of it out into `#define`, or write shorter lists."));
        }
        Function {
            name: name.to_string(),
            n_regs: self.most,
            n_args: self.n_args,
            code: self.code,
            origins: self.origins,
        }
    }

    pub fn params(&mut self, params: &[Name]) {
        for name in params {
            let reg = self.reg();
            self.locals.push((name.clone(), reg));
        }
        self.n_args = self.next;
        self.sink = Some(self.reg());
    }

    /// The registers after `self` hold the attributes of the label.
    pub fn message(&mut self, label: LabelId) {
        let ids = self.lower.labels[label as usize].attributes.clone();
        let mut attributes = Vec::new();
        for id in ids {
            let reg = self.reg();
            self.attributes.push((self.lower.texts.get(id).clone(), reg));
            attributes.push((id, reg));
        }
        self.n_args = self.next;
        self.sink = Some(self.reg());
        self.lower.pools.received.push(Received { label, attributes });
        self.received = Some(self.lower.pools.received.len() as u32 - 1);
    }

    pub fn reg(&mut self) -> Reg {
        let reg = self.next;
        // What needs more is told when the body is finished; until then the arithmetic has to stay honest.
        self.next = (self.next + 1).min(MOST_REGS + 1);
        self.most = self.most.max(self.next);
        reg
    }

    /// Where a value goes that nobody wants. Without one of its own, the function gives it any register.
    pub fn sink(&mut self) -> Reg {
        match self.sink {
            Some(sink) => sink,
            None => self.reg(),
        }
    }

    pub fn regs(&mut self, n: usize) -> Reg {
        let first = self.next;
        for _ in 0..n {
            self.reg();
        }
        first
    }

    /// Whether so many values can stand side by side; told if not.
    pub fn has_room(&mut self, n: usize, origin: Origin) -> bool {
        if n <= Budget::MEMBERS {
            return true;
        }
        let label = format!("It has {n} members, and at most {} can be written down.", Budget::MEMBERS);
        let fault = Diagnostic::error("limit/list", "This list is too long", origin, label);
        self.lower.diagnostics.push(fault.hint("`(range 1 N)` makes numbers, and `(all MODEL)` finds things."));
        false
    }

    pub fn mark(&self) -> Reg {
        self.next
    }

    pub fn release(&mut self, mark: Reg) {
        self.next = mark;
    }

    pub fn emit(&mut self, op: Op, origin: Origin) {
        if let Op::Const { dst, .. } | Op::Move { dst, .. } = op
            && Some(dst) == self.sink
        {
            return;
        }
        self.code.push(op);
        self.origins.push(origin);
    }

    /// An instruction whose target is not known yet; [`Body::land`] sets it.
    pub fn emit_jump(&mut self, op: Op, origin: Origin) -> usize {
        self.emit(op, origin);
        self.code.len() - 1
    }

    pub fn here(&self) -> u32 {
        self.code.len() as u32
    }

    /// Makes a jump written earlier lead here.
    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        *self.code[jump].target_mut().expect("only jumps are landed") = here;
    }

    pub fn set_start(&mut self, suppose: usize, at: u32) {
        if let Op::Suppose { start, .. } = &mut self.code[suppose] {
            *start = at;
        }
    }

    pub fn constant(&mut self, value: Value, origin: Origin) -> Reg {
        let dst = self.reg();
        self.emit(Op::Const { dst, value }, origin);
        dst
    }

    pub fn constant_list(&mut self, list: &Const, origin: Origin) -> Reg {
        let Const::List(members) = list else {
            let value = self.lower.constant(list).unwrap_or(Value::NIL);
            return self.constant(value, origin);
        };
        let dst = self.reg();
        if !self.has_room(members.len(), origin) {
            return dst;
        }
        let first = self.regs(members.len());
        for (at, member) in members.iter().enumerate() {
            let mark = self.mark();
            let src = self.constant_list(member, origin);
            self.emit(Op::Move { dst: first + at as Reg, src }, origin);
            self.release(mark);
        }
        self.emit(Op::List { dst, first, n: members.len() as u16 }, origin);
        dst
    }

    pub fn fault(&mut self, title: &str, label: impl Into<String>, origin: Origin) {
        self.lower.diagnostics.push(Diagnostic::error("form/fault", title, origin, label));
    }

    /// A whole define or value: the last statement's value is returned.
    pub fn function_body(&mut self, statements: &'a [Expr]) {
        self.keep_variables(statements);
        let dst = self.reg();
        self.statements(statements, dst);
        self.emit(Op::Return { src: dst }, Origin::NONE);
    }

    pub fn behavior(&mut self, statements: &'a [Expr], result: Reg) {
        let (locals, mark) = (self.locals.len(), self.mark());
        self.mode = Mode::Behavior;
        self.keep_variables(statements);
        self.returns = Some((Some(result), Vec::new()));
        self.statements(statements, result);
        self.land_returns();
        self.locals.truncate(locals);
        self.release(mark);
    }

    pub fn rule(&mut self, id: RuleId, rule: &'a Rule, aside: bool) {
        let (locals, mark) = (self.locals.len(), self.mark());
        self.mode = match rule.kind {
            RuleKind::Law => Mode::Law(id),
            RuleKind::AfterLaw => Mode::AfterLaw(id),
            RuleKind::SideEffect => Mode::SideEffect(id),
        };
        let mut skips = Vec::new();
        if aside {
            skips.push(self.emit_jump(Op::SkipRule { rule: id, to: 0 }, Origin::NONE));
        }
        if let Some(skip) = self.only_named(rule) {
            skips.push(skip);
        }
        let enters = aside && rule.kind != RuleKind::SideEffect;
        if enters {
            self.emit(Op::EnterRule { rule: id }, Origin::NONE);
        }
        self.keep_variables(&rule.body);
        self.returns = Some((None, Vec::new()));
        let sink = self.sink();
        self.statements(&rule.body, sink);
        self.land_returns();
        if enters {
            self.emit(Op::LeaveRule, Origin::NONE);
        }
        for skip in skips {
            self.land(skip);
        }
        self.locals.truncate(locals);
        self.release(mark);
    }

    /// A rule bound to single things by name applies to those only.
    pub(super) fn only_named(&mut self, rule: &Rule) -> Option<usize> {
        let kinds = rule.to.iter().any(|(to, _)| {
            &**to == "*" || self.lower.world.kind(to).is_some_and(|of| self.lower.world.is_a(self.kind, of))
        });
        if rule.to.is_empty() || kinds {
            return None;
        }
        let found = self.constant(Value::NIL, Origin::NONE);
        for (to, origin) in &rule.to {
            let Some(&entity) = self.lower.world.names.get(to) else { continue };
            let named = self.constant(Value::entity(entity), *origin);
            let same = self.reg();
            self.emit(Op::Eq { dst: same, a: SELF, b: named }, *origin);
            let no = self.emit_jump(Op::JumpNil { src: same, to: 0 }, *origin);
            self.emit(Op::Move { dst: found, src: same }, *origin);
            self.land(no);
        }
        Some(self.emit_jump(Op::JumpNil { src: found, to: 0 }, Origin::NONE))
    }

    pub(super) fn land_returns(&mut self) {
        if let Some((_, jumps)) = self.returns.take() {
            for jump in jumps {
                self.land(jump);
            }
        }
    }

    /// The built-in answer to `gameover`.
    pub fn set_outcome(&mut self) {
        if let Some((_, winner)) = self.attributes.iter().find(|(name, _)| &**name == "winner") {
            let winner = *winner;
            self.emit(Op::SetOutcome { winner }, Origin::NONE);
        }
    }

    /// Registers for all variables of a body, so that one declared inside a loop keeps its place.
    pub(super) fn keep_variables(&mut self, statements: &[Expr]) {
        self.kept.clear();
        let mut names: Vec<Name> = Vec::new();
        for statement in statements {
            statement.walk(&mut |inner| {
                if let ExprKind::Form(Form::Var | Form::Foreach, slots) = &inner.kind
                    && let Some(NameRef::Given(name, _)) = slots[0].name()
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            });
        }
        for name in names {
            let reg = self.reg();
            self.emit(Op::Const { dst: reg, value: Value::NIL }, Origin::NONE);
            self.kept.push((name, reg));
        }
    }

    /// Whether a word is a variable or an attribute here, which hides whatever else is called so.
    pub fn is_variable(&self, word: &Name) -> bool {
        self.locals.iter().chain(&self.attributes).any(|(name, _)| name == word)
    }

    /// Declares a variable of the present body.
    pub fn declare(&mut self, name: &Name) -> Reg {
        let reg = match self.kept.iter().find(|(known, _)| known == name) {
            Some((_, reg)) => *reg,
            None => self.reg(),
        };
        self.locals.push((name.clone(), reg));
        reg
    }

    pub fn statements(&mut self, statements: &'a [Expr], dst: Reg) {
        if statements.is_empty() {
            self.emit(Op::Const { dst, value: Value::NIL }, Origin::NONE);
        }
        for (at, statement) in statements.iter().enumerate() {
            let mark = self.mark();
            if at + 1 == statements.len() {
                self.expr(statement, dst);
            } else {
                let sink = self.sink();
                self.expr(statement, sink);
            }
            self.release(mark);
        }
    }

    /// The value of an expression in a register of its own or where it already is.
    pub fn value(&mut self, expr: &'a Expr) -> Reg {
        if let ExprKind::Word(word) = &expr.kind
            && let Meaning::Reg(reg) = self.meaning(word)
        {
            return reg;
        }
        let dst = self.reg();
        self.expr(expr, dst);
        dst
    }

    pub fn expr(&mut self, expr: &'a Expr, dst: Reg) {
        self.depth += 1;
        if self.depth > DEEPEST {
            self.fault("Nested too deeply", "Take this apart with a `#define`.", expr.origin);
        } else {
            let mark = self.mark();
            self.plain_expr(expr, dst);
            self.release(mark);
        }
        self.depth -= 1;
    }

    pub(super) fn plain_expr(&mut self, expr: &'a Expr, dst: Reg) {
        let origin = expr.origin;
        match &expr.kind {
            ExprKind::Number(number) => {
                let value = match number {
                    Number::Whole(whole) => Value::whole(*whole),
                    Number::Decimal(decimal) => Value::decimal(*decimal),
                };
                match value {
                    Some(value) => self.emit(Op::Const { dst, value }, origin),
                    None => self.fault(
                        "This number is too large",
                        format!("Numbers go up to {}.", crate::limits::MOST),
                        origin,
                    ),
                }
            }
            ExprKind::Text(text) => {
                let value = Value::text(self.lower.texts.id(text));
                self.emit(Op::Const { dst, value }, origin);
            }
            ExprKind::Told(pieces) => {
                let first = self.regs(pieces.len() + 1);
                let telling = Value::text(self.lower.texts.id(crate::limits::TELLING));
                self.emit(Op::Const { dst: first, value: telling }, origin);
                for (at, piece) in pieces.iter().enumerate() {
                    self.expr(piece, first + 1 + at as Reg);
                }
                self.emit(Op::List { dst, first, n: pieces.len() as u16 + 1 }, origin);
            }
            ExprKind::Word(word) => {
                let meaning = self.meaning(word);
                if meaning == Meaning::Unknown {
                    self.lower.unknown(
                        word,
                        origin,
                        "A word is a variable, an attribute, a property, a define, a setting or a name.",
                    );
                    return;
                }
                self.load(&meaning, dst, origin, word);
            }
            ExprKind::Form(form, slots) => self.form(*form, slots, dst, origin),
            ExprKind::Call { name, args, of: Some(target), name_origin } => {
                self.call_of(name, args, target, dst, *name_origin)
            }
            ExprKind::Call { name, args, of: None, name_origin } => self.call(name, args, dst, *name_origin),
            ExprKind::PlaceAt { model, at } => self.place_at(model, at, dst, origin),
            ExprKind::Missing => {
                self.emit(Op::Const { dst, value: Value::NIL }, origin);
            }
        }
    }

    pub fn refuse(&mut self, rule: RuleId, reason: Reg, origin: Origin) {
        match self.mode {
            Mode::Law(_) => self.emit(Op::Refuse { rule, reason }, origin),
            _ => self.emit(Op::Rollback { rule, reason }, origin),
        };
    }

    /// The rule whose body this is, if it is one.
    pub fn rule_id(&self) -> RuleId {
        match self.mode {
            Mode::Law(rule) | Mode::AfterLaw(rule) | Mode::SideEffect(rule) => rule,
            Mode::Behavior | Mode::Define => RuleId::MAX,
        }
    }
}

/// Whether two answers are fetched by the same instruction.
pub(super) fn same_op(left: Option<Answer>, right: Option<Answer>) -> bool {
    match (left, right) {
        (Some(Answer::Define(_)), Some(Answer::Define(_))) => true,
        (left, right) => left == right,
    }
}
