//! Labels and their attributes, rules, and which of them step aside.

use super::*;

impl<'a> Lower<'a> {
    pub(super) fn label(&mut self, name: &str) -> LabelId {
        let id = self.texts.id(name);
        match self.labels.iter().position(|label| label.name == id) {
            Some(at) => at as LabelId,
            None => {
                self.labels.push(LabelInfo { name: id, attributes: Vec::new() });
                self.labels.len() as LabelId - 1
            }
        }
    }

    fn attribute(&mut self, label: LabelId, name: &str) {
        let id = self.texts.id(name);
        let attributes = &mut self.labels[label as usize].attributes;
        if !attributes.contains(&id) {
            attributes.push(id);
        }
    }

    pub(super) fn number_labels(&mut self) {
        for name in ["start", "turn", "stuck", "gameover"] {
            self.label(name);
        }
        let gameover = self.label("gameover");
        self.attribute(gameover, "winner");
        let definition = self.definition;
        // An action's own attributes stand first, in their order.
        for action in definition.actions() {
            let label = self.label(&action.label);
            for (name, _) in &action.with {
                self.attribute(label, name);
            }
        }
        for item in definition.items() {
            if let ItemKind::Behavior(behavior) = &item.kind {
                let label = self.label(&behavior.label);
                for name in &behavior.attributes {
                    self.attribute(label, name);
                }
            }
            let mut sent: Vec<(&Name, &[(NameRef, Expr)])> = Vec::new();
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| {
                    if let ExprKind::Form(form @ (Form::Send | Form::SendNew | Form::NewMessage), slots) = &inner.kind
                        && let Some(name) = slots[0].name().and_then(NameRef::known)
                    {
                        let _ = form;
                        sent.push((name, slots[2].pairs()));
                    }
                });
            });
            for (name, pairs) in sent {
                let label = self.label(name);
                for attribute in pairs.iter().filter_map(|(name, _)| name.known()) {
                    self.attribute(label, attribute);
                }
            }
        }
        for rule in definition.rules() {
            for (label, _) in &rule.labels {
                if &**label != "*" {
                    self.label(label);
                }
            }
        }
        self.updated_attributes();
    }

    /// `update message attribute` in a rule or behavior makes the attribute one of the label's.
    fn updated_attributes(&mut self) {
        let definition = self.definition;
        for item in definition.items() {
            let labels: Vec<LabelId> = match &item.kind {
                ItemKind::Behavior(behavior) => vec![self.label(&behavior.label)],
                ItemKind::Action(action) => vec![self.label(&action.label)],
                ItemKind::Rule(rule) if rule.labels.iter().any(|(label, _)| &**label == "*") => {
                    (0..self.labels.len() as LabelId).collect()
                }
                ItemKind::Rule(rule) => rule.labels.iter().map(|(label, _)| self.label(label)).collect(),
                _ => continue,
            };
            let mut updated: Vec<&Name> = Vec::new();
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| {
                    if let ExprKind::Form(Form::UpdateAttribute, slots) = &inner.kind
                        && let Some(name) = slots[0].name().and_then(NameRef::known)
                    {
                        updated.push(name);
                    }
                });
            });
            for name in updated {
                for &label in &labels {
                    self.attribute(label, name);
                }
            }
        }
    }

    pub(super) fn number_rules(&mut self) {
        let definition = self.definition;
        for item in definition.items() {
            if let ItemKind::Rule(rule) = &item.kind {
                let text = self.texts.id(&rule.name);
                let info =
                    RuleInfo { name: rule.name.clone(), text, kind: rule.kind, mode: rule.mode, origin: item.origin };
                match self.rules.iter_mut().find(|known| known.name == rule.name) {
                    Some(known) => *known = info,
                    None => self.rules.push(info),
                }
            }
        }
        if self.states.is_empty() {
            let first = self.texts.id("default");
            self.states.push(first);
        }
        let mut states: Vec<Name> = Vec::new();
        for item in definition.items() {
            match &item.kind {
                ItemKind::Behavior(behavior) => states.push(behavior.state.clone()),
                ItemKind::Rule(rule) => states.extend(rule.states.iter().map(|(state, _)| state.clone())),
                _ => {}
            }
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| {
                    if let ExprKind::Form(Form::ChangeState, slots) = &inner.kind
                        && let Some(name) = slots[0].name().and_then(NameRef::known)
                    {
                        states.push(name.clone());
                    }
                });
            });
        }
        states.extend(self.world.entities.iter().filter_map(|thing| thing.state.clone()));
        states.extend(self.world.kinds.iter().filter_map(|kind| kind.state.clone()));
        for state in states.into_iter().filter(|state| &**state != "*") {
            let id = self.texts.id(&state);
            if !self.states.contains(&id) {
                self.states.push(id);
            }
        }
    }

    /// Rules that must be able to step aside: those that ask what could be done, and those named by `ignoring`.
    pub(super) fn stepping_aside(&self) -> BTreeSet<Name> {
        let mut aside = BTreeSet::new();
        let mut asking: BTreeSet<Name> = BTreeSet::new();
        loop {
            let before = asking.len();
            for item in self.definition.items() {
                if let ItemKind::Define(define) = &item.kind
                    && define.body.iter().any(|expr| asks_what_could_be(expr, &asking))
                {
                    asking.insert(define.name.clone());
                }
            }
            if asking.len() == before {
                break;
            }
        }
        for item in self.definition.items() {
            if let ItemKind::Rule(rule) = &item.kind
                && rule.kind != RuleKind::SideEffect
                && rule.body.iter().any(|expr| asks_what_could_be(expr, &asking))
            {
                aside.insert(rule.name.clone());
            }
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| {
                    if let ExprKind::Form(Form::Choices, slots) = &inner.kind {
                        aside.extend(slots[2].names().iter().filter_map(|name| name.known().cloned()));
                    }
                });
            });
        }
        aside
    }
}

fn asks_what_could_be(expr: &Expr, asking: &BTreeSet<Name>) -> bool {
    let mut found = false;
    expr.walk(&mut |inner| {
        found |= match &inner.kind {
            ExprKind::Form(Form::Can | Form::Choices | Form::Suppose, _) => true,
            ExprKind::Word(name) | ExprKind::Call { name, .. } => asking.contains(name),
            _ => false,
        };
    });
    found
}
