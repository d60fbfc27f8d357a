//! What is asked over plain HTTP, and what comes to the door.

use crate::common::{Client, Running, all_mine, limits};
use houserules_client::{Line, ask, delete, get};
use houserules_protocol::game::{Checked, Definition, Kept, Library, SourceFile};
use houserules_protocol::play::LogWhat;
use houserules_protocol::table::{OpenTable, TableOpened};
use houserules_protocol::{Code, Command, PROTOCOL, ToClient};
use houserules_server::Limits;

const GAME: &str = "#game \"Toy\"\n#players \"A\" \"B\"\n#turns\n#model cell\n  #property mark\n#board cell grid 2 1\n\
    #action place to cell\n  (set mark to player)\n#law \"Only empty cells\" on place\n  (require (not mark))\n";

fn definition(text: &str) -> Definition {
    Definition { files: vec![SourceFile { path: "toy.gdl".into(), text: text.into() }] }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_library_the_api_and_the_health_are_served_with_strict_headers() {
    let server = Running::start().await;
    let library: Library = get(&server.address, "/api/games", None).await.unwrap().read().unwrap();
    let written_in = |language: &str| library.games.iter().filter(|game| game.language == language).count();
    assert_eq!(written_in("gdl"), houserules_library::list().len());
    assert_eq!(written_in("ceptre"), houserules_library::list_ceptre().len());
    assert_eq!(written_in("bgd"), houserules_library::list_bgd().len());
    assert!(library.games.iter().any(|game| game.id == "battleships.cep" && game.tags == ["hidden"]));
    assert!(library.games.iter().any(|game| game.id == "awele" && !game.summary.is_empty()));
    let page = get(&server.address, "/", None).await.unwrap();
    for header in ["content-security-policy: default-src 'none'", "referrer-policy: no-referrer", "nosniff"] {
        assert!(page.head.contains(header), "{}", page.head);
    }
    assert_eq!(get(&server.address, "/healthz", None).await.unwrap().body, "well\n");
    assert!(get(&server.address, "/metrics", None).await.unwrap().body.contains("houserules_tables_awake 0"));
    let api = get(&server.address, "/api/openapi.json", None).await.unwrap();
    assert!(api.body.contains("/api/tables/{table}/fork"));
    let picture = get(&server.address, "/api/games/tic-tac-toe/picture.svg", None).await.unwrap();
    assert!(picture.body.starts_with("<svg"), "{}", picture.body);
    let picture = get(&server.address, "/api/games/othello.cep/picture.svg", None).await.unwrap();
    assert!(picture.body.starts_with("<svg"), "{}", picture.body);
    for (path, status) in [("/api/nothing", 404), ("/api/games/../../etc/passwd", 404), ("/api/games/no-such", 404)] {
        let answer = get(&server.address, path, None).await.unwrap();
        assert_eq!(answer.status, status, "{path}");
        assert!(answer.refusal().is_some(), "{path}: {}", answer.body);
    }
}

/// [TB54]
#[tokio::test(flavor = "multi_thread")]
async fn a_brought_definition_is_checked_kept_by_digest_and_in_no_list() {
    let server = Running::start().await;
    let post = async |path: &str, definition: &Definition| {
        ask(&server.address, "POST", path, None, Some(definition)).await.unwrap()
    };
    let wrong: Checked = post("/api/definitions/check", &definition("#game \"x\"\n#law (")).await.read().unwrap();
    assert!(!wrong.playable && wrong.diagnostics[0].place.is_some(), "{wrong:?}");
    assert_eq!(
        post("/api/definitions", &definition("#game \"x\"\n#law (")).await.refusal().unwrap().code,
        Code::GameFaulty
    );
    let kept: Kept = post("/api/definitions", &definition(GAME)).await.read().unwrap();
    let again: Kept = post("/api/definitions", &definition(GAME)).await.read().unwrap();
    assert_eq!(kept.id, again.id);
    let library = get(&server.address, "/api/games", None).await.unwrap();
    assert!(!library.body.contains(&kept.id));
    let opened = server.open(&all_mine(&kept.id, 2)).await;
    let both = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut client = Client::join(&server, &opened.table, &both).await;
    assert_eq!(client.known.choices(0).len(), 2);
    client.play(0, "place a1").await;
    let too_large = definition(&"; ".repeat(200_000));
    assert_eq!(post("/api/definitions/check", &too_large).await.status, 413);
}

/// [TB51]
#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_table_is_gone_for_everybody() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let mut client = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let path = format!("/api/tables/{}", opened.table);
    let not_host = delete(&server.address, &path, Some(&opened.seats[0].token)).await.unwrap();
    assert_eq!(not_host.status, 403);
    assert_eq!(delete(&server.address, &path, Some(&opened.host)).await.unwrap().status, 204);
    let bye = loop {
        match client.line.next().await {
            Some(ToClient::Bye { refusal }) => break refusal.code,
            Some(_) => {}
            None => panic!("no goodbye"),
        }
    };
    assert_eq!(bye, Code::TableUnknown);
    assert_eq!(get(&server.address, &path, Some(&opened.host)).await.unwrap().status, 401);
}

/// [TB8] [TB12] [TB15]
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_refused_and_the_line_goes_on() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("nim", 2)).await;
    for (hello, code) in [
        ("{\"protocol\":99}".to_owned(), Code::RequestVersion),
        ("{}".to_owned(), Code::RequestMalformed),
        ("no json".to_owned(), Code::RequestMalformed),
        (format!("{{\"protocol\":{PROTOCOL},\"tokens\":[\"x\"]}}"), Code::TokenMissing),
    ] {
        let mut line = Line::connect(&server.address, &opened.table).await.unwrap();
        line.send_text(&hello).await.unwrap();
        let Some(ToClient::Bye { refusal }) = line.next().await else { panic!("{hello}") };
        assert_eq!(refusal.code, code, "{hello}");
    }
    let mut client = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    for text in ["", "[]", "{\"id\":1}", "{\"id\":-1,\"do\":\"ping\"}", "{\"id\":1,\"do\":\"fly\"}", "\u{0}"] {
        client.line.send_text(text).await.unwrap();
    }
    client.line.send_bytes(vec![1, 2, 3]).await.unwrap();
    let mut refused = 0;
    while refused < 7 {
        if let Some(ToClient::Refused { refusal, .. }) = client.line.next().await {
            assert_eq!(refusal.code, Code::RequestMalformed);
            refused += 1;
        }
    }
    client.done(Command::Ping).await;
    let answer = ask(&server.address, "POST", "/api/tables", None, Some(&"no table")).await.unwrap();
    assert_eq!((answer.status, answer.refusal().unwrap().code), (400, Code::RequestMalformed));
    let wanted = OpenTable { game: "nim".into(), off: vec!["No such rule".into()], ..OpenTable::default() };
    let answer = ask(&server.address, "POST", "/api/tables", None, Some(&wanted)).await.unwrap();
    assert_eq!((answer.status, answer.refusal().unwrap().code), (422, Code::GameOptions));
}

/// [TB15]
#[tokio::test(flavor = "multi_thread")]
async fn who_comes_too_often_is_asked_to_wait() {
    let server = Running::with(Limits { messages: 1, requests: 1, ..limits() }).await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let mut client = Client::join(&server, &opened.table, &[&opened.seats[0].token]).await;
    let refusal = loop {
        client.line.send(Command::Ping).await.unwrap();
        client.line.send(Command::Ping).await.unwrap();
        if let ToClient::Refused { refusal, .. } = client.line.next().await.unwrap() {
            break refusal;
        }
    };
    assert_eq!(refusal.code, Code::RequestTooMany);
    // As often as a busy computer needs to ask more than once a second.
    while get(&server.address, "/api/nothing", None).await.unwrap().status != 429 {}
}

/// [TB3]: whoever finds an address in a log, in a history or in a referrer holds nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_token_in_an_address_opens_nothing() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("nim", 2)).await;
    let path = format!("/api/tables/{}", opened.table);
    for said in [format!("{path}?token={}", opened.host), format!("{path}?access_token={}", opened.host)] {
        assert_eq!(get(&server.address, &said, None).await.unwrap().status, 401, "{said}");
    }
    let socket = format!("/api/tables/{}/socket?token={}", opened.table, opened.host);
    let mut line = Line::connect_to(&server.address, &socket).await.unwrap();
    line.send_text(&format!("{{\"protocol\":{PROTOCOL}}}")).await.unwrap();
    let Some(ToClient::Bye { refusal }) = line.next().await else { panic!("the address opened a socket") };
    assert_eq!(refusal.code, Code::TokenMissing);
    // Several, with commas, as links are found in the fragment of an address.
    let both = format!("{}, {}", opened.seats[0].token, opened.host);
    assert_eq!(get(&server.address, &path, Some(&both)).await.unwrap().status, 200);
    assert_eq!(delete(&server.address, &path, Some(&both)).await.unwrap().status, 204);
}

/// [TB57]
#[tokio::test(flavor = "multi_thread")]
async fn a_record_becomes_a_table_and_one_that_does_not_fit_leaves_nothing() {
    let server = Running::start().await;
    let opened = server.open(&all_mine("tic-tac-toe", 2)).await;
    let both = [opened.seats[0].token.as_str(), opened.seats[1].token.as_str()];
    let mut played = Client::join(&server, &opened.table, &both).await;
    played.play(0, "place b2").await;
    played.play(1, "place a1").await;
    let path = format!("/api/tables/{}/record", opened.table);
    let text = get(&server.address, &path, Some(&opened.watch)).await.unwrap().body;
    let bring = async |text: &str| ask(&server.address, "POST", "/api/records", None, Some(&text)).await.unwrap();
    let brought: TableOpened = bring(&text).await.read().unwrap();
    assert_ne!(brought.table, opened.table);
    let watching = Client::join(&server, &brought.table, &[&brought.watch]).await;
    let chose = |client: &Client| -> Vec<LogWhat> {
        let all = client.known.log.iter().map(|line| line.what.clone());
        all.filter(|what| matches!(what, LogWhat::Chose { .. })).collect()
    };
    assert_eq!(chose(&watching), chose(&played));
    let n_tables = server.hall.shared.store.n_tables().await.unwrap();
    let twice = text.replace("O place a1", "O place b2");
    assert_ne!(twice, text, "{text}");
    for wrong in [twice.as_str(), "no record", ""] {
        let refused = bring(wrong).await;
        assert!((400..500).contains(&refused.status), "{} {}", refused.status, refused.body);
        assert!(refused.refusal().is_some(), "{}", refused.body);
    }
    assert_eq!(server.hall.shared.store.n_tables().await.unwrap(), n_tables);
}

/// [TB56]
#[tokio::test(flavor = "multi_thread")]
async fn an_editor_is_told_over_a_socket_what_is_wrong() {
    let server = Running::start().await;
    let mut line = Line::connect_to(&server.address, "/api/editing").await.unwrap();
    let say = |method: &str, rest: serde_json::Value| {
        let mut message = serde_json::json!({ "jsonrpc": "2.0", "method": method });
        message.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        message.to_string()
    };
    let within = serde_json::json!([{ "path": "toy.gdl", "text": GAME }]);
    let begin =
        serde_json::json!({ "id": 1, "params": { "capabilities": {}, "initializationOptions": { "within": within } } });
    line.send_text(&say("initialize", begin)).await.unwrap();
    let answer: serde_json::Value = serde_json::from_str(&line.text().await.unwrap()).unwrap();
    assert!(answer["id"] == 1 && answer["result"]["capabilities"].is_object(), "{answer}");
    line.send_text(&say("initialized", serde_json::json!({ "params": {} }))).await.unwrap();
    let rule = "#law \"Nowhere\" on place\n  (require (not marc))\n";
    let document = serde_json::json!({ "uri": "file:///rule.gdl", "languageId": "gdl", "version": 1, "text": rule });
    let opened = serde_json::json!({ "params": { "textDocument": document } });
    line.send_text(&say("textDocument/didOpen", opened)).await.unwrap();
    let told: serde_json::Value = serde_json::from_str(&line.text().await.unwrap()).unwrap();
    assert_eq!(told["method"], "textDocument/publishDiagnostics", "{told}");
    let messages = told["params"]["diagnostics"].to_string();
    assert!(messages.contains("marc") && messages.contains("mark"), "{messages}");
    // Nothing of it is kept.
    assert!(!get(&server.address, "/api/games", None).await.unwrap().body.contains("Nowhere"));
}
