//! Every example of the reference, run by the tree-walker, which is the meaning, and by the machine.

use houserules_gdl::{SyntaxElement, parse, read_text};
use houserules_kernel::{Decision, Position, QuestionKind, Rulebook, Shown, Viewer};
use houserules_machine::{Options, compile, walk};
use houserules_model::examples::DEMO;
use houserules_model::{FileId, forms, words};

/// The body's last expression is its value; what stands before it is only done.
fn split(body: &str) -> (String, String) {
    let root = parse(FileId(0), body).root();
    let last = root.descendants_with_tokens().filter(|element| element.parent().as_ref() == Some(&root));
    let last = last.filter(|element| !element.kind().is_trivia()).last();
    let start = last.as_ref().map_or(0, |element: &SyntaxElement| usize::from(element.text_range().start()));
    (body[..start].to_owned(), body[start..].to_owned())
}

/// Who runs an example.
#[derive(Clone, Copy, Debug)]
enum Runner {
    Walker,
    Machine,
}

/// What the game knows after a side-effect with this body: the value found, the value expected, whether they are equal.
fn run(runner: Runner, body: &str, expected: &str) -> Result<(String, String, bool), String> {
    // What is returned is the value of a define; everything else runs in a rule.
    let (define, body) = match body.contains("(return") {
        true => (format!("#define example\n  {body}\n"), "example"),
        false => (String::new(), body),
    };
    let (before, last) = split(body);
    let text = format!(
        "{DEMO}\n{define}#model game\n#property found\n#property wanted\n#property same\n#action examine as \"examine\"\n  (set round to round)\n\
         #sideeffect \"Example\" on examine to game\n  {before}\n  (var value {last})\n  (set found to value)\n  \
         (set wanted to {expected})\n  (set same to (= value wanted))\n"
    );
    let loaded = read_text("example.gdl", &text);
    if loaded.has_errors() {
        return Err(houserules_gdl::render_all(&loaded.diagnostics, &loaded.sources, false));
    }
    let told = |faults: Vec<_>| houserules_gdl::render_all(&faults, &loaded.sources, false);
    let rulebook: Box<dyn Rulebook> = match runner {
        Runner::Walker => Box::new(walk::rulebook(&loaded.definition, &[], None, None).map_err(told)?),
        Runner::Machine => Box::new(compile(&loaded.definition, &Options::default()).map_err(told)?),
    };
    let mut position = rulebook.open().map_err(|error| error.to_string())?;
    answer(&mut *position, "examine")?;
    while !ready(&*position) {
        answer(&mut *position, "")?;
    }
    let view = position.view(Viewer::All);
    let property = |name: &str| -> String {
        let game = view.facts.iter().find(|thing| thing.name == "game");
        let found = game.and_then(|game| game.properties.iter().find(|(known, _)| known == name));
        match found {
            Some((_, Shown::Value(value))) => value.clone(),
            Some((_, Shown::Hidden)) => "hidden".into(),
            None => "nil".into(),
        }
    };
    Ok((property("found"), property("wanted"), property("same") == "true"))
}

fn ready(position: &dyn Position) -> bool {
    matches!(position.decision(), Decision::Over(_) | Decision::Seats { kind: QuestionKind::Action, .. })
}

/// Plays the choice with these words, or the first one.
fn answer(position: &mut dyn Position, words: &str) -> Result<(), String> {
    let who = *position.decision().open_to().first().ok_or("Nobody is asked.")?;
    let choices = position.choices(who);
    let choice = choices.iter().find(|choice| words.is_empty() || position.words(who, choice) == words);
    let choice = choice.ok_or_else(|| format!("“{words}” is not offered."))?.clone();
    position.play(who, &choice).map_err(|refusal| refusal.to_string())
}

/// [FR-8] What the reference says of a form is what the form does.
#[test]
fn each_example_has_the_value_that_stands_beside_it() {
    let mut wrong = Vec::new();
    let of_words = words::all().iter().flat_map(|def| def.example);
    let examples = forms::all().iter().flat_map(|def| def.example).chain(of_words);
    for (body, expected) in examples.filter(|(_, expected)| !expected.is_empty()) {
        for runner in [Runner::Walker, Runner::Machine] {
            match run(runner, body, expected) {
                Ok((found, wanted, true)) if found == wanted => {}
                Ok((found, wanted, same)) => {
                    wrong.push(format!("{runner:?}: {body}\n    gives {found}, not {wanted} (equal: {same})"));
                }
                Err(message) => wrong.push(format!("{runner:?}: {body}\n    {message}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{} examples are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Without an example nobody sees how a form is used.
#[test]
fn each_form_has_an_example() {
    for def in forms::all() {
        assert!(!def.example.is_empty(), "{} {}", def.head, def.pattern);
    }
    // The game of the examples has a grid, and nothing is next or linked on it.
    let elsewhere = |word: &str| ["next", "previous", "linked"].contains(&word);
    for def in words::all() {
        assert!(!def.example.is_empty() || elsewhere(def.word), "{}", def.word);
    }
}

/// The lines that show a message of the machine are a definition that compiles with the game of the examples.
#[test]
fn each_message_of_the_machine_has_an_example_that_compiles() {
    for def in words::messages() {
        let loaded = read_text("example.gdl", &format!("{DEMO}\n{}\n", def.example));
        assert!(!loaded.has_errors() && def.example.contains(def.label), "{}", def.label);
        assert!(compile(&loaded.definition, &Options::default()).is_ok(), "{}", def.label);
    }
}
