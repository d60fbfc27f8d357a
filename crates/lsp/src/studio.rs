//! A text that is changed by looking and clicking as well as by typing: requests beside those of the language server.

use crate::find;
use crate::session::files;
use houserules_gdl::words;
use houserules_model::{Definition, forms};
use houserules_studio::{Around, Blocks, Change, Document, Names, Picture, Refused, Stepped, fit, kind};
use serde_json::{Value, json};

/// One document, and what a running match knows of it.
pub struct Studio {
    document: Document,
    /// The definition that the match beside it was last told.
    played: Option<Definition>,
}

/// Of a longer text nothing is drawn.
const LONGEST: usize = 1 << 20;

impl Studio {
    pub fn answer(studio: &mut Option<Studio>, method: &str, params: &Value) -> Result<Value, Refused> {
        let method = method.trim_start_matches("studio/");
        if method == "forms" {
            return Ok(table());
        }
        if method == "open" {
            let mut all = files(&params["files"]).into_iter();
            let (path, text) = all.next().ok_or_else(|| Refused::new("studio/empty", "There is no file to open."))?;
            too_long(&text)?;
            let opened = studio.insert(Studio { document: Document::open(&path, &text, all.collect()), played: None });
            return Ok(opened.state(&Stepped::default()));
        }
        let Some(studio) = studio else { return Err(Refused::new("studio/closed", "Nothing is open.")) };
        let at = params["at"].as_u64().unwrap_or_default() as usize;
        let document = &mut studio.document;
        Ok(match method {
            "change" => {
                let change: Change = serde_json::from_value(params["change"].clone())
                    .map_err(|error| Refused::new("edit/unknown", format!("{error}.")))?;
                if let Change::Type { text, .. } = &change {
                    too_long(text)?;
                }
                let stepped = document.change(&change)?;
                studio.state(&stepped)
            }
            "undo" => document.undo().map_or(Value::Null, |stepped| studio.state(&stepped)),
            "redo" => document.redo().map_or(Value::Null, |stepped| studio.state(&stepped)),
            "jump" => {
                let to = params["to"].as_u64().unwrap_or_default() as usize;
                document.jump(to).map_or(Value::Null, |stepped| studio.state(&stepped))
            }
            "blocks" => json!(Blocks::at(document.reading(), at)),
            "around" => json!(Around::at(document.reading(), at)),
            "names" => {
                let names = Names::of(document.reading());
                let named = |found: &&houserules_studio::Use| found.defines;
                names
                    .all()
                    .iter()
                    .filter(named)
                    .map(|found| json!([find::sort(found.meaning.sort), &*found.meaning.name]))
                    .collect()
            }
            // What must be told the match so that it goes on by the text as it stands.
            "fit" => studio.fit(),
            // It was told, and goes on by it.
            "fitted" => {
                studio.played = Some(studio.document.reading().definition.clone());
                Value::Null
            }
            _ => return Err(Refused::new("studio/unknown", format!("`studio/{method}` is not answered here."))),
        })
    }

    fn state(&self, stepped: &Stepped) -> Value {
        let (steps, done) = self.document.steps();
        let steps: Vec<Value> = steps.iter().map(|step| json!({ "what": step.what, "name": step.name })).collect();
        json!({
            "text": self.document.text(),
            "edits": stepped.edits,
            "at": stepped.at,
            "picture": Picture::of(&self.document),
            "steps": steps,
            "done": done,
        })
    }

    fn fit(&self) -> Value {
        let reading = self.document.reading();
        if reading.has_errors() {
            return json!({ "sound": false });
        }
        match &self.played {
            Some(played) => json!({ "sound": true, "text": fit::change(played, &reading.definition) }),
            None => json!({ "sound": true, "text": fit::whole(&reading.definition) }),
        }
    }
}

fn too_long(text: &str) -> Result<(), Refused> {
    match text.len() > LONGEST {
        true => Err(Refused::new("studio/long", "The text is longer than 1 MB.")),
        false => Ok(()),
    }
}

/// Every form, as lists of statements show them: what it is called, its colour, and what is written for a new one.
fn table() -> Value {
    let line = |def: &forms::FormDef| {
        json!({
            "form": format!("{:?}", def.form),
            "head": def.head,
            "usage": def.usage(),
            "kind": kind(def.form),
            "shelf": format!("{:?}", def.shelf),
            "about": def.summary,
            "text": houserules_studio::fresh(def.form),
        })
    };
    // What is no form and no directive: words that are there from the start.
    let plain = words().into_iter().filter(|word| !word.starts_with('#') && forms::with_head(word).next().is_none());
    json!({ "forms": forms::all().iter().map(line).collect::<Vec<_>>(), "words": plain.collect::<Vec<_>>() })
}
