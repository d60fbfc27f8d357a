//! Games in BGD, played: what each part of the language comes to.

mod games;
mod wishes;

use houserules_kernel::{Decision, Position, Rulebook, SeatId, Shown, ThingView, Viewer, Who};
use houserules_library::{Found, MachinePosition, Options, enclosed};

/// A toy with a die on the table, for Ann and Bo.
fn toy(locations: &str, objects: &str, rounds: &str, actions: &str) -> String {
    format!(
        "Game = \"toy\"; Players{{ MinPlayers = 2; MaxPlayers = 2; Human Ann{{ Home = Camp; Lucky = 7; }} Human Bo{{ Home = Lake; Lucky = 9; }} }}\n\
         Locations{{ Camp{{ Log = [0]; }} Lake{{ Log = [0]; }} Table{{ Owner = public; StartingInventory{{ Die D1; }} }} {locations} }}\n\
         {objects}\n Rounds{{ {rounds} }}\n Actions{{ Skip(){{ requires{{}} effect{{}} }} {actions} }}"
    )
}

const DIE: &str = "Die{ public Owner = public; public Randomizer{ [4] } }";

fn objects(more: &str) -> String {
    format!("Objects{{ {DIE} {more} }}")
}

fn read(text: &str) -> Found {
    let found = enclosed("toy", &[("toy.bgd".to_owned(), text.to_owned())]);
    found.refuse_errors().unwrap_or_else(|said| panic!("{said}"));
    found
}

/// A match with these choices made; chance takes the first outcome.
fn played(text: &str, choices: &[&str]) -> MachinePosition {
    let game = read(text).compile(&Options::default()).unwrap_or_else(|said| panic!("{said}"));
    let mut position = game.start().unwrap_or_else(|error| panic!("{error}"));
    for choice in choices {
        chance(&mut position);
        choose(&mut position, choice);
    }
    chance(&mut position);
    position
}

fn chance(position: &mut MachinePosition) {
    while position.decision() == Decision::Nature {
        let first = position.choices(Who::Nature)[0].clone();
        position.play(Who::Nature, &first).unwrap();
    }
}

fn choose(position: &mut MachinePosition, words: &str) {
    let who = position.decision().open_to()[0];
    let choices = position.choices(who);
    let known: Vec<String> = choices.iter().map(|choice| position.words(who, choice)).collect();
    let at = known.iter().position(|known| known == words).unwrap_or_else(|| panic!("{words} among {known:?}"));
    position.play(who, &choices[at]).unwrap();
}

/// The seat that is asked, or the ranks.
fn asked(position: &MachinePosition) -> String {
    match position.decision() {
        Decision::Over(outcome) => format!("{:?}", outcome.ranks.to_vec()),
        open => format!("{:?}", open.open_to()[0]),
    }
}

fn property(position: &MachinePosition, entity: &str, property: &str) -> String {
    let mut found = position.clone().properties().into_iter();
    let found = found.find(|state| state.entity == entity && state.property == property);
    found.map_or_else(|| "nothing".into(), |state| state.value)
}

const ANN: &str = "Seat(SeatId(0))";
const BO: &str = "Seat(SeatId(1))";

/// [BG-49] [BG-50] [BG-51] [BG-56] [BG-59] Turns pass, the order of turns can be set, and whoever is marked wins.
#[test]
fn turns_pass_and_marks_decide() {
    let main =
        "Main(){ ChooseAction CurrentTurn; NextTurn; ChooseAction CurrentTurn; Winner CurrentTurn; FinishGame; }";
    let text = toy("", &objects(""), main, "");
    assert_eq!(asked(&played(&text, &[])), ANN);
    assert_eq!(asked(&played(&text, &["Skip"])), BO);
    assert_eq!(asked(&played(&text, &["Skip", "Skip"])), "[2, 1]");

    let main = "Main(){ ChooseAction CurrentTurn; TurnOrder = [Bo, Ann]; ChooseAction CurrentTurn; NextTurn; ChooseAction CurrentTurn; NextTurn; ChooseAction CurrentTurn; }";
    let text = toy("", &objects(""), main, "");
    let prompts: Vec<String> = (0..4).map(|n| asked(&played(&text, &["Skip"; 4][..n]))).collect();
    assert_eq!(prompts, [ANN, BO, ANN, BO]);
    assert_eq!(asked(&played(&text, &["Skip"; 4])), "[1, 1]", "nobody was marked");
}

/// [BG-14] [BG-15] [BG-33] [BG-52] Attributes of all kinds, references, lists and their length.
#[test]
fn attributes_hold_values_of_all_kinds() {
    let place = "Deep{ Depth = 2.5; Open = False; Steps = [3, 6, 9]; None2 = []; Word = \"a {b}\"; Seen = [0]; }";
    let main = "Main(){ Deep.Seen = [Ann.Home, Bo.Lucky, Deep.Steps[1], count(Deep.Steps), count(Deep.None2), Deep.Depth, Deep.Open, Deep.Word];
        Deep.Steps[1] = Deep.Steps[1] + 1; Ann.Lucky = Ann.Lucky + 1; FinishGame; }";
    let end = played(&toy(place, &objects(""), main, ""), &[]);
    assert_eq!(property(&end, "Deep", "Seen"), "(Camp 9 6 3 0 2.5 nil a {b})");
    assert_eq!(property(&end, "Deep", "Steps"), "(3 7 9)");
    assert_eq!(property(&end, "Ann", "Lucky"), "8");
}

/// [BG-18] [BG-37] [BG-41] Objects move to the end of a list, and keep their owners.
#[test]
fn objects_move_and_stay_whose_they_are() {
    let places =
        "Box{ Owner = Ann; StartingInventory{ Gem Ruby; Gem Opal; } } Bag{ Owner = Bo; StartingInventory{ Gem Jet; } }";
    let main = "Main(){ move Ruby Bag; move Box.contains()[0] Bag; move Jet Bag; Camp.Log = Bag.contains();
        Lake.Log = [count(Box.contains()), Ruby.Location, Ruby.Owner == Ann, Bag.Ruby]; Jet.Owner = Ann; }";
    let end = played(&toy(places, &objects("Gem{ }"), main, ""), &[]);
    assert_eq!(property(&end, "Camp", "Log"), "(Ruby Opal Jet)");
    assert_eq!(property(&end, "Lake", "Log"), "(0 Bag true Ruby)");
    assert_eq!(property(&end, "Jet", "owner"), "Ann", "an owner can be changed");

    let plot = "Plot{ Owner = Ann; R = [0]; StartingInventory{ Hut H1; Hut H2{ public Owner = Bo; } Hut H3{ public Owner = public; } Tree T1; } }";
    let main = "Main(){ Plot.R = [Plot.Owner == Ann, H1.Owner == Ann, H1.Owner != Bo, H2.Owner == Bo, H3.Owner == Ann, T1.Owner == Ann, H1.Owner == Plot.Owner, Bo == H2.Owner, Ann == H3.Owner]; }";
    let end = played(&toy(plot, &objects("Hut{ public Owner = Location; } Tree{ }"), main, ""), &[]);
    assert_eq!(property(&end, "Plot", "R"), "(true true true true nil true true true nil)");
}

/// [BG-53] [BG-54] [BG-55] [BG-60] What an action requires decides whether it is offered; its parameters are offered with it.
#[test]
fn only_what_is_required_is_offered() {
    let gate = "Gate{ Open = False; }";
    let main = "Main(){ ChooseAction CurrentTurn; NextTurn; ChooseAction CurrentTurn; FinishGame; }";
    let actions = "Enter(){ requires{ Gate.Open == True; } effect{ Winner CurrentTurn; } } Unlock(){ requires{ Gate.Open == False; } effect{ Gate.Open = True; } }";
    let text = toy(gate, &objects(""), main, actions);
    let mut position = played(&text, &[]);
    let offers = position.offers(SeatId(0));
    let refused: Vec<&str> =
        offers.iter().filter(|offer| offer.refused.is_some()).map(|offer| offer.words.as_str()).collect();
    assert_eq!(refused, ["Enter"]);
    assert_eq!(asked(&played(&text, &["Unlock", "Enter"])), "[2, 1]");

    let spot = "Spot{ Got = [0]; StartingInventory{ Gem Ruby; } }";
    let take = "Take(int i, bool b, double d, Player p, Location l, Gem g){ requires{ i > 2; b == True; d < 2.0; p != CurrentTurn; l == Spot; g.Location == l; } effect{ Spot.Got = [i, b, d, p, l, g]; } }";
    let text = toy(spot, &objects("Gem{ }"), "Main(){ ChooseAction CurrentTurn; }", take);
    let end = played(&text, &["Take 5 True 1.5 Bo Spot Ruby"]);
    assert_eq!(property(&end, "Spot", "Got"), "(5 true 1.5 Bo Spot Ruby)");
    let mut start = played(&text, &[]);
    let who = start.decision().open_to()[0];
    let offered = start.choices(who);
    assert!(offered.iter().all(|choice| !start.words(who, choice).starts_with("Take 1 ")));
}

/// [BG-23] [BG-40] [BG-43] A randomizer begins with its first value; one object may have another list than its type.
#[test]
fn randomizers_draw_from_their_own_lists() {
    let cup = "Cup{ Seen = [0]; StartingInventory{ Coin C1; Coin C2{ public Randomizer{ [8, 9] } } } }";
    let main = "Main(){ Camp.Log = [C1.Value, C2.Value]; Randomize D1; Randomize Table.D1; Randomize C1; Randomize Cup.C2; Cup.Seen = [D1.Value, C1.Value, C2.Value]; }";
    let text = toy(cup, &objects("Coin{ public Randomizer{ [False, True] } }"), main, "");
    let end = played(&text, &[]);
    assert_eq!(property(&end, "Camp", "Log"), "(nil 8)");
    assert_eq!(property(&end, "Cup", "Seen"), "(4 nil 8)");
    let mut position = read(&text).compile(&Options::default()).unwrap().start().unwrap();
    let outcomes: Vec<usize> = (0..4)
        .map(|_| {
            let choices = position.choices(Who::Nature);
            position.play(Who::Nature, choices.last().unwrap()).unwrap();
            choices.len()
        })
        .collect();
    assert_eq!(outcomes, [1, 1, 2, 2]);
    assert_eq!(property(&position, "Cup", "Seen"), "(4 true 9)");
}

/// [BG-47] [BG-48] Rounds begin anew, give values, call themselves and each other, and take any number of values.
#[test]
fn rounds_repeat_return_and_recur() {
    let lamp = "Lamp{ On = True; Mark = [0]; }";
    let rounds = "Blink(){ if(Lamp.On){ Lamp.On = False; NextTurn; Repeat; } else { Lamp.Mark = [1]; } NextTurn; } Main(){ Blink(); ChooseAction CurrentTurn; }";
    let position = played(&toy(lamp, &objects(""), rounds, ""), &[]);
    assert_eq!(asked(&position), ANN);
    assert_eq!(property(&position, "Lamp", "Mark"), "(1)");

    let rounds = "Wrap(int n){ if(n < 10){ return n; } else { return n - 10; } } Bigger(int a, int b){ if(a > b){ return a; } return b; }
        Sum(int a, int b, int c){ if(c == 0){ return a + b; } return Sum(a, b + 1, c - 1); }
        Even(int n){ if(n == 0){ return True; } return Odd(n - 1); } Odd(int n){ if(n == 0){ return False; } return Even(n - 1); }
        Pay(Player p, int n){ p.Lucky = p.Lucky - n; return p.Lucky; }
        Main(){ Camp.Log = [Wrap(4), Wrap(13), Bigger(3, 8), Bigger(9, 8), Sum(1, 2, 3), Even(7)]; Lake.Log = [Pay(Ann, 2), Pay(Ann, 1), Ann.Lucky]; }";
    let end = played(&toy("", &objects(""), rounds, ""), &[]);
    assert_eq!(property(&end, "Camp", "Log"), "(4 3 8 9 6 nil)");
    assert_eq!(property(&end, "Lake", "Log"), "(5 4 4)", "calls happen in the order in which they stand");
}

/// [BG-9] [BG-10] Connections lead one way or both, and may say something of themselves.
#[test]
fn connections_lead_where_they_say() {
    let places = "North{ R = [0]; } Mid{ } South{ }";
    let connections = "LocationConnections{ Directed{ [North, Mid, South] } Undirected{ [North, South] Toll = 3; } }";
    let main = "Main(){ North.R = [North.connections(), Mid.connections(), South.connections()];
        Camp.Log = [Mid.isConnectedTo(South), South.isConnectedTo(Mid), connection(South, North).Toll]; }";
    let text = toy(places, &format!("{connections} {}", objects("")), main, "");
    let end = played(&text, &[]);
    assert_eq!(property(&end, "North", "R"), "((Mid South) (South) (North))");
    assert_eq!(property(&end, "Camp", "Log"), "(true nil 3)");
}

/// [BG-19] [BG-46] [BG-71] What stands in StartState comes first, what stands in `postgame` last.
#[test]
fn start_and_end_have_their_own_code() {
    let places = "Deck{ StartingInventory{ Card K1; Card K2; Card K3; } } HandA{ Owner = Ann; } HandB{ Owner = Bo; }";
    let text = toy(
        places,
        &objects("Card{ hidden Rank = 1; }"),
        "Main(){ ChooseAction CurrentTurn; FinishGame; Camp.Log = [9]; }",
        "",
    ) + " StartState{ move Deck.contains()[0] HandA; if(count(TurnOrder) > 1){ move Deck.contains()[0] HandB; } } postgame{ Winner Bo; }";
    let position = played(&text, &[]);
    let places: Vec<String> = ["K1", "K2", "K3"].iter().map(|card| property(&position, card, "place")).collect();
    assert_eq!(places, ["HandA", "HandB", "Deck"]);
    let end = played(&text, &["Skip"]);
    assert_eq!(asked(&end), "[2, 1]");
    assert_eq!(property(&end, "Camp", "Log"), "(0)", "nothing happens after the end");
}

#[test]
fn operators_bind_as_everywhere_unless_the_original_order_is_wanted() {
    let v = "V{ T = True; F = False; N = 5; L = [10, 20, 30]; R = [0]; }";
    let main = "Main(){ V.R = [2 + 3 * 4, 10 - 2 - 3, V.T || V.F && V.F, !V.F && V.F, !V.T || V.T, (V.N == 5) && (V.N != 6), 3 == 3.4, 3.4 == 3, 7 / 2, V.N / 2, V.L[count(V.L) - 1]]; }";
    let text = toy(v, &objects(""), main, "");
    assert_eq!(property(&played(&text, &[]), "V", "R"), "(14 5 true nil true true nil nil 3.5 2.5 30)");
    let settings = vec![("precedence".to_owned(), "original".to_owned())];
    let original = read(&text).compile(&Options { settings, ..Options::default() }).unwrap().start().unwrap();
    assert_eq!(property(&original, "V", "R"), "(14 5 nil true nil true nil nil 3.5 2.5 30)");
}

#[test]
fn the_end_comes_at_once_from_any_depth() {
    let rounds = "Deep(){ Deeper(); Camp.Log = [1]; return 3; } Deeper(){ Winner Bo; FinishGame; }
        Main(){ ChooseAction CurrentTurn; Lake.Log = [Deep()]; ChooseAction CurrentTurn; }";
    let end = played(&toy("", &objects(""), rounds, ""), &["Skip"]);
    assert_eq!(asked(&end), "[2, 1]");
    assert_eq!((property(&end, "Camp", "Log"), property(&end, "Lake", "Log")), ("(0)".into(), "(0)".into()));

    let resign = "Resign(){ requires{} effect{ Loser CurrentTurn; NextTurn; Winner CurrentTurn; FinishGame; } }";
    let text = toy("", &objects(""), "Main(){ ChooseAction CurrentTurn; NextTurn; Repeat; }", resign);
    assert_eq!(asked(&played(&text, &["Skip", "Skip", "Resign"])), "[2, 1]");
}

#[test]
fn a_choice_may_be_asked_within_a_choice() {
    let extra = "Extra{ On = True; }";
    let rounds = "Turn(){ ChooseAction CurrentTurn; } Main(){ Turn(); NextTurn; Turn(); FinishGame; }";
    let double =
        "Double(){ requires{ Extra.On == True; } effect{ Extra.On = False; Randomize D1; Turn(); Extra.On = True; } }";
    let text = toy(extra, &objects(""), rounds, double);
    let mut inner = played(&text, &["Double"]);
    assert_eq!(inner.choices(Who::Seat(SeatId(0))).len(), 1, "no second double within the first");
    assert_eq!(asked(&played(&text, &["Double", "Skip"])), BO);
    assert_eq!(asked(&played(&text, &["Double", "Skip", "Skip"])), "[1, 1]");
}

/// [BG-16] [BG-17] [BG-36] [BG-42] Who sees that objects are there, and who sees what is hidden of them.
#[test]
fn what_is_hidden_is_absent_from_the_views_of_others() {
    let places = "Hand{ Owner = Ann; StartingInventory{ Card K1; } } Screen{ Owner = Bo; ExistVisible = Bo; StartingInventory{ Card K2; } }
        Pile{ ValueVisible = None; StartingInventory{ Card K3; } } Log2{ R = [0]; }";
    let main =
        "Main(){ Log2.R = [count(Pile.ExistVisible), count(Table.ValueVisible), K1.Rank]; ChooseAction CurrentTurn; }";
    let text = toy(places, &objects("Card{ hidden Rank = 1; public Back = 2; }"), main, "");
    let position = played(&text, &[]);
    assert_eq!(property(&position, "Log2", "R"), "(2 2 1)");
    let sees = |viewer: Viewer, thing: &str, property: &str| {
        let view = position.clone().view(viewer);
        let known = within(&view.things, thing);
        known.is_some_and(|known| {
            known.properties.iter().any(|(name, value)| name == property && *value != Shown::Hidden)
        })
    };
    let (ann, bo) = (Viewer::Seat(SeatId(0)), Viewer::Seat(SeatId(1)));
    assert!(sees(ann, "K1", "Rank") && !sees(bo, "K1", "Rank"), "by default the owner of a place sees what is hidden");
    assert!(sees(ann, "K1", "Back") && sees(bo, "K1", "Back"));
    assert!(!sees(ann, "K3", "Rank") && !sees(bo, "K3", "Rank") && sees(bo, "K3", "Back"));
    assert!(!sees(ann, "K2", "Back") && sees(bo, "K2", "Rank"), "Ann does not see what lies behind the screen");
}

/// A thing by its name, wherever it lies.
fn within<'a>(things: &'a [ThingView], name: &str) -> Option<&'a ThingView> {
    things.iter().find_map(|thing| match thing.name == name {
        true => Some(thing),
        false => within(thing.contents.as_deref().unwrap_or_default(), name),
    })
}

/// [BG-34] [BG-35] [BG-45] A supply never runs out; a counter is an object with a number.
#[test]
fn supplies_do_not_run_out_and_counters_count() {
    let places = "Supply Bank{ Supplies{ Coin C; } } Purse{ StartingInventory{ Score S1{ public Value = 5; } } }";
    let take = "Take(){ requires{} effect{ move Bank.contains()[0] Purse; S1.Value = S1.Value + 0.5; } }";
    let main = "Main(){ ChooseAction CurrentTurn; NextTurn; Repeat; }";
    let text = toy(places, &objects("Coin{ public Worth = 3; } Counter Score{ public Value = 0.0; }"), main, take);
    let position = played(&text, &["Take"; 20]);
    let inside = |place: &str| {
        position.clone().properties().iter().filter(|state| state.property == "place" && state.value == place).count()
    };
    assert_eq!((inside("Purse"), inside("Bank")), (21, 1));
    assert_eq!(property(&position, "S1", "Value"), "15");
}

/// [BG-31] [BG-32] [BG-57] [BG-58] Whoever is seated plays, in that order; the others keep what is theirs and cannot win.
#[test]
fn those_who_are_seated_play_and_the_others_are_forces() {
    let text = "Game = \"four\"; Players{ MinPlayers = 2; MaxPlayers = 4; even; Human A{ N = 1; } Human B{ N = 2; } Human C{ N = 3; } Human D{ N = 4; } Computer Sea{ N = 9; } }
        Locations{ X{ Owner = C; Log = [0]; StartingInventory{ Gem G; } } } Objects{ Gem{ } }
        Rounds{ Main(){ X.Log = [G.Owner.N, Sea.N, count(TurnOrder)]; ChooseAction CurrentTurn; Winner CurrentTurn; } } Actions{ Skip(){ requires{} effect{} } }";
    let found = read(text);
    let with = |settings: &[(&str, &str)], seats: Option<u32>| {
        let settings = settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        found.compile(&Options { settings, seats, ..Options::default() })
    };
    let game = with(&[("seated", "D B")], None).unwrap();
    assert_eq!(game.seats(), ["D", "B"]);
    let position = game.start().unwrap();
    assert_eq!(property(&position, "X", "Log"), "(3 9 2)");
    assert_eq!(with(&[], Some(4)).unwrap().seats().len(), 4);
    assert_eq!(found.about(&Options::default()).unwrap().n_seats, (2, 4));
    for (seated, seats, said) in [
        (Some("D B A"), None, "even"),
        (Some("Sea A"), None, "no player “Sea”"),
        (Some("A A"), None, "twice"),
        (None, Some(6), "2 to 4"),
    ] {
        let settings: Vec<(&str, &str)> = seated.map(|seated| ("seated", seated)).into_iter().collect();
        let error = with(&settings, seats).err().unwrap();
        assert!(error.contains(said), "{error}");
    }
}

/// [BG-39] [BG-67] [BG-68] [BG-69] [BG-70] The extensions: loops, variables, lists that grow, shuffling, capacity, phases, ranges.
#[test]
fn extensions_do_what_they_say() {
    let places = "Row1..Row3{ Number = index; } Box{ capacity = 1; StartingInventory{ Gem B1; } } Tray{ capacity = 1; } Heap{ StartingInventory{ Gem G1..G5; } }";
    let rounds = "Main(){ var total = 0; foreach row in [Row1..Row3] { total = total + row.Number; }
        while(count(Heap.contains()) > 3){ move Heap.contains()[0] Camp; }
        Camp.Log = append(remove([1, 2, 3], 0), total); Lake.Log = [has(Camp.Log, 6), floor(7 / 2)];
        shuffle Heap; shuffle Camp.Log; ChooseAction CurrentTurn in Early; ChooseAction CurrentTurn in Late; }";
    let actions = "phase Early{ Rise(){ requires{} effect{} } } phase Late{ Rest(){ requires{} effect{} } Fill(Gem g){ requires{ g != B1; } effect{ move g Box; } } Lay(Gem g){ requires{ g != B1; } effect{ move g Tray; } } }";
    let text = toy(places, &objects("Gem{ }"), rounds, actions);
    let mut position = played(&text, &[]);
    assert_eq!(property(&position, "Lake", "Log"), "(true 3)");
    let mut log: Vec<String> =
        property(&position, "Camp", "Log").trim_matches(['(', ')']).split(' ').map(str::to_owned).collect();
    log.sort();
    assert_eq!(log, ["2", "3", "6"]);
    let who = position.decision().open_to()[0];
    let words = |position: &mut MachinePosition| -> Vec<String> {
        position.choices(who).iter().map(|choice| position.words(who, choice)).collect()
    };
    assert_eq!(words(&mut position), ["Skip", "Rise"]);
    choose(&mut position, "Rise");
    assert_eq!(words(&mut position), ["Skip", "Rest", "Lay G1", "Lay G2", "Lay G3", "Lay G4", "Lay G5"]);
}

/// What is missing in play is a fault at its place in the text.
#[test]
fn a_fault_in_play_names_the_line() {
    let places = "Heap{ Dry = True; StartingInventory{ Gem G1; } } Deep{ Depth = 3; } Fort{ Owner = Ann; Lord = Ann; }";
    let rounds = "Dig(Location l){ l.Depth = l.Depth + 1; } Dry(Location l){ return l.Dry; } Fill(Location l){ l.Depth = 1; } \
        Rank(int n){ if(n > 5){ return 1; } } Rich(Player p){ p.Lucky = 99; }";
    for (line, said) in [
        ("move Camp.contains()[0] Lake;", "member 0 of a list of 0"),
        ("Camp.Log = [Camp.Log[4]];", "member 4 of a list of 1"),
        ("Camp.Log[1] = 3;", "member 1 of a list of 1"),
        ("Camp.Log = [1 / 0];", "zero"),
        ("Camp.Log = [G1.Location.Depth];", "attribute Depth of Heap"),
        ("Dig(Heap);", "attribute Depth of Heap"),
        ("Fill(Heap);", "attribute Depth of Heap"),
        ("Camp.Log = [Dry(Deep)];", "attribute Dry of Deep"),
        // Nobody owns the heap.
        ("Camp.Log = [Heap.Owner.Lucky];", "owner of Heap"),
        ("Winner G1.Owner;", "owner of G1"),
        ("ChooseAction Heap.Owner;", "owner of Heap"),
        ("TurnOrder = [Ann, Heap.Owner];", "owner of Heap"),
        ("Fort.Lord = Heap.Owner;", "owner of Heap"),
        ("Rich(Heap.Owner);", "owner of Heap"),
        ("TurnOrder = remove([Ann], 0);", "empty order of turns"),
        ("Camp.Log = [Heap.contains()[0].Value];", "value of"),
        ("Randomize Heap.contains()[0];", "randomizer of"),
        ("Camp.Log = [Rank(3)];", "value of Rank"),
    ] {
        // Faults in rounds are told where these stand.
        let in_round = ["Dig", "Fill", "[Dry", "[Rank"].iter().any(|round| line.contains(round));
        let at = if in_round { "toy.bgd:4" } else { "toy.bgd:6" };
        let main = format!("{rounds} Main(){{ ChooseAction CurrentTurn;\n NextTurn;\n {line} }}");
        let game = read(&toy(places, &objects("Gem{ }"), &main, "")).compile(&Options::default()).unwrap();
        let mut position = game.start().unwrap();
        let who = position.decision().open_to()[0];
        let skip = position.choices(who)[0].clone();
        let refusal = position.play(who, &skip).unwrap_err().to_string();
        assert!(refusal.contains(said) && refusal.contains(at), "{line}: {refusal}");
    }
}

/// What is certain needs no look at run time, and what is there is used as it is.
#[test]
fn owners_and_values_that_are_there_are_no_faults() {
    let places = "Heap{ Owner = Bo; Lord = Ann; StartingInventory{ Gem G1; Die D2; } }";
    let rounds =
        "Rank(int n){ if(n > 5){ return 1; } return 2; } Pay(Player p){ p.Lucky = p.Lucky + 1; return p.Lucky; }";
    let main = format!(
        "{rounds} Main(){{ Heap.Lord = G1.Owner; Randomize Heap.contains()[1]; TurnOrder = [Heap.Owner, Ann]; Pay(Heap.Owner);
         Camp.Log = [Heap.Lord == Bo, Heap.Owner.Lucky, Heap.contains()[1].Value, Rank(3), Rank(9), D2.Owner == Ann]; ChooseAction CurrentTurn; Winner G1.Owner; }}"
    );
    let text = toy(places, &objects("Gem{ }"), &main, "");
    let position = played(&text, &[]);
    assert_eq!(asked(&position), BO);
    assert_eq!(property(&position, "Camp", "Log"), "(true 10 4 2 1 nil)");
    assert_eq!(asked(&played(&text, &["Skip"])), "[2, 1]");
}
