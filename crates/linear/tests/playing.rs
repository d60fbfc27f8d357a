//! Programs played through the kernel.

use houserules_kernel::{By, Decision, Generator, Position, Rulebook, SeatId, Viewer, Who, laws, perft};
use houserules_linear::{Budget, Game};
use houserules_model::FileId;

pub fn game(text: &str) -> Game {
    let (program, diagnostics) = houserules_linear::check(text, FileId(0));
    Game::new(program.unwrap_or_else(|| panic!("{diagnostics:#?}")), "test", text).unwrap()
}

const NOUGHTS: &str = include_str!("programs/noughts.cep");

#[test]
fn the_counts_of_tic_tac_toe_come_out() {
    let game = game(NOUGHTS);
    assert!(game.is_closed());
    assert_eq!(game.seats(), ["nora", "xenia"]);
    let nodes = perft(&mut *game.open().unwrap(), 9, By::Action).unwrap();
    assert_eq!(nodes, [9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]);
}

#[test]
fn the_laws_of_play_hold() {
    laws::hold(&game(NOUGHTS), 1, 100, 20).unwrap();
    laws::hold(&game(NOUGHTS).without_net(), 1, 2, 20).unwrap();
}

#[test]
fn random_play_is_uniform() {
    laws::uniform(&mut *game(NOUGHTS).open().unwrap(), 4, 9_000).unwrap();
    // By playouts, too: theory says 58.5, 28.8 and 12.7 of a hundred.
    let start = game(NOUGHTS).start().unwrap();
    let mut generator = Generator::new(3);
    let mut results = [0; 3];
    for _ in 0..4000 {
        let mut position = start.duplicate();
        position.playout(&mut generator, u64::MAX).unwrap();
        let Decision::Over(outcome) = position.decision() else { panic!("a playout ends") };
        results[match outcome.ranks.as_slice() {
            [1, 2] => 0,
            [2, 1] => 1,
            _ => 2,
        }] += 1;
    }
    assert!((2240..2440).contains(&results[0]) && (1060..1240).contains(&results[1]), "{results:?}");
}

/// The slow and simple way is the meaning: with and without the net the same is offered, with the same weights.
fn agree(text: &str, matches: u64) {
    let fast = game(text);
    let slow = fast.without_net();
    for seed in 0..matches {
        let mut generator = Generator::new(seed);
        let (mut one, mut other) = (fast.start().unwrap(), slow.start().unwrap());
        for _ in 0..200 {
            assert_eq!(one.facts(), other.facts());
            assert_eq!(one.fingerprint(), other.fingerprint());
            assert_eq!(one.decision(), other.decision());
            let Some(&who) = one.decision().open_to().first() else { break };
            let said = |position: &mut houserules_linear::LinearPosition| {
                let choices = position.choices(who);
                let weight =
                    |position: &houserules_linear::LinearPosition, choice: &houserules_kernel::Choice| match who {
                        Who::Nature => position.weight(choice),
                        Who::Seat(_) => 1,
                    };
                let mut all: Vec<_> = choices
                    .into_iter()
                    .map(|choice| (position.words(who, &choice), weight(position, &choice), choice))
                    .collect();
                all.sort();
                all
            };
            let (ours, theirs) = (said(&mut one), said(&mut other));
            let told = |all: &[(String, u32, houserules_kernel::Choice)]| -> Vec<(String, u32)> {
                all.iter().map(|(words, weight, _)| (words.clone(), *weight)).collect()
            };
            assert_eq!(told(&ours), told(&theirs));
            let at = generator.below(ours.len() as u64) as usize;
            one.play(who, &ours[at].2).unwrap();
            other.play(who, &theirs[at].2).unwrap();
        }
    }
}

#[test]
fn the_net_and_the_running_program_agree() {
    agree(NOUGHTS, 6);
    agree(URN, 6);
    agree(COUNTER, 3);
    agree(RAFTS, 6);
}

const URN: &str = "player : type. ann : player. bob : player.
    black : pred. white : pred. hand player : pred. b player : pred. w player : pred. other player player : bwd.
    other ann bob. other bob ann. turn player : pred. left : pred.
    stage draw = { db : hand P * black -o b P. dw : hand P * white -o w P. }
    stage ask = { go : turn P * left -o hand P. stop : turn P * left -o !b P. }
    #interactive ask.
    drawn/b : qui * stage draw * $b P * other P Q -o stage ask * turn Q.
    drawn/w : qui * stage draw * $w P * other P Q -o stage ask * turn Q.
    asked : qui * stage ask * $hand P -o stage draw.
    #trace _ ask {turn ann, left, left, left, left, black, black, black, white, white}.";

/// Numbers that grow beyond what the net knows, and come back.
const COUNTER: &str = "nat : type. z : nat. s nat : nat. at nat : pred. go : pred. back : pred.
    stage climb = { up : at N -o at (s N). down : at (s N) -o at N. far : at (s (s (s N))) -o at z. }
    #interactive climb. #trace _ climb {at z}.";

const RAFTS: &str = "player : type. ann : player. bob : player.
    plank : type. p : plank. q : plank. r : plank.
    loose player plank : pred. gap player plank plank : bwd. gap P X Y <- loose P X <- loose P Y.
    raft player : pred. wreck player : pred. turn player : pred. shot player : pred. firm player plank : pred.
    other player player : bwd. other ann bob. other bob ann.
    stage fire = { hit : turn P * other P Q * firm Q X -o loose Q X * shot Q. }
    #interactive fire.
    stage check = { sink : raft P * gap P p q -o wreck P. }
    a : qui * stage fire * $shot P -o stage check. b : qui * stage check * shot P -o stage fire * turn P.
    #trace _ fire {turn ann, raft ann, raft bob, firm ann p, firm ann q, firm bob p, firm bob q, firm bob r, firm ann r}.";

#[test]
fn a_program_that_leaves_the_net_keeps_the_laws() {
    assert!(!game(COUNTER).is_closed());
    laws::hold(&game(COUNTER), 1, 10, 30).unwrap();
    laws::hold(&game(RAFTS), 1, 20, 30).unwrap();
    laws::hold(&game(URN), 1, 20, 30).unwrap();
}

/// Only what makes a difference is left to chance.
#[test]
fn an_order_that_does_not_matter_is_not_asked_for() {
    let game = game(
        "a : pred. b : pred. c : pred. d : pred. go : pred.
        stage ask = { go : go -o a * a * b. } #interactive ask.
        stage work = { r : a -o c. q : b -o d. } w : qui * stage ask -o stage work.
        #trace _ ask {go}.",
    );
    let mut position = game.open().unwrap();
    let choice = position.choices(Who::Seat(SeatId(0))).remove(0);
    position.play(Who::Seat(SeatId(0)), &choice).unwrap();
    assert!(position.is_over());
    // A die is thrown: both ends differ.
    let die = self::game(
        "throw : pred. one player : pred. player : type. ann : player. bob : player. win player : pred.
        stage die = { r1 : throw -o win ann. r2 : throw -o win bob. } #trace _ die {throw}.",
    );
    assert_eq!(die.open().unwrap().decision(), Decision::Nature);
}

#[test]
fn more_orders_than_can_be_tried_are_compared_with_their_neighbours() {
    let tiles: String = (0..40).map(|n| format!("t{n} : tile. ")).collect();
    let all: Vec<String> = (0..40).map(|n| format!("lies t{n}")).collect();
    let text = format!(
        "nat : type. z : nat. s nat : nat. tile : type. {tiles} lies tile : pred. sum nat : pred. pre : pred. post : pred.
        stage count = {{ one : pre * lies T * sum N -o post * sum (s N). }}
        more : qui * stage count * post -o stage count * pre.
        #trace _ count {{pre, sum z, {}}}.",
        all.join(", ")
    );
    let mut position = game(&text).start().unwrap();
    assert!(position.is_over());
    assert!(position.facts().iter().any(|fact| fact.starts_with("(sum (s")));
    assert_eq!(position.view(Viewer::All).boards.len(), 0);
}

/// Two loops of which either may go on first, one step of which may force the other.
#[test]
fn loops_that_make_a_board_are_no_chance() {
    let text = "nat : type. z : nat. s nat : nat. width nat : pred. height nat : pred. column nat nat : pred.
        player : type. ann : player. turn player : pred. win player : pred. at nat nat : pred.
        stage make = {
          right : width (s X) * $height Y -o column X Y * width X.
          up : column X (s Y) -o at X Y * column X Y.
          done : column X z -o ().
        }
        stage play = { take : turn P * at X Y -o win P. } #interactive play.
        made : qui * stage make -o stage play.
        #trace _ make {width (s (s (s (s (s z))))), height (s (s (s (s (s z))))), turn ann}.";
    for game in [game(text), game(text).without_net()] {
        let mut position = game.start().unwrap();
        assert_eq!(position.stage(), "play");
        assert_eq!(position.choices(Who::Seat(SeatId(0))).len(), 25);
    }
}

#[test]
fn a_crowd_finds_no_table() {
    let all = |one: &dyn Fn(usize) -> String, between: &str| (0..70).map(one).collect::<Vec<_>>().join(between);
    let text = format!(
        "player : type. {} t player : pred. stage s = {{ r : t P -o (). }} #interactive s. #trace _ s {{ {} }}.",
        all(&|n| format!("a{n} : player."), " "),
        all(&|n| format!("t a{n}"), ", ")
    );
    let (program, _) = houserules_linear::check(&text, FileId(0));
    let told = Game::new(program.unwrap(), "crowd", &text).err().unwrap().to_string();
    assert!(told.starts_with("70 players decide something, and a match has up to 64."), "{told}");
}

/// What goes on for ever ends, and names its rule, where a person waits for a question, too.
#[test]
fn a_match_that_cannot_begin_says_which_rule_is_at_fault() {
    let told = |text: &str| {
        let program = houserules_linear::check(text, FileId(0)).0.unwrap();
        let budget = Budget { firings: 2_000, looks: 1_000_000, ..Budget::default() };
        let game = Game::within(program, "test", text, budget).unwrap();
        game.start().err().expect("it cannot begin").to_string()
    };
    let endless = "p : pred. q : pred. stage spin = { there : p -o q. back : q -o p. } #trace _ spin {p}.";
    assert!(told(endless).starts_with("Rules fire without end: 2000 times"), "{}", told(endless));
    let flood = "nat : type. z : nat. s nat : nat. p nat : pred.
        stage grow = { more : p N -o p (s N) * p N. } #trace _ grow {p z}.";
    assert!(told(flood).contains("`more`"), "{}", told(flood));
    let deep = "t : type. a : t. b : t. f t : t. p t : pred. stage s = { dig : p X -o p (f X). } #trace _ s {p a}.";
    assert!(told(deep).contains("`dig`"), "{}", told(deep));
}
