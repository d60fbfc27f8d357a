//! Programs run as Ceptre runs them: what fires, what is offered, what is left.

use std::sync::Arc;

use houserules_kernel::Generator;
use houserules_linear::fault::Budget;
use houserules_linear::run::{End, Next, Running};
use houserules_model::FileId;

fn start(text: &str) -> Running {
    let (program, diagnostics) = houserules_linear::check(text, FileId(0));
    let program = program.unwrap_or_else(|| panic!("{diagnostics:#?}"));
    Running::start(Arc::new(program), 0, Budget::default()).unwrap()
}

struct Ran {
    end: End,
    fired: u64,
    stage: String,
    facts: Vec<String>,
    log: Vec<String>,
    options: Vec<String>,
}

fn run(text: &str, choices: &[usize], seed: u64) -> Ran {
    let mut running = start(text);
    let mut log = Vec::new();
    let limit = running.program.queries[0].limit;
    let mut generator = Generator::new(seed);
    let end = running.run(limit, choices, &mut generator, &mut |_, step| log.push(step.fired)).unwrap();
    let mut facts = running.shown();
    facts.sort();
    let next = running.whats_next().unwrap();
    let options = match next {
        Next::Choice => running.options(next).unwrap(),
        _ => Vec::new(),
    };
    let options = options
        .iter()
        .map(|(instance, _)| houserules_linear::print::instance(&running.program, &running.store, instance))
        .collect();
    let stage = running.program.stages[running.stage].name.clone();
    Ran { end, fired: running.fired, stage, facts, log, options }
}

/// The facts at the end, whatever the seed.
fn ends(text: &str, fired: u64, facts: &[&str]) {
    for seed in 0..8 {
        let ran = run(text, &[], seed);
        assert_eq!((ran.end, ran.fired), (End::Quiet, fired));
        assert_eq!(ran.facts, facts);
    }
}

/// [SP-5] The state is a multiset of facts. [SP-6] A rule uses its left side up and makes its right side.
/// [SP-7] Two loaves are not one, and none comes from nowhere.
#[test]
fn a_rule_uses_up_what_it_takes() {
    let text = "loaf : pred. feast : pred. stage eat = { share : loaf * loaf * loaf -o feast. }
        #trace _ eat {loaf, loaf, loaf, loaf, loaf, loaf, loaf, loaf}.";
    ends(text, 2, &["feast", "feast", "loaf", "loaf"]);
}

/// [SP-11] Types, constructors and predicates with typed arguments. [SP-12] One name is one value in a rule.
#[test]
fn a_variable_is_the_same_wherever_it_stands() {
    let text = "stop : type. mill : stop. bridge : stop. quay : stop.
        road stop stop : bwd. road mill bridge. road bridge quay.
        cart stop : pred.
        stage drive = { on : cart S * road S T -o cart T. }
        #trace _ drive {cart mill}.";
    ends(text, 2, &["(cart quay)"]);
    assert_eq!(run(text, &[], 0).log, ["(on mill bridge)", "(on bridge quay)"]);
    let twins = "suit : type. cups : suit. swords : suit. card suit : pred. pair : pred.
        stage meld = { same : card S * card S -o pair. }
        #trace _ meld {card cups, card swords, card cups}.";
    ends(twins, 1, &["(card swords)", "pair"]);
}

/// [SP-9] What is marked `$` is still there afterwards.
#[test]
fn what_is_kept_stays() {
    let text = "oven : pred. dough : pred. bread : pred.
        stage bake = { bake : $oven * dough -o bread. }
        #trace _ bake {oven, dough, dough}.";
    ends(text, 2, &["bread", "bread", "oven"]);
}

/// [SP-8] What is there for ever is not used up, however it is asked for.
#[test]
fn persistent_facts_are_never_used_up() {
    let text = "map : pred. hill : pred. seen : pred.
        stage walk = { climb : !map * hill -o seen. }
        #trace _ walk {!map, hill, hill, hill}.";
    ends(text, 3, &["!map", "seen", "seen", "seen"]);
    ends(&text.replace("!map * hill", "map * hill"), 3, &["!map", "seen", "seen", "seen"]);
    // A linear fact is used up even where `!` asks for it.
    ends(&text.replace("{!map", "{map"), 1, &["hill", "hill", "seen"]);
}

#[test]
fn equal_persistent_facts_are_two() {
    let text = "rain : pred. moss : pred. stage wet = { grow : rain -o !moss. } #trace _ wet {rain, rain, rain}.";
    ends(text, 3, &["!moss", "!moss", "!moss"]);
}

/// [SP-13] Only the rules of the stage fire. [SP-17] A link is taken when none of them can.
#[test]
fn a_link_waits_until_nothing_more_can_happen() {
    let text = "grape : pred. must : pred. wine : pred.
        stage press = { press : grape -o must. }
        stage cellar = { age : must -o wine. }
        down : qui * stage press -o stage cellar.
        #trace _ press {grape, grape, grape}.";
    ends(text, 7, &["wine", "wine", "wine"]);
    assert_eq!(run(text, &[], 1).stage, "cellar");
    assert_eq!(run(text, &[], 1).log[3], "down");
}

/// [SP-18] That something is not there is found out by waiting until its rule did not fire.
#[test]
fn absence_is_found_by_quiescence() {
    let text = "wolf : pred. fear : pred. flight : pred. calm : pred.
        stage listen = { howl : fear * wolf -o wolf * flight. }
        stage night = {}
        quiet : qui * stage listen * fear -o stage night * calm.
        alarm : qui * stage listen * $flight -o stage night.
        #trace _ listen {fear}.";
    ends(text, 1, &["calm"]);
    ends(&text.replace("{fear}", "{fear, wolf}"), 2, &["flight", "wolf"]);
}

/// [SP-20] Numbers are written as numbers where that is asked for, and as `s (s z)` otherwise.
#[test]
fn numbers_are_read_both_ways() {
    let text = "nat : type. z : nat. s nat : nat.
        #builtin NAT nat. #builtin NAT_ZERO z. #builtin NAT_SUCC s.
        sum nat nat nat : bwd.
        sum/z : sum z N N.
        sum/s : sum (s M) N (s K) <- sum M N K.
        pile nat : pred.
        stage heap = { join : pile A * pile B * sum A B C -o pile C. }
        #trace _ heap {pile 5, pile 20, pile (s (s (s z)))}.";
    ends(text, 2, &["(pile 28)"]);
    let peano = "nat : type. z : nat. s nat : nat. fuse nat : pred. bang : pred.
        stage burn = { hiss : fuse (s N) -o fuse N. boom : fuse z -o bang. }
        #trace _ burn {fuse (s (s z))}.";
    ends(peano, 3, &["bang"]);
    assert_eq!(run(peano, &[], 0).log, ["(hiss (s z))", "(hiss z)", "boom"]);
}

/// [SP-10] Backward chaining follows recursive definitions.
#[test]
fn recursive_definitions_are_followed() {
    let text = "nat : type. z : nat. s nat : nat.
        under nat nat : bwd. under z (s N). under (s M) (s N) <- under M N.
        stone nat : pred.
        stage weigh = { drop : stone A * $stone B * under A B -o (). }
        #trace _ weigh {stone (s z), stone (s (s (s (s z)))), stone z}.";
    ends(text, 2, &["(stone (s (s (s (s z)))))"]);
}

/// [SP-14] In an interactive stage somebody chooses among the instances.
#[test]
fn options_are_listed_by_rule_and_age() {
    let text = "hue : type. red : hue. blue : hue. ink hue : pred. pen hue : pred. drawn hue hue : pred.
        stage draw = { fill : ink X -o pen X. mix : ink X * pen Y -o drawn X Y. }
        #interactive draw.
        #trace _ draw {ink red, ink blue, pen red, pen blue}.";
    let ran = run(text, &[], 0);
    assert_eq!(ran.end, End::Asked);
    let options = ["(mix red red)", "(mix red blue)", "(mix blue red)", "(mix blue blue)", "(fill red)", "(fill blue)"];
    assert_eq!(ran.options, options);
    // The second option uses up the first ink and the second pen.
    let ran = run(text, &[2, 1], 0);
    assert_eq!(ran.facts, ["(drawn blue red)", "(drawn red blue)"]);
    assert_eq!(run(text, &[0], 0).end, End::Stopped);
    let table = "d : type. n : d. e : d. w : d. other d d : bwd.
        other n e. other e n. other n w. other w n. other e w. other w e.
        vane d : pred. gust : pred.
        stage blow = { veer : gust * vane D * other D D' -o vane D'. }
        #interactive blow. #trace _ blow {vane n, gust}.";
    assert_eq!(run(table, &[], 0).options, ["(veer n e)", "(veer n w)"]);
}

/// [SP-49] [SP-58] Equal sticks are one option, and many of them cost no more.
#[test]
fn equal_resources_are_not_told_apart() {
    let sticks = vec!["stick"; 5000].join(", ");
    let text = format!(
        "stick : pred. took : pred.
        stage nim = {{ three : stick * stick * stick -o took. two : stick * stick -o took. }}
        #interactive nim. #trace _ nim {{{sticks}}}."
    );
    let ran = run(&text, &[], 0);
    assert_eq!(ran.options, ["two", "three"]);
    assert_eq!(run(&text, &[2; 1000], 0).facts.len(), 3000);
}

/// [SP-15] [SP-16] The system draws among the instances, and a rule written twice is twice as likely.
#[test]
fn chance_is_weighed_by_rules_and_equal_facts() {
    let die = "throw : pred. low : pred. high : pred.
        stage die = { one : throw -o low. two : throw -o low. three : throw -o high. }
        #trace _ die {throw}.";
    let low = (0..3000).filter(|&seed| run(die, &[], seed).facts == ["low"]).count();
    assert!((1850..2150).contains(&low), "{low}");
    // Three black balls and one white one.
    let urn = "black : pred. white : pred. hand : pred. b : pred. w : pred.
        stage urn = { drawb : hand * black -o b. draww : hand * white -o w. }
        #trace _ urn {hand, black, black, black, white}.";
    let white = (0..4000).filter(|&seed| run(urn, &[], seed).facts.contains(&"w".to_owned())).count();
    assert!((850..1150).contains(&white), "{white}");
}

#[test]
fn links_are_drawn_by_lot() {
    let text = "fork : pred. stage here = {} stage left = {} stage right = {}
        a : qui * stage here * fork -o stage left. b : qui * stage here * fork -o stage right.
        #trace _ here {fork}.";
    let left = (0..1000).filter(|&seed| run(text, &[], seed).stage == "left").count();
    assert!((400..600).contains(&left), "{left}");
}

/// [SP-19] Contexts can be joined, and the limit of a trace is kept.
#[test]
fn contexts_are_joined_and_limits_are_kept() {
    let text = "salt : pred. pepper : pred.
        context table = { salt, salt }. context tray { table, pepper } context bare = {}
        stage still = {} #trace _ still { tray, bare, salt }.";
    ends(text, 0, &["pepper", "salt", "salt", "salt"]);
    let clock = "tick : pred. tock : pred.
        stage run = { a : tick -o tock. b : tock -o tick. } #trace 7 run {tick}.";
    let ran = run(clock, &[], 0);
    assert_eq!((ran.end, ran.fired), (End::Limit, 7));
}

#[test]
fn facts_used_in_a_proof_are_used_up() {
    let text = "plank : type. p : plank. q : plank.
        loose plank : pred. gap plank plank : bwd. raft : pred. wreck : pred.
        gap X Y <- loose X <- loose Y.
        stage storm = { sink : raft * gap p q -o wreck. }
        #trace _ storm {raft, loose p, loose q, loose q}.";
    ends(text, 1, &["(loose q)", "wreck"]);
}

/// [SP-27] A stage that leads back to itself goes on until it fails.
#[test]
fn a_stage_can_lead_back_to_itself() {
    let text = "nat : type. z : nat. s nat : nat. turns nat : pred. wound : pred.
        stage wind = { wind : turns (s N) * wound -o turns N. }
        again : qui * stage wind * $turns (s N) -o stage wind * wound.
        #trace _ wind {turns (s (s (s z))), wound}.";
    ends(text, 5, &["(turns z)"]);
}

#[test]
fn backward_rules_can_be_written_both_ways() {
    let text = "who : type. ada : who. bea : who. cyd : who.
        knows who who : bwd. chain who who : bwd. ask who : pred. told who : pred.
        knows ada bea. knows bea cyd.
        chain/1 : knows X Y -> chain X Y.
        chain/2 : chain X Z <- knows X Y <- chain Y Z.
        stage gossip = { tell : ask X * chain X Y -o told Y. }
        #interactive gossip. #trace _ gossip {ask ada}.";
    assert_eq!(run(text, &[], 0).options, ["(tell ada bea)", "(tell ada cyd)"]);
}

/// Multiplication asks for its sum before it knows the summands, and rules may go round in circles.
#[test]
fn proofs_that_would_not_end_as_written_end() {
    let times = "nat : type. z : nat. s nat : nat.
        #builtin NAT nat. #builtin NAT_ZERO z. #builtin NAT_SUCC s.
        plus nat nat nat : bwd. plus z N N. plus (s M) N (s K) <- plus M N K.
        times nat nat nat : bwd. times z N z. times (s N) M Q <- plus P M Q <- times N M P.
        area nat nat : pred. is nat : pred.
        stage tile = { lay : area A B * times A B C -o is C. }
        #trace _ tile {area 5 3, area 30 40}.";
    ends(times, 2, &["(is 1200)", "(is 15)"]);
    let circle = "isle : type. a : isle. b : isle. c : isle.
        ferry isle isle : bwd. ferry a b. ferry b a. ferry b c.
        trip isle isle : bwd. trip X Z <- trip X Y <- ferry Y Z. trip X Y <- ferry X Y.
        at isle : pred. seen isle : pred. go : pred.
        stage sail = { sail : go * at X * trip X Y -o seen Y. }
        #interactive sail. #trace _ sail {go, at a}.";
    let mut options = run(circle, &[], 0).options;
    options.sort();
    assert_eq!(options, ["(sail a a)", "(sail a b)", "(sail a c)"]);
}

/// [SP-21] Every step says what it has used up and made, and the state can be seen after each.
#[test]
fn every_step_is_told() {
    let mut running = start(
        "egg : pred. flour : pred. cake : pred.
        stage bake = { bake : egg * egg * flour -o cake. } #trace _ bake {egg, egg, egg, flour}.",
    );
    let mut told = Vec::new();
    let mut note = |running: &Running, step| told.push((step, running.shown()));
    running.run(None, &[], &mut Generator::new(1), &mut note).unwrap();
    let (step, state) = &told[0];
    assert_eq!((step.fired.as_str(), step.removed.join(" ")), ("bake", "egg egg flour".to_owned()));
    assert_eq!((step.added.join(" "), state.join(" ")), ("cake".to_owned(), "cake egg".to_owned()));
}

#[test]
fn comparisons_compare() {
    let text = "c : type. a : c. b : c. has c : pred. same c : pred. pair c c : pred. go : pred.
        stage look = { differ : go * $has X * $has Y * X <> Y -o pair X Y. equal : go * $has X * X == Y -o same Y. }
        #interactive look. #trace _ look {has a, has b, go}.";
    assert_eq!(run(text, &[], 0).options, ["(equal a a)", "(equal b b)", "(differ a b)", "(differ b a)"]);
}

fn fault(text: &str) -> String {
    let mut running = start(text);
    let mut generator = Generator::new(1);
    running.run(None, &[], &mut generator, &mut |_, _| ()).unwrap_err().to_string()
}

#[test]
fn what_does_not_end_is_stopped_and_named() {
    let endless = "p : pred. q : pred. stage spin = { there : p -o q. back : q -o p. } #trace _ spin {p}.";
    assert!(fault(endless).starts_with("Rules fire without end: 1000000 times"), "{}", fault(endless));
    let flood = "p : pred. stage grow = { double : p -o p * p. } #trace _ grow {p}.";
    assert_eq!(fault(flood), "There are more than 1000000 facts; the last came from the rule `double`.");
    let deep = "nat : type. z : nat. s nat : nat. up nat nat : bwd. climb : up M N <- up (s M) N.
        at nat : pred. stage go = { go : at N * up N M -o at M. } #trace _ go {at z}.";
    assert!(fault(deep).contains("`climb`") || fault(deep).contains("`up`"), "{}", fault(deep));
    let open = "c : type. a : c. b : c. any c : bwd. any X. p c : pred. go : pred.
        stage s = { r : go * any X -o p X. } #trace _ s {go}.";
    assert!(fault(open).contains("leaves open what it stands for"), "{}", fault(open));
    let names: Vec<String> = (0..1000).map(|n| format!("p{n}")).collect();
    let wide = format!(
        "t : type. {} has t : pred. go : pred.
        stage s = {{ r : go * has A * has B * has C -o (). }} #trace _ s {{go, {}}}.",
        names.iter().map(|name| format!("{name} : t. ")).collect::<String>(),
        names.iter().map(|name| format!("has {name}")).collect::<Vec<_>>().join(", ")
    );
    assert_eq!(fault(&wide), "The rule `r` can fire in more than 200000 ways at once.");
}

#[test]
fn terms_that_grow_for_ever_are_stopped_and_their_rule_is_named() {
    let deep = "t : type. a : t. b : t. f t : t. p t : pred. stage s = { dig : p X -o p (f X). } #trace _ s {p a}.";
    assert_eq!(fault(deep), "The rule `dig` builds a term of more than 1000 levels.");
    // Twice as long with each firing, and hardly deeper.
    let long = deep.replace("f t : t", "f t t : t").replace("f X", "f X X");
    assert_eq!(fault(&long), "The rule `dig` builds a term of more than 10000 parts.");
    let proved = "t : type. a : t. f t t : t. n : type. z : n. s n : n. go n : pred. w t : pred.
        twice n t : bwd. twice z a. twice (s N) (f X X) <- twice N X.
        stage s = { dig : go N * twice N X -o w X. } #trace _ s {go (s (s (s (s (s (s (s (s (s (s (s (s (s (s z)))))))))))))) }.";
    assert_eq!(fault(proved), "The rule `dig` builds a term of more than 10000 parts.");
}

/// Fourteen different facts out of thirteen: there is no way, and it would take for ever to find that out.
#[test]
fn a_rule_that_is_looked_through_for_ever_is_stopped() {
    let each =
        |n: usize, one: &dyn Fn(usize) -> String, between: &str| (0..n).map(one).collect::<Vec<_>>().join(between);
    let text = format!(
        "t : type. {} p t : pred. stage s = {{ all : {} -o (). }} #trace _ s {{ {} }}.",
        each(13, &|n| format!("k{n} : t."), " "),
        each(14, &|n| format!("p A{n}"), " * "),
        each(13, &|n| format!("p k{n}"), ", ")
    );
    let (program, _) = houserules_linear::check(&text, FileId(0));
    let budget = Budget { tries: 100_000, ..Budget::default() };
    let mut running = Running::start(Arc::new(program.unwrap()), 0, budget).unwrap();
    let told = running.whats_next().unwrap_err().to_string();
    assert_eq!(told, "It takes more than 100000 tries to find out whether rules can fire, last `all`.");
}

/// What a firing costs follows from what it changes, not from how much there is.
#[test]
fn a_large_state_does_not_slow_a_small_change() {
    let text = |n: usize| {
        let facts: Vec<String> = (0..n).map(|at| format!("item {at}")).collect();
        format!(
            "nat : type. z : nat. s nat : nat. #builtin NAT nat. #builtin NAT_ZERO z. #builtin NAT_SUCC s.
            item nat : pred. left nat : pred. done nat : pred.
            stage go = {{ step : left (s N) * $item N -o left N. }}
            #trace _ go {{left {n}, {}}}.",
            facts.join(", ")
        )
    };
    let ran = run(&text(20_000), &[], 0);
    assert_eq!((ran.end, ran.fired), (End::Quiet, 20_000));
}
