//! Quantifiers and the forms that look along the board.

use super::body::{Meaning, SELF, Subject};
use super::*;

impl<'a> Body<'_, 'a> {
    pub(super) fn look(&mut self, form: Form, slots: &'a [Slot], dst: Reg, origin: Origin) {
        use Quantifier as Q;
        match form {
            Form::Every => self.quantify(Q::Every, None, &slots[0], &slots[1], dst, origin),
            Form::None => self.quantify(Q::None, None, &slots[0], &slots[1], dst, origin),
            Form::Any => self.quantify(Q::Any, None, &slots[0], &slots[1], dst, origin),
            Form::All => self.quantify(Q::All, None, &slots[0], &slots[1], dst, origin),
            Form::Count => self.quantify(Q::Count, None, &slots[0], &slots[1], dst, origin),
            Form::Sum => self.quantify(Q::Sum, None, &slots[0], &slots[1], dst, origin),
            Form::AllOf => self.quantify(Q::All, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::SumOf => self.quantify(Q::Sum, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::MaxOf => self.quantify(Q::Max, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::MinOf => self.quantify(Q::Min, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::Most => self.quantify(Q::Most, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::Least => self.quantify(Q::Least, slots[0].expr(), &slots[1], &slots[2], dst, origin),
            Form::Walk => self.walk(slots, dst, origin),
            Form::WalkExactly => self.walk_exactly(slots, dst, origin),
            Form::GroupVia => self.group_via(slots, dst, origin),
            Form::Group if slots[3].given() => self.group_across(slots, dst, origin),
            Form::DistanceVia => self.distance_via(slots, dst, origin),
            Form::Distance if slots[3].given() || slots[4].given() => self.distance_across(slots, dst, origin),
            Form::Edge => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                self.emit(Op::Edge { dst, a, b }, origin);
            }
            Form::Ends => {
                let edge = self.slot(&slots[0]);
                self.emit(Op::Ends { dst, edge }, origin);
            }
            Form::Opposite => {
                let src = self.direction_value(&slots[0], origin);
                self.emit(Op::Opposite { dst, src }, origin);
            }
            Form::Turned => {
                let src = self.direction_value(&slots[0], origin);
                let by = self.slot(&slots[1]);
                self.emit(Op::Turned { dst, src, by }, origin);
            }
            Form::Line => self.line(slots, dst, origin),
            Form::Group => {
                let ways = self.ways(&slots[0], origin);
                let from = self.from(&slots[1], origin);
                let while_ = self.place_test(slots[2].expr(), origin);
                self.lower.pools.groups.push(Group { ways, from, while_ });
                let group = self.lower.pools.groups.len() as u32 - 1;
                self.emit(Op::Group { dst, group }, origin);
            }
            Form::Border => {
                let ways = self.ways(&slots[0], origin);
                let list = self.slot(&slots[1]);
                self.lower.pools.borders.push(Border { ways, list });
                let border = self.lower.pools.borders.len() as u32 - 1;
                self.emit(Op::Border { dst, border }, origin);
            }
            Form::Between => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                self.emit(Op::Between { dst, a, b }, origin);
            }
            Form::Toward => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                self.emit(Op::Toward { dst, a, b }, origin);
            }
            Form::Distance => {
                let (a, b) = (self.slot(&slots[0]), self.slot(&slots[1]));
                let along = slots[2].given().then(|| self.ways(&slots[2], origin));
                self.lower.pools.distances.push(Distance { a, b, along });
                let distance = self.lower.pools.distances.len() as u32 - 1;
                self.emit(Op::Distance { dst, distance }, origin);
            }
            Form::Step => {
                let ways = self.ways(&slots[0], origin);
                let from = self.from(&slots[1], origin);
                match ways {
                    Ways::Direction(direction) => self.emit(Op::Step { dst, entity: from, direction }, origin),
                    Ways::Relative(turn) => self.emit(Op::StepRelative { dst, entity: from, turn }, origin),
                    Ways::Value(direction) => self.emit(Op::StepValue { dst, direction, from }, origin),
                    set => {
                        let direction = self.reg();
                        self.lower.pools.directions.push(vec![set]);
                        let directions = self.lower.pools.directions.len() as u32 - 1;
                        self.emit(Op::DirectionList { dst: direction, directions }, origin);
                        self.emit(Op::StepValue { dst, direction, from }, origin);
                    }
                }
            }
            Form::Leap => {
                let (a, b, from) = (self.slot(&slots[0]), self.slot(&slots[1]), self.from(&slots[2], origin));
                self.emit(Op::Leap { dst, a, b, from }, origin);
            }
            Form::Directions => {
                let mut ways = Vec::new();
                for name in slots[0].names() {
                    match name.known().and_then(|name| self.known_ways(name)) {
                        Some(way) => ways.push(way),
                        None => self.lower.unknown(
                            name.known().map_or("", |name| name),
                            name.origin(),
                            "`directions` takes directions and sets of them.",
                        ),
                    }
                }
                self.lower.pools.directions.push(ways);
                let directions = self.lower.pools.directions.len() as u32 - 1;
                self.emit(Op::DirectionList { dst, directions }, origin);
            }
            other => self.fault("Not known here", format!("`{}` cannot be used here.", other.head()), origin),
        }
    }

    pub(super) fn quantify(
        &mut self,
        quantifier: Quantifier,
        measure: Option<&'a Expr>,
        domain: &'a Slot,
        condition: &'a Slot,
        dst: Reg,
        origin: Origin,
    ) {
        use Quantifier as Q;
        let Slot::Domain { var, list, owner } = domain else { return };
        let subject = self.members_subject(list);
        let kind = match &list.kind {
            ExprKind::Word(word) => match self.meaning(word) {
                Meaning::Const(value) => match value.kinded() {
                    crate::value::Kinded::Kind(kind) => Some(kind),
                    crate::value::Kinded::Entity(_) => self.lower.world.kind(word),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        let domain = match kind {
            Some(kind) => Domain::Kind(kind),
            None => {
                let source = self.value(list);
                let members = self.reg();
                self.emit(Op::Members { dst: members, src: source }, origin);
                Domain::Reg(members)
            }
        };
        let owner = owner.as_ref().map(|owner| self.value(owner));
        let n_locals = self.locals.len();
        let it = self.reg();
        if let Some(name) = var {
            self.locals.push((name.clone(), it));
        }
        let test = match owner {
            None => self.test(condition.expr(), it, &subject, origin),
            Some(owner) => self.owned(owner, condition.expr(), quantifier == Q::Every, it, &subject, origin),
        };
        let measure = match measure {
            None => Measure::Itself,
            Some(expr) => self.measure(expr, it, &subject, origin),
        };
        self.locals.truncate(n_locals);
        self.lower.pools.looks.push(Look { quantifier, domain, test, measure });
        let look = self.lower.pools.looks.len() as u32 - 1;
        self.emit(Op::Look { dst, look }, origin);
    }

    pub(super) fn places_subject(&self) -> Subject {
        let mut kinds: Vec<KindId> = self.lower.world.boards.iter().map(|board| board.kind).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds.is_empty() { Subject::Unknown } else { Subject::Kinds(kinds) }
    }

    pub(super) fn place_test(&mut self, condition: Option<&'a Expr>, origin: Origin) -> Test {
        let it = self.reg();
        let subject = self.places_subject();
        self.test(condition, it, &subject, origin)
    }

    /// A condition on the thing in `it`. The usual ones are recognised and need no code of their own.
    pub(super) fn test(&mut self, condition: Option<&'a Expr>, it: Reg, subject: &Subject, origin: Origin) -> Test {
        let Some(condition) = condition else { return Test::Always };
        self.its.push((it, subject.clone()));
        let simple = self.simple_test(condition, it);
        self.its.pop();
        simple.unwrap_or_else(|| Test::Code(self.block(condition, it, subject, origin)))
    }

    /// A condition on the things of one player only. What others own passes where `every` one is to fit, else it fails.
    fn owned(
        &mut self,
        owner: Reg,
        condition: Option<&'a Expr>,
        every: bool,
        it: Reg,
        subject: &Subject,
        origin: Origin,
    ) -> Test {
        match (condition, every, subject) {
            (None, false, Subject::Kinds(_)) => return Test::Equal(crate::layout::OWNER, owner),
            (None, true, Subject::Kinds(_)) => return Test::Always,
            _ => {}
        }
        let over = self.emit_jump(Op::Jump { to: 0 }, origin);
        let start = self.here();
        let (value, whose) = (self.reg(), self.reg());
        self.emit(Op::Const { dst: value, value: Value::truth(every) }, origin);
        self.emit(Op::GetProp { dst: whose, entity: it, prop: crate::layout::OWNER }, origin);
        let others = self.emit_jump(Op::JumpNe { a: whose, b: owner, to: 0 }, origin);
        match condition {
            Some(condition) => {
                self.its.push((it, subject.clone()));
                self.expr(condition, value);
                self.its.pop();
            }
            None => self.emit(Op::Const { dst: value, value: Value::TRUE }, origin),
        }
        self.land(others);
        self.emit(Op::BlockEnd { src: value }, origin);
        self.land(over);
        Test::Code(Block { start, it })
    }

    fn simple_test(&mut self, condition: &'a Expr, it: Reg) -> Option<Test> {
        match &condition.kind {
            ExprKind::Word(_) => match self.it_answer(condition, it)? {
                Answer::Property(prop) => Some(Test::Some(prop)),
                Answer::Field(Field::Empty) => Some(Test::Empty),
                Answer::Field(Field::Top) => Some(Test::Occupied),
                _ => None,
            },
            ExprKind::Form(Form::Not, slots) => match self.it_answer(slots[0].expr()?, it)? {
                Answer::Property(prop) => Some(Test::Nil(prop)),
                Answer::Field(Field::Empty) => Some(Test::Occupied),
                Answer::Field(Field::Top) => Some(Test::Empty),
                _ => None,
            },
            ExprKind::Form(form @ (Form::Equal | Form::Unequal), slots) => {
                let (left, right) = (slots[0].expr()?, slots[1].expr()?);
                let (Answer::Property(prop), other) = (match self.it_answer(left, it) {
                    Some(answer) => (answer, right),
                    None => (self.it_answer(right, it)?, left),
                }) else {
                    return None;
                };
                let value = self.fixed(other, it)?;
                Some(if *form == Form::Equal { Test::Equal(prop, value) } else { Test::Unequal(prop, value) })
            }
            _ => None,
        }
    }

    /// What a bare word means for `it`, if it surely means something of `it` that can be tested without code.
    fn it_answer(&mut self, expr: &Expr, it: Reg) -> Option<Answer> {
        let ExprKind::Word(word) = &expr.kind else { return None };
        match self.meaning(word) {
            Meaning::Of(reg, answer) if reg == it && answer != Answer::Property(crate::layout::STATE) => Some(answer),
            _ => None,
        }
    }

    /// A value that is the same for all candidates and can be had at no risk, computed before looking.
    fn fixed(&mut self, expr: &'a Expr, it: Reg) -> Option<Reg> {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Text(_) => Some(self.value(expr)),
            ExprKind::Word(word) => match self.meaning(word) {
                Meaning::Reg(reg) if reg == it => None,
                Meaning::Reg(_) | Meaning::Const(_) | Meaning::Player | Meaning::Opponent | Meaning::Slot(_) => {
                    Some(self.value(expr))
                }
                Meaning::Of(SELF, Answer::Property(_)) => Some(self.value(expr)),
                _ => None,
            },
            ExprKind::Call { name, args, of: Some(target), .. } if args.is_empty() => {
                let ExprKind::Word(word) = &target.kind else { return None };
                let property = matches!(self.lower.answer_for(name, self.kind), Some(Answer::Property(_)));
                (property && self.meaning(word) == Meaning::Reg(SELF)).then(|| self.value(expr))
            }
            _ => None,
        }
    }

    pub(super) fn measure(&mut self, expr: &'a Expr, it: Reg, subject: &Subject, origin: Origin) -> Measure {
        self.its.push((it, subject.clone()));
        let simple = match self.it_answer(expr, it) {
            Some(Answer::Property(prop)) => Some(Measure::Property(prop)),
            _ => None,
        };
        self.its.pop();
        simple.unwrap_or_else(|| Measure::Code(self.block(expr, it, subject, origin)))
    }

    /// Code that looks at one thing, jumped over where it stands and run by the form that needs it.
    pub(super) fn block(&mut self, expr: &'a Expr, it: Reg, subject: &Subject, origin: Origin) -> Block {
        let over = self.emit_jump(Op::Jump { to: 0 }, origin);
        self.its.push((it, subject.clone()));
        let start = self.here();
        let most = std::mem::replace(&mut self.most, self.next);
        let value = self.value(expr);
        self.emit(Op::BlockEnd { src: value }, origin);
        self.its.pop();
        self.land(over);
        // The block runs while the whole form does: what the next condition compares with must not lie in its registers.
        self.next = self.most;
        self.most = self.most.max(most);
        Block { start, it }
    }

    fn known_ways(&mut self, name: &str) -> Option<Ways> {
        let answers = self.lower.answering(name);
        answers.iter().find_map(|(_, answer)| match answer {
            Answer::Direction(direction) => Some(Ways::Direction(*direction)),
            Answer::Set(set) => Some(Ways::Set(*set)),
            Answer::Relative(turn) => Some(Ways::Relative(*turn)),
            Answer::RelativeSet(set) => Some(Ways::RelativeSet(*set)),
            _ => None,
        })
    }

    pub(super) fn ways(&mut self, slot: &'a Slot, origin: Origin) -> Ways {
        if let Some(Expr { kind: ExprKind::Word(word), .. }) = slot.expr()
            && !self.is_variable(word)
            && let Some(ways) = self.known_ways(word)
        {
            return ways;
        }
        let _ = origin;
        Ways::Value(self.slot(slot))
    }

    /// Where a form begins: what stands after `from`; without it the candidate or `self`, or where that lies.
    pub(super) fn from(&mut self, slot: &'a Slot, origin: Origin) -> Reg {
        if slot.given() {
            return self.slot(slot);
        }
        let (reg, kinds) = match self.its.last() {
            Some((it, Subject::Kinds(kinds))) => (*it, kinds.clone()),
            Some((it, Subject::Unknown)) => (*it, Vec::new()),
            None => (SELF, vec![self.kind]),
        };
        let places = kinds.iter().filter(|&&kind| self.lower.is_place(kind)).count();
        if places > 0 && places == kinds.len() {
            return reg;
        }
        if places > 0 || kinds.is_empty() {
            let label = "What is looked at here may be a place or a thing that lies on one.";
            let fault = Diagnostic::error("form/from", "It is not clear where this begins", origin, label);
            self.lower.diagnostics.push(fault.hint("Say it with `from`."));
            return reg;
        }
        let place = self.reg();
        self.emit(Op::GetProp { dst: place, entity: reg, prop: crate::layout::PLACE }, origin);
        place
    }

    fn walk(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let ways = self.ways(&slots[0], origin);
        let from = self.from(&slots[1], origin);
        let most = slots[2].given().then(|| self.slot(&slots[2]));
        let while_ = self.place_test(slots[3].expr(), origin);
        let until = slots[4].given().then(|| self.place_test(slots[4].expr(), origin));
        let then = slots[5].given().then(|| self.place_test(slots[5].expr(), origin));
        self.lower.pools.walks.push(Walk { ways, from, most, while_, until, then });
        let walk = self.lower.pools.walks.len() as u32 - 1;
        let by_lines = self.lower.world.directions.many.iter().any(|&many| many);
        match self.across(&slots[6], origin) {
            Some(across) => {
                let across = self.pooled(Some(across));
                self.emit(Op::WalkAcross { dst, walk, across }, origin);
            }
            None if by_lines => self.emit(Op::WalkLines { dst, walk }, origin),
            None => self.emit(Op::Walk { dst, walk }, origin),
        }
    }

    fn line(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let n = self.slot(&slots[0]);
        let through = match slots[2].expr() {
            Some(expr) => self.value(expr),
            // Inside a `where` the line runs through the candidate.
            None => self.its.last().map_or(SELF, |(it, _)| *it),
        };
        let along = slots[3].given().then(|| self.ways(&slots[3], origin));
        let it = self.reg();
        let subject = self.places_subject();
        let measure = match slots[1].expr() {
            Some(expr) => self.measure(expr, it, &subject, origin),
            None => Measure::Itself,
        };
        self.lower.pools.lines.push(Line { n, measure, through, along, exactly: slots[4].given() });
        let line = self.lower.pools.lines.len() as u32 - 1;
        self.emit(Op::Line { dst, line }, origin);
    }
}
