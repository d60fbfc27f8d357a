//! The little game on which the examples of all forms run.

/// Three coins, two purses and a board of three by three.
pub const DEMO: &str = r#"; Every example of the reference runs on this game.
#game "Coins"
#players "X" "O"
#turns
#setting size 3 from 3 to 5 "Cells a side"
#property round 0

#model cell
  #property mark
#model coin
  #property worth 1
  #define dear (> worth 2)
  #onMessage raise amount
    (set worth to (+ worth amount))
  #state spent
    #onMessage mint
      (changeState default)
#model purse
  #contents seen by owner
#board cell grid size size
#entity penny is coin with worth 1
#entity florin is coin with worth 2
#entity crown is coin with worth 5
#entity purse for each player

#action place to cell
  (set mark to player)
#action mint to coin

#law "Only empty cells" on place
  (require (not mark))

#law "Only spent coins are minted" on mint to coin
  (require (= state "spent"))

#sideeffect "Three in a row win" on place
  (if (line 3 of mark) (win player))
"#;
