//! What is wrong with a text is told with its place; nothing panics, whatever the text.

use houserules_bgd::{Cast, Precedence, check, fmt, lower, parse};
use houserules_model::{Diagnostic, FileId, Severity};

/// A small game with places to put something wrong into.
fn toy(players: &str, camp: &str, objects: &str, rounds: &str, main: &str, actions: &str) -> String {
    format!(
        "Game = \"toy\";\nPlayers{{ MinPlayers = 1; MaxPlayers = 3; Human Ann{{ Money = 5; }} Human Bo{{ Money = 6; }} {players} }}\n\
         Locations{{ Camp{{ Depth = 2; {camp} StartingInventory{{ Die D1; Gem Ruby; }} }} Lake{{ Wet = True; }} }}\n\
         Objects{{ Die{{ public Randomizer{{ [1, 2] }} }} Gem{{ hidden Rank = 1; }} {objects} }}\n\
         Rounds{{ {rounds} Main(){{ {main} }} }}\nActions{{ Skip(){{ requires{{}} effect{{}} }} {actions} }}\n"
    )
}

fn said(text: &str) -> Vec<Diagnostic> {
    let (program, mut said) = parse(text, FileId(0), Precedence::Conventional);
    said.extend(check(&program));
    said
}

/// A message with this code at this spot, of this severity, and no error elsewhere.
fn told(text: &str, code: &str, spot: &str, severity: Severity) {
    let said = said(text);
    let at = |fault: &Diagnostic| {
        let origin = fault.labels[0].origin;
        &text[origin.start as usize..origin.end as usize]
    };
    assert!(
        said.iter().any(|fault| fault.code == code && at(fault) == spot && fault.severity == severity),
        "{code} at `{spot}` in\n{text}\n{said:#?}"
    );
    assert!(said.iter().all(|fault| fault.code == code || !fault.is_error()), "only that is wrong: {said:#?}");
}

#[test]
fn a_sound_game_has_no_messages() {
    let main = "ChooseAction CurrentTurn; NextTurn; Repeat;";
    assert_eq!(said(&toy("", "", "", "", main, "")), []);
    assert_eq!(said(include_str!("../../../games/mens-erger-je-niet/game.bgd")), []);
    assert_eq!(said(include_str!("../../../games/manila/game.bgd")), []);
}

#[test]
fn every_mistake_of_the_catalogue_is_told_at_its_place() {
    use Severity::{Error, Warning};
    let main = |main: &str| toy("", "", "", "", main, "");
    let round = |round: &str, text: &str| toy("", "", "", round, text, "");
    for (text, code, spot, severity) in [
        // Syntax.
        (main("NextTurn Repeat;"), "text/expected", "Repeat", Error),
        (main("Camp.Depth == 2;"), "text/expected", "Camp.Depth == 2", Error),
        (main("else{ }"), "text/expected", "else", Error),
        (toy("", "", "", "", "", "") + " more", "text/expected", "more", Error),
        (main("Camp.Depth = 99999999999;"), "text/number", "99999999999", Error),
        (toy("", "3x", "", "", "", ""), "text/stray", "3x", Error),
        // Names that are not there.
        (main("move Rubi Camp;"), "name/unknown", "Rubi", Error),
        (main("Winner Cy;"), "name/unknown", "Cy", Error),
        (main("Turn();"), "name/unknown", "Turn", Error),
        (toy("", "Owner = Cy;", "", "", "", ""), "name/unknown", "Cy", Error),
        (toy("", "StartingInventory{ Card C1; }", "", "", "", ""), "name/unknown", "Card", Error),
        (round("Go(Card c){ return c; }", ""), "name/unknown", "Card", Error),
        (round("Go(int n){ return m; }", ""), "name/unknown", "m", Error),
        // Names that are there twice.
        (toy("Human Ann;", "", "", "", "", ""), "name/twice", "Ann", Error),
        (toy("Human Camp;", "", "", "", "", ""), "name/twice", "Camp", Error),
        (toy("", "", "Gem{ }", "", "", ""), "name/twice", "Gem", Error),
        (toy("", "", "", "Skip(){ }", "", ""), "name/twice", "Skip", Error),
        (round("Go(int n, int n){ return n; }", ""), "name/twice", "n", Error),
        // More players than may take part.
        (toy("Human Cy; Human Di;", "", "", "", "", ""), "game/players", "3", Error),
        // Too many or too few values.
        (round("Go(int n){ return n; }", "Go(1, 2);"), "type/arity", "Go", Error),
        (round("Main2(){ }", "Main2(1);"), "type/arity", "Main2", Error),
        // Attributes that nobody has.
        (main("Camp.Wet = True;"), "type/attribute", "Wet", Error),
        (main("Camp.Deep = 1;"), "type/attribute", "Deep", Error),
        (main("foreach x in [Ann.Owner] { }"), "type/attribute", "Ann.Owner", Error),
        (main("foreach x in [Ruby.Value] { }"), "type/attribute", "Ruby.Value", Error),
        (main("Randomize Ruby;"), "type/randomizer", "Ruby", Error),
        // Values of another kind.
        (main("Camp.Depth = True;"), "type/mismatch", "True", Error),
        (main("Camp.Depth = Camp.Depth + Lake;"), "type/mismatch", "Lake", Error),
        (main("Camp.Depth = count(Camp);"), "type/mismatch", "Camp", Error),
        (main("move Camp Lake;"), "type/mismatch", "Camp", Error),
        (main("TurnOrder = [Camp];"), "type/mismatch", "[Camp]", Error),
        (main("if([1] == [1]){ }"), "type/mismatch", "[1] == [1]", Error),
        (main("Ann = Bo;"), "type/target", "Ann", Error),
        (main("CurrentTurn = Bo;"), "type/target", "CurrentTurn", Error),
        // Conditions that are none.
        (main("if(Camp.Depth){ }"), "type/condition", "Camp.Depth", Error),
        (toy("", "", "", "", "", "Go(){ requires{ 3; } effect{} }"), "type/condition", "3", Error),
        // Rounds without a value.
        (round("Go(){ NextTurn; }", "Camp.Depth = Go();"), "flow/return", "Go", Warning),
        // A round that is not there is no second mistake.
        (toy("", "", "", "", "", "Do(){ requires{ Goo(); } effect{} }"), "name/unknown", "Goo", Error),
        // What may change nothing.
        (
            toy("", "", "", "Go(){ NextTurn; return True; }", "", "Do(){ requires{ Go(); } effect{} }"),
            "flow/pure",
            "Go()",
            Error,
        ),
        (toy("Computer Sea;", "", "", "", "Winner Sea;", ""), "game/computer", "Sea", Error),
        // Extensions.
        (main("auction Stahl among TurnOrder;"), "name/unknown", "Stahl", Error),
        (main("auction Camp;"), "text/expected", ";", Error),
        (toy("", "", "", "", "", "auction Stall;"), "text/expected", ";", Error),
        (
            toy("", "", "", "", "", "auction Stall from 1 to 5; auction Stall from 1 to 5;"),
            "name/twice",
            "Stall",
            Error,
        ),
        (toy("", "} square Cell 30 by 2{", "", "", "", ""), "text/range", "square Cell 30 by 2", Error),
        // Two ways to read it.
        (main("if(Lake.Wet || Lake.Wet && Lake.Wet){ }"), "text/reading", "Lake.Wet || Lake.Wet && Lake.Wet", Warning),
        (main("foreach x in [1, !Lake.Wet && Lake.Wet] { }"), "text/reading", "!Lake.Wet && Lake.Wet", Warning),
        (
            main("foreach x in [!Lake.Wet && Lake.Wet, 1, !Lake.Wet || Lake.Wet] { }"),
            "text/reading",
            "!Lake.Wet || Lake.Wet",
            Warning,
        ),
    ] {
        told(&text, code, spot, severity);
    }
}

#[test]
fn forward_calls_recursion_and_empty_blocks_are_allowed() {
    let rounds = "Down(int n){ if(n == 0){ } else { return Up(n - 1); } return 0; } Up(int n){ return Down(n); }";
    assert_eq!(said(&toy("", "", "", rounds, "if(True){ } Camp.Depth = Down(3);", "")), []);
}

#[test]
fn the_spelling_of_the_paper_is_read_too() {
    let text = "Game = \"paper\"; Players{ Ann{ Money = 1; } Bo; } Locations{ A{ StartingInventory{ Gem G; } } B{ } }\n\
        LocationConnections{ Directed{A B} } Objects{ Gem{ Colour = \"red\"; private Rank = 2; } Counter Purse{ Value = 3; } }\n\
        Rounds{ Main(){ Move G B; Finish; } } Actions{ }";
    assert_eq!(said(text), []);
}

/// A deeply nested text, a long row of operators and a long chain of blocks are told, not followed into the depths.
#[test]
fn what_stands_too_deep_is_told() {
    let deep = |main: String| {
        let said = said(&toy("", "", "", "", &main, ""));
        assert!(said.iter().any(|fault| fault.code == "text/too-deep"), "{said:#?}");
    };
    deep(format!("Camp.Depth = {}1{};", "(".repeat(5000), ")".repeat(5000)));
    deep(format!("Camp.Depth = 1{};", " + 1".repeat(5000)));
    deep(format!("Camp.Depth = {}True;", "!".repeat(5000)));
    deep(format!("{}{}", "if(True){ ".repeat(5000), "} ".repeat(5000)));
    deep(format!("{}NextTurn;", "if(True){ } else ".repeat(5000)));
}

/// Takes pieces out of a text, doubles them, swaps them and strews signs over it.
#[test]
fn random_edits_never_panic() {
    let texts = [
        include_str!("../../../games/mens-erger-je-niet/game.bgd").to_owned(),
        include_str!("../../../games/manila/game.bgd").to_owned(),
        toy(
            "",
            "} square Cell 3 by 3{ Taken = False; } hex Hut 2 by 2{",
            "",
            "",
            "auction Stall among TurnOrder;",
            "auction Stall from 1 to 5;",
        ),
        toy("Computer Sea{ }", "capacity = 3;", "Counter C{ public Value = 1; }", "", "NextTurn; Repeat;", ""),
    ];
    let signs =
        ["{", "}", "(", ")", "[", "]", ";", "..", ".", "=", "\"", "/*", "//", "ö", "if", "Main", "0", "!", "&&"];
    let mut seed = 12345_u64;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound.max(1)
    };
    let mut sound = 0;
    for round in 0..3000 {
        let mut text: Vec<char> = texts[round % texts.len()].chars().collect();
        for _ in 0..=below(4) {
            let (at, length) = (below(text.len()), below(30));
            let end = (at + length).min(text.len());
            match below(4) {
                0 => drop(text.drain(at..end)),
                1 => {
                    let piece: Vec<char> = text[at..end].to_vec();
                    let to = below(text.len());
                    text.splice(to..to, piece);
                }
                2 => text.swap(at, below(1)),
                _ => drop(text.splice(at..at, signs[below(signs.len())].chars())),
            }
        }
        let text: String = text.into_iter().collect();
        let (program, mut said) = parse(&text, FileId(0), Precedence::Conventional);
        said.extend(check(&program));
        for fault in &said {
            assert!(fault.labels.iter().all(|label| label.origin.is_none()
                || text.get(label.origin.start as usize..label.origin.end as usize).is_some()));
        }
        let laid_out = fmt(&text);
        if said.iter().any(Diagnostic::is_error) {
            continue;
        }
        assert!(laid_out.is_ok());
        sound += 1;
        if let Ok(cast) = Cast::first(&program, None) {
            let read = houserules_gdl::read_text("toy", &lower(&program, &cast).text);
            assert!(!read.has_errors(), "{text}\n{:#?}", read.diagnostics);
        }
    }
    assert!(sound > 20, "some edits leave a game: {sound}");
}
