//! A text that is changed by looking and clicking as well as by typing: requests beside those of the language server.

use crate::find;
use crate::session::files;
use houserules_gdl::words;
use houserules_library::{self as library, gdf};
use houserules_model::{Definition, forms};
use houserules_studio::{
    Around, Blocks, Change, Document, Graph, Names, Picture, Reading, Refused, Step, Stepped, fit, kind,
};
use serde_json::{Value, json};

/// A game that is made: its files, and what a running match knows of it.
pub struct Studio {
    document: Document,
    /// It was opened from a game file in XML, and is saved as one.
    from_xml: bool,
    /// The definition that the match beside it was last told.
    played: Option<Definition>,
}

/// Of a longer text nothing is drawn.
const LONGEST: usize = 1 << 20;
/// More files than a game has.
const MOST_FILES: usize = 64;

impl Studio {
    pub fn answer(studio: &mut Option<Studio>, method: &str, params: &Value) -> Result<Value, Refused> {
        let method = method.trim_start_matches("studio/");
        if method == "forms" {
            return Ok(table());
        }
        if method == "open" {
            let opened = studio.insert(Studio::open(files(&params["files"]), params["file"].as_str())?);
            opened.from_xml |= params["xml"] == true;
            // What was done before the connection was lost, or the page closed.
            if let Ok(steps) = serde_json::from_value::<Vec<Step>>(params["steps"].clone()) {
                let done = params["done"].as_u64().unwrap_or_default() as usize;
                opened.document.remember(steps, done);
            }
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
            "file" => {
                studio.turn_to(params["path"].as_str().unwrap_or_default(), params["text"].as_str())?;
                studio.state(&Stepped::default())
            }
            // The same as a game file in XML.
            "game-file" => json!(houserules_studio::game_file(document.reading())?),
            "blocks" => json!(Blocks::at(document.reading(), at)),
            "around" => json!(Around::at(document.reading(), at)),
            // What stands at a byte, all at once.
            "look" => {
                let reading = document.reading();
                json!({ "blocks": Blocks::at(reading, at), "around": Around::at(reading, at), "names": named(reading) })
            }
            "places" => json!(document.places(at)),
            "graph" => json!(Graph::of(document.reading())),
            "diagram" => diagram(&document.reading().definition),
            "names" => named(document.reading()),
            // What must be told the match so that it goes on by the text as it stands.
            "fit" => studio.fit(),
            // It was told, and goes on by it.
            "fitted" => {
                studio.played = Some(studio.document.reading().definition.clone());
                Value::Null
            }
            // Another match, which knows nothing of what was told.
            "unfitted" => {
                studio.played = None;
                Value::Null
            }
            _ => return Err(Refused::new("studio/unknown", format!("`studio/{method}` is not answered here."))),
        })
    }

    /// The first file is that with which the game begins; what is looked at first may be another one.
    fn open(mut all: Vec<(String, String)>, file: Option<&str>) -> Result<Studio, Refused> {
        all.truncate(MOST_FILES);
        let Some((path, text)) = all.first_mut() else {
            return Err(Refused::new("studio/empty", "There is no file to open."));
        };
        let from_xml = path.ends_with(library::GAME_FILE_ENDING);
        if from_xml {
            let reading = gdf::read(path, text);
            if let Some(fault) = reading.loaded.diagnostics.iter().find(|fault| fault.is_error()) {
                let place = fault.labels.first().and_then(|label| reading.loaded.sources.place(label.origin));
                let place = place.map(|place| format!("{path}, line {}: ", place.line)).unwrap_or_default();
                let said = fault.labels.first().map(|label| format!(" {}", label.text)).unwrap_or_default();
                let hint = fault.hint.as_ref().map(|hint| format!(" {hint}")).unwrap_or_default();
                return Err(Refused::new("studio/xml", format!("{place}{}.{said}{hint}", fault.title)));
            }
            *text = gdf::to_gdl(&reading.loaded.definition, &reading.remarks);
            *path = format!("{}.gdl", path.trim_end_matches(library::GAME_FILE_ENDING));
        }
        all.iter().try_for_each(|(_, text)| too_long(text))?;
        let at = all.iter().position(|(path, _)| Some(path.as_str()) == file).unwrap_or(0);
        Ok(Studio { document: Document::of(all, at), from_xml, played: None })
    }

    /// Another file is looked at; one that is not there is made where a text for it is given.
    fn turn_to(&mut self, path: &str, text: Option<&str>) -> Result<(), Refused> {
        if self.document.turn_to(path) {
            return Ok(());
        }
        let Some(text) = text else {
            return Err(Refused::new("studio/path", format!("There is no file “{path}”.")));
        };
        if path.trim() != path || path.is_empty() || path.contains(['\\', '"']) || !path.ends_with(".gdl") {
            return Err(Refused::new("studio/path", "A file of a game has a name that ends in `.gdl`."));
        }
        if self.document.files().len() >= MOST_FILES {
            return Err(Refused::new("studio/files", format!("A game has at most {MOST_FILES} files.")));
        }
        too_long(text)?;
        self.document.add_file(path, text);
        self.document.turn_to(path);
        Ok(())
    }

    fn state(&self, stepped: &Stepped) -> Value {
        let document = &self.document;
        let (steps, done) = document.steps();
        let steps: Vec<Value> = steps.iter().map(|step| json!({ "what": step.what, "name": step.name })).collect();
        let files: Vec<Value> =
            document.files().iter().map(|(path, text)| json!({ "path": path, "text": text })).collect();
        json!({
            "text": document.text(),
            "path": document.path(),
            "files": if stepped.edits.is_empty() || stepped.elsewhere { json!(files) } else { Value::Null },
            "xml": self.from_xml,
            // Told at once, so that a match beside it need not ask.
            "fit": self.played.as_ref().map(|_| self.fit()),
            "edits": stepped.edits,
            "at": stepped.at,
            "picture": Picture::of(document),
            "steps": steps,
            // With it, and those before, the browser can open the text again as it was.
            "step": document.steps().0.last(),
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

/// The names that the text makes, each with what it is the name of.
fn named(reading: &Reading) -> Value {
    let names = Names::of(reading);
    let made = names.all().iter().filter(|found| found.defines);
    made.map(|found| json!([find::sort(found.meaning.sort), &*found.meaning.name])).collect()
}

/// The messages and states of a definition as boxes and arrows.
fn diagram(definition: &Definition) -> Value {
    let diagram = library::diagram(definition);
    let boxes = diagram.boxes.iter().map(|known| {
        json!({ "name": known.name, "lines": known.lines, "choice": known.choice, "start": known.start, "end": known.end })
    });
    let arrows = diagram.arrows.iter().map(|arrow| json!({ "from": arrow.from, "to": arrow.to, "label": arrow.label }));
    json!({ "boxes": boxes.collect::<Vec<_>>(), "arrows": arrows.collect::<Vec<_>>() })
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
