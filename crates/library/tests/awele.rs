//! Awele is made of two entities and eleven rules, each on its message and in its state.

use houserules_kernel::{Offer, Position, Rulebook, SeatId, Shown, Viewer};
use houserules_library::{Options, find};
use houserules_model::RuleKind;

fn start(settings: &[(&str, &str)], off: &[&str]) -> Box<dyn Position> {
    let settings = settings.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let off = off.iter().map(|&rule| rule.into()).collect();
    let options = Options { settings, off, ..Options::default() };
    find("awele").unwrap().compile(&options).unwrap().open().unwrap()
}

fn refused_by(position: &mut dyn Position, hole: &str) -> Option<String> {
    let offer: Offer = position.offers(SeatId(0)).into_iter().find(|offer| offer.words == hole).unwrap();
    offer.refused.map(|refusal| refusal.law.unwrap_or(refusal.reason))
}

/// What the text says; that it is played so, the tests below show.
#[test]
fn every_rule_stands_on_its_message_and_in_its_state() {
    let found = find("awele").unwrap();
    let told: Vec<String> = found
        .definition()
        .rules()
        .map(|rule| {
            let names = |names: &[(houserules_model::Name, _)]| -> String {
                names.iter().map(|(name, _)| &**name).collect::<Vec<_>>().join(" ")
            };
            let kind = if rule.kind == RuleKind::Law { "law" } else { "side-effect" };
            format!("{kind} {}: {}.{} {}", rule.name, names(&rule.to), names(&rule.labels), names(&rule.states))
        })
        .collect();
    assert_eq!(
        told[..11],
        [
            "law Allow Only Current Player: hole.startSeeding default",
            "law Allow Only Non Empty Hole: hole.startSeeding default",
            "law Let The Opponent Play: hole.startSeeding default",
            "law Open Check-point: hole.startSeeding default",
            "law Stones' Capturing: hole.giveStones default lastSeed",
            "side-effect End Of Turn: hole.startSeeding default",
            "side-effect Last Seed: hole.seed default",
            "side-effect Chain Reaction: hole.giveStones default",
            "side-effect Chain Reaction Avoiding GrandSlam: hole.giveStones lastSeed",
            "side-effect Game Over: game.endOfTurn default",
            "side-effect Check Winning Condition: game.giveStonesToCurrentPlayer default",
        ]
    );
}

/// [FR-35] [FR-161] [FR-162] [FR-163] A law looks at the hole as it is, and refuses in its own name.
#[test]
fn each_law_refuses_what_it_is_there_for() {
    let mut position = start(&[("holes", "3"), ("start", "2,0,1,0,0,0")], &[]);
    assert_eq!(refused_by(&mut *position, "hole 4").as_deref(), Some("Allow Only Current Player"));
    assert_eq!(refused_by(&mut *position, "hole 2").as_deref(), Some("Allow Only Non Empty Hole"));
    assert_eq!(refused_by(&mut *position, "hole 1").as_deref(), Some("Let The Opponent Play"));
    assert_eq!(refused_by(&mut *position, "hole 3"), None);
    let mut position = start(&[("holes", "3"), ("start", "2,0,1,0,0,0")], &["Let The Opponent Play"]);
    assert_eq!(refused_by(&mut *position, "hole 1"), None);
}

/// [FR-120] [FR-169] A grand slam is taken back, and whoever tried it is told why.
#[test]
fn a_grand_slam_is_rolled_back_with_its_reason() {
    let mut position = start(&[("holes", "3"), ("start", "1,0,1,1,0,0")], &[]);
    let offers = position.offers(SeatId(0));
    let offer = offers.into_iter().find(|offer| offer.words == "hole 3").unwrap();
    let refusal = offer.refused.unwrap();
    assert_eq!(refusal.law.as_deref(), Some("Chain Reaction Avoiding GrandSlam"));
    assert_eq!(refusal.reason, "That would take all the seeds of the opponent.");
}

/// [FR-118] [FR-119] [FR-124] [FR-164] The law decides how far back a grand slam goes: on the move itself it forbids it, on
/// the capture it only takes the capture back and abandons the rest. Without the law, the move's own beginning serves.
#[test]
fn the_checkpoint_is_where_its_law_stands() {
    let setup = [("holes", "3"), ("start", "1,0,1,1,0,0")];
    let mut position = start(&setup, &["Open Check-point"]);
    assert_eq!(refused_by(&mut *position, "hole 3").as_deref(), Some("Chain Reaction Avoiding GrandSlam"));

    let text = include_str!("../../../games/awele/game.gdl");
    let law = "#law \"Open Check-point\" on startSeeding to hole in default";
    assert!(text.contains(law));
    let text = text.replace(law, "#law \"Open Check-point\" on giveStones to hole in lastSeed");
    let found = houserules_library::enclosed("game.gdl", &[("game.gdl".into(), text)]);
    let settings = setup.iter().map(|&(name, value)| (name.into(), value.into())).collect();
    let game = found.compile(&Options { settings, ..Options::default() }).unwrap();
    let mut position = game.open().unwrap();
    assert_eq!(refused_by(&mut *position, "hole 3"), None);
    let who = houserules_kernel::Who::Seat(SeatId(0));
    let choice = position.choices(who).into_iter().find(|choice| position.words(who, choice) == "hole 3").unwrap();
    position.play(who, &choice).unwrap();
    assert_eq!(position.said(Viewer::All), ["That would take all the seeds of the opponent."]);
    let view = position.view(Viewer::All);
    let cells = view.boards.iter().flat_map(|board| &board.cells);
    let stones: Vec<Shown> =
        cells.map(|cell| cell.properties.iter().find(|(name, _)| name == "stones").unwrap().1.clone()).collect();
    assert_eq!(stones, ["1", "0", "0", "2", "0", "0"].map(|n| Shown::Value(n.into())), "sown, and not captured");
    assert_eq!(position.decision().open_to(), [who], "the turn was to be ended by what is abandoned");
}

/// [FR-173] The six treatments of a grand slam add, replace or leave out rules; no behavior is touched.
#[test]
fn variants_come_from_rules_alone() {
    use houserules_model::ItemKind::{Define, Model, Rule, RuleBody, RuleMode};
    let found = find("awele").unwrap();
    let slams: Vec<_> =
        found.definition().variants().filter(|variant| variant.name.starts_with("grand slam")).collect();
    assert_eq!(slams.len(), 6);
    for variant in slams {
        for item in &variant.changes {
            let is_rule = matches!(item.kind, Rule(_) | RuleMode { .. } | RuleBody { .. });
            // What a rule asks may be written down as a define.
            assert!(is_rule || matches!(item.kind, Define(_) | Model { .. }), "{}: {:?}", variant.name, item.kind);
        }
    }
}
