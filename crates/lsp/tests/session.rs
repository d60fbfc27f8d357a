//! What an editor hears.

use houserules_lsp::Session;
use serde_json::{Value, json};

const GAME: &str = "#game \"Three\"\n#players \"X\" \"O\"\n#turns\n#model cell\n  #property mark\n\
    #board cell grid 3 3\n#action place to cell\n  (set mark to player)\n";

fn hear(session: &mut Session, message: Value) -> Vec<Value> {
    let said = session.hear(&message.to_string());
    said.iter().map(|said| serde_json::from_str(said).unwrap()).collect()
}

fn open(session: &mut Session, text: &str) -> Vec<Value> {
    let document = json!({ "uri": "typed.gdl", "version": 1, "text": text });
    let said = hear(session, json!({ "method": "textDocument/didOpen", "params": { "textDocument": document } }));
    said[0]["params"]["diagnostics"].as_array().unwrap().clone()
}

fn within_the_game() -> Session {
    let mut session = Session::new();
    let options = json!({ "within": [{ "path": "game.gdl", "text": GAME }] });
    let said =
        hear(&mut session, json!({ "id": 1, "method": "initialize", "params": { "initializationOptions": options } }));
    assert_eq!(said[0]["result"]["capabilities"]["hoverProvider"], true);
    session
}

fn ask(session: &mut Session, method: &str, line: u32, character: u32) -> Value {
    let params =
        json!({ "textDocument": { "uri": "typed.gdl" }, "position": { "line": line, "character": character } });
    let said = hear(session, json!({ "id": 7, "method": format!("textDocument/{method}"), "params": params }));
    assert_eq!(said[0]["id"], 7);
    said[0]["result"].clone()
}

fn labels(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|item| item["label"].as_str().unwrap()).collect()
}

#[test]
fn a_mistake_in_a_rule_is_told_where_it_is_typed() {
    let mut session = within_the_game();
    let found = open(&mut session, "#law \"♠ first\" on place\n  (require (not marc) \"Taken.\")\n");
    let error = found.iter().find(|found| found["severity"] == 1).unwrap();
    assert_eq!(error["range"]["start"], json!({ "line": 1, "character": 16 }));
    assert!(error["message"].as_str().unwrap().contains("mark"), "{error}");
    assert_eq!(open(&mut session, "#law \"Empty\" on place\n  (require (not mark) \"Taken.\")\n"), Vec::<Value>::new());
}

#[test]
fn a_whole_text_is_checked_by_itself() {
    let mut session = Session::new();
    assert!(open(&mut session, GAME).iter().all(|found| found["severity"] == 2));
    let found = open(&mut session, &GAME.replace("to player)", "to playr)"));
    assert!(found.iter().any(|found| found["severity"] == 1 && found["range"]["start"]["line"] == 7), "{found:?}");
}

#[test]
fn names_of_the_game_and_forms_are_offered_where_they_fit() {
    let mut session = within_the_game();
    open(&mut session, "#law \"Empty\" on place\n  (require (no ma))\n#l");
    let after_parenthesis = ask(&mut session, "completion", 1, 14);
    assert!(labels(&after_parenthesis).contains(&"not"), "{after_parenthesis}");
    let name = ask(&mut session, "completion", 1, 17);
    assert!(labels(&name).contains(&"mark") && !labels(&name).contains(&"not"), "{name}");
    let directive = ask(&mut session, "completion", 2, 2);
    assert!(labels(&directive).contains(&"#law"), "{directive}");
    let in_quotes = ask(&mut session, "completion", 0, 8);
    assert_eq!(labels(&in_quotes), Vec::<&str>::new());
}

#[test]
fn a_word_is_explained_by_the_reference_and_by_the_game() {
    let mut session = within_the_game();
    open(&mut session, "#law \"Empty\" on place\n  (require (not mark))\n");
    let form = ask(&mut session, "hover", 1, 5);
    assert!(form["contents"]["value"].as_str().unwrap().contains("(require C [REASON])"), "{form}");
    assert_eq!(form["range"]["start"], json!({ "line": 1, "character": 3 }));
    let name = ask(&mut session, "hover", 1, 17);
    assert_eq!(name["contents"]["value"], "mark: property of cell");
    assert_eq!(ask(&mut session, "hover", 9, 9), Value::Null);
}

#[test]
fn what_cannot_be_read_is_answered_and_ends_nothing() {
    let mut session = within_the_game();
    let said = |session: &mut Session, text: &str| -> Vec<Value> {
        session.hear(text).iter().map(|said| serde_json::from_str(said).unwrap()).collect()
    };
    assert_eq!(said(&mut session, "{")[0]["error"]["code"], -32700);
    assert_eq!(said(&mut session, "[1]")[0]["error"]["code"], -32600);
    assert_eq!(said(&mut session, r#"{"id":3,"method":"textDocument/fly"}"#)[0]["error"]["code"], -32601);
    assert_eq!(said(&mut session, r#"{"method":"textDocument/fly"}"#), Vec::<Value>::new());
    assert_eq!(said(&mut session, r#"{"method":"textDocument/didOpen","params":7}"#), Vec::<Value>::new());
    let wrong = json!({ "textDocument": { "uri": "none" }, "position": { "line": -1, "character": 1e9 } });
    let answer = hear(&mut session, json!({ "id": 4, "method": "textDocument/hover", "params": wrong }));
    assert_eq!(answer[0]["result"], Value::Null);
    assert_eq!(open(&mut session, "(((\"").len().min(1), 1, "broken text is ordinary text");
}
