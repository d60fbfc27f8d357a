//! What the studio asks beside the language server's protocol, and the protocol over streams.

use houserules_lsp::{Session, wire};
use serde_json::{Value, json};

const GAME: &str = "#game \"Three\"\n#players \"X\" \"O\"\n#turns\n#model cell\n  #property mark ; whose it is\n\
    #board cell grid 3 3\n#action place to cell\n  (set mark to player)\n\
    #law \"Only empty cells\" on place\n  (require (not mark))\n";

fn ask(session: &mut Session, method: &str, params: Value) -> Value {
    let said = session.hear(&json!({ "id": 1, "method": method, "params": params }).to_string());
    serde_json::from_str(&said[0]).unwrap()
}

fn opened() -> Session {
    let mut session = Session::new();
    let state = ask(&mut session, "studio/open", json!({ "files": [{ "path": "game.gdl", "text": GAME }] }));
    let models: Vec<&Value> =
        state["result"]["picture"]["models"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(models, ["game", "player", "cell"]);
    session
}

fn change(session: &mut Session, change: Value) -> Value {
    ask(session, "studio/change", json!({ "change": change }))
}

#[test]
fn a_match_is_told_only_what_became_another() {
    let mut session = opened();
    assert_eq!(ask(&mut session, "studio/fitted", json!({}))["result"], Value::Null);
    assert_eq!(ask(&mut session, "studio/fit", json!({}))["result"], json!({ "sound": true, "text": null }));
    change(&mut session, json!({ "do": "mode", "rule": "Only empty cells", "mode": "off" }));
    let fit = ask(&mut session, "studio/fit", json!({}));
    let text = fit["result"]["text"].as_str().unwrap();
    assert!(text.starts_with("#law \"Only empty cells\" on place") && text.contains("\" off"), "{text}");
    // What is gone cannot be said of a part.
    change(
        &mut session,
        json!({ "do": "remove", "at": { "start": GAME.find("#law").unwrap(), "end": GAME.trim_end().len() } }),
    );
    let fit = ask(&mut session, "studio/fit", json!({}));
    change(&mut session, json!({ "do": "type", "text": "#game \"Three\"\n(" }));
    assert_eq!(ask(&mut session, "studio/fit", json!({}))["result"]["sound"], false);
    let text = fit["result"]["text"].as_str();
    assert!(text.is_none_or(|text| text.starts_with("#game \"Three\"") && !text.contains("#law")), "{text:?}");
}

#[test]
fn a_change_is_answered_with_the_text_the_picture_and_the_steps() {
    let mut session = opened();
    let state =
        change(&mut session, json!({ "do": "add", "what": "property", "name": "worth", "of": "cell", "value": "1" }));
    let result = &state["result"];
    assert!(
        result["text"].as_str().unwrap().contains("  #property mark ; whose it is\n  #property worth 1\n"),
        "{result}"
    );
    assert_eq!(result["steps"], json!([{ "what": "add", "name": "worth" }]));
    assert_eq!(result["picture"]["models"][2]["rows"][1]["held"]["kind"], "number");
    let state = ask(&mut session, "studio/undo", json!({}));
    assert_eq!((&state["result"]["text"], &state["result"]["done"]), (&json!(GAME), &json!(0)));
    assert_eq!(ask(&mut session, "studio/undo", json!({}))["result"], Value::Null, "there is nothing to undo");
    let blocks = ask(&mut session, "studio/blocks", json!({ "at": GAME.find("(set mark").unwrap() }));
    assert_eq!(blocks["result"]["body"][0]["form"], "Set");
    assert_eq!(blocks["result"]["body"][0]["kind"], "sink");
    let around = ask(&mut session, "studio/around", json!({ "at": GAME.find("(set mark").unwrap() }));
    assert_eq!(around["result"]["before"][0]["name"], "Only empty cells");
}

/// [FR-7] From a behavior one comes to the laws and side-effects around it, in the order in which they run, and from each of
/// them back to the behavior.
#[test]
fn from_a_behavior_one_comes_to_its_rules_and_back() {
    const AWELE: &str = include_str!("../../../games/awele/game.gdl");
    let mut session = Session::new();
    ask(&mut session, "studio/open", json!({ "files": [{ "path": "game.gdl", "text": AWELE }] }));
    let mut around = |at: u64| ask(&mut session, "studio/around", json!({ "at": at }))["result"].clone();
    let spot = |text: &str| AWELE.find(text).unwrap() as u64;
    let stands = |at: &Value| &AWELE[at["start"].as_u64().unwrap() as usize..at["end"].as_u64().unwrap() as usize];
    for (behavior, before, after) in [
        (
            "#onMessage startSeeding",
            &["Allow Only Current Player", "Allow Only Non Empty Hole", "Let The Opponent Play", "Open Check-point"][..],
            &["End Of Turn"][..],
        ),
        ("#onMessage endOfTurn", &[], &["Game Over", "The Third Time Ends The Game"]),
    ] {
        let found = around(spot(behavior) + 3);
        assert!(stands(&found["at"]).starts_with(behavior), "{found}");
        for (part, names) in [("before", before), ("after", after)] {
            let rules = found[part].as_array().unwrap();
            assert_eq!(rules.iter().map(|rule| rule["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
            for rule in rules {
                let text = stands(&rule["at"]);
                assert!(text.contains(rule["name"].as_str().unwrap()), "{text}");
                let back = around(rule["at"]["start"].as_u64().unwrap() + 3);
                assert_eq!(back["at"], found["at"], "{rule}");
            }
        }
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_code() {
    let mut session = Session::new();
    assert_eq!(ask(&mut session, "studio/undo", json!({}))["error"]["data"], "studio/closed");
    let mut session = opened();
    let taken = change(&mut session, json!({ "do": "add", "what": "model", "name": "cell" }));
    assert_eq!(taken["error"]["data"], "edit/taken");
    assert_eq!(change(&mut session, json!({ "do": "fly" }))["error"]["data"], "edit/unknown");
    assert_eq!(ask(&mut session, "studio/fly", json!({}))["error"]["data"], "studio/unknown");
}

#[test]
fn every_form_has_a_text_for_a_new_statement() {
    let table = ask(&mut Session::new(), "studio/forms", json!({}));
    let forms = table["result"]["forms"].as_array().unwrap();
    assert!(forms.len() > 100);
    for line in forms {
        let text = line["text"].as_str().unwrap();
        let setup = format!("#game \"G\"\n#setup\n  {text}\n");
        let mut session = Session::new();
        ask(&mut session, "studio/open", json!({ "files": [{ "path": "game.gdl", "text": setup }] }));
        let blocks = ask(&mut session, "studio/blocks", json!({ "at": setup.find("#setup").unwrap() + 1 }));
        assert_eq!(blocks["result"]["body"][0]["form"], line["form"], "{text}: {blocks}");
    }
}

#[test]
fn an_editor_is_served_over_streams_until_it_leaves() {
    let document = json!({ "uri": "file:///three.gdl", "version": 1, "text": GAME });
    let messages = [
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": {} } }),
        json!({ "jsonrpc": "2.0", "method": "textDocument/didOpen", "params": { "textDocument": document } }),
        json!({ "jsonrpc": "2.0", "id": 2, "method": "textDocument/references",
            "params": { "textDocument": { "uri": "file:///three.gdl" }, "position": { "line": 4, "character": 13 } } }),
        json!({ "jsonrpc": "2.0", "method": "exit" }),
        json!({ "jsonrpc": "2.0", "id": 3, "method": "shutdown" }),
    ];
    let mut heard = Vec::new();
    for message in &messages {
        let text = message.to_string();
        heard.extend(format!("Content-Type: x\r\nContent-Length: {}\r\n\r\n{text}", text.len()).bytes());
    }
    let mut said = Vec::new();
    wire::serve(&mut &heard[..], &mut said).unwrap();
    let said = String::from_utf8(said).unwrap();
    assert_eq!(said.matches("Content-Length: ").count(), 3, "nothing is answered after the end: {said}");
    let uses = said.rsplit("\r\n\r\n").next().unwrap();
    let uses: Value = serde_json::from_str(uses).unwrap();
    assert_eq!(uses["result"].as_array().unwrap().len(), 3);
    assert!(wire::serve(&mut &b"Content-Length: 99999999999\r\n\r\n"[..], &mut Vec::new()).is_err());
    assert!(wire::serve(&mut &b"\r\n\r\nno head"[..], &mut Vec::new()).is_ok());
}
