//! One editor's texts, and answers to what it asks of them: the protocol without a wire.

use crate::complete::{Kind, complete};
use crate::diagnose::{Context, Found, diagnose};
use crate::find;
use crate::hover::hover;
use crate::studio::Studio;
use crate::text::{self, At};
use houserules_model::{Definition, Severity};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A conversation with an editor.
///
/// Whatever is heard is answered or passed over; nothing ends the conversation but its end.
/// Texts are told whole with every change.
#[derive(Default)]
pub struct Session {
    within: Option<Context>,
    /// The text that is changed by looking and clicking, too.
    studio: Option<Studio>,
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
const REQUEST_FAILED: i32 = -32803;

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
            "textDocument/definition" => done(self.found(params, find::definition)),
            "textDocument/references" => done(self.found(params, find::references)),
            "textDocument/prepareRename" => done(self.found(params, find::renamable)),
            "textDocument/rename" => match self.rename(params) {
                Ok(edits) => done(edits),
                Err(words) => vec![refused(id, REQUEST_FAILED, &words)],
            },
            "textDocument/formatting" => done(self.formatting(params)),
            "textDocument/documentSymbol" => done(self.symbols(params)),
            "textDocument/codeAction" => done(self.fixes(params)),
            _ if method.starts_with("studio/") => match Studio::answer(&mut self.studio, method, params) {
                Ok(result) => done(result),
                Err(refusal) => {
                    let error = json!({ "code": REQUEST_FAILED, "message": refusal.words, "data": refusal.code });
                    vec![json!({ "jsonrpc": "2.0", "id": id, "error": error })]
                }
            },
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

    fn text<'a>(&'a self, params: &'a Value) -> Option<(&'a str, &'a Text)> {
        let uri = params["textDocument"]["uri"].as_str()?;
        Some((uri, self.texts.get(uri)?))
    }

    fn found(&self, params: &Value, find: impl Fn(&str, &str, usize) -> Value) -> Value {
        let Some((text, byte)) = self.asked(params) else { return Value::Null };
        find(params["textDocument"]["uri"].as_str().unwrap_or_default(), &text.text, byte)
    }

    fn rename(&self, params: &Value) -> Result<Value, String> {
        let Some((text, byte)) = self.asked(params) else { return Ok(Value::Null) };
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        find::rename(uri, &text.text, byte, params["newName"].as_str().unwrap_or_default())
    }

    fn formatting(&self, params: &Value) -> Value {
        let Some((_, text)) = self.text(params) else { return Value::Null };
        match houserules_gdl::format(&text.text) {
            Ok(laid) => find::edits(
                &text.text,
                &houserules_studio::difference(&text.text, &laid).into_iter().collect::<Vec<_>>(),
            ),
            // Broken text is left as it is: what is wrong with it was told.
            Err(_) => json!([]),
        }
    }

    fn symbols(&self, params: &Value) -> Value {
        self.text(params).map_or(Value::Null, |(uri, text)| find::symbols(uri, &text.text))
    }

    fn fixes(&self, params: &Value) -> Value {
        let Some((uri, text)) = self.text(params) else { return Value::Null };
        let place = |place: &Value| Some(At { line: number(&place["line"])?, character: number(&place["character"])? });
        let (Some(start), Some(end)) = (place(&params["range"]["start"]), place(&params["range"]["end"])) else {
            return Value::Null;
        };
        let (start, end) = (text::byte(&text.text, start), text::byte(&text.text, end));
        let (_, found) = diagnose(self.within.as_ref(), uri, &text.text);
        let here = found.iter().filter(|found| found.start <= end && start <= found.end);
        Value::Array(here.filter_map(|found| find::fix(uri, &text.text, found)).collect())
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
            "definitionProvider": true,
            "referencesProvider": true,
            "renameProvider": { "prepareProvider": true },
            "documentFormattingProvider": true,
            "documentSymbolProvider": true,
            "codeActionProvider": { "codeActionKinds": ["quickfix"] },
        },
        "serverInfo": { "name": "houserules" },
    })
}

/// The files of a game, as `[{"path": …, "text": …}]`.
pub(crate) fn files(value: &Value) -> Vec<(String, String)> {
    let files = value.as_array().map(Vec::as_slice).unwrap_or_default();
    let word = |value: &Value| value.as_str().map(str::to_owned);
    files.iter().filter_map(|file| Some((word(&file["path"])?, word(&file["text"])?))).take(MOST_TEXTS).collect()
}

pub(crate) fn number(value: &Value) -> Option<u32> {
    value.as_u64()?.try_into().ok()
}

pub(crate) fn range(text: &str, start: usize, end: usize) -> Value {
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
        // To do is no fault: the protocol has a rank of its own for what is only good to know.
        "severity": match found.severity { Severity::Error => 1, Severity::Warning => 2, Severity::ToDo => 3 },
        "code": found.code,
        "source": "houserules",
        "message": message,
    })
}

fn refused(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}
