//! The game as a text in Ceptre.

use crate::build::{Spira, StageKind};
use crate::term::{Fact, Implication, Term, TermKind};

impl Spira {
    /// Types, constructors, predicates, stages with what leads from one to another, and the start.
    pub fn text(&self) -> Result<String, String> {
        let mistakes = self.mistakes.borrow();
        if !mistakes.is_empty() {
            return Err(mistakes.join("\n"));
        }
        let start = self.start.as_ref().ok_or("Nothing says in which stage the game begins: `start` does.")?;
        let mut text = format!("%% title {}\n", self.title);
        self.notes.iter().for_each(|note| text += &format!("{note}\n"));
        text += "\n% Types\n";
        self.types.iter().for_each(|of| text += &format!("{of} : type.\n"));
        text += "\n% Constructors\n";
        self.constructors.iter().for_each(|line| text += &format!("{line}\n"));
        text += "\n% Predicates and facts\n";
        self.predicates.iter().for_each(|line| text += &format!("{line}\n"));
        text += "\n% Stages and links\n";
        self.stages.iter().for_each(|stage| text += &format!("{stage}\n"));
        let initial: Vec<String> = self.initial.iter().map(Fact::to_string).collect();
        text += &format!("% Start\n#trace _ {start}\n{{ {} }}.\n", initial.join("\n, "));
        Ok(text)
    }

    pub(crate) fn write_stage(&mut self, name: &str, kind: StageKind, rules: &[Implication]) {
        let mut text = format!("stage {name} = {{\n");
        for (at, rule) in rules.iter().enumerate() {
            let rule_name = format!("{name}/{}", at + 1);
            if kind == StageKind::Interactive {
                text += &format!("%% {rule_name} {}\n", self.labels(rule).join(" "));
            }
            text += &format!("{rule_name}\n  : {}\n  -o {}.\n", tensor(&rule.left), tensor(&rule.right));
        }
        text += "}\n";
        if kind == StageKind::Interactive {
            text += &format!("#interactive {name}.\n");
        }
        self.stages.push(text);
    }

    /// One label for each variable, in the order in which they first occur on the left.
    fn labels(&self, rule: &Implication) -> Vec<String> {
        let mut seen: Vec<String> = Vec::new();
        let mut labels = Vec::new();
        for fact in &rule.left {
            let own = self.labels.get(&fact.name);
            for (at, arg) in fact.args.iter().enumerate() {
                let label = own.and_then(|labels| labels.get(at)).map_or("_", String::as_str);
                let label = if fact.mark == "$" { "_" } else { label };
                match &arg.kind {
                    TermKind::Binding(name) if !seen.contains(name) => {
                        seen.push(name.clone());
                        labels.push(label.to_owned());
                    }
                    TermKind::Binding(_) => {}
                    // A label for a whole term is shared out among what is in it.
                    TermKind::Apply(_, inner) => {
                        let mut parts = label.split('/');
                        for term in inner {
                            let part = parts.next().unwrap_or("_");
                            for name in
                                bindings(term).into_iter().filter(|name| !seen.contains(name)).collect::<Vec<_>>()
                            {
                                seen.push(name);
                                labels.push(part.to_owned());
                            }
                        }
                    }
                }
            }
        }
        labels
    }
}

fn bindings(term: &Term) -> Vec<String> {
    match &term.kind {
        TermKind::Binding(name) => vec![name.clone()],
        TermKind::Apply(_, args) => args.iter().flat_map(bindings).collect(),
    }
}

fn tensor(facts: &[Fact]) -> String {
    let facts: Vec<String> = facts.iter().map(Fact::to_string).collect();
    if facts.is_empty() { "()".into() } else { facts.join("\n  * ") }
}
