//! A plan in words, for whoever wants a game to be fast.

use super::laws::{self, When};
use super::{Answerer, Drawer, Pace, Plan};
use crate::program::{Program, Receivers};
use crate::shortcut::{Shortcut, Shortcuts};
use std::sync::Arc;

impl Program {
    /// How this game is played at random, who says whether somebody can act, when each law is asked, and what is kept
    /// from move to move. Native code is made for it, so that the plan is the one of a game that is played much.
    pub fn plan_in_words(self: &Arc<Program>) -> String {
        self.go_native();
        let plan = self.plan();
        let mut text = String::new();
        let mut tell = |title: &str, lines: Vec<String>| {
            if !lines.is_empty() {
                text += &format!("{title}\n");
                lines.iter().for_each(|line| text += &format!("  {line}\n"));
            }
        };
        tell("From one random move to the next", numbered(plan.paces.iter().map(|pace| pace.words().to_owned())));
        tell("A random move is drawn", numbered(plan.drawers.iter().map(|drawer| drawer.words(self))));
        tell("Whether somebody can act", numbered(plan.answerers.iter().map(|answerer| answerer.words(self))));
        tell("Laws", self.laws_in_words());
        tell("Kept from move to move", self.kept_in_words(plan));
        tell("Native code", self.native_in_words());
        text
    }

    fn laws_in_words(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (at, action) in self.actions.iter().enumerate() {
            for laws in laws::of(self, at) {
                let asked_for = if action.when_asked { ", only when it is asked for" } else { "" };
                lines.push(format!("{} to {}{asked_for}", action.name, laws.kinds.join(", ")));
                let told = |(when, rules): &(When, Vec<String>)| {
                    let rules: Vec<String> = rules.iter().map(|rule| format!("“{rule}”")).collect();
                    format!("  {} {}", when.words(), rules.join(", "))
                };
                lines.extend(laws.asked.iter().map(told));
            }
        }
        lines
    }

    fn kept_in_words(&self, plan: &Plan) -> Vec<String> {
        let mut lines = Vec::new();
        let property = |prop: u16| self.layout.props[prop as usize].name.to_string();
        if let Some(keeper) = self.keeper.as_ref().filter(|_| self.sampler.is_none()) {
            let (by_table, by_code) = keeper.n_asked();
            lines.push(format!(
                "a bit for each of {} candidates: {by_table} by a table of what lies near, {by_code} by code",
                self.plain.len()
            ));
            if keeper.guards.is_some() {
                lines.push("whose each candidate is".into());
            }
        }
        if let Some(marked) = &self.marked {
            lines.push(format!("bitboards of `{}`: empty, first player, second player", property(marked.prop)));
        }
        if self.roster.is_some() {
            lines.push("for each action and player the things that may receive it by their own properties".into());
        }
        if plan.drawers.contains(&Drawer::Strides) {
            lines.push("bitboards of what lies on each place".into());
        }
        if self.history.is_some() {
            lines.push(match self.counted.goes_on() {
                true => "the hash of the position, brought up to date by what changes".into(),
                false => "the hash of each position, made anew".into(),
            });
        }
        let memos = self.native().map(|native| native.memos().names(self)).unwrap_or_default();
        if !memos.is_empty() {
            lines.push(format!("what these gave, until something changes that they read: {}", memos.join(", ")));
        }
        if self.written().has(Shortcut::Chains) {
            lines.push("union-find of the groups: which rows and columns each reaches".into());
        }
        lines
    }

    fn native_in_words(&self) -> Vec<String> {
        let Some(native) = self.native() else { return vec!["none: the interpreter plays".into()] };
        let mut lines = Vec::new();
        let told = [
            (Shortcut::Windows, "lines are found in bitboards"),
            (Shortcut::Rays, "walks are found in bitboards"),
            (Shortcut::Pairs, "most lines are refused by one look in all directions"),
            (Shortcut::Plans, "what is beside a group is found by one search, without a list of the group"),
            (Shortcut::Regions, "groups are found in tables of neighbours"),
            (Shortcut::Reach, "who could not get there on an empty board is not asked"),
            (Shortcut::Cursor, "choices are looked through one by one, without a list of them"),
            (Shortcut::Tails, "a message passed on at the end is a jump"),
        ];
        let written: Shortcuts = self.written();
        lines.extend(told.iter().filter(|(shortcut, _)| written.has(*shortcut)).map(|(_, words)| (*words).to_owned()));
        let mut left: Vec<&str> =
            native.left_out(self).iter().map(|&func| &*self.functions[func as usize].name).collect();
        left.sort_unstable();
        left.dedup();
        if !left.is_empty() {
            lines.push(format!("left to the interpreter: {}", left.join(", ")));
        }
        lines
    }

    fn names_of(&self, actions: impl Iterator<Item = usize>) -> String {
        actions.map(|action| self.actions[action].name.to_string()).collect::<Vec<_>>().join(", ")
    }
}

fn numbered(lines: impl Iterator<Item = String>) -> Vec<String> {
    lines.enumerate().map(|(at, line)| format!("{}. {line}", at + 1)).collect()
}

impl Pace {
    fn words(self) -> &'static str {
        match self {
            Pace::Lane => "move after move in native code, where only the candidates kept learn of each",
            Pace::Swift => "each move tried in native code, and taken back where it is refused",
            Pace::Step => "as a player would make it",
        }
    }
}

impl Drawer {
    fn words(self, program: &Program) -> String {
        let drawn = || program.sampler.iter().flat_map(|sampler| &sampler.actions);
        match self {
            Drawer::Strides => {
                let actions = program.strides.iter().flat_map(|strides| strides.in_words(program)).collect::<Vec<_>>();
                format!("by shifts of bits, everything that can be done at once: {}", actions.join("; "))
            }
            Drawer::Picks => {
                let action =
                    program.sampler.iter().filter_map(|sampler| sampler.picked.as_ref()).map(|picked| picked.action);
                format!(
                    "a thing, then a place in line with it, until nothing stands between: {}",
                    program.names_of(action)
                )
            }
            Drawer::Listing => {
                let listed = drawn().filter(|drawn| !program.actions[drawn.action].with.is_empty());
                let sure = |action: usize| {
                    program.native().and_then(|native| native.lister(action)).is_some_and(|lister| lister.surely)
                };
                let actions: Vec<String> = listed
                    .map(|drawn| {
                        let surely = if sure(drawn.action) { ", all of it legal" } else { "" };
                        format!("{}{surely}", program.actions[drawn.action].name)
                    })
                    .collect();
                match actions.is_empty() {
                    true => "from those that may receive an action".into(),
                    false => {
                        format!("from lists that native code makes for all things in one go: {}", actions.join("; "))
                    }
                }
            }
            Drawer::Tickets => {
                let told = drawn().map(|drawn| {
                    let name = &program.actions[drawn.action].name;
                    match (drawn.tickets, &drawn.lazily, drawn.most_first) {
                        (Some(1), ..) => format!("{name}, a thing"),
                        (Some(n), ..) => format!("{name}, a thing and one of {n} combinations"),
                        (None, Some(_), _) => format!("{name}, a thing whose combinations are listed when it is drawn"),
                        (None, None, Some(_)) => format!("{name}, with the first attribute listed for all things"),
                        (None, None, None) => format!("{name}, listed for all things"),
                    }
                });
                format!("thing by thing: {}", told.collect::<Vec<_>>().join("; "))
            }
            Drawer::Outlook => {
                let label = program.outlook.as_ref().map(|outlook| outlook.label);
                let actions = (0..program.actions.len()).filter(|&at| Some(program.actions[at].label) == label);
                format!(
                    "from places where a walk finds something, by filling rays of bits: {}",
                    program.names_of(actions)
                )
            }
            Drawer::Candidates if program.keeper.is_some() => {
                "from the candidates kept, tried until one is legal".into()
            }
            Drawer::Candidates => format!("from all {} candidates, tried until one is legal", program.plain.len()),
            Drawer::Everything => "from the list of everything".into(),
        }
    }
}

impl Answerer {
    fn words(self, program: &Program) -> String {
        match self {
            Answerer::Listing => {
                let surely = |&action: &usize| {
                    program.native().and_then(|native| native.lister(action)).is_some_and(|lister| lister.surely)
                };
                let actions = (0..program.actions.len()).filter(surely);
                format!("while a move is drawn, by what native code has listed: {}", program.names_of(actions))
            }
            Answerer::Outlook => "by filling rays of bits".into(),
            Answerer::Lane => "among the candidates kept, until one is legal".into(),
            Answerer::Roster => "among those that may receive an action, until one is legal".into(),
            Answerer::Everything => {
                let computed = program.actions.iter().any(|action| matches!(action.to, Receivers::Computed(_)));
                let why = if computed { ", because receivers are computed" } else { "" };
                format!("candidate after candidate{why}")
            }
        }
    }
}

impl When {
    fn words(self) -> &'static str {
        match self {
            When::Once => "once for all:",
            When::Kept => "when something changes:",
            When::Receiver => "of each receiver:",
            When::Choice => "last, of each choice:",
        }
    }
}
