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
    code: Vec<Op>,
    origins: Vec<Origin>,
    next: Reg,
    most: Reg,
    n_args: u16,
    /// Variables in the order they were met; later ones hide earlier ones.
    pub locals: Vec<(Name, Reg)>,
    /// Values that nobody wants go here, and plain ones are not even written.
    sink: Option<Reg>,
    /// Registers kept for the variables of the present body.
    kept: Vec<(Name, Reg)>,
    pub attributes: Vec<(Name, Reg)>,
    pub received: Option<u32>,
    /// The things looked at, innermost last.
    pub its: Vec<(Reg, Subject)>,
    loops: Vec<Loop>,
    /// Where a `return` puts its value and jumps to, outside defines.
    returns: Option<(Option<Reg>, Vec<usize>)>,
    depth: u32,
}

struct Loop {
    again: u32,
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

/// `self` is always here.
pub(super) const SELF: Reg = 0;

/// Deeper nesting than this is no rule but an attack on the compiler's stack.
const DEEPEST: u32 = 200;

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

    // Registers and code

    pub fn reg(&mut self) -> Reg {
        let reg = self.next;
        // A function with so many registers was not written by hand; the limit keeps the arithmetic honest.
        self.next = self.next.saturating_add(1).min(Reg::MAX - 1);
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
        match &mut self.code[jump] {
            Op::Jump { to }
            | Op::JumpNil { to, .. }
            | Op::JumpSome { to, .. }
            | Op::JumpList { to, .. }
            | Op::JumpEq { to, .. }
            | Op::JumpNe { to, .. }
            | Op::JumpLess { to, .. }
            | Op::JumpNotLess { to, .. }
            | Op::SkipRule { to, .. } => *to = here,
            Op::Next { end, .. } | Op::Suppose { end, .. } => *end = here,
            Op::GetIfHas { missing, .. } => *missing = here,
            other => unreachable!("{other:?} is no jump"),
        }
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

    // Bodies

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
    fn only_named(&mut self, rule: &Rule) -> Option<usize> {
        let kinds = rule
            .to
            .iter()
            .any(|(to, _)| self.lower.world.kind(to).is_some_and(|of| self.lower.world.is_a(self.kind, of)));
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

    fn land_returns(&mut self) {
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
    fn keep_variables(&mut self, statements: &[Expr]) {
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

    // Expressions

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

    fn plain_expr(&mut self, expr: &'a Expr, dst: Reg) {
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
                        format!("Numbers go up to {}.", crate::value::MOST),
                        origin,
                    ),
                }
            }
            ExprKind::Text(text) => {
                let value = Value::text(self.lower.texts.id(text));
                self.emit(Op::Const { dst, value }, origin);
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

    pub fn load(&mut self, meaning: &Meaning, dst: Reg, origin: Origin, word: &Name) {
        match meaning {
            Meaning::Reg(src) if *src != dst => self.emit(Op::Move { dst, src: *src }, origin),
            Meaning::Reg(_) | Meaning::Unknown => {}
            Meaning::Const(value) => self.emit(Op::Const { dst, value: *value }, origin),
            Meaning::Setting(value) => {
                let src = self.constant_list(value, origin);
                self.emit(Op::Move { dst, src }, origin);
            }
            Meaning::Slot(slot) => self.emit(Op::GetSlot { dst, slot: *slot }, origin),
            Meaning::Player => self.emit(Op::Player { dst }, origin),
            Meaning::Opponent => self.emit(Op::Opponent { dst }, origin),
            Meaning::Players => self.emit(Op::Players { dst }, origin),
            Meaning::Seats => {
                let n = self.lower.world.n_seats;
                self.entity_list(1..=n, dst, origin);
            }
            Meaning::Message => match self.received {
                Some(message) => self.emit(Op::ThisMessage { dst, message }, origin),
                None => self.emit(Op::Const { dst, value: Value::NIL }, origin),
            },
            Meaning::Of(entity, answer) => self.answer(*entity, *answer, dst, origin, word),
            Meaning::Perhaps(entity, other) => {
                let name = self.lower.texts.id(word);
                let missing = self.emit_jump(Op::GetIfHas { dst, entity: *entity, name, missing: 0 }, origin);
                let done = self.emit_jump(Op::Jump { to: 0 }, origin);
                self.land(missing);
                if **other == Meaning::Unknown {
                    self.emit(Op::Const { dst, value: Value::NIL }, origin);
                } else {
                    self.load(other, dst, origin, word);
                }
                self.land(done);
            }
            Meaning::Board(board) => {
                let board = &self.lower.world.boards[*board];
                let places = board.first..=board.first + board.n - 1;
                self.entity_list(places, dst, origin);
            }
            Meaning::Global(func) => {
                let first = self.constant(Value::entity(crate::world::GAME), origin);
                self.emit(Op::Call { dst, func: *func, first, n: 1 }, origin);
            }
        }
    }

    fn entity_list(&mut self, entities: std::ops::RangeInclusive<u32>, dst: Reg, origin: Origin) {
        let n = entities.clone().count();
        let first = self.regs(n);
        for (at, entity) in entities.enumerate() {
            self.emit(Op::Const { dst: first + at as Reg, value: Value::entity(entity) }, origin);
        }
        self.emit(Op::List { dst, first, n: n as u16 }, origin);
    }

    /// What a thing that surely has this answer says.
    pub fn answer(&mut self, entity: Reg, answer: Answer, dst: Reg, origin: Origin, word: &Name) {
        let op = match answer {
            Answer::Property(crate::layout::STATE) => Op::GetState { dst, entity },
            Answer::Property(prop) => match self.lower.layout.slot(prop, crate::world::GAME) {
                Some(slot) if self.is_game(entity) => Op::GetSlot { dst, slot },
                _ => Op::GetProp { dst, entity, prop },
            },
            Answer::Field(field) => Op::GetField { dst, entity, field },
            Answer::Direction(direction) => Op::Step { dst, entity, direction },
            Answer::Set(set) => Op::StepSet { dst, entity, set },
            Answer::Relative(turn) => Op::StepRelative { dst, entity, turn },
            Answer::RelativeSet(set) => Op::StepRelativeSet { dst, entity, set },
            Answer::Define(func) if entity == SELF => Op::Call { dst, func, first: SELF, n: 1 },
            Answer::Define(_) => Op::GetOf { dst, entity, name: self.lower.texts.id(word) },
        };
        self.emit(op, origin);
    }

    fn is_game(&self, entity: Reg) -> bool {
        entity == SELF && self.kind == GAME_KIND
    }

    /// Looks a word up as the reference says.
    pub fn meaning(&mut self, word: &Name) -> Meaning {
        match &**word {
            "nil" => return Meaning::Const(Value::NIL),
            "true" => return Meaning::Const(Value::TRUE),
            _ => {}
        }
        if let Some((_, reg)) = self.locals.iter().rev().find(|(name, _)| name == word) {
            return Meaning::Reg(*reg);
        }
        match &**word {
            "self" => return Meaning::Reg(SELF),
            "it" => return self.its.last().map_or(Meaning::Unknown, |(reg, _)| Meaning::Reg(*reg)),
            "player" => return Meaning::Player,
            "message" => return Meaning::Message,
            _ => {}
        }
        if let Some((_, reg)) = self.attributes.iter().find(|(name, _)| name == word) {
            return Meaning::Reg(*reg);
        }
        match self.its.last().cloned() {
            Some((reg, subject)) => {
                let beyond = self.meaning_beyond(word);
                self.asked_of(reg, &subject, word, beyond)
            }
            None => self.meaning_beyond(word),
        }
    }

    /// The word asked of a thing; where the thing has no answer, `beyond` holds.
    fn asked_of(&mut self, reg: Reg, subject: &Subject, word: &Name, beyond: Meaning) -> Meaning {
        match subject {
            Subject::Kinds(kinds) => {
                let answers: Vec<Option<Answer>> =
                    kinds.iter().map(|&kind| self.lower.answer_for(word, kind)).collect();
                match answers.as_slice() {
                    [] => beyond,
                    [first, ..] if first.is_some() && answers.iter().all(|answer| same_op(*answer, *first)) => {
                        Meaning::Of(reg, first.expect("just tested"))
                    }
                    _ if answers.iter().all(Option::is_none) => beyond,
                    _ => Meaning::Perhaps(reg, Box::new(beyond)),
                }
            }
            Subject::Unknown if self.lower.answering(word).is_empty() && !self.lower.is_attribute(word) => beyond,
            Subject::Unknown => Meaning::Perhaps(reg, Box::new(beyond)),
        }
    }

    fn meaning_beyond(&mut self, word: &Name) -> Meaning {
        if let Some(answer) = self.lower.answer_for(word, self.kind) {
            return Meaning::Of(SELF, answer);
        }
        match &**word {
            "opponent" => return Meaning::Opponent,
            "players" => return Meaning::Players,
            "seats" => return Meaning::Seats,
            "game" => return Meaning::Const(Value::entity(crate::world::GAME)),
            _ => {}
        }
        if let Some(Answer::Property(prop)) = self.lower.answer_for(word, GAME_KIND)
            && let Some(slot) = self.lower.layout.slot(prop, crate::world::GAME)
            && prop > crate::layout::GONE
        {
            return Meaning::Slot(slot);
        }
        if let Some(Answer::Define(func)) = self.lower.answer_for(word, GAME_KIND) {
            return Meaning::Global(func);
        }
        if let Some(func) = self.lower.global_define(word, 0) {
            return Meaning::Global(func);
        }
        if let Some(value) = self.lower.world.setting(word).cloned() {
            return match self.lower.constant(&value) {
                Some(value) => Meaning::Const(value),
                None => Meaning::Setting(value),
            };
        }
        if let Some(&entity) = self.lower.world.names.get(word) {
            return Meaning::Const(Value::entity(entity));
        }
        let named = self
            .lower
            .world
            .boards
            .iter()
            .position(|board| board.name == *word && self.lower.world.kind(word).is_none());
        if let Some(board) = named.filter(|&board| self.lower.world.boards[board].n > 0) {
            return Meaning::Board(board);
        }
        if let Some(kind) = self.lower.world.kind(word) {
            return Meaning::Const(Value::kind(kind));
        }
        if let Some(direction) = self.lower.world.directions.find(word) {
            return Meaning::Const(Value::direction(direction));
        }
        if self.lower.is_attribute(word) && self.received.is_some() {
            // A rule on several labels: this one has no such attribute.
            return Meaning::Const(Value::NIL);
        }
        let descendants = self.lower.descendants(self.kind);
        if self.lower.answering(word).iter().any(|(kind, _)| descendants.contains(kind)) {
            // Code of a model that only its children complete: `attacks` of a chess piece.
            return Meaning::Perhaps(SELF, Box::new(Meaning::Const(Value::NIL)));
        }
        Meaning::Unknown
    }

    /// What is known about the things in a list or model.
    pub fn members_subject(&mut self, expr: &'a Expr) -> Subject {
        self.subject(expr, 0)
    }

    fn places(&self) -> Subject {
        let mut kinds: Vec<KindId> = self.lower.world.boards.iter().map(|board| board.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() { Subject::Unknown } else { Subject::Kinds(kinds) }
    }

    fn subject(&mut self, expr: &Expr, depth: u32) -> Subject {
        if depth > 8 {
            return Subject::Unknown;
        }
        match &expr.kind {
            ExprKind::Word(word) => match self.meaning(word) {
                Meaning::Const(value) => match value.kinded() {
                    crate::value::Kinded::Kind(kind) => Subject::Kinds(self.lower.descendants(kind)),
                    crate::value::Kinded::Entity(entity) => Subject::Kinds(vec![self.lower.kind_of(entity)]),
                    _ => Subject::Unknown,
                },
                Meaning::Players | Meaning::Seats | Meaning::Player | Meaning::Opponent => {
                    Subject::Kinds(vec![PLAYER_KIND])
                }
                Meaning::Reg(SELF) => Subject::Kinds(vec![self.kind]),
                Meaning::Reg(reg) => self
                    .its
                    .iter()
                    .rev()
                    .find(|(it, _)| *it == reg)
                    .map_or(Subject::Unknown, |(_, subject)| subject.clone()),
                Meaning::Of(_, answer) => self.answer_subject(answer, word, depth),
                Meaning::Board(board) => Subject::Kinds(vec![self.lower.world.boards[board].kind]),
                _ => Subject::Unknown,
            },
            ExprKind::Form(form, slots) => match form {
                Form::Walk | Form::Group | Form::Border | Form::Between | Form::Leap | Form::Line | Form::Step => {
                    self.places()
                }
                Form::All | Form::Any => match &slots[0] {
                    Slot::Domain { list, .. } => self.subject(list, depth + 1),
                    _ => Subject::Unknown,
                },
                _ => Subject::Unknown,
            },
            ExprKind::Call { name, args, of: Some(_), .. } if args.is_empty() => {
                let answers = self.lower.answering(name);
                match answers.first() {
                    Some(&(_, first)) if answers.iter().all(|(_, answer)| same_op(Some(*answer), Some(first))) => {
                        self.answer_subject(first, name, depth)
                    }
                    _ => Subject::Unknown,
                }
            }
            ExprKind::PlaceAt { .. } => self.places(),
            _ => Subject::Unknown,
        }
    }

    fn answer_subject(&mut self, answer: Answer, word: &Name, depth: u32) -> Subject {
        match answer {
            Answer::Direction(_) | Answer::Set(_) | Answer::Relative(_) | Answer::RelativeSet(_) => self.places(),
            Answer::Field(Field::Next | Field::Previous | Field::Team) => Subject::Kinds(vec![PLAYER_KIND]),
            Answer::Property(crate::layout::OWNER) => Subject::Unknown,
            Answer::Define(_) => {
                // What a define gives is what its last expression gives, if that does not depend on its own words.
                let last = self.lower.definition.items().iter().find_map(|item| match &item.kind {
                    ItemKind::Define(define) if define.name == *word => define.body.last(),
                    _ => None,
                });
                match last.map(|expr| (&expr.kind, expr)) {
                    Some((
                        ExprKind::Form(
                            Form::Walk | Form::Group | Form::Border | Form::Between | Form::Leap | Form::Line,
                            _,
                        ),
                        _,
                    )) => self.places(),
                    Some((ExprKind::Word(_) | ExprKind::Call { .. }, expr)) => self.subject(expr, depth + 1),
                    _ => Subject::Unknown,
                }
            }
            _ => Subject::Unknown,
        }
    }

    /// Code that jumps away when the truth of a condition is `when`; the jumps are still to land.
    pub fn jump_when(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let mark = self.mark();
        let jumps = self.jumps(when, expr);
        self.release(mark);
        jumps
    }

    fn jumps(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let ExprKind::Form(form, slots) = &expr.kind else { return self.plain_jump(when, expr) };
        match form {
            Form::Not => match slots[0].expr() {
                Some(inner) => self.jump_when(!when, inner),
                None => self.plain_jump(when, expr),
            },
            // `and` is false at the first nil, `or` true at the first that is not: those jump at once.
            Form::And | Form::Or if !slots[0].exprs().is_empty() => {
                let settles = *form == Form::Or;
                let exprs = slots[0].exprs();
                let mut jumps = Vec::new();
                if when == settles {
                    for expr in exprs {
                        jumps.extend(self.jump_when(when, expr));
                    }
                    return jumps;
                }
                let mut settled = Vec::new();
                for expr in &exprs[..exprs.len() - 1] {
                    settled.extend(self.jump_when(settles, expr));
                }
                jumps.extend(self.jump_when(when, &exprs[exprs.len() - 1]));
                for jump in settled {
                    self.land(jump);
                }
                jumps
            }
            Form::Equal | Form::Unequal => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                let op = match when == (*form == Form::Equal) {
                    true => Op::JumpEq { a, b, to: 0 },
                    false => Op::JumpNe { a, b, to: 0 },
                };
                vec![self.emit_jump(op, expr.origin)]
            }
            Form::Less | Form::Greater | Form::LessEqual | Form::GreaterEqual => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                // A ≤ B is not B < A, and A ≥ B is not A < B.
                let (a, b) = if matches!(form, Form::Greater | Form::LessEqual) { (b, a) } else { (a, b) };
                let op = match when == matches!(form, Form::Less | Form::Greater) {
                    true => Op::JumpLess { a, b, to: 0 },
                    false => Op::JumpNotLess { a, b, to: 0 },
                };
                vec![self.emit_jump(op, expr.origin)]
            }
            _ => self.plain_jump(when, expr),
        }
    }

    fn plain_jump(&mut self, when: bool, expr: &'a Expr) -> Vec<usize> {
        let src = self.value(expr);
        let op = if when { Op::JumpSome { src, to: 0 } } else { Op::JumpNil { src, to: 0 } };
        vec![self.emit_jump(op, expr.origin)]
    }

    // Calls

    fn call_of(&mut self, name: &Name, args: &'a [Expr], target: &'a Expr, dst: Reg, origin: Origin) {
        let entity = self.value(target);
        if !args.is_empty() {
            let first = self.regs(args.len() + 1);
            for (at, arg) in args.iter().enumerate() {
                self.expr(arg, first + 1 + at as Reg);
            }
            let id = self.lower.texts.id(name);
            if !self.lower.asked.contains_key(&id) {
                self.lower.unknown(name, origin, "Only a define takes values: `(name value of thing)`.");
            }
            self.emit(Op::CallOf { dst, entity, name: id, first, n: args.len() as u16 + 1 }, origin);
            return;
        }
        let subject = self.subject(target, 0);
        let known: Vec<Option<Answer>> = match &subject {
            Subject::Kinds(kinds) => kinds.iter().map(|&kind| self.lower.answer_for(name, kind)).collect(),
            Subject::Unknown => Vec::new(),
        };
        if let Some(&Some(first)) = known.first()
            && known.iter().all(|answer| same_op(*answer, Some(first)))
        {
            return self.answer(entity, first, dst, origin, name);
        }
        let answers = self.lower.answering(name);
        if answers.is_empty() && !self.lower.is_attribute(name) && &**name != "players" {
            self.lower.unknown(
                name,
                origin,
                "It would have to be a property, relation, define or direction of some model.",
            );
        }
        let property = match answers.first() {
            Some(&(_, Answer::Property(prop))) if prop != crate::layout::STATE => {
                answers.iter().all(|(_, answer)| *answer == Answer::Property(prop)).then_some(prop)
            }
            _ => None,
        };
        match property {
            Some(prop) => self.emit(Op::GetProp { dst, entity, prop }, origin),
            None => {
                let name = self.lower.texts.id(name);
                self.emit(Op::GetOf { dst, entity, name }, origin)
            }
        };
    }

    fn call(&mut self, name: &Name, args: &'a [Expr], dst: Reg, origin: Origin) {
        let n = args.len() as u16;
        let own = self.lower.define_for(name, self.kind).filter(|(_, params)| *params == n);
        let asked = match self.its.last().cloned() {
            Some((reg, Subject::Kinds(kinds)))
                if kinds
                    .iter()
                    .all(|&kind| self.lower.define_for(name, kind).is_some_and(|(_, params)| params == n)) =>
            {
                Some(reg)
            }
            Some((reg, Subject::Unknown)) if own.is_none() && self.lower.global_define(name, n).is_none() => Some(reg),
            _ => None,
        };
        let first = self.regs(args.len() + 1);
        for (at, arg) in args.iter().enumerate() {
            self.expr(arg, first + 1 + at as Reg);
        }
        if let Some(entity) = asked
            && self.lower.texts.find(name).is_some_and(|id| self.lower.asked.contains_key(&id))
        {
            let name = self.lower.texts.id(name);
            self.emit(Op::CallOf { dst, entity, name, first, n: n + 1 }, origin);
            return;
        }
        if let Some((func, _)) = own {
            self.emit(Op::Move { dst: first, src: SELF }, origin);
            self.emit(Op::Call { dst, func, first, n: n + 1 }, origin);
            return;
        }
        let game = self.lower.define_for(name, GAME_KIND).filter(|(_, params)| *params == n).map(|(func, _)| func);
        if let Some(func) = self.lower.global_define(name, n).or(game) {
            self.emit(Op::Const { dst: first, value: Value::entity(crate::world::GAME) }, origin);
            self.emit(Op::Call { dst, func, first, n: n + 1 }, origin);
            return;
        }
        match self.lower.define_params(name) {
            Some(params) => self.fault(
                "Wrong number of values",
                format!("`{name}` takes {}, not {}.", params.len(), args.len()),
                origin,
            ),
            None => self.lower.unknown(name, origin, "The first word in parentheses is a form or a define."),
        }
    }

    fn place_at(&mut self, model: &Name, at: &'a [Expr], dst: Reg, origin: Origin) {
        let Some(kind) = self.lower.world.kind(model) else {
            self.lower.unknown(model, origin, "`(cell at 3 2)` needs the model of a board.");
            return;
        };
        let at = at.iter().map(|expr| self.value(expr)).collect();
        self.lower.pools.places.push(PlaceAt { kind, at });
        let place = self.lower.pools.places.len() as u32 - 1;
        self.emit(Op::PlaceAt { dst, place }, origin);
    }

    // Loops and returns

    pub fn begin_loop(&mut self) -> u32 {
        let again = self.here();
        self.loops.push(Loop { again, breaks: Vec::new(), continues: Vec::new() });
        again
    }

    pub fn end_loop(&mut self, origin: Origin) {
        let done = self.loops.pop().expect("ended once");
        for jump in done.continues {
            // A `continue` goes back to the test, which stands at the loop's head.
            if let Op::Jump { to } = &mut self.code[jump] {
                *to = done.again;
            }
        }
        self.emit(Op::Jump { to: done.again }, origin);
        for jump in done.breaks {
            self.land(jump);
        }
    }

    pub fn jump_out(&mut self, breaks: bool, origin: Origin) {
        let jump = self.emit_jump(Op::Jump { to: 0 }, origin);
        match self.loops.last_mut() {
            Some(inner) if breaks => inner.breaks.push(jump),
            Some(inner) => inner.continues.push(jump),
            None => self.fault("Not in a loop", "There is no `foreach` or `while` around this.", origin),
        }
    }

    pub fn return_(&mut self, value: Option<&'a Expr>, origin: Origin) {
        match self.mode {
            Mode::Law(rule) | Mode::AfterLaw(rule) => {
                let reason = match value {
                    Some(value) => self.value(value),
                    None => self.constant(Value::NIL, origin),
                };
                self.refuse(rule, reason, origin);
            }
            Mode::SideEffect(_) | Mode::Behavior => {
                if !self.its.is_empty() {
                    return self.fault(
                        "`return` inside a condition",
                        "A condition cannot end the behavior around it.",
                        origin,
                    );
                }
                if let (Some((Some(result), _)), Some(value)) = (&self.returns, value) {
                    let result = *result;
                    self.expr(value, result);
                } else if let Some((Some(result), _)) = &self.returns {
                    let result = *result;
                    self.emit(Op::Const { dst: result, value: Value::NIL }, origin);
                }
                let jump = self.emit_jump(Op::Jump { to: 0 }, origin);
                if let Some((_, jumps)) = &mut self.returns {
                    jumps.push(jump);
                }
            }
            Mode::Define => {
                let src = match value {
                    Some(value) => self.value(value),
                    None => self.constant(Value::NIL, origin),
                };
                self.emit(Op::Return { src }, origin);
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
