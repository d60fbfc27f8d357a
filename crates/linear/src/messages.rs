//! The diagram of a definition: its actions and messages with the rules on each, what sends what, and the states of models.

use std::collections::BTreeSet;

use houserules_model::{Definition, Expr, ExprKind, Form, Item, ItemKind, Mode, Name, RuleKind, Slot};

use crate::diagram::{Arrow, Box, Diagram};

impl Diagram {
    /// Messages are boxes: an arrow leads to what a behavior or a side-effect sends. States that a model goes through are
    /// boxes, too, with the messages that lead from one to the next.
    pub fn of_definition(definition: &Definition) -> Diagram {
        let mut diagram = Diagram::default();
        for item in definition.items() {
            if let ItemKind::Action(action) = &item.kind {
                let known = diagram.message(&action.label);
                (diagram.boxes[known].choice, diagram.boxes[known].start) = (true, true);
            }
        }
        for item in definition.items() {
            diagram.add_message(item);
        }
        for item in definition.items() {
            diagram.add_states(item);
        }
        let leads = |id: usize| diagram.arrows.iter().any(|arrow| arrow.from == id);
        let ends: Vec<bool> = (0..diagram.boxes.len()).map(|id| !leads(id)).collect();
        diagram.boxes.iter_mut().zip(ends).for_each(|(known, end)| known.end = end);
        diagram
    }

    fn add_message(&mut self, item: &Item) {
        let (labels, line): (Vec<&Name>, Option<String>) = match &item.kind {
            ItemKind::Action(action) => (vec![&action.label], None),
            ItemKind::Behavior(behavior) if is_plain(&behavior.state) => {
                (vec![&behavior.label], Some(behavior.of.to_string()))
            }
            ItemKind::Behavior(behavior) => {
                (vec![&behavior.label], Some(format!("{} in {}", behavior.of, behavior.state)))
            }
            ItemKind::Rule(rule) if rule.mode != Mode::Off => {
                let kind = if rule.kind == RuleKind::SideEffect { "then" } else { "law" };
                (rule.labels.iter().map(|(label, _)| label).collect(), Some(format!("{kind}: {}", rule.name)))
            }
            _ => return,
        };
        let sent = named(item, &[Form::Send, Form::SendNew]);
        for label in labels {
            let from = self.message(label);
            self.boxes[from].lines.extend(line.clone());
            for other in &sent {
                let to = self.message(other);
                self.arrow(from, to, String::new());
            }
        }
    }

    fn add_states(&mut self, item: &Item) {
        let ItemKind::Behavior(behavior) = &item.kind else { return };
        for next in named(item, &[Form::ChangeState]) {
            let from = self.named_box(format!("{}: {}", behavior.of, behavior.state));
            let to = self.named_box(format!("{}: {next}", behavior.of));
            self.arrow(from, to, behavior.label.to_string());
        }
    }

    fn message(&mut self, label: &Name) -> usize {
        self.named_box(label.to_string())
    }

    fn named_box(&mut self, name: String) -> usize {
        self.boxes.iter().position(|known| known.name == name).unwrap_or_else(|| {
            self.boxes.push(Box { name, lines: Vec::new(), choice: false, start: false, end: false });
            self.boxes.len() - 1
        })
    }

    fn arrow(&mut self, from: usize, to: usize, label: String) {
        if !self.arrows.iter().any(|known| (known.from, known.to) == (from, to) && known.label == label) {
            self.arrows.push(Arrow { from, to, label });
        }
    }
}

/// Whether a behavior answers in whatever state there is.
fn is_plain(state: &str) -> bool {
    matches!(state, "*" | "start")
}

/// The first name in all forms of these kinds.
fn named(item: &Item, forms: &[Form]) -> BTreeSet<Name> {
    let mut names = BTreeSet::new();
    let mut look = |expr: &Expr| {
        if let ExprKind::Form(form, slots) = &expr.kind
            && forms.contains(form)
        {
            names.extend(slots.first().and_then(Slot::name).and_then(|name| name.known()).cloned());
        }
    };
    item.exprs(&mut |expr| expr.walk(&mut look));
    names
}
