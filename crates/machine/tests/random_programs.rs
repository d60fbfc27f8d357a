//! Definitions made at random, played by the tree-walker and the machine side by side.
//!
//! `HOUSERULES_SEED=17 cargo test -p houserules-machine --test random_programs` plays one of them;
//! `HOUSERULES_PROGRAMS=5000` plays more than the usual number.

use houserules_kernel::{Decision, Generator, Rulebook, Viewer};
use houserules_machine::Options;
use houserules_machine::lockstep::Lockstep;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Writes a definition. Everything it writes can be read; some of it has faults when run, and both must agree on those.
struct Author {
    random: Generator,
    /// Names of variables in scope, and whether `it` is.
    variables: Vec<&'static str>,
    it: bool,
    attribute: bool,
}

impl Author {
    fn new(seed: u64) -> Self {
        Author { random: Generator::new(seed), variables: Vec::new(), it: false, attribute: false }
    }

    fn one_of(&mut self, options: &[&str]) -> String {
        options[self.random.below(options.len() as u64) as usize].to_string()
    }

    fn chance(&mut self, one_in: u64) -> bool {
        self.random.below(one_in) == 0
    }

    fn number(&mut self, depth: u32) -> String {
        if depth == 0 || self.chance(3) {
            let mut words = vec!["0", "1", "2", "3", "-1", "heat", "total", "number", "size"];
            words.extend(self.variables.iter());
            if self.attribute {
                words.push("n");
            }
            return self.one_of(&words);
        }
        let form = self.random.below(12);
        match form {
            0 => format!("(+ {} {})", self.number(depth - 1), self.number(depth - 1)),
            1 => format!("(- {} {})", self.number(depth - 1), self.number(depth - 1)),
            2 => format!("(* {} {})", self.number(depth - 1), self.one_of(&["2", "-1", "3"])),
            3 => format!("(mod {} {})", self.number(depth - 1), self.one_of(&["2", "3", "-4"])),
            4 => format!("(floor (/ {} {}))", self.number(depth - 1), self.one_of(&["2", "3"])),
            5 => {
                let domain = self.domain(depth - 1);
                format!("(count {domain} where {})", self.condition_on_it(depth - 1))
            }
            6 => format!("(sum heat of cell where {})", self.condition_on_it(depth - 1)),
            7 => format!("(max 0 {} {})", self.number(depth - 1), self.number(depth - 1)),
            8 => {
                format!("(if {} {} else {})", self.condition(depth - 1), self.number(depth - 1), self.number(depth - 1))
            }
            9 => format!("(count {})", self.list(depth - 1)),
            10 => format!("(warmth {})", self.number(depth - 1)),
            _ => format!("(abs {})", self.number(depth - 1)),
        }
    }

    fn condition(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&["mark", "(not mark)", "true", "nil", "(= mark player)", "(> heat 1)", "lonely"]);
        }
        match self.random.below(13) {
            0 => format!("(= {} {})", self.number(depth - 1), self.number(depth - 1)),
            1 => format!("(< {} {})", self.number(depth - 1), self.number(depth - 1)),
            2 => format!("(>= {} {})", self.number(depth - 1), self.number(depth - 1)),
            3 => format!("(and {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            4 => format!("(or {} {})", self.condition(depth - 1), self.condition(depth - 1)),
            5 => format!("(not {})", self.condition(depth - 1)),
            6 => {
                let domain = self.domain(depth - 1);
                format!("(any {domain} where {})", self.condition_on_it(depth - 1))
            }
            7 => {
                let domain = self.domain(depth - 1);
                format!("(every {domain} where {})", self.condition_on_it(depth - 1))
            }
            8 => format!("(none cell where {})", self.condition_on_it(depth - 1)),
            9 => format!("(is {} in {})", self.place(depth - 1), self.list(depth - 1)),
            10 => format!("(= {} {})", self.place(depth - 1), self.place(depth - 1)),
            11 => self.one_of(&["(line 2 of mark)", "(= state \"hot\")", "(can pass)", "(any piece)", "empty", "top"]),
            _ => format!("(= (mark of {}) {})", self.place(depth - 1), self.one_of(&["player", "opponent", "nil"])),
        }
    }

    fn condition_on_it(&mut self, depth: u32) -> String {
        let before = std::mem::replace(&mut self.it, true);
        let condition = if self.chance(3) {
            self.one_of(&[
                "mark",
                "(not mark)",
                "(= mark player)",
                "(!= mark opponent)",
                "(= heat 1)",
                "(!= it self)",
                "empty",
            ])
        } else {
            self.condition(depth)
        };
        self.it = before;
        condition
    }

    fn place(&mut self, depth: u32) -> String {
        if depth == 0 {
            let words: &[&str] = if self.it {
                &["self", "it", "nil", "next", "(cell at 1 1)"]
            } else {
                &["self", "nil", "next", "(cell at 1 1)"]
            };
            return self.one_of(words);
        }
        match self.random.below(6) {
            0 => format!("(first {})", self.list(depth - 1)),
            1 => format!("(last {})", self.list(depth - 1)),
            2 => format!("(at {} of {})", self.one_of(&["0", "1", "2"]), self.list(depth - 1)),
            3 => format!("(next of {})", self.place(depth - 1)),
            4 => format!("(any cell where {})", self.condition_on_it(depth - 1)),
            _ => format!("(step {} from {})", self.one_of(&["forward", "backward", "next"]), self.place(depth - 1)),
        }
    }

    fn list(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.one_of(&["adjacent", "cell", "(list)", "(list self)", "near", "pile"]);
        }
        match self.random.below(9) {
            0 => format!(
                "(walk {} from {} while {})",
                self.ways(),
                self.place(depth - 1),
                self.condition_on_it(depth - 1)
            ),
            1 => format!(
                "(walk {} {} up to {} until {})",
                self.ways(),
                self.beginning(),
                self.one_of(&["1", "2", "heat"]),
                self.condition_on_it(depth - 1)
            ),
            2 => format!("(group {} {} while {})", self.ways(), self.beginning(), self.condition_on_it(depth - 1)),
            3 => format!("(border adjacent of {})", self.one_of(&["(list self)", "near"])),
            4 => format!("(all cell where {})", self.condition_on_it(depth - 1)),
            5 => format!("(join {} {})", self.list(depth - 1), self.list(depth - 1)),
            6 => format!("(different {})", self.list(depth - 1)),
            7 => format!("(most heat of cell where {})", self.condition_on_it(depth - 1)),
            _ => format!(
                "(walk {} {} while {} then {})",
                self.ways(),
                self.beginning(),
                self.condition_on_it(depth - 1),
                self.condition_on_it(depth - 1)
            ),
        }
    }

    fn ways(&mut self) -> String {
        self.one_of(&["adjacent", "orthogonal", "next", "forward", "next"])
    }

    fn domain(&mut self, depth: u32) -> String {
        let domain =
            if self.chance(2) { self.one_of(&["cell", "piece", "near", "adjacent"]) } else { self.list(depth) };
        match self.chance(4) {
            true => format!("{domain} for {}", self.one_of(&["player", "opponent", "(owner of self)", "nil"])),
            false => domain,
        }
    }

    /// Where a walk begins. What a candidate is may be unknown, and then it must be said.
    fn beginning(&mut self) -> &'static str {
        if !self.it && self.chance(2) { "" } else { "from self" }
    }

    fn statements(&mut self, depth: u32) -> String {
        let n = 1 + self.random.below(2);
        let scope = self.variables.len();
        let text = (0..n).map(|_| self.statement(depth)).collect::<Vec<_>>().join(" ");
        self.variables.truncate(scope);
        text
    }

    fn statement(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => "(set mark to player)".into(),
                1 => "(set mark to nil)".into(),
                2 => format!("(increase heat by {})", self.number(0)),
                3 => format!("(set total to {})", self.number(1)),
                4 => "(increase (score of player) by 1)".into(),
                _ => self.one_of(&[
                    "(changeState hot)",
                    "(changeState default)",
                    "(again)",
                    "(end turn)",
                    "(send poke to self)",
                ]),
            };
        }
        match self.random.below(15) {
            0 => format!(
                "(if {} {} else {})",
                self.condition(depth),
                self.statements(depth - 1),
                self.statements(depth - 1)
            ),
            1 => {
                let list = self.list(depth - 1);
                let inner = self.statements(depth - 1);
                let condition = self.condition_on_it(depth - 1);
                format!("(foreach c in {list} where {condition} (set (mark of c) to player) {inner})")
            }
            2 => {
                let value = self.number(depth);
                self.variables.push("x");
                format!("(var x {value})")
            }
            3 => format!("(set heat to {})", self.number(depth)),
            4 => format!("(set (heat of {}) to {})", self.place(depth - 1), self.number(depth)),
            5 => format!("(send poke to {} with n {})", self.place(depth - 1), self.number(depth - 1)),
            6 => format!("(send poke to {})", self.list(depth - 1)),
            // A list joined to itself with every move makes the walker copy a hundred thousand values at every step.
            7 => format!("(set pile to (first 20 of {}))", self.list(depth)),
            8 => format!("(set book to (put {} at {} in book))", self.number(depth - 1), self.key()),
            13 => format!("(set book to (remove {} from book))", self.key()),
            // What comes of it depends on the order in which the keys are gone through.
            14 => "(foreach k in book (set total to (mod (+ (* 3 total) (match k in book)) 1000)))".into(),
            9 => "(new piece at self with owner player)".into(),
            10 => "(remove top)".into(),
            11 => format!("(if top (move top to {}))", self.place(depth - 1)),
            _ => format!(
                "(set total to (if (match player in book) (match player in book) else {}))",
                self.number(depth - 1)
            ),
        }
    }

    fn key(&mut self) -> String {
        self.one_of(&["player", "opponent", "self", "1", "2", "1.5", "-1", "\"a\"", "\"b\"", "\"B\""])
    }

    fn definition(&mut self) -> String {
        let board = self.one_of(&["grid 3 3", "grid 2 4", "ring 6", "track 5", "grid 3 2 wrapping"]);
        let mut text = format!(
            "#game \"Random\" #players \"X\" \"O\" {}\n#setting size 3\n#property total 0\n#property moves 0\n#property pile (list)\n\
             #property book (dictionary)\n",
            self.one_of(&["#turns", "#turns", ""])
        );
        if !board.starts_with("ring") && !board.starts_with("track") {
            text += "#directions next east\n";
        }
        text += &format!(
            "#board cell {board}\n#model piece #symbol \"x\" \"o\"\n#model cell #property mark #property heat {}\n",
            self.number(0)
        );
        text += &format!(
            "  #define lonely (none adjacent where {})\n",
            self.one_of(&["mark", "(= mark player)", "(> heat 1)"])
        );
        text += &format!(
            "  #define near (join (list self) {})\n",
            self.one_of(&["adjacent", "orthogonal", "(walk next from self)"])
        );
        text += &format!("  #define warmth k (+ k {})\n", self.one_of(&["heat", "(count adjacent where mark)", "1"]));
        self.attribute = true;
        text += &format!("  #onMessage poke n (set heat to (+ 1 heat)) {}\n", self.leaf_statements());
        text += "  #state hot\n";
        text += &format!("  #onMessage poke n {}\n", self.leaf_statements());
        self.attribute = false;
        text += &format!("#action place to cell {}\n", self.statements(2));
        self.attribute = true;
        text += &format!(
            "#action push to cell with n {} {}\n",
            self.one_of(&["(list 1 2)", "(range 0 heat)", "near"]),
            self.statements(1)
        );
        self.attribute = false;
        text += "#action pass\n";
        for name in 0..self.random.below(3) {
            let label = self.one_of(&["place", "push", "place push"]);
            text += &format!("#law \"Law {name}\" on {label} (require {})\n", self.condition(2));
        }
        if self.chance(2) {
            text += &format!("#law \"After\" after place (require {})\n", self.condition(2));
        }
        if self.chance(3) {
            text += &format!("#law \"Quiet\" on poke (require {})\n", self.condition(1));
        }
        for name in 0..self.random.below(3) {
            let label = self.one_of(&["place", "push", "poke", "place push"]);
            let body = if label == "poke" { self.leaf_statements() } else { self.statements(2) };
            text += &format!("#sideeffect \"Effect {name}\" on {label} to cell {body}\n");
        }
        text += "#sideeffect \"Count\" on place push pass (increase moves by 1) (if (> moves 12) (finish by score))\n";
        if self.chance(3) {
            text += &format!("#sideeffect \"Win\" on place (if {} (win player))\n", self.condition(2));
        }
        text
    }

    /// Statements that send nothing: what answers a message must not answer itself for ever.
    fn leaf_statements(&mut self) -> String {
        loop {
            let text = self.statements(1);
            if !text.contains("send") {
                return text;
            }
        }
    }
}

/// Plays one definition to its end, comparing everything at every step.
fn play(seed: u64) -> Result<(), String> {
    let text = Author::new(seed).definition();
    let loaded = houserules_gdl::read_text("random", &text);
    let fault = loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
    if let Some(fault) = fault {
        return Err(format!("{}\n{text}", houserules_gdl::render(fault, &loaded.sources, false)));
    }
    let both = match Lockstep::new(&loaded.definition, &Options::default()) {
        Ok(both) => both,
        Err(faults) => return Err(format!("{}\n{text}", houserules_gdl::render(&faults[0], &loaded.sources, false))),
    };
    let played = catch_unwind(AssertUnwindSafe(|| {
        let Ok(mut position) = both.open() else { return };
        let mut random = Generator::new(seed);
        for _ in 0..16 {
            let decision = position.decision();
            position.view(Viewer::All);
            let Decision::Seats { asked, .. } = decision else { break };
            position.offers(asked[0]);
            if position.play_random(&mut random).is_err() {
                break;
            }
            if random.below(4) == 0 {
                position.undo();
            }
        }
    }));
    played.map_err(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
        format!("{}\n{text}", message.unwrap_or_default())
    })
}

#[test]
fn the_machine_means_what_the_walker_says() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seeds = match (number("HOUSERULES_SEED"), number("HOUSERULES_PROGRAMS")) {
        (Some(seed), _) => seed..seed + 1,
        (None, programs) => 0..programs.unwrap_or(250),
    };
    for seed in seeds {
        if let Err(difference) = play(seed) {
            panic!("seed {seed}: {difference}");
        }
    }
}
