use crate::rulebook;
use houserules_kernel::{By, Rulebook, laws, perft, twin};

const ROW: &str = r#"#game "Three in a row" #players "X" "O" #turns
    #model cell #property mark #board cell grid 3 3
    #action mark to cell (set mark to player)
    #law "Only free cells" on mark (require (not mark))
    #sideeffect "Three win" on mark (if (line 3 of mark) (win player))
    #sideeffect "A full board is a draw" on mark (if (every cell where mark) (draw))"#;

/// Sowing round a ring, with dice, hidden hands and questions: a little of everything.
const FAIR: &str = r#"#game "Fair" #players "Ann" "Bo" "Cy" #turns
    #property prize
    #model stall #property coins 2 #board stall ring 6
    #model purse #contents seen by owner #model token #property worth 1
    #model player #property luck seen by self
    #entity purse for each player
    #setup
      (foreach p in seats (set (luck of p) to (roll 2)))
      (set prize to (ask seats "Prize?" among (list 1 2)))
    #model game #onMessage stuck (finish by (count (contents of (purse of it))) then luck)
    #action visit to stall with give (range 0 1)
      (decrease coins by 1)
      (new token at (purse of player) with worth (+ 1 give))
    #action swap
      (var mine (top of (purse of player)))
      (var theirs (ask (next of player) "Which token?" among (contents of (purse of (next of player)))))
      (move mine to (purse of (next of player)))
      (if theirs (move theirs to (purse of player)))
    #law "Only stalls with coins" on visit (require (> coins 0))
    #law "Only with a token" on swap (require (top of (purse of player)))
    #law "Not while many coins are left" on swap (require (< (sum coins of stall) 6))
    #law "Not for ever" on swap (require (>= (sum coins of stall) 1))"#;

#[test]
fn three_in_a_row_has_the_counts_of_the_game_written_by_hand() {
    let by_hand = twin::TicTacToe::new(3, 3, 3).unwrap();
    let count = |rulebook: &dyn Rulebook| perft(&mut *rulebook.open().unwrap(), 5, By::Action).unwrap();
    assert_eq!(count(&rulebook(ROW)), count(&by_hand));
    assert_eq!(count(&by_hand), [9, 72, 504, 3024, 15120]);
}

#[test]
fn the_laws_of_play_hold() {
    for text in [ROW, FAIR] {
        if let Err(broken) = laws::hold(&rulebook(text), 3, 3, 40) {
            panic!("{broken}");
        }
    }
}
