//! Forms that go from step to step: walks of a given length, conditions on steps, whatever leads from thing to thing.

use super::body::Subject;
use super::*;

impl<'a> Body<'_, 'a> {
    pub(super) fn sort_by(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let (list, keys) = (self.reg(), self.reg());
        self.quantify(Quantifier::All, None, &slots[0], &Slot::Absent, list, origin);
        let (Slot::Domain { var, list: source, .. }, Some(key)) = (&slots[0], slots[1].expr()) else { return };
        let subject = self.members_subject(source);
        let n_locals = self.locals.len();
        let it = self.reg();
        if let Some(name) = var {
            self.locals.push((name.clone(), it));
        }
        let measure = self.measure(key, it, &subject, origin);
        self.locals.truncate(n_locals);
        let look = Look { quantifier: Quantifier::All, domain: Domain::Reg(list), test: Test::Always, measure };
        self.lower.pools.looks.push(look);
        let look = self.lower.pools.looks.len() as u32 - 1;
        self.emit(Op::Look { dst: keys, look }, origin);
        self.emit(Op::SortBy { dst, list, keys }, origin);
    }

    pub(super) fn named_entity(&mut self, slot: &'a Slot, dst: Reg, origin: Origin) {
        match slot.expr() {
            Some(Expr { kind: ExprKind::Text(name), origin }) => match self.lower.world.names.get(name) {
                Some(&entity) => self.emit(Op::Const { dst, value: Value::entity(entity) }, *origin),
                None => self.lower.unknown(name, *origin, "`entity` takes the name of an entity."),
            },
            _ => {
                let src = self.slot(slot);
                self.emit(Op::Named { dst, src }, origin);
            }
        }
    }

    /// A direction as a value: of one direction that, of several a list.
    pub(super) fn direction_value(&mut self, slot: &'a Slot, origin: Origin) -> Reg {
        let ways = self.ways(slot, origin);
        let dst = self.reg();
        match ways {
            Ways::Value(reg) => return reg,
            Ways::Direction(direction) => {
                self.emit(Op::Const { dst, value: Value::direction(direction) }, origin);
            }
            ways => {
                let one = matches!(ways, Ways::Relative(_));
                self.lower.pools.directions.push(vec![ways]);
                let directions = self.lower.pools.directions.len() as u32 - 1;
                self.emit(Op::DirectionList { dst, directions }, origin);
                if one {
                    self.emit(Op::First { dst, list: dst }, origin);
                }
            }
        }
        dst
    }

    pub(super) fn walk_exactly(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let ways = self.ways(&slots[0], origin);
        let from = self.from(&slots[1], origin);
        let most = Some(self.slot(&slots[2]));
        let while_ = self.place_test(slots[3].expr(), origin);
        let then = slots[4].given().then(|| self.place_test(slots[4].expr(), origin));
        let across = self.across(&slots[5], origin);
        self.lower.pools.walks.push(Walk { ways, from, most, while_, until: None, then });
        let walk = self.lower.pools.walks.len() as u32 - 1;
        let across = self.pooled(across);
        self.emit(Op::Exactly { dst, walk, across }, origin);
    }

    pub(super) fn group_across(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let leads = Leads::Ways(self.ways(&slots[0], origin));
        let from = self.from(&slots[1], origin);
        let while_ = self.place_test(slots[2].expr(), origin);
        let across = self.across(&slots[3], origin);
        self.reach(Reach { from, to: None, leads, while_, across }, dst, origin);
    }

    pub(super) fn group_via(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let from = self.from(&slots[1], origin);
        let leads = self.via(&slots[0], origin);
        let while_ = self.thing_test(&slots[2], origin);
        let across = self.thing_across(&slots[3], origin);
        self.reach(Reach { from, to: None, leads, while_, across }, dst, origin);
    }

    pub(super) fn distance_across(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let (from, to) = (self.slot(&slots[0]), self.slot(&slots[1]));
        let leads = match slots[2].given() {
            true => Leads::Ways(self.ways(&slots[2], origin)),
            false => Leads::Adjacent,
        };
        let while_ = self.place_test(slots[3].expr(), origin);
        let across = self.across(&slots[4], origin);
        self.reach(Reach { from, to: Some(to), leads, while_, across }, dst, origin);
    }

    pub(super) fn distance_via(&mut self, slots: &'a [Slot], dst: Reg, origin: Origin) {
        let (from, to) = (self.slot(&slots[0]), self.slot(&slots[1]));
        let leads = self.via(&slots[2], origin);
        let while_ = self.thing_test(&slots[3], origin);
        let across = self.thing_across(&slots[4], origin);
        self.reach(Reach { from, to: Some(to), leads, while_, across }, dst, origin);
    }

    fn reach(&mut self, reach: Reach, dst: Reg, origin: Origin) {
        self.lower.pools.reaches.push(reach);
        let reach = self.lower.pools.reaches.len() as u32 - 1;
        self.emit(Op::Reach { dst, reach }, origin);
    }

    /// What leads on from a thing of whatever kind.
    fn via(&mut self, slot: &'a Slot, origin: Origin) -> Leads {
        let it = self.reg();
        match slot.expr() {
            Some(expr) => Leads::Code(self.block(expr, it, &Subject::Unknown, origin)),
            None => Leads::Adjacent,
        }
    }

    fn thing_test(&mut self, slot: &'a Slot, origin: Origin) -> Test {
        let it = self.reg();
        self.test(slot.expr(), it, &Subject::Unknown, origin)
    }

    /// The condition on a step between two places.
    pub(super) fn across(&mut self, slot: &'a Slot, origin: Origin) -> Option<Across> {
        let subject = self.places_subject();
        self.step_condition(slot, &subject, origin)
    }

    fn thing_across(&mut self, slot: &'a Slot, origin: Origin) -> Option<Across> {
        self.step_condition(slot, &Subject::Unknown, origin)
    }

    fn step_condition(&mut self, slot: &'a Slot, subject: &Subject, origin: Origin) -> Option<Across> {
        let condition = slot.expr()?;
        let (it, here) = (self.reg(), self.reg());
        let n_locals = self.locals.len();
        self.locals.push(("here".into(), here));
        let block = self.block(condition, it, subject, origin);
        self.locals.truncate(n_locals);
        Some(Across { block, here })
    }

    pub(super) fn pooled(&mut self, across: Option<Across>) -> u32 {
        self.lower.pools.across.push(across);
        self.lower.pools.across.len() as u32 - 1
    }
}
