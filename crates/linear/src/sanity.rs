//! Reads a program without playing it and says what would go wrong, or never happen.

use std::sync::Arc;

use houserules_model::{Diagnostic, Origin};

use crate::fault::Budget;
use crate::net::Net;
use crate::program::{Goal, Mode, Premise, Program, Rule, StageId};

/// Only warnings: a program in the making is ordinary.
pub fn sanity(program: &Program) -> Vec<Diagnostic> {
    let mut said = Vec::new();
    let made = made(program);
    let wanted = wanted(program);
    let persistent = persistent(program);
    stages(program, &mut said);
    let mut silent = vec![false; program.rules.len()];
    for (id, rule) in program.rules.iter().enumerate() {
        for premise in &rule.premises {
            let Premise::Fact { pred, mode, origin, .. } = premise else { continue };
            let known = &program.preds[*pred];
            if !made[*pred] && !silent[id] {
                silent[id] = true;
                said.push(
                    Diagnostic::warning(
                        "ceptre/never",
                        format!("The rule `{}` can never fire", rule.name),
                        *origin,
                        format!("No rule makes a fact `{}`, and none is there at first.", known.name),
                    )
                    .hint("Add it to the context of `#trace`, or to the right side of a rule."),
                );
            }
            if *mode == Mode::Bang && made[*pred] && !persistent[*pred] {
                said.push(
                    Diagnostic::warning(
                        "ceptre/bang",
                        "Used up in spite of `!`",
                        *origin,
                        format!("No fact `{}` is there for ever, so this one is used up.", known.name),
                    )
                    .hint(format!("Write `${}` to keep it, or make it with `!`.", known.name)),
                );
            }
        }
        for premise in &rule.premises {
            if let Premise::Goal(Goal::Holds(pred, _)) = premise
                && !program.clauses.iter().any(|clause| clause.head.0 == *pred)
                && !silent[id]
            {
                silent[id] = true;
                let label = format!("Nothing says when `{}` holds.", program.preds[*pred].name);
                said.push(Diagnostic::warning(
                    "ceptre/never",
                    format!("The rule `{}` can never fire", rule.name),
                    rule.origin,
                    label,
                ));
            }
        }
        endless(program, rule, &mut said);
    }
    for (pred, known) in program.preds.iter().enumerate().filter(|(_, known)| !known.backward) {
        let tells = crate::seats::Seats::default().is_telling(program, pred);
        match (made[pred], wanted[pred]) {
            (false, false) => said.push(Diagnostic::warning(
                "ceptre/unused",
                "A predicate nobody uses",
                known.origin,
                format!("No rule makes or wants a fact `{}`.", known.name),
            )),
            (true, false) if !tells => said.push(Diagnostic::warning(
                "ceptre/unwanted",
                "Facts nobody wants",
                known.origin,
                format!("Facts `{}` are made, and no rule wants one.", known.name),
            )),
            _ => {}
        }
    }
    // What the names do not tell the net may: each rule filled in with all that can ever come about.
    if !program.queries.is_empty()
        && let Some(net) = Net::build(Arc::new(program.clone()), 0, Budget { proof: 200_000, ..Budget::default() })
        && net.complete
    {
        let mut fires = vec![false; program.rules.len()];
        (0..net.n_transitions()).for_each(|id| fires[net.instance(id as u32).rule] = true);
        let reached = reached(program);
        for (id, rule) in program.rules.iter().enumerate() {
            if !fires[id] && !silent[id] && reached[rule.stage] {
                let label = "What it wants is never there together, whatever happens.";
                said.push(Diagnostic::warning(
                    "ceptre/never",
                    format!("The rule `{}` can never fire", rule.name),
                    rule.origin,
                    label,
                ));
            }
        }
    }
    said
}

/// Which predicates have facts at first or by some rule.
fn made(program: &Program) -> Vec<bool> {
    let mut made = vec![false; program.preds.len()];
    program.queries.iter().flat_map(|query| &query.initial).for_each(|fact| made[fact.pred] = true);
    program.rules.iter().flat_map(|rule| &rule.results).for_each(|fact| made[fact.pred] = true);
    made
}

fn persistent(program: &Program) -> Vec<bool> {
    let mut persistent = vec![false; program.preds.len()];
    let first = program.queries.iter().flat_map(|query| &query.initial);
    let all = first.chain(program.rules.iter().flat_map(|rule| &rule.results));
    all.filter(|fact| fact.persistent).for_each(|fact| persistent[fact.pred] = true);
    persistent
}

fn wanted(program: &Program) -> Vec<bool> {
    let mut wanted = vec![false; program.preds.len()];
    for premise in program.rules.iter().flat_map(|rule| &rule.premises) {
        match premise {
            Premise::Fact { pred, .. } | Premise::Goal(Goal::Holds(pred, _)) => wanted[*pred] = true,
            Premise::Goal(_) => {}
        }
    }
    for goal in program.clauses.iter().flat_map(|clause| &clause.goals) {
        if let Goal::Holds(pred, _) = goal {
            wanted[*pred] = true;
        }
    }
    wanted
}

/// The stages that links lead to from the first one.
fn reached(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.stages.len()];
    let mut open: Vec<StageId> = program.queries.iter().map(|query| query.stage).collect();
    while let Some(stage) = open.pop() {
        if !std::mem::replace(&mut reached[stage], true) {
            open.extend(program.stages[stage].links.iter().filter_map(|&link| program.rules[link].next));
        }
    }
    reached
}

fn stages(program: &Program, said: &mut Vec<Diagnostic>) {
    let reached = reached(program);
    let tells = |rules: &[usize]| {
        let mut facts = rules.iter().flat_map(|&rule| &program.rules[rule].results);
        facts.any(|fact| crate::seats::Seats::default().is_telling(program, fact.pred))
    };
    for (id, stage) in program.stages.iter().enumerate() {
        if !reached[id] {
            said.push(
                Diagnostic::warning(
                    "ceptre/unreachable",
                    format!("The stage `{}` is never reached", stage.name),
                    stage.origin,
                    "No link leads here from the stage that comes first.",
                )
                .hint(format!("Write a rule outside all stages with `stage {}` on its right.", stage.name)),
            );
            continue;
        }
        let entered: Vec<usize> =
            (0..program.rules.len()).filter(|&rule| program.rules[rule].next == Some(id)).collect();
        let telling = tells(&stage.rules) || tells(&entered);
        if stage.links.is_empty() && program.stages.len() > 1 && !telling {
            said.push(
                Diagnostic::warning(
                    "ceptre/dead-end",
                    format!("The stage `{}` is a dead end", stage.name),
                    stage.origin,
                    "No link leads away, and no rule here says who has won.",
                )
                .hint("Add a link, or a rule that makes `win P`, `lose P` or `draw`."),
            );
        }
    }
    circles(program, &reached, said);
}

/// Links in a circle through stages where nobody chooses, none of which uses anything up.
fn circles(program: &Program, reached: &[bool], said: &mut Vec<Diagnostic>) {
    let idle = |rule: &Rule| rule.premises.iter().all(|premise| !uses_up(program, rule, premise));
    let next = |stage: StageId| {
        let links = program.stages[stage].links.iter().map(|&link| &program.rules[link]);
        links.filter(|rule| idle(rule)).filter_map(|rule| rule.next)
    };
    for (id, stage) in program.stages.iter().enumerate().filter(|(id, _)| reached[*id]) {
        if stage.interactive {
            continue;
        }
        let mut seen = vec![false; program.stages.len()];
        let mut open: Vec<StageId> = next(id).collect();
        while let Some(at) = open.pop() {
            if at == id {
                said.push(
                    Diagnostic::warning(
                        "ceptre/circle",
                        format!("The stage `{}` can go round for ever", stage.name),
                        stage.origin,
                        "Links lead back here without using a fact up and without anybody choosing.",
                    )
                    .hint("Let one of the links use up a fact that only a rule makes again."),
                );
                break;
            }
            if !program.stages[at].interactive && !std::mem::replace(&mut seen[at], true) {
                open.extend(next(at));
            }
        }
    }
}

/// Whether a premise takes a fact that the same rule does not make again.
fn uses_up(_program: &Program, rule: &Rule, premise: &Premise) -> bool {
    match premise {
        Premise::Fact { pred, args, mode: Mode::Plain, .. } => {
            !rule.results.iter().any(|fact| fact.pred == *pred && fact.args == *args && !fact.persistent)
        }
        _ => false,
    }
}

fn endless(program: &Program, rule: &Rule, said: &mut Vec<Diagnostic>) {
    let looks = program.looks_at_state();
    let proof = |premise: &Premise| matches!(premise, Premise::Goal(Goal::Holds(pred, _)) if looks[*pred]);
    let idle = rule.premises.iter().all(|premise| !uses_up(program, rule, premise) && !proof(premise));
    let bang = rule.premises.iter().any(|premise| matches!(premise, Premise::Fact { mode: Mode::Bang, .. }));
    if rule.next.is_none() && !program.stages[rule.stage].interactive && idle && !bang {
        said.push(
            Diagnostic::warning(
                "ceptre/endless",
                format!("The rule `{}` fires for ever", rule.name),
                origin(rule),
                "It uses nothing up, and nobody chooses in this stage.",
            )
            .hint("Let it use up a fact, or make the stage `#interactive`."),
        );
    }
}

fn origin(rule: &Rule) -> Origin {
    rule.origin
}
