//! People at one screen, and what they may know of each other.

mod common;

use common::run;

/// Both place their ships at the same time and unseen, one of them the computer; then they shoot.
#[test]
fn a_person_plays_battleships_against_a_player_that_looks_ahead() {
    let ran = run(&["play", "battleships", "--set", "size=4", "--seats", "human,level3", "--seed", "1"], "1\n1\n1\n");
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("Bo has chosen."), "{}", ran.out);
    let told: Vec<&str> = ran.out.lines().filter(|line| line.starts_with("Bo: ")).collect();
    assert!(matches!(told.as_slice(), [shot] if !shot.contains("north")), "{}", ran.out);
}

/// What nobody at all may see is no reason to look away.
#[test]
fn bookkeeping_does_not_pass_the_screen() {
    let ran = run(&["play", "go-cells", "--seats", "human"], "e5\nd4\nquit\n");
    assert!(!ran.out.contains("Pass the screen") && ran.out.contains("White: d4"), "{}", ran.out);
}

/// A line typed too early is neither played nor lost without a word.
#[test]
fn what_is_typed_while_the_screen_is_passed_is_not_swallowed() {
    let ran = run(&["play", "rock-paper-scissors", "--seats", "human"], "rock\n\nrock\n\npaper\nn\n");
    assert!(ran.out.contains("“rock” is not done yet"), "{}", ran.out);
    assert!(ran.out.contains("Bo wins."), "{}", ran.out);
    let ran = run(&["play", "rock-paper-scissors", "--seats", "human"], "quit\n");
    assert_eq!((ran.status, ran.out.matches("Pass the screen").count()), (0, 1), "{}", ran.out);
}

#[test]
fn a_rule_that_is_switched_is_confirmed() {
    let ran = run(&["play", "tic-tac-toe", "--seats", "human"], "off Only empty cells\non Only empty cells\nquit\n");
    assert!(ran.out.contains("The rule “Only empty cells” is off from now on."), "{}", ran.out);
    assert!(ran.out.contains("The rule “Only empty cells” is on from now on."), "{}", ran.out);
}

/// A law typed in the middle of a match would tell by its refusals where the ships are.
#[test]
fn a_rule_that_peeks_needs_the_consent_of_the_table() {
    let peek = "add law \"Peek\" on shoot (require ship)";
    let play = |answer: &str| {
        let typed = format!("1\n1\n{peek}\n{answer}\nrules\nquit\n");
        run(&["play", "battleships", "--set", "size=4", "--seats", "human,random", "--seed", "1"], &typed)
    };
    let ran = play("n");
    assert!(ran.out.contains("This law gives a secret away"), "{}", ran.out);
    assert!(ran.out.contains("Not everybody agrees") && !ran.out.contains("on   Peek"), "{}", ran.out);
    assert!(play("y").out.contains("on   Peek"));
}

/// A record tells everything, so who saves one in the middle would read the others' secrets in it.
#[test]
fn a_match_with_secrets_is_saved_when_it_is_over() {
    let path = std::env::temp_dir().join(format!("houserules-secret-{}.txt", std::process::id()));
    let name = path.to_str().unwrap();
    let play = |typed: &str| run(&["play", "rock-paper-scissors", "--seats", "human,random", "--seed", "1"], typed);
    let ran = play(&format!("save {name}\nfork {name}\nquit\n"));
    assert_eq!(ran.out.matches("can be saved when it is over").count(), 2, "{}", ran.out);
    assert!(!path.exists());
    let ran = play(&format!("rock\nrock\nrock\nrock\nrock\nrock\nsave {name}\nn\n"));
    assert!(ran.out.contains("Saved to"), "{}", ran.out);
    std::fs::remove_file(&path).unwrap();
}

/// Whoever names nobody plays against somebody who looks ahead.
#[test]
fn the_usual_opponent_looks_ahead() {
    let ran = run(&["play", "tic-tac-toe", "--seed", "1"], "1\nquit\n");
    assert!(ran.out.contains("O thinks"), "{}", ran.out);
}
