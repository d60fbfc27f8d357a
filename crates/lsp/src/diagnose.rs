//! What the reader and the checker say of a text.

use houserules_check::check;
use houserules_gdl::{Loaded, Memory, Sources, load, read_items, read_text};
use houserules_model::{Definition, Diagnostic, Edit, Severity};

/// The game into which a text is typed.
pub struct Context {
    definition: Definition,
    sources: Sources,
    /// What is said of the game without the text is no fault of the text.
    known: Vec<String>,
}

impl Context {
    /// A game by its files, the definition first.
    pub fn of(files: &[(String, String)]) -> Option<Self> {
        let (first, text) = files.first()?;
        let Loaded { definition, sources, .. } = match files {
            [_] => read_text(first, text),
            files => {
                let mut memory = Memory::new();
                for (path, text) in files {
                    memory = memory.with(path, text);
                }
                load(&memory, first)
            }
        };
        let known = check(&definition).iter().map(told).collect();
        Some(Context { definition, sources, known })
    }

    pub fn definition(&self) -> &Definition {
        &self.definition
    }
}

/// A message about a text, with the bytes it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    pub severity: Severity,
    pub code: &'static str,
    pub start: usize,
    pub end: usize,
    /// Title, label and notes.
    pub words: String,
    /// What to type next.
    pub hint: Option<String>,
}

/// Reads and checks a text: one that is put into a game, or a whole game. The definition is what it would make.
pub fn diagnose(within: Option<&Context>, name: &str, text: &str) -> (Definition, Vec<Found>) {
    let Some(context) = within else {
        let mut loaded = read_text(name, text);
        let checked = check(&loaded.definition);
        loaded.diagnostics.extend(checked);
        let file = loaded.sources.find(name);
        let found = loaded.diagnostics.iter().map(|fault| found(fault, |origin| Some(origin.file) == file)).collect();
        return (loaded.definition, found);
    };
    let mut sources = context.sources.clone();
    let (items, mut faults) = read_items(&mut sources, name, text);
    let mut definition = context.definition.clone();
    for item in items {
        let origin = item.origin;
        if let Err(error) = definition.apply(Edit::Put(item)) {
            faults.push(Diagnostic::error("change/nothing", "This does not fit", origin, error.to_string()));
        }
    }
    let new = check(&definition).into_iter().filter(|fault| !context.known.contains(&told(fault)));
    faults.extend(new);
    // The same name may be among the files of the game; what was read last is meant.
    let file = sources.iter().filter(|(_, source)| source.name == name).map(|(file, _)| file).last();
    let found = faults.iter().map(|fault| found(fault, |origin| Some(origin.file) == file)).collect();
    (definition, found)
}

/// What lies elsewhere is told at the beginning of the text.
fn found(fault: &Diagnostic, here: impl Fn(&houserules_model::Origin) -> bool) -> Found {
    let label = fault.labels.iter().find(|label| here(&label.origin));
    let (start, end) = label.map_or((0, 0), |label| (label.origin.start as usize, label.origin.end as usize));
    let said = label.or(fault.labels.first()).map(|label| &*label.text).filter(|text| !text.is_empty());
    let words = [Some(&*fault.title), said].into_iter().flatten().chain(fault.notes.iter().map(|note| &**note));
    Found {
        severity: fault.severity,
        code: fault.code,
        start,
        end: end.max(start),
        words: words.collect::<Vec<_>>().join("\n"),
        hint: fault.hint.clone(),
    }
}

fn told(fault: &Diagnostic) -> String {
    let labels: Vec<&str> = fault.labels.iter().map(|label| &*label.text).collect();
    format!("{} {}", fault.title, labels.join(" "))
}
