//! Rules typed during a match: text that is put into a definition.

use houserules_check::check;
use houserules_gdl::{Sources, read_items, render_all};
use houserules_machine::BY_HAND;
use houserules_model::{Definition, Diagnostic, Edit, ItemKind};

/// The name under which typed text is quoted in messages.
const TYPED: &str = "the change";

/// The definition with what was typed put into it: rules, properties, entities, views, settings. The messages say
/// what stands against it. The texts come back with the typed one among them.
pub fn changed(definition: &Definition, sources: &Sources, text: &str) -> Result<(Definition, Sources), String> {
    put(definition, sources, text)
}

/// What the checker says about secrets that a definition gives away and another one did not.
pub fn leaks(before: &Definition, after: &Definition, sources: &Sources) -> Option<String> {
    let leak = |fault: &Diagnostic| fault.code == "sight/leak";
    let old: Vec<String> = check(before).iter().filter(|fault| leak(fault)).map(told).collect();
    let new: Vec<Diagnostic> =
        check(after).into_iter().filter(|fault| leak(fault) && !old.contains(&told(fault))).collect();
    (!new.is_empty()).then(|| render_all(&new, sources, false).trim_end().to_owned())
}

/// The definition with statements of a referee as a rule on [`BY_HAND`] to the things of a model.
pub fn by_hand(
    definition: &Definition,
    sources: &Sources,
    model: &str,
    statements: &str,
) -> Result<Definition, String> {
    if statements.trim().is_empty() {
        return Err("What is to be done by hand is missing, such as `(set PROPERTY to VALUE)`.".into());
    }
    let model = houserules_model::print::name(model);
    let text = format!("#sideeffect \"By hand\" on {BY_HAND} to {model}\n  {statements}\n");
    put(definition, sources, &text).map(|(definition, _)| definition)
}

fn put(definition: &Definition, sources: &Sources, text: &str) -> Result<(Definition, Sources), String> {
    let mut sources = sources.clone();
    let render = |faults: &[Diagnostic], sources: &Sources| render_all(faults, sources, false).trim_end().to_owned();
    let (items, faults) = read_items(&mut sources, TYPED, text);
    if faults.iter().any(Diagnostic::is_error) {
        return Err(render(&faults, &sources));
    }
    if items.is_empty() {
        return Err("Nothing was typed that could be put into the rules.".into());
    }
    // A text that begins a game says all of it: what it does not say is gone.
    let whole = items.iter().any(|item| matches!(item.kind, ItemKind::Game { .. }));
    let mut changed = if whole { Definition::new() } else { definition.clone() };
    for item in items {
        let origin = item.origin;
        if let Err(error) = changed.apply(Edit::Put(item)) {
            let fault = Diagnostic::error("change/nothing", "This change does not fit", origin, error.to_string());
            return Err(render(&[fault], &sources));
        }
    }
    // What was wrong before is no fault of the change.
    let old: Vec<String> = check(definition).iter().map(told).collect();
    let new: Vec<Diagnostic> =
        check(&changed).into_iter().filter(|fault| fault.is_error() && !old.contains(&told(fault))).collect();
    // A message no rule sends is right here: the referee does.
    let new: Vec<Diagnostic> = new.into_iter().filter(|fault| !told(fault).contains(BY_HAND)).collect();
    if new.is_empty() { Ok((changed, sources)) } else { Err(render(&new, &sources)) }
}

fn told(fault: &Diagnostic) -> String {
    let labels: Vec<&str> = fault.labels.iter().map(|label| &*label.text).collect();
    format!("{} {}", fault.title, labels.join(" "))
}
