//! Laws, behavior and side-effects of one message woven into one function.

use super::*;
use crate::refusing::Refusing;

/// What a woven function is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    /// Everything.
    Full,
    /// As far as something could still refuse.
    Test,
    /// The laws that do not read the attributes.
    Pre,
}

impl<'a> Lower<'a> {
    pub(super) fn weave(&mut self) {
        let refusing = Refusing::of(self.definition, self.world);
        let aside = self.stepping_aside();
        let n_kinds = self.world.kinds.len();
        for label in 0..self.labels.len() {
            let name = self.texts.get(self.labels[label].name).clone();
            let n_faults = self.diagnostics.len();
            let mut by_kind: Vec<Handler> = Vec::new();
            let mut faults: Vec<Diagnostic> = Vec::new();
            for kind in 0..n_kinds as KindId {
                let handler = match self.is_concrete(kind) {
                    true => self.handler(label as LabelId, &name, kind, &refusing, &aside),
                    false => Handler::None,
                };
                let fits = !self.has_guessed_receivers(&name) || self.diagnostics.len() == n_faults;
                if fits {
                    by_kind.push(handler);
                } else {
                    by_kind.push(Handler::None);
                    faults = self.diagnostics.split_off(n_faults);
                }
            }
            // Receivers are computed, so any kind might be one; but some kind must understand the rules.
            if by_kind.iter().all(|handler| matches!(handler, Handler::None)) {
                self.diagnostics.extend(faults);
            }
            self.handlers.push(by_kind);
        }
    }

    fn handler(
        &mut self,
        label: LabelId,
        name: &Name,
        kind: KindId,
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> Handler {
        if !self.may_receive(name, kind) {
            return Handler::None;
        }
        let states: Vec<Name> = self.states.iter().map(|&state| self.texts.get(state).clone()).collect();
        if !self.depends_on_state(name, kind) {
            return match self.woven(label, name, kind, &states[0], refusing, aside) {
                Some(woven) => Handler::Single(woven),
                None => Handler::None,
            };
        }
        let by_state: Vec<Option<Woven>> =
            states.iter().map(|state| self.woven(label, name, kind, state, refusing, aside)).collect();
        if by_state.iter().all(Option::is_none) { Handler::None } else { Handler::ByState(by_state) }
    }

    fn has_guessed_receivers(&self, name: &Name) -> bool {
        self.definition.actions().any(|action| {
            action.label == *name
                && match &action.to {
                    Some(Expr { kind: ExprKind::Word(word), .. }) => self.world.kind(word).is_none(),
                    other => other.is_some(),
                }
        })
    }

    /// Whether an action can go to this kind at all, or a behavior of it answers the label.
    fn may_receive(&self, name: &Name, kind: KindId) -> bool {
        if kind == GAME_KIND && (matches!(&**name, "start" | "gameover") || self.is_told(name)) {
            return true;
        }
        let behaves = self.world.line(kind).any(|ancestor| {
            let of = &self.world.kinds[ancestor as usize].name;
            self.definition.items().iter().any(|item| matches!(&item.kind, ItemKind::Behavior(behavior) if behavior.of == *of && behavior.label == *name))
        });
        behaves || self.definition.actions().any(|action| action.label == *name && self.world.goes_to(action, kind))
    }

    /// `turn` and `stuck` count as answered where a rule stands on them.
    fn is_told(&self, name: &Name) -> bool {
        matches!(&**name, "turn" | "stuck")
            && self.definition.rules().any(|rule| {
                rule.mode != Mode::Off && rule.labels.iter().any(|(label, _)| label == name || &**label == "*")
            })
    }

    fn depends_on_state(&self, name: &Name, kind: KindId) -> bool {
        self.states.len() > 1
            && self.definition.items().iter().any(|item| match &item.kind {
                ItemKind::Behavior(behavior) => {
                    behavior.label == *name
                        && self.world.line(kind).any(|ancestor| self.world.kinds[ancestor as usize].name == behavior.of)
                }
                ItemKind::Rule(rule) => {
                    !rule.states.is_empty() && rule.labels.iter().any(|(label, _)| label == name || &**label == "*")
                }
                _ => false,
            })
    }

    /// The behavior that answers: the present state's along the line of kinds, then `*`, then the action's own.
    fn behavior(&self, name: &Name, kind: KindId, state: &Name) -> Option<&'a [Expr]> {
        let definition = self.definition;
        for wanted in [&**state, "*"] {
            for ancestor in self.world.line(kind) {
                let of = &self.world.kinds[ancestor as usize].name;
                for item in definition.items() {
                    if let ItemKind::Behavior(behavior) = &item.kind
                        && behavior.of == *of
                        && behavior.label == *name
                        && &*behavior.state == wanted
                    {
                        return Some(&behavior.body);
                    }
                }
            }
        }
        if &**name == "start" && kind == GAME_KIND {
            let setup = definition.items().iter().find_map(|item| match &item.kind {
                ItemKind::Setup(body) => Some(body.as_slice()),
                _ => None,
            });
            return Some(setup.unwrap_or(&[]));
        }
        if kind == GAME_KIND && (&**name == "gameover" || self.is_told(name)) {
            return Some(&[]);
        }
        let mut actions = definition.actions().filter(|action| action.label == *name);
        let action = actions.find(|action| self.world.goes_to(action, kind))?;
        Some(action.body.as_deref().unwrap_or(&[]))
    }

    fn woven(
        &mut self,
        label: LabelId,
        name: &Name,
        kind: KindId,
        state: &Name,
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> Option<Woven> {
        let behavior = self.behavior(name, kind, state)?;
        let rules: Vec<(RuleId, &'a Rule)> = self
            .definition
            .rules()
            .filter(|rule| rule.mode != Mode::Off && self.applies(rule, name, kind, state))
            .map(|rule| (self.rule_id(&rule.name), rule))
            .collect();
        let full = self.weave_one(label, kind, behavior, &rules, Extent::Full, refusing, aside);
        let action = self.definition.actions().find(|action| action.label == *name);
        let Some(action) = action else { return Some(Woven { full, test: full, keep: None, split: None }) };
        let test = self.weave_one(label, kind, behavior, &rules, Extent::Test, refusing, aside);
        let listed = self.definition.actions().any(|action| !action.with.is_empty() && !action.when_asked);
        let mut woven = Woven { full, test, keep: None, split: None };
        match listed {
            true => woven.split = Some(self.split((label, kind, behavior), action, &rules, woven, refusing, aside)),
            false => woven.keep = self.kept_laws(label, kind, &rules, refusing, aside),
        }
        Some(woven)
    }

    /// Sorts the laws of an action by what they read.
    fn split(
        &mut self,
        (label, kind, behavior): (LabelId, KindId, &'a [Expr]),
        action: &'a Action,
        rules: &[(RuleId, &'a Rule)],
        woven: Woven,
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> Split {
        type Laws<'a> = Vec<(RuleId, &'a Rule)>;
        let (mut once, mut own, mut each): (Laws<'a>, Laws<'a>, Laws<'a>) = Default::default();
        let laws = rules.iter().filter(|(_, rule)| rule.kind == RuleKind::Law);
        for &(id, rule) in laws.filter(|(_, rule)| !reads_message(&rule.body, &action.with)) {
            let n_faults = self.diagnostics.len();
            let alone = self.weave_one(label, kind, &[], &[(id, rule)], Extent::Pre, refusing, aside);
            self.diagnostics.truncate(n_faults);
            let function = self.functions[alone as usize].as_ref().expect("just woven");
            // Bound to some receivers or states, it says nothing about the others.
            let binds_all = rule.to.is_empty() && rule.states.is_empty();
            if binds_all && crate::roster::reads_no_receiver(function, &self.pools) {
                once.push((id, rule));
            } else if !aside.contains(&rule.name) && crate::roster::own_properties(function).is_some() {
                own.push((id, rule));
            } else {
                each.push((id, rule));
            }
        }
        let early = |id: RuleId| [&once, &own, &each].into_iter().flatten().any(|&(known, _)| known == id);
        let left: Laws<'a> = rules.iter().copied().filter(|&(id, _)| !early(id)).collect();
        let all_early = rules.iter().map(|&(id, _)| id).filter(|&id| early(id)).collect();
        self.early.insert((label, kind), all_early);
        let mut split = Split { once: None, own: None, each: None, rest: woven.full, test: Some(woven.test) };
        for (laws, into) in [(&once, &mut split.once), (&own, &mut split.own), (&each, &mut split.each)] {
            if !laws.is_empty() {
                *into = Some(self.weave_one(label, kind, &[], laws, Extent::Pre, refusing, aside));
            }
        }
        if left.len() < rules.len() {
            split.rest = self.weave_one(label, kind, behavior, &left, Extent::Full, refusing, aside);
            split.test = Some(self.weave_one(label, kind, behavior, &left, Extent::Test, refusing, aside));
        }
        split.test = split.test.filter(|&test| !self.does_nothing(test));
        split
    }

    fn does_nothing(&self, func: FuncId) -> bool {
        let function = self.functions[func as usize].as_ref();
        function.is_some_and(|function| matches!(function.code.as_slice(), [Op::Const { .. }, Op::Return { .. }]))
    }

    /// Where choices are asked for without some rules, what is left may be much less than the whole test.
    pub(super) fn tests_without_rules(&mut self) {
        let (refusing, aside) = (Refusing::of(self.definition, self.world), self.stepping_aside());
        let mut known: BTreeMap<(LabelId, Vec<RuleId>), Vec<Left>> = BTreeMap::new();
        let mut at = 0;
        // What is woven here may ask for choices itself.
        while at < self.pools.choices.len() {
            let Choices { label, ignoring, .. } = self.pools.choices[at].clone();
            if !ignoring.is_empty() && !known.contains_key(&(label, ignoring.clone())) {
                let kinds = 0..self.world.kinds.len() as KindId;
                let tests = kinds.map(|kind| self.test_without(label, kind, &ignoring, &refusing, &aside)).collect();
                known.insert((label, ignoring.clone()), tests);
                self.finish_defines();
            }
            at += 1;
        }
        for choices in &mut self.pools.choices {
            if let Some(tests) = known.get(&(choices.label, choices.ignoring.clone())) {
                choices.tests.clone_from(tests);
            }
        }
    }

    fn test_without(
        &mut self,
        label: LabelId,
        kind: KindId,
        ignoring: &[RuleId],
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> Left {
        let Some(Handler::Single(Woven { split: Some(_), .. })) =
            self.handlers.get(label as usize).map(|by_kind| &by_kind[kind as usize])
        else {
            return Left::Unknown;
        };
        let name = self.texts.get(self.labels[label as usize].name).clone();
        let state = self.texts.get(self.states[0]).clone();
        let (Some(behavior), Some(early)) = (self.behavior(&name, kind, &state), self.early.get(&(label, kind))) else {
            return Left::Unknown;
        };
        let left: Vec<(RuleId, &'a Rule)> = self
            .definition
            .rules()
            .filter(|rule| rule.mode != Mode::Off && self.applies(rule, &name, kind, &state))
            .map(|rule| (self.rule_id(&rule.name), rule))
            .filter(|(id, _)| !early.contains(id) && !ignoring.contains(id))
            .collect();
        let test = self.weave_one(label, kind, behavior, &left, Extent::Test, refusing, aside);
        match self.does_nothing(test) {
            true => Left::Nothing,
            false => Left::Test(test),
        }
    }

    /// The laws that look at the receiver and its neighbours only, as one function; none if there are none.
    fn kept_laws(
        &mut self,
        label: LabelId,
        kind: KindId,
        rules: &[(RuleId, &'a Rule)],
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> Option<FuncId> {
        let sample = self.world.entities.iter().position(|thing| thing.kind == kind)? as u32;
        let mut near = Vec::new();
        for &(id, rule) in rules.iter().filter(|(_, rule)| rule.kind == RuleKind::Law && !aside.contains(&rule.name)) {
            let n_faults = self.diagnostics.len();
            let alone = self.weave_one(label, kind, &[], &[(id, rule)], Extent::Pre, refusing, aside);
            self.diagnostics.truncate(n_faults);
            let function = self.functions[alone as usize].as_ref().expect("just woven");
            if crate::keeper::reads(self.layout, self.world, function, &self.pools, sample).is_some() {
                near.push((id, rule));
            }
        }
        (!near.is_empty()).then(|| self.weave_one(label, kind, &[], &near, Extent::Pre, refusing, aside))
    }

    fn applies(&self, rule: &Rule, name: &Name, kind: KindId, state: &Name) -> bool {
        let label = rule.labels.iter().any(|(label, _)| label == name || &**label == "*");
        let to = rule.to.is_empty()
            || rule.to.iter().any(|(to, _)| match self.world.kind(to) {
                _ if &**to == "*" => true,
                Some(of) => self.world.is_a(kind, of),
                None => {
                    self.world.names.get(to).is_some_and(|&entity| self.world.entities[entity as usize].kind == kind)
                }
            });
        let states =
            rule.states.is_empty() || rule.states.iter().any(|(wanted, _)| wanted == state || &**wanted == "*");
        label && to && states
    }

    #[expect(clippy::too_many_arguments, reason = "one call site a line above; a struct would only rename them")]
    fn weave_one(
        &mut self,
        label: LabelId,
        kind: KindId,
        behavior: &'a [Expr],
        rules: &[(RuleId, &'a Rule)],
        extent: Extent,
        refusing: &Refusing,
        aside: &BTreeSet<Name>,
    ) -> FuncId {
        let func = self.reserve();
        let posts: Vec<(RuleId, &'a Rule)> =
            rules.iter().copied().filter(|(_, rule)| rule.kind != RuleKind::Law).collect();
        let last_refusing = posts.iter().rposition(|(_, rule)| refusing.post(rule)).map_or(0, |at| at + 1);
        let n_posts = if extent == Extent::Full { posts.len() } else { last_refusing };
        let behaves = extent == Extent::Full || (extent == Extent::Test && (n_posts > 0 || refusing.body(behavior)));
        let gameover = self.labels[label as usize].name == self.texts.id("gameover");
        let name =
            format!("{} to {}", self.texts.get(self.labels[label as usize].name), self.world.kinds[kind as usize].name);
        let mut body = Body::new(self, kind, BodyMode::Behavior);
        body.message(label);
        for &(id, rule) in rules.iter().filter(|(_, rule)| rule.kind == RuleKind::Law) {
            body.rule(id, rule, aside.contains(&rule.name));
        }
        let result = body.constant(Value::NIL, Origin::NONE);
        if behaves {
            body.behavior(behavior, result);
            if gameover {
                body.set_outcome();
            }
            for &(id, rule) in &posts[..n_posts] {
                body.rule(id, rule, aside.contains(&rule.name));
            }
        }
        body.emit(Op::Return { src: result }, Origin::NONE);
        let function = body.finish(&name);
        self.functions[func as usize] = Some(function);
        func
    }

    pub(super) fn actions(&mut self) -> Vec<ActionCode> {
        let definition = self.definition;
        let mut codes = Vec::new();
        for action in definition.actions() {
            let label = self.label(&action.label);
            let to = match &action.to {
                None => Receivers::Game,
                Some(expr) => match &expr.kind {
                    ExprKind::Word(word) if self.world.kind(word).is_some() => {
                        Receivers::Kind(self.world.kind(word).expect("just found"))
                    }
                    _ => Receivers::Computed(self.expression(GAME_KIND, expr, &action.label)),
                },
            };
            let mut with = Vec::new();
            for (name, domain) in &action.with {
                let id = self.texts.id(name);
                let at = self.labels[label as usize]
                    .attributes
                    .iter()
                    .position(|&known| known == id)
                    .expect("numbered with the label");
                let mut by_kind = Vec::new();
                for kind in 0..self.world.kinds.len() as KindId {
                    let receives = !matches!(self.handlers[label as usize][kind as usize], Handler::None);
                    by_kind.push(receives.then(|| self.attribute_domain(label, kind, domain, name)));
                }
                with.push((at as u16, by_kind));
            }
            codes.push(ActionCode {
                name: action.label.clone(),
                label,
                to,
                with,
                words: action.words.clone(),
                when_asked: action.when_asked,
            });
        }
        codes
    }

    fn attribute_domain(&mut self, label: LabelId, kind: KindId, domain: &'a Expr, name: &str) -> FuncId {
        let func = self.reserve();
        let mut body = Body::new(self, kind, BodyMode::Define);
        body.message(label);
        body.function_body(std::slice::from_ref(domain));
        let function = body.finish(name);
        self.functions[func as usize] = Some(function);
        func
    }
}

/// Whether a body reads one of the attributes, or the message as a whole.
fn reads_message(body: &[Expr], attributes: &[(Name, Expr)]) -> bool {
    let mut found = false;
    for expr in body {
        expr.walk(&mut |inner| {
            found |= match &inner.kind {
                ExprKind::Word(word) => &**word == "message" || attributes.iter().any(|(name, _)| name == word),
                ExprKind::Form(Form::Attribute | Form::Forward, _) => true,
                _ => false,
            };
        });
    }
    found
}
