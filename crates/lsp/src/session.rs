//! One editor's texts, and answers to what it asks of them: the protocol without a wire.

use crate::complete::{Kind, complete};
use crate::diagnose::{Context, Found, diagnose};
use crate::hover::hover;
use crate::text::{self, At};
use houserules_model::Definition;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A conversation with an editor.
///
/// Whatever is heard is answered or passed over; nothing ends the conversation but its end.
/// Texts are told whole with every change.
#[derive(Default)]
pub struct Session {
    within: Option<Context>,
    texts: BTreeMap<String, Text>,
}

struct Text {
    text: String,
    definition: Definition,
}

/// An editor that opens more texts is told nothing of them.
const MOST_TEXTS: usize = 16;
/// Of a longer text nothing is said.
const LONGEST: usize = 1 << 20;
const MOST_OFFERS: usize = 200;

// What the protocol calls its errors.
const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;

impl Session {
    pub fn new() -> Self {
        Session::default()
    }

    /// Hears a message and says what there is to say to it.
    pub fn hear(&mut self, message: &str) -> Vec<String> {
        let said = match serde_json::from_str::<Value>(message) {
            Ok(message) => self.answer(&message),
            Err(error) => vec![refused(&Value::Null, PARSE_ERROR, &format!("This is no JSON: {error}."))],
        };
        said.iter().map(Value::to_string).collect()
    }

    fn answer(&mut self, message: &Value) -> Vec<Value> {
        let (id, params) = (&message["id"], &message["params"]);
        let Some(method) = message["method"].as_str() else {
            // An answer to something nobody asked.
            let meant = message.get("result").is_some() || message.get("error").is_some();
            return if meant { Vec::new() } else { vec![refused(id, INVALID_REQUEST, "`method` is missing.")] };
        };
        let done = |result: Value| vec![json!({ "jsonrpc": "2.0", "id": id, "result": result })];
        match method {
            "initialize" => {
                self.within = Context::of(&files(&params["initializationOptions"]["within"]));
                done(able())
            }
            "shutdown" => done(Value::Null),
            "textDocument/didOpen" => {
                self.told(&params["textDocument"], params["textDocument"]["text"].as_str().unwrap_or_default())
            }
            "textDocument/didChange" => {
                let changes = params["contentChanges"].as_array().map(Vec::as_slice).unwrap_or_default();
                let text = changes.last().and_then(|change| change["text"].as_str()).unwrap_or_default();
                self.told(&params["textDocument"], text)
            }
            "textDocument/didClose" => {
                self.texts.remove(params["textDocument"]["uri"].as_str().unwrap_or_default());
                Vec::new()
            }
            "textDocument/completion" => done(self.completion(params).unwrap_or(Value::Null)),
            "textDocument/hover" => done(self.hover(params).unwrap_or(Value::Null)),
            _ if id.is_null() => Vec::new(),
            _ => vec![refused(id, METHOD_NOT_FOUND, &format!("`{method}` is not answered here."))],
        }
    }

    /// A text as it stands now: what is wrong with it is told.
    fn told(&mut self, document: &Value, text: &str) -> Vec<Value> {
        let Some(uri) = document["uri"].as_str() else { return Vec::new() };
        if text.len() > LONGEST || (self.texts.len() >= MOST_TEXTS && !self.texts.contains_key(uri)) {
            return Vec::new();
        }
        let (definition, found) = diagnose(self.within.as_ref(), uri, text);
        let diagnostics: Vec<Value> = found.iter().map(|found| diagnostic(found, text)).collect();
        self.texts.insert(uri.into(), Text { text: text.into(), definition });
        let params = json!({ "uri": uri, "version": document["version"], "diagnostics": diagnostics });
        vec![json!({ "jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params })]
    }

    fn asked(&self, params: &Value) -> Option<(&Text, usize)> {
        let text = self.texts.get(params["textDocument"]["uri"].as_str()?)?;
        let place = &params["position"];
        let at = At { line: number(&place["line"])?, character: number(&place["character"])? };
        Some((text, text::byte(&text.text, at)))
    }

    fn completion(&self, params: &Value) -> Option<Value> {
        let (text, byte) = self.asked(params)?;
        let kind = |kind| match kind {
            Kind::Name => 6,
            Kind::Form => 3,
            Kind::Directive => 14,
            Kind::Known => 21,
        };
        let offers = complete(&text.definition, &text.text[..byte]);
        let items: Vec<Value> = offers
            .iter()
            .take(MOST_OFFERS)
            .enumerate()
            .map(|(nth, offer)| {
                let order = format!("{nth:04}");
                json!({ "label": offer.word, "kind": kind(offer.kind), "detail": offer.about, "sortText": order })
            })
            .collect();
        Some(json!({ "isIncomplete": offers.len() > MOST_OFFERS, "items": items }))
    }

    fn hover(&self, params: &Value) -> Option<Value> {
        let (text, byte) = self.asked(params)?;
        let (start, word) = text::word(&text.text, byte);
        let said = hover(&text.definition, word)?;
        let range = range(&text.text, start, start + word.len());
        Some(json!({ "contents": { "kind": "plaintext", "value": said }, "range": range }))
    }
}

/// What is answered here.
fn able() -> Value {
    json!({
        "capabilities": {
            "positionEncoding": "utf-16",
            "textDocumentSync": { "openClose": true, "change": 1 },
            "completionProvider": { "triggerCharacters": ["(", "#"] },
            "hoverProvider": true,
        },
        "serverInfo": { "name": "houserules" },
    })
}

/// The files of a game, as `[{"path": …, "text": …}]`.
fn files(value: &Value) -> Vec<(String, String)> {
    let files = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let word = |value: &Value| value.as_str().map(str::to_owned);
    files.iter().filter_map(|file| Some((word(&file["path"])?, word(&file["text"])?))).take(MOST_TEXTS).collect()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

fn range(text: &str, start: usize, end: usize) -> Value {
    let place = |at: At| json!({ "line": at.line, "character": at.character });
    json!({ "start": place(text::at(text, start)), "end": place(text::at(text, end)) })
}

fn diagnostic(found: &Found, text: &str) -> Value {
    let message = match &found.hint {
        Some(hint) => format!("{}\nHint: {hint}", found.words),
        None => found.words.clone(),
    };
    json!({
        "range": range(text, found.start, found.end),
        "severity": if found.is_error { 1 } else { 2 },
        "code": found.code,
        "source": "houserules",
        "message": message,
    })
}

fn refused(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}
