//! Graphics that the definition draws by itself, clicked.

use crate::common::{Client, Running, all_mine};
use houserules_client::ask;
use houserules_protocol::game::{Definition, Kept, SourceFile};
use houserules_protocol::{Code, Command};

const LANTERN: &str = r#"
#game "Lantern" #players "Ada" "Ben" #turns
#model lantern #property oil 2
#entity East is lantern #entity West is lantern
#action kindle to lantern (decrease oil by 1)
#law "Without oil it stays dark" on kindle (require (> oil 0))
#view "Glass" of lantern
  #property flicker 0
  #onMessage start
    (new graphic body with shape "rectangle" width 40 height 80)
    (new graphic flame with shape "ellipse" width 20 height 40 fill "gold")
    (on flame clicked notify (new message kindle to self))
    (on body clicked notify (new message shake with strength 4))
  #onMessage shake strength
    (set flicker to (+ flicker 1))
    (update graphic flame attribute rotation to (* flicker strength))
"#;

fn graphic(client: &Client, end: &str) -> houserules_protocol::scene::Graphic {
    let all = &client.known.scene.graphics;
    all.iter().find(|graphic| graphic.id.ends_with(end)).cloned().unwrap_or_else(|| panic!("{end}: {all:?}"))
}

fn click(client: &Client, end: &str) -> Command {
    Command::Click { step: client.known.step, graphic: graphic(client, end).id }
}

/// [TB28] [TB11] [TB14] [FR-62] [FR-63]: a click is a choice like any other, under the laws of whoever clicks; one that asks nothing
/// shows something else to that seat until the next step, and nobody else hears of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_a_choice_or_another_look_for_one_seat() {
    let server = Running::start().await;
    let files = vec![SourceFile { path: "lantern.gdl".into(), text: LANTERN.into() }];
    let kept = ask(&server.address, "POST", "/api/definitions", None, Some(&Definition { files })).await.unwrap();
    let kept: Kept = kept.read().unwrap();
    let opened = server.open(&all_mine(&kept.id, 2)).await;
    let tokens = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut ada = Client::join(&server, &opened.table, &tokens[..1]).await;
    let mut elsewhere = Client::join(&server, &opened.table, &tokens[..1]).await;
    let mut ben = Client::join(&server, &opened.table, &tokens[1..]).await;
    let mut watching = Client::join(&server, &opened.table, &[&opened.watch]).await;
    assert!(graphic(&ada, ".flame").clickable && graphic(&ada, ".body").clickable);
    // Whoever came was told of; from now on Ben hears nothing but answers, which are all as long.
    ben.done(Command::Ping).await;
    let before = ben.line.received;
    ben.done(Command::Ping).await;
    let (quiet, begin) = (ben.line.received, ada.known.clone());
    let answer = quiet - before;

    for turned in [4, 8] {
        ada.done(click(&ada, ".body")).await;
        assert_eq!(graphic(&ada, ".flame").turn, turned);
    }
    elsewhere.until(|known| known.scene == ada.known.scene).await;
    ben.done(Command::Ping).await;
    assert_eq!(ben.line.received - quiet, answer);
    assert_eq!(graphic(&ben, ".flame").turn, 0);
    let fresh = Client::join(&server, &opened.table, &tokens[..1]).await;
    assert_eq!((&fresh.known.scene, fresh.known.n), (&ada.known.scene, begin.n), "nothing of it is kept");
    fresh.line.close().await;

    // Not Ben's turn, nobody's seat, nothing there, another position.
    assert_eq!(ben.refused(click(&ben, ".flame")).await, Code::ChoiceNotYours);
    assert_eq!(watching.refused(click(&watching, ".body")).await, Code::ChoiceNotYours);
    ada.done(Command::Click { step: ada.known.step, graphic: "nothing".into() }).await;
    let late = Command::Click { step: ada.known.step - 1, graphic: graphic(&ada, ".flame").id };
    assert_eq!(ada.refused(late).await, Code::ChoiceStale);
    assert_eq!(graphic(&ada, ".flame").turn, 8);

    ada.done(click(&ada, ".flame")).await;
    assert_eq!(graphic(&ada, ".flame").turn, 0, "until the next step");
    ben.until(|known| !known.choices(1).is_empty()).await;
    ben.done(click(&ben, ".flame")).await;
    ada.until(|known| known.question.as_ref().is_some_and(|question| question.asked == [0])).await;
    let dark = ada.known.scene.clone();
    assert_eq!(ada.refused(click(&ada, ".flame")).await, Code::ChoiceUnknown, "the law is against it");
    ada.done(Command::Ping).await;
    assert_eq!(ada.known.scene, dark);
}
