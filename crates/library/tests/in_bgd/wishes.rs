//! What the paper says of games in general, and what it wishes for, each in a toy.

use houserules_kernel::{Decision, Position, Rulebook, SeatId, Shown, Viewer, Who};
use houserules_library::{MachinePosition, Options, enclosed};

use super::{ANN, BO, asked, chance, choose, objects, played, property, read, toy, within};

fn words(position: &mut MachinePosition) -> Vec<String> {
    let who = position.decision().open_to()[0];
    position.choices(who).iter().map(|choice| position.words(who, choice)).collect()
}

fn ranks(position: &MachinePosition) -> Vec<u32> {
    match position.decision() {
        Decision::Over(outcome) => outcome.ranks.iter().map(|rank| u32::from(*rank)).collect(),
        open => panic!("not over: {open:?}"),
    }
}

/// All sections, in their order.
const WHOLE: &str = "Game = \"Hoard\";
    Players{ MinPlayers = 2; MaxPlayers = 3; Human Ann; Human Bo; Human Cy; }
    Locations{ Table{ Owner = public; Left = 2; StartingInventory{ Die D1; } } Mine{ } }
    LocationConnections{ Directed{ [Mine, Table] } }
    Objects{ Die{ public Randomizer{ [1, 2] } } }
    Rounds{ Main(){ Randomize D1; ChooseAction CurrentTurn; if(Table.Left == 0){ Winner CurrentTurn; FinishGame; } NextTurn; Repeat; } }
    Actions{ Take(int n){ requires{ n >= 1; n <= D1.Value; n <= Table.Left; } effect{ Table.Left = Table.Left - n; } } }
    StartState{ Table.Left = Table.Left + 1; }";

/// [BG-1] [BG-6] [BG-28] [BG-29] [BG-30] One text with all sections is a whole game, for two or three.
#[test]
fn one_text_is_a_whole_game() {
    let found = read(WHOLE);
    assert_eq!(found.about(&Options::default()).unwrap().n_seats, (2, 3));
    let game = found.compile(&Options { seats: Some(3), ..Options::default() }).unwrap();
    assert_eq!((game.name(), game.seats().len()), ("Hoard", 3));
    assert_eq!(ranks(&played(WHOLE, &["Take 1", "Take 1", "Take 1"])), [1, 2]);
    let moved = WHOLE.replace("LocationConnections{ Directed{ [Mine, Table] } }", "");
    let moved = moved.replace("StartState", "LocationConnections{ Directed{ [Mine, Table] } } StartState");
    let refused = enclosed("toy", &[("toy.bgd".to_owned(), moved)]).refuse_errors().unwrap_err();
    assert!(refused.contains("wrong place"), "{refused}");
}

/// [BG-5] Of two copies of a match, the same choice and the same roll make equals; another roll makes another.
#[test]
fn what_a_choice_leads_to_follows_from_the_roll() {
    let next = |outcome: usize| {
        let mut position = played(WHOLE, &[]);
        choose(&mut position, "Take 1");
        let rolls = position.choices(Who::Nature);
        position.play(Who::Nature, &rolls[outcome]).unwrap();
        position.fingerprint()
    };
    assert_eq!(next(1), next(1));
    assert_ne!(next(0), next(1));
}

/// [BG-7] A board is a set of locations, shared or of one player.
#[test]
fn boards_are_sets_of_locations() {
    let places = "Own1..Own2{ Owner = Ann; } Other1..Other2{ Owner = Bo; } Shared1..Shared2{ Owner = public; }
        Boards{ Ours = [Shared1..Shared2]; } Bag{ StartingInventory{ Gem G; } }";
    let put = "Put(Location l){ requires{ (l.Owner == CurrentTurn) || has(Boards.Ours, l); } effect{ move G l; } }";
    let main = "Main(){ ChooseAction CurrentTurn; NextTurn; Repeat; }";
    let text = toy(places, &objects("Gem{ }"), main, put);
    let offered = words(&mut played(&text, &[]));
    assert_eq!(offered, ["Skip", "Put Own1", "Put Own2", "Put Shared1", "Put Shared2"]);
    assert!(words(&mut played(&text, &["Put Own1"])).contains(&"Put Other2".to_owned()));
}

/// [BG-8] [BG-11] A draw pile, hands, a bank and a discard pile; pawns, dice, counters, coins, chips and cards.
#[test]
fn pieces_of_all_kinds_lie_on_and_off_the_board() {
    let places = "Pile{ ValueVisible = None; StartingInventory{ Card K1{ hidden Rank = 3; } Card K2{ hidden Rank = 5; } } } Discard{ }
        HandA{ Owner = Ann; } HandB{ Owner = Bo; } Supply Bank{ Supplies{ Coin C; } } Purse{ Owner = Ann; StartingInventory{ Chip H; Score S1; } }
        Start{ StartingInventory{ Pawn P; } } Goal{ }";
    let kinds =
        "Card{ hidden Rank = 1; } Coin{ } Chip{ public Worth = 10; } Pawn{ } Counter Score{ public Value = 0; }";
    let play = "Draw(){ requires{ count(Pile.contains()) > 0; } effect{ move Pile.contains()[0] HandA; } }
        Play(Card card){ requires{ card.Location == HandA; } effect{ S1.Value = S1.Value + card.Rank; move card Discard; move Bank.contains()[0] Purse; } }
        Race(){ requires{ S1.Value > H.Worth - 8; } effect{ Randomize D1; move P Goal; } }";
    let text = toy(places, &objects(kinds), "Main(){ ChooseAction CurrentTurn; Repeat; }", play);
    let end = played(&text, &["Draw", "Draw", "Play K2", "Play K1", "Race"]);
    let at = ["K1", "K2", "P", "H"].map(|piece| property(&end, piece, "place"));
    assert_eq!(at, ["Discard", "Discard", "Goal", "Purse"]);
    assert_eq!((property(&end, "S1", "Value"), property(&end, "D1", "Value")), ("8".into(), "4".into()));
}

/// [BG-12] [BG-13] The highest score, the first there, the last one left; all win, all lose, or most of them.
#[test]
fn games_end_in_all_the_ways_there_are() {
    let ends = |main: &str| {
        ranks(&played(&toy("", &objects(""), &format!("Main(){{ ChooseAction CurrentTurn; {main} }}"), ""), &["Skip"]))
    };
    let best = "foreach p in TurnOrder { var best = True; foreach q in TurnOrder { if(q.Lucky > p.Lucky){ best = False; } } if(best){ Winner p; } } FinishGame;";
    assert_eq!(ends(best), [2, 1], "the highest score");
    assert_eq!(ends("Winner CurrentTurn; FinishGame;"), [1, 2], "the first there");
    assert_eq!(
        ends("TurnOrder = remove(TurnOrder, 0); if(count(TurnOrder) == 1){ Winner CurrentTurn; FinishGame; }"),
        [2, 1],
        "the last one left"
    );
    assert_eq!(ends("Winner Ann; Winner Bo; FinishGame;"), [1, 1], "all win together");
    assert_eq!(ends("FinishGame;"), [1, 1], "all lose together: nobody is before another");
    // Semi-cooperative: if the village stands, whoever did most wins; if it falls, nobody does.
    let village = "if(Camp.Log[0] == 0){ Winner Bo; } FinishGame;";
    assert_eq!(ends(village), [2, 1]);
    assert_eq!(ends(&format!("Camp.Log = [1]; {village}")), [1, 1]);
}

/// [BG-21] [BG-22] [BG-70] A turn has phases with their own actions; the order of turns is kept, reversed, cut short, shuffled.
#[test]
fn turns_have_phases_and_any_order() {
    let actions = "phase Draw{ Take(){ requires{ } effect{ } } } phase Draw, Build{ Trade(){ requires{ } effect{ } } } phase Build{ Raise(){ requires{ } effect{ } } }";
    let main = "Main(){ ChooseAction CurrentTurn in Draw; ChooseAction CurrentTurn in Build; NextTurn; Repeat; }";
    let text = toy("", &objects(""), main, actions);
    assert_eq!(words(&mut played(&text, &[])), ["Skip", "Take", "Trade"]);
    assert_eq!(words(&mut played(&text, &["Take"])), ["Skip", "Trade", "Raise"]);
    assert_eq!(asked(&played(&text, &["Take", "Raise"])), BO);

    let turns = |before: &str| {
        let text = toy(
            "",
            &objects(""),
            &format!("Main(){{ {before} ChooseAction CurrentTurn; NextTurn; ChooseAction CurrentTurn; FinishGame; }}"),
            "",
        );
        [asked(&played(&text, &[])), asked(&played(&text, &["Skip"]))]
    };
    assert_eq!(turns(""), [ANN, BO]);
    assert_eq!(
        turns("var order = []; foreach p in TurnOrder { order = append(order, p); } TurnOrder = [order[1], order[0]];"),
        [BO, ANN]
    );
    assert_eq!(turns("NextTurn; NextTurn;"), [ANN, BO], "everybody skipped once");
    let mut shuffled = turns("var order = TurnOrder; shuffle order; TurnOrder = order;");
    shuffled.sort();
    assert_eq!(shuffled, [ANN, BO]);
}

/// [BG-25] Grids of squares and of hexagons are one line each; neighbours share a side.
#[test]
fn grids_are_written_in_a_line() {
    for (shape, around) in
        [("square", "(CellA2 CellC2 CellB1 CellB3)"), ("hex", "(CellA2 CellC2 CellB1 CellB3 CellC1 CellA3)")]
    {
        let places = format!("{shape} Cell 3 by 3{{ Taken = False; }}");
        let step = "Step(Location to1){ requires{ CellB2.isConnectedTo(to1); } effect{ to1.Taken = True; Camp.Log = [to1.Column, to1.Row]; } }";
        let main = "Main(){ Lake.Log = CellB2.connections(); ChooseAction CurrentTurn; FinishGame; }";
        let text = toy(&places, &objects(""), main, step);
        let mut position = played(&text, &[]);
        let sorted = |list: &str| {
            let mut names: Vec<String> = list.trim_matches(['(', ')']).split(' ').map(str::to_owned).collect();
            names.sort();
            names
        };
        assert_eq!(sorted(&property(&position, "Lake", "Log")), sorted(around));
        assert_eq!(words(&mut position).len(), 1 + around.split(' ').count());
        let end = played(&text, &["Step CellA2"]);
        assert_eq!(property(&end, "Camp", "Log"), "(1 2)");
        assert_eq!(property(&end, "CellA2", "Taken"), "true");
    }
}

/// [BG-26] Tiles from a supply are laid beside each other without end, wherever they lead.
#[test]
fn tiles_are_laid_without_end() {
    let places = "Supply Bag{ Supplies{ Tile T; } } Plain{ StartingInventory{ Tile First; } }";
    let tile = "Tile{ public Column = 0; public Row = 0; }";
    let lay = "Lay(Tile beside, int east in [0 - 1, 0, 1], int north in [0 - 1, 0, 1]){
        requires{ beside.Location == Plain; east * north == 0; east != north; Free(beside.Column + east, beside.Row + north); }
        effect{ var tile = Bag.contains()[0]; tile.Column = beside.Column + east; tile.Row = beside.Row + north; move tile Plain; } }";
    let rounds = "Free(int column, int row){ foreach tile in Plain.contains() { if((tile.Column == column) && (tile.Row == row)){ return False; } } return True; }
        Main(){ ChooseAction CurrentTurn; NextTurn; Repeat; }";
    let text = toy(places, &objects(tile), rounds, lay);
    let mut position = played(&text, &[]);
    for laid in 1..=30_usize {
        let who = position.decision().open_to()[0];
        let choices = position.choices(who);
        position.play(who, choices.last().unwrap()).unwrap();
        let states = position.properties();
        let tiles = states.iter().filter(|state| state.property == "place" && state.value == "Plain").count();
        assert_eq!(tiles, laid + 1);
    }
}

/// [BG-38] [BG-44] A location keeps what belongs to the whole game; of a private randomizer others see only that it is there.
#[test]
fn a_private_die_is_seen_by_its_owner() {
    let places = "World{ Owner = public; Year = 1; } Screen{ Owner = Ann; StartingInventory{ Omen O1; } }";
    let main = "Main(){ Randomize O1; World.Year = World.Year + O1.Value; ChooseAction CurrentTurn; }";
    let text = toy(places, &objects("Omen{ private Randomizer{ [7, 8] } }"), main, "");
    let position = played(&text, &[]);
    assert_eq!(property(&position, "World", "Year"), "8");
    let value = |seat: u8| {
        let view = position.clone().view(Viewer::Seat(SeatId(seat)));
        let omen = within(&view.things, "O1").expect("everybody sees that it is there");
        omen.properties.iter().find(|(name, _)| name == "Value").map(|(_, value)| value.clone())
    };
    assert_eq!(value(0), Some(Shown::Value("7".into())));
    assert_eq!(value(1), Some(Shown::Hidden));
}

/// [BG-72] An auction goes round until only the highest bidder is left.
#[test]
fn an_auction_is_a_line() {
    let main = "Main(){ auction Stall among TurnOrder; if(Stall.Sold){ Winner Stall.Buyer; } Camp.Log = [Stall.Price]; FinishGame; }";
    let text = toy("", &objects(""), main, "auction Stall from Stall.Price + 2 to Stall.Bidder.Lucky;");
    let mut first = played(&text, &[]);
    assert_eq!(
        words(&mut first),
        ["Skip", "BidStall 2", "BidStall 3", "BidStall 4", "BidStall 5", "BidStall 6", "BidStall 7", "LeaveStall"]
    );
    let end = played(&text, &["BidStall 3", "BidStall 6", "LeaveStall"]);
    assert_eq!((ranks(&end), property(&end, "Camp", "Log")), (vec![2, 1], "(6)".into()));
    let nobody = played(&text, &["LeaveStall", "LeaveStall"]);
    assert_eq!((ranks(&nobody), property(&nobody, "Camp", "Log")), (vec![1, 1], "(0)".into()));
}

/// [BG-74] From Rust, a game is a text that was put together with everything Rust has, and played in a few lines.
#[test]
fn a_game_is_put_together_and_played_from_rust() {
    let hills: String =
        ["Mid", "High"].iter().zip(1..).map(|(hill, height)| format!("{hill}{{ Height = {height}; }} ")).collect();
    let climb = "Climb(Location hill){ requires{ (hill == Mid) || (hill == High); } effect{ CurrentTurn.Lucky = CurrentTurn.Lucky + hill.Height; } }";
    let text = toy(&hills, &objects(""), "Main(){ ChooseAction CurrentTurn; FinishGame; }", climb);
    let mut position = read(&text).compile(&Options::default()).unwrap().start().unwrap();
    chance(&mut position);
    choose(&mut position, "Climb High");
    assert_eq!(property(&position, "Ann", "Lucky"), "9");
    assert!(matches!(position.decision(), Decision::Over(_)));
}
