//! Rules that run too long are given up at the same place by the interpreter and by native code, whatever shortcuts there
//! are, and whatever was played before; random play is no exception.

use houserules_kernel::{Generator, Position, Rulebook, SeatId, Shown, Viewer, Who};
use houserules_machine::{Game, Options, Shortcuts, compile};
use houserules_model::Budget;

const BUDGET: Budget = Budget { steps: 20_000, depth: 200, words: 50_000 };

/// Whether native code takes part.
#[derive(Clone, Copy)]
enum By {
    Interpreter,
    NativeCode,
    /// The interpreter without these bits of the shortcuts.
    Without(u64),
}

fn game(text: &str, by: By) -> Game {
    let loaded = houserules_gdl::read_text("test", text);
    let faults: Vec<_> = loaded.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(faults.is_empty(), "{faults:#?}");
    let without = match by {
        By::Without(bits) => Shortcuts::of_bits(bits),
        _ => Shortcuts::default(),
    };
    let options = Options { budget: BUDGET, interpreted: matches!(by, By::Interpreter), without, ..Options::default() };
    let game = compile(&loaded.definition, &options).unwrap_or_else(|faults| panic!("{faults:#?}"));
    if matches!(by, By::NativeCode) {
        game.program().go_native();
    }
    game
}

/// What a game offers at its beginning, and what comes of each choice, as text.
fn told(game: &Game) -> Vec<String> {
    let mut position = game.open().unwrap_or_else(|error| panic!("{error}"));
    let who = position.decision().open_to()[0];
    let Who::Seat(seat) = who else { panic!("somebody is asked") };
    let mut told: Vec<String> =
        position.offers(seat).into_iter().map(|offer| format!("{} {:?}", offer.words, offer.refused)).collect();
    for choice in position.choices(who) {
        let before = position.fingerprint();
        let played = position.play(who, &choice);
        told.push(format!("{} {played:?} {:?}", position.words(who, &choice), position.fingerprint()));
        if played.is_ok() {
            assert!(position.undo(), "what was played can be undone");
        }
        assert_eq!(position.fingerprint(), before, "taken back");
    }
    told
}

/// A choice of so much to do is played by both or by neither, up to far beyond the limit; and the limit is met.
fn same_place(rules: &str, most: u32) {
    let text = |amounts: &str| {
        format!("#game \"Toy\" #players \"X\" \"O\" #turns #property n 0 #property total 0\n{rules}")
            .replace("AMOUNTS", amounts)
    };
    let amounts: Vec<String> = (1..=40).map(|at| (at * most / 40).max(1).to_string()).collect();
    let text = text(&format!("(list {})", amounts.join(" ")));
    let expected = told(&game(&text, By::Interpreter));
    assert!(expected.iter().any(|line| line.contains("too long") || line.contains("for ever")), "{expected:#?}");
    assert!(expected.iter().any(|line| line.contains("Ok(())")), "{expected:#?}");
    for by in [By::NativeCode, By::Without(u64::MAX), By::Without(0x5a5a5a5a)] {
        assert_eq!(told(&game(&text, by)), expected);
    }
}

#[test]
fn a_loop_is_given_up_at_one_place() {
    same_place("#action go with by AMOUNTS (foreach k in (range 1 by) (increase total by k))", 10_000);
    same_place("#action go with by AMOUNTS (set n to by) (while (> n 0) (decrease n by 1))", 10_000);
    same_place(
        "#action go with by AMOUNTS (foreach k in (range 1 by) (if (= (mod k 2) 0) (increase total by (* k k)) else (set total to (max total 3))))",
        4_000,
    );
}

#[test]
fn loops_in_loops_are_given_up_at_one_place() {
    same_place(
        "#action go with by AMOUNTS (foreach k in (range 1 by) (foreach l in (range 1 by) (increase total by 1)))",
        200,
    );
    same_place("#action go with by AMOUNTS (set total to (count (all k in (range 1 by) where (> k 3))))", 10_000);
}

#[test]
fn messages_and_defines_are_given_up_at_one_place() {
    same_place(
        "#define deep k (if (< k 1) 0 else (+ 1 (deep (- k 1)))) #action go with by AMOUNTS (set total to (deep by))",
        400,
    );
    same_place(
        "#define twice k (if (< k 1) 1 else (+ (twice (- k 1)) (twice (- k 1)))) #action go with by AMOUNTS (set total to (twice by))",
        40,
    );
    same_place(
        "#model game #onMessage pass-on left (increase total by 1) (if (> left 1) (send pass-on to game with left (- left 1)))
         #action go with by AMOUNTS (send pass-on to game with left by)",
        400,
    );
}

#[test]
fn what_boards_are_asked_is_given_up_at_one_place() {
    let board = "#model cell #property mark #board cell grid 6 6";
    for asked in [
        "(count (group orthogonal from (cell at 1 1) while (not mark)))",
        "(count (walk adjacent from (cell at 3 3) while (not mark)))",
        "(count cell where (any adjacent where (not mark)))",
        "(if (line 4 of 1 through (cell at 2 2)) 1 else 2)",
        "(count (join (all cell) (all cell where mark)))",
        "(distance (cell at 1 1) (cell at 6 6))",
    ] {
        same_place(
            &format!(
                "{board} #action go with by AMOUNTS (foreach k in (range 1 by) (set total to {asked})) (set (mark of (cell at 1 1)) to 1)"
            ),
            2_000,
        );
    }
}

#[test]
fn what_is_only_tried_is_given_up_at_one_place() {
    same_place(
        "#action wait #action go with by AMOUNTS (foreach k in (range 1 by) (if (can wait) (increase total by 1)))",
        2_000,
    );
    same_place(
        "#action wait (increase n by 1)
         #action go with by AMOUNTS (foreach k in (range 1 by) (set total to (suppose (new message wait to game) n)))",
        2_000,
    );
    same_place(
        "#action go with by AMOUNTS (increase total by 1)
         #law \"Long\" on go (require (every k in (range 1 by) where (> k 0)) \"No.\")",
        6_000,
    );
}

/// What comes of random play, choice by choice and in one go, as text.
fn told_at_random(game: &Game, seed: u64) -> Vec<String> {
    const MOVES: u64 = 12;
    let mut random = Generator::new(seed);
    let mut position = game.open().unwrap_or_else(|error| panic!("{error}"));
    let mut told = Vec::new();
    for _ in 0..MOVES {
        let played = position.play_random(&mut random);
        told.push(format!("{played:?} {:?} {random:?}", position.fingerprint()));
    }
    let mut random = Generator::new(seed);
    let mut position = game.open().unwrap_or_else(|error| panic!("{error}"));
    let played = position.playout(&mut random, MOVES);
    // Where a match could not go on is told by its last position alone.
    told.push(format!("in one go: {played:?} {:?} {random:?}", position.fingerprint()));
    told
}

/// Matches at random are the same by interpreter and native code, some of them with rules that run too long.
fn same_at_random(rules: &str) {
    let text = format!("#game \"Toy\" #players \"X\" \"O\" #turns #property n 0 #property total 0\n{rules}");
    let (mut n_played, mut n_stopped) = (0, 0);
    for without in [0, 0x5a5a5a5a] {
        let [slow, fast] = [By::Without(without), By::Without(without)].map(|by| game(&text, by));
        fast.program().go_native();
        for seed in 1..=30 {
            let expected = told_at_random(&slow, seed);
            for (told, expected) in told_at_random(&fast, seed).iter().zip(&expected) {
                assert_eq!(told, expected, "seed {seed} of {text}");
            }
            n_played += expected.iter().filter(|line| line.contains("Ok(")).count();
            n_stopped += expected.iter().filter(|line| line.contains("Err(")).count();
        }
    }
    assert!(n_played > 30 && n_stopped > 5, "{n_played} played, {n_stopped} stopped by {text}");
}

/// Native code stops at the first choice that settles a question, and so saves all that the others would have asked.
#[test]
fn choices_that_ask_for_choices_are_given_up_at_one_place() {
    same_place(
        "#model cell #property mark #board cell track 6
         #action place to cell (set mark to player)
         #law \"Other\" on place (require (any m in (choices place) where (suppose m (any cell where mark))) \"No.\")
         #law \"Any\" after place (require (any (choices place)) \"No.\")
         #action go with by AMOUNTS (foreach k in (range 1 by) (if (any (choices place)) (increase total by 1)))",
        200,
    );
}

#[test]
fn random_play_gives_up_loops_at_one_place() {
    for loops in [
        "(foreach k in (range 1 by) (increase total by k))",
        "(set n to by) (while (> n 0) (decrease n by 1))",
        "(foreach k in (range 1 by) (if (= (mod k 2) 0) (increase total by (* k k)) else (set total to (max total 3))))",
    ] {
        same_at_random(&format!("#action go with by (list 100 900 1700 2500 3300 4100 4900 7000) {loops}"));
        same_at_random(&format!(
            "#setting longest 500 #action go (increase total by 1) (var by (* total longest)) {}",
            loops.replace("set n", "set (n of game)").replace("(> n", "(> (n of game)")
        ));
    }
}

/// Without attributes native code goes from move to move by itself.
#[test]
fn random_play_gives_up_at_one_place_on_boards() {
    let board = "#model cell #property mark #board cell grid 4 4 #action place to cell (set mark to player)
        #law \"Empty\" on place (require (not mark) \"Taken.\")";
    for dear in [
        "#sideeffect \"Long\" on place (foreach k in (range 1 (* number 300)) (increase (total of game) by k))",
        "#sideeffect \"Long\" on place (foreach k in (range 1 (* number 30)) (set (total of game) to (count (group orthogonal from (cell at 1 1) while (not mark)))))",
        "#law \"Long\" after place (require (every k in (range 1 (* number 300)) where (> k 0)) \"No.\")",
        "#law \"Long\" on place (require (every k in (range 1 (* number 300)) where (> k 0)) \"No.\")",
        "#define long (count (all k in (range 1 (* total 60)) where (> k 0))) #history long by player #sideeffect \"On\" on place (increase (total of game) by number) (set (n of game) to (seen))",
        "#define deep k (if (< k 1) 0 else (+ 1 (deep (- k 1)))) #sideeffect \"Deep\" on place (set (total of game) to (deep (* number 20)))",
        "#sideeffect \"Wide\" on place (set (total of game) to (count (join (range 1 (* number 2000)) (range 1 (* number 2000)))))",
    ] {
        same_at_random(&format!("{board} {dear}"));
        same_at_random(&format!(
            "{} {dear}",
            board.replace("to cell (", "to cell with k (list 1 2) (set (n of game) to k) (")
        ));
    }
}

/// A throw, an answer, a turn that begins and a turn without a choice belong to the question before them.
#[test]
fn random_play_gives_up_at_one_place_between_moves() {
    let dear = "(foreach k in (range 1 (* total 300)) (increase n by k))";
    same_at_random(&format!("#action go (increase total by (roll 6)) {dear}"));
    same_at_random(&format!("#action go (increase total by (ask opponent \"?\" among (list 1 2 3))) {dear}"));
    same_at_random(&format!("#action go (increase total by 1) #model game #onMessage turn {dear}"));
    same_at_random(&format!(
        "#action go (increase total by 1) #law \"Never\" on go (require (= 0 (mod total 2))) #model game #onMessage stuck (increase total by 1) {dear} (end turn)"
    ));
}

/// A dozen candidates do not have a dozen budgets: those that come first use up what there is for all of them.
#[test]
fn one_question_has_one_budget_for_all_candidates() {
    let text = |n: u32| {
        format!(
            "#game \"Toy\" #players \"X\" \"O\" #turns #action go with by (range 1 {n})
            #law \"Long\" on go (require (every k in (range 1 500) where (> k 0)) \"No.\")"
        )
    };
    let seat = SeatId(0);
    for by in [By::Interpreter, By::NativeCode, By::Without(u64::MAX)] {
        let found = |n: u32| game(&text(n), by).start().unwrap().choices(Who::Seat(seat)).len();
        assert_eq!(found(2), 2, "each of them is cheap enough");
        assert!((2..6).contains(&found(12)), "{} of 12", found(12));
        let offers = game(&text(12), by).start().unwrap().offers(seat);
        let reasons = offers.iter().filter_map(|offer| offer.refused.as_ref());
        let late = reasons.filter(|refusal| refusal.reason.contains("ran too long")).count();
        assert!(offers.len() == 12 && (6..=10).contains(&late), "{late} of 12 are not looked at any more");
    }
}

/// Whatever can be asked of a position comes to an end, and says why where it has no answer: to open it, to look at it, to
/// say how good it is.
#[test]
fn every_question_comes_to_an_end() {
    let text = |rules: &str| {
        format!(
            "#game \"Toy\" #players \"X\" \"O\" #turns #property n 0
            #define forever k (+ (forever k) (forever k)) #action go (increase n by 1) {rules}"
        )
    };
    for by in [By::Interpreter, By::NativeCode] {
        let opened = |rules: &str| game(&text(rules), by).start();
        let error = opened("#setup (set n to (forever 1))").err().unwrap();
        assert!(error.to_string().contains("for ever"), "{error}");
        let mut hides = opened("#model player #property purse 3 seen by (list (forever 1))").unwrap();
        let facts = hides.view(Viewer::Seat(SeatId(1))).facts;
        let purses = facts.iter().flat_map(|fact| &fact.properties).filter(|(name, _)| name == "purse");
        let purses: Vec<&Shown> = purses.map(|(_, shown)| shown).collect();
        assert_eq!(purses, [&Shown::Hidden; 2], "where nobody can tell who may see, nobody does");
        let mut rates = opened("#evaluator \"hope\" (forever 1)").unwrap();
        assert_eq!(rates.evaluate("hope", SeatId(0)), None);
        let mut told = opened("#action come with k (list 1 2) as \"{forever k}\"").unwrap();
        let who = Who::Seat(SeatId(0));
        let choices = told.choices(who);
        assert_eq!(choices.iter().filter(|choice| !told.words(who, choice).is_empty()).count(), 3);
    }
}
