use crate::{open, played, refusal};
use houserules_kernel::{Position, SeatId, Shown, ThingView, View, Viewer};

const X: Viewer = Viewer::Seat(SeatId(0));
const O: Viewer = Viewer::Seat(SeatId(1));

fn shown(view: &View, of: &str, name: &str) -> Shown {
    let thing = view.facts.iter().chain(&view.things).find(|thing| thing.name == of).expect(of);
    thing.properties.iter().find(|(known, _)| known == name).expect(name).1.clone()
}

#[test]
fn what_is_seen_by_self_is_hidden_from_the_others() {
    let text = |plan: &str| {
        format!(
            r#"#game "Toy" #players "X" "O" #model player #property plan seen by self
            #setup (set (plan of X) to {plan}) #action go"#
        )
    };
    let mut position = open(&text("\"attack\""));
    assert_eq!(shown(&position.view(X), "X", "plan"), Shown::Value("attack".into()));
    assert_eq!(shown(&position.view(O), "X", "plan"), Shown::Hidden);
    assert_eq!(shown(&position.view(Viewer::Public), "X", "plan"), Shown::Hidden);
    let mut other = open(&text("nil"));
    assert_eq!(position.view(O), other.view(O), "a view is unchanged when only hidden things differ");
}

fn hands(contents: &str) -> Box<dyn Position> {
    open(&format!(
        r#"#game "Toy" #players "X" "O" #model hand {contents} #model card #property rank
        #entity hand for each player
        #setup (new card at (hand of X) with rank 7)
        #action go"#
    ))
}

#[test]
fn a_hand_shows_its_cards_to_its_owner_and_their_number_to_all() {
    let mut position = hands("#contents seen by owner");
    let of = |view: View| {
        let hand = view.things.into_iter().find(|thing| thing.name == "X hand").unwrap();
        let names = |things: Vec<ThingView>| things.into_iter().map(|thing| thing.name).collect::<Vec<_>>();
        (hand.contents.map(names), hand.count)
    };
    assert_eq!(of(position.view(X)), (Some(vec!["card 1".into()]), Some(1)));
    assert_eq!(of(position.view(O)), (None, Some(1)));
    let mut secret = hands("#contents seen by owner counted by owner");
    assert_eq!(of(secret.view(O)), (None, None));
}

#[test]
fn a_board_draws_itself() {
    let mut position = played(
        r#"#game "Toy" #players "Ann" "Bo" #turns
        #model cell #property mark #board cell grid 2 1
        #model man #symbol "a" "b"
        #setup (new man at a1 with owner Bo)
        #action take to (list b1) (set mark to player)"#,
        &["take b1"],
    );
    let view = position.view(Viewer::Public);
    let marks: Vec<(&str, Option<SeatId>)> =
        view.boards[0].cells.iter().map(|cell| (cell.mark.sign.as_str(), cell.mark.seat)).collect();
    assert_eq!(marks, [("b", Some(SeatId(1))), ("A", Some(SeatId(0)))]);
    assert_eq!(view.turn, Some(SeatId(1)));
}

/// What laws tell anyway is not taken out of the view because something else about the same place is hidden.
#[test]
fn a_hidden_property_does_not_hide_the_state_of_its_place() {
    let mut position = played(
        r#"#game "Toy" #players "X" "O" #turns
        #model cell #property mine seen by nobody #look text state fill (if mine "red" else "green")
          #onMessage dig (changeState dug)
        #board cell grid 2 1
        #setup (set (mine of a1) to true)
        #action dig to cell
        #law "Once" on dig to cell in dug (return "It is dug.")"#,
        &["dig b1"],
    );
    assert_eq!(refusal(&mut *position, "dig b1").unwrap().reason, "It is dug.");
    for viewer in [X, O, Viewer::Public] {
        let cells = position.view(viewer).boards.remove(0).cells;
        let looks = cells.iter().map(|cell| cell.look.clone()).collect::<Vec<_>>();
        let text = |state: &str| vec![("text".to_owned(), state.to_owned())];
        assert_eq!(looks, [text("default"), text("dug")], "and not how mines are drawn");
        assert!(cells.iter().all(|cell| cell.properties == [("mine".to_owned(), Shown::Hidden)]));
    }
}

#[test]
fn lines_are_said_to_the_table_or_to_one() {
    let position = played(r#"#game "Toy" #players "X" "O" #action go (say "all") (say "one" to O)"#, &["go"]);
    assert_eq!(position.said(X), ["all"]);
    assert_eq!(position.said(O), ["all", "one"]);
}
