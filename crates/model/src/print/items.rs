//! Items as directives.

use super::{expr, name, quoted};
use crate::*;
use std::fmt;

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&item(self))
    }
}

/// The whole definition as one text: directives in order, a model's parts under its name, variants last,
/// because a variant takes everything up to the end.
impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (variants, others): (Vec<&Item>, Vec<&Item>) =
            after_their_targets(self.items()).into_iter().partition(|item| matches!(item.kind, ItemKind::Variant(_)));
        f.write_str(&items(others.into_iter().chain(variants), 0))
    }
}

fn items<'a>(list: impl IntoIterator<Item = &'a Item>, indent: usize) -> String {
    let mut text = String::new();
    let mut open: Option<&Name> = None;
    for item in in_order(list) {
        // With nothing open, a property is the game's.
        let bare = open.is_none() && is_game_property(&item.kind);
        // Stands anywhere, and leaves open what is open.
        if matches!(item.kind, ItemKind::Editor(_)) {
            push(&mut text, indent, &directive(&item.kind));
            continue;
        }
        let owner = if bare { None } else { owner(&item.kind) };
        if let Some(owner) = owner
            && open != Some(owner)
        {
            push(&mut text, indent, &format!("#model {}", name(owner)));
        }
        open = match &item.kind {
            ItemKind::Model { name, .. } => Some(name),
            _ => owner,
        };
        push(&mut text, indent + if owner.is_some() { 2 } else { 0 }, &directive(&item.kind));
    }
    text
}

/// A rule put before another one is read when the other is there.
fn after_their_targets(list: &[Item]) -> Vec<&Item> {
    let target = |item: &Item| match &item.kind {
        ItemKind::Rule(Rule { before: Some((before, _)), .. }) => Some(Key::Rule(before.clone())),
        _ => None,
    };
    let mut ordered = Vec::new();
    let mut waiting: Vec<&Item> = Vec::new();
    for (at, item) in list.iter().enumerate() {
        let later = target(item).is_some_and(|key| list[at..].iter().any(|other| other.key().as_ref() == Some(&key)));
        if later {
            waiting.push(item);
            continue;
        }
        ordered.push(item);
        let mut last = ordered.len() - 1;
        while last < ordered.len() {
            let key = ordered[last].key();
            let (ready, rest) = waiting.into_iter().partition(|waits| target(waits) == key && key.is_some());
            waiting = rest;
            ordered.extend::<Vec<&Item>>(ready);
            last += 1;
        }
    }
    ordered.extend(waiting);
    ordered
}

/// A define of nobody that follows a model's parts would be read as the model's: it goes before them.
fn in_order<'a>(list: impl IntoIterator<Item = &'a Item>) -> Vec<&'a Item> {
    let mut ordered: Vec<&Item> = Vec::new();
    // Where the models begin that are open at the end of `ordered`.
    let mut block = 0;
    for item in list {
        match &item.kind {
            ItemKind::Define(Define { of: None, .. }) => {
                ordered.insert(block, item);
                block += 1;
            }
            ItemKind::Editor(_) => ordered.push(item),
            kind => {
                let bare = block == ordered.len() && is_game_property(kind);
                ordered.push(item);
                if bare || owner(kind).is_none() && !matches!(kind, ItemKind::Model { .. }) {
                    block = ordered.len();
                }
            }
        }
    }
    ordered
}

fn is_game_property(kind: &ItemKind) -> bool {
    matches!(kind, ItemKind::Property(own) if &*own.of == "game")
}

fn push(text: &mut String, indent: usize, lines: &str) {
    for line in lines.lines() {
        text.push_str(&format!("{:indent$}{line}\n", ""));
    }
}

/// One item alone, with the model it belongs to.
fn item(item: &Item) -> String {
    match owner(&item.kind) {
        Some(_) if is_game_property(&item.kind) => directive(&item.kind),
        Some(owner) => format!("#model {}\n  {}", name(owner), directive(&item.kind).replace('\n', "\n  ")),
        None => directive(&item.kind),
    }
}

/// The model that must be open before the directive.
fn owner(kind: &ItemKind) -> Option<&Name> {
    match kind {
        ItemKind::Property(Property { of, .. })
        | ItemKind::Behavior(Behavior { of, .. })
        | ItemKind::State { of, .. }
        | ItemKind::Define(Define { of: Some(of), .. })
        | ItemKind::Contents { of, .. }
        | ItemKind::Capacity { of, .. }
        | ItemKind::Supply { of, .. }
        | ItemKind::Symbol { of, .. }
        | ItemKind::Look { of, .. } => Some(of),
        _ => None,
    }
}

fn directive(kind: &ItemKind) -> String {
    match kind {
        ItemKind::Game { name } => format!("#game {}", quoted(name)),
        ItemKind::Info { key, text } => format!("#info {} {}", name(key), quoted(text)),
        ItemKind::Setting(item) => setting(item),
        ItemKind::Set { setting, value } => format!("#set {} {}", name(setting), expr(value)),
        ItemKind::Players(item) => players(item),
        ItemKind::Teams(teams) => join("#teams", teams.iter().map(expr)),
        ItemKind::Turns(Turns::ByRules) => "; turns pass by rules only".into(),
        ItemKind::Turns(Turns::Passing) => "#turns".into(),
        ItemKind::Turns(Turns::Free) => "#turns free".into(),
        ItemKind::History(item) => {
            let things = item.things.iter().map(|(thing, _)| guarded(thing, &["by"]));
            join("#history", things.chain(item.by_player.then(|| "by player".into())))
        }
        ItemKind::OpenProperties => "#properties open".into(),
        ItemKind::Setup(items) => format!("#setup{}", body(items)),
        ItemKind::Picture { property, rows } => join(
            "#picture",
            property.iter().map(|property| property.to_string()).chain(rows.iter().map(|row| quoted(row))),
        ),
        ItemKind::Model { name: model, parent: None } => format!("#model {}", name(model)),
        ItemKind::Model { name: model, parent: Some(parent) } => format!("#model {} is {}", name(model), name(parent)),
        ItemKind::Property(item) => property(item),
        ItemKind::Define(item) => define(item),
        ItemKind::Behavior(item) => behavior(item),
        ItemKind::State { name: own, .. } => format!("#state {}", name(own)),
        ItemKind::Contents { seen, counted, .. } => {
            let seen = seen.iter().map(|who| format!("seen by {}", sight(who)));
            join("#contents", seen.chain(counted.iter().map(|who| format!("counted by {}", sight(who)))))
        }
        ItemKind::Capacity { most, .. } => format!("#capacity {}", expr(most)),
        ItemKind::Supply { model, most, .. } => join(&format!("#supply {}", name(model)), most.iter().map(expr)),
        ItemKind::Symbol { signs, .. } => join("#symbol", signs.iter().map(self::signs)),
        ItemKind::Look { attribute, value, .. } => format!("#look {} {}", name(attribute), expr(value)),
        ItemKind::Entity(item) => entity(item),
        ItemKind::Board(item) => board(item),
        ItemKind::Directions { name: own, paths: DirectionPaths::Leap(left, right) } => {
            format!("#directions {} leap {} {}", name(own), expr(left), expr(right))
        }
        ItemKind::Directions { name: own, paths: DirectionPaths::Paths(paths) } => {
            let paths = paths.iter().map(|path| match path.as_slice() {
                [step] => guarded(step, &["leap"]),
                steps => format!("({})", steps.iter().map(|step| name(step)).collect::<Vec<_>>().join(" ")),
            });
            join(&format!("#directions {}", name(own)), paths)
        }
        ItemKind::Link(item) => {
            let places = item.places.iter().map(|(place, _)| place_name(place));
            let relation = item.relation.iter().map(|relation| format!("as {}", name(relation)));
            let parts = places.chain(relation).chain(item.one_way.then(|| "one way".into()));
            join("#link", parts.chain(for_each(&item.each)))
        }
        ItemKind::Spot(item) => {
            let at = item.at.iter().map(|(column, row)| format!("at {} {}", expr(column), expr(row)));
            join(&format!("#place {}", place_name(&item.name)), at.chain(for_each(&item.each)))
        }
        ItemKind::Edges(item) => {
            let head = format!("#edges {} between {}", name(&item.model), name(&item.between));
            join(&head, item.along.iter().map(|along| format!("along {}", name(along))))
        }
        ItemKind::Action(item) => action(item),
        ItemKind::Rule(item) => rule(item),
        ItemKind::RuleMode { rule, mode } => format!("#rule {} {}", quoted(rule), self::mode(*mode)),
        ItemKind::RuleBody { rule, body: items } => format!("#rule {} instead{}", quoted(rule), body(items)),
        ItemKind::Editor(item) => editor(item),
        ItemKind::Evaluator { name, value } => format!("#evaluator {}\n  {}", quoted(name), expr(value)),
        ItemKind::View(item) => view(item),
        ItemKind::Variant(item) => {
            let head = format!("#variant {}", quoted(&item.name));
            let from = item.from.iter().map(|from| format!("from {}", quoted(from)));
            format!("{}\n{}", join(&head, from), items(&item.changes, 2))
        }
    }
}

fn join(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    std::iter::once(head.to_string()).chain(parts).collect::<Vec<_>>().join(" ")
}

/// The name of a place; a text may have values between braces.
fn place_name(place: &Expr) -> String {
    match &place.kind {
        ExprKind::Text(text) if !text.contains('{') => guarded(text, &["as", "one", "for", "at"]),
        _ => expr(place),
    }
}

fn for_each(each: &[(Name, Expr)]) -> impl Iterator<Item = String> {
    each.iter().map(|(own, list)| format!("for each {} in {}", name(own), expr(list)))
}

/// A name that is none of the words that could stand in its place.
fn guarded(text: &str, words: &[&str]) -> String {
    if words.contains(&text) { quoted(text) } else { name(text) }
}

/// Each statement on a line of its own. The first one is a form: a bare word there would belong to the head.
fn body(items: &[Expr]) -> String {
    let lines = items.iter().enumerate().map(|(at, item)| match &item.kind {
        ExprKind::Word(word) if at == 0 => format!("\n  ({word})"),
        _ => format!("\n  {}", expr(item)),
    });
    lines.collect()
}

fn setting(item: &Setting) -> String {
    let mut parts = vec![format!("#setting {} {}", name(&item.name), expr(&item.value))];
    parts.extend(item.range.iter().map(|(least, most)| format!("from {} to {}", expr(least), expr(most))));
    parts.extend(item.text.iter().map(|text| quoted(text)));
    if !item.among.is_empty() {
        parts.push(join("among", item.among.iter().map(expr)));
    }
    parts.join(" ")
}

fn players(item: &Players) -> String {
    if let Some(model) = &item.are {
        return format!("#players are {}", name(model));
    }
    let names = item.names.iter().map(|player| {
        join(&quoted(&player.name), player.facing.iter().map(|facing| format!("facing {}", name(facing))))
    });
    let n = item.names.len() as u32;
    if item.least == n && item.most == n && n > 0 {
        return join("#players", names);
    }
    let count = format!("#players {} to {}", item.least, item.most);
    if n == 0 { count } else { join(&format!("{count} named"), names) }
}

fn property(item: &Property) -> String {
    let role = match item.role {
        Role::Property => "#property",
        Role::Relation => "#relation",
        Role::Appearance => "#appearance",
    };
    let mut parts = vec![role.to_string(), name(&item.name)];
    parts.extend(item.value.iter().map(|value| match &value.kind {
        ExprKind::Word(word) if ["seen", "untracked"].contains(&&**word) => format!("({word})"),
        _ => expr(value),
    }));
    parts.extend(item.seen.iter().map(|who| format!("seen by {}", sight(who))));
    parts.extend(item.untracked.then(|| "untracked".to_string()));
    parts.join(" ")
}

fn sight(who: &Sight) -> String {
    match who {
        Sight::Everyone => "everyone".into(),
        Sight::Nobody => "nobody".into(),
        Sight::Myself => "self".into(),
        Sight::Owner => "owner".into(),
        Sight::Those(Expr { kind: ExprKind::Word(word), .. })
            if ["everyone", "nobody", "self", "owner"].contains(&&**word) =>
        {
            format!("({word})")
        }
        Sight::Those(those) => expr(those),
    }
}

fn define(item: &Define) -> String {
    let head = join(&format!("#define {}", name(&item.name)), item.params.iter().map(|param| param.to_string()));
    match item.body.as_slice() {
        [only] => format!("{head} {}", expr(only)),
        items => format!("{head}{}", body(items)),
    }
}

fn behavior(item: &Behavior) -> String {
    let head = join(&format!("#onMessage {}", name(&item.label)), item.attributes.iter().map(|word| word.to_string()));
    format!("#state {}\n{head}{}", name(&item.state), body(&item.body))
}

fn signs(item: &Signs) -> String {
    let signs = item.signs.iter().map(|sign| quoted(sign)).collect::<Vec<_>>().join(" ");
    match &item.state {
        Some(state) => format!("in {} {signs}", name(state)),
        None => signs,
    }
}

fn entity(item: &Entity) -> String {
    let mut parts = vec!["#entity".to_string()];
    parts.extend(item.name.iter().map(|own| format!("{} is", name(own))));
    parts.push(name(&item.model));
    parts.extend(item.times.iter().map(|times| format!("{} times", expr(times))));
    parts.extend(item.each.iter().map(|each| match each {
        ForEach::Player => "for each player".into(),
        ForEach::In(property, list) => format!("for each {} in {}", name(property), expr(list)),
    }));
    parts.extend(item.at.iter().map(|at| format!("at {}", expr(at))));
    if !item.with.is_empty() {
        let pairs = item.with.iter().map(|(own, value)| format!("{} {}", guarded(own, &["for", "at"]), expr(value)));
        parts.push(join("with", pairs));
    }
    parts.join(" ")
}

fn board(item: &Board) -> String {
    let shape = match &item.shape {
        Shape::Grid { width, height, wrapping } => {
            format!("grid {} {}{}", expr(width), expr(height), if *wrapping { " wrapping" } else { "" })
        }
        Shape::Rhombus { width, height } => format!("rhombus {} {}", expr(width), expr(height)),
        Shape::Hex { side } => format!("hex {}", expr(side)),
        Shape::Triangle { side } => format!("triangle {}", expr(side)),
        Shape::Ring { n } => format!("ring {}", expr(n)),
        Shape::Track { n } => format!("track {}", expr(n)),
        Shape::Graph => "graph".into(),
    };
    let mut parts = vec![format!("#board {} {shape}", name(&item.model))];
    parts.extend(item.cut.iter().map(|cut| format!("where {}", expr(cut))));
    parts.extend(item.name.iter().map(|own| format!("named {}", name(own))));
    parts.extend(item.each_player.then(|| "for each player".to_string()));
    parts.extend(item.naming.iter().map(|word| format!("naming {}", name(word))));
    parts.join(" ")
}

fn action(item: &Action) -> String {
    let mut parts = vec![format!("#action {}", name(&item.label))];
    parts.extend(item.to.iter().map(|to| match &to.kind {
        // The name of a model may be more than a plain word.
        ExprKind::Word(model) => format!("to {}", name(model)),
        _ => format!("to {}", expr(to)),
    }));
    if !item.with.is_empty() {
        let pairs =
            item.with.iter().map(|(own, domain)| format!("{} {}", guarded(own, &["when", "to", "as"]), expr(domain)));
        parts.push(join("with", pairs));
    }
    parts.extend(item.words.iter().map(|words| format!("as {}", quoted(words))));
    parts.extend(item.when_asked.then(|| "when asked".to_string()));
    parts.join(" ") + &item.body.as_deref().map(body).unwrap_or_default()
}

fn rule(item: &Rule) -> String {
    let (word, on) = match item.kind {
        RuleKind::Law => ("#law", "on"),
        RuleKind::AfterLaw => ("#law", "after"),
        RuleKind::SideEffect => ("#sideeffect", "on"),
    };
    let mut parts = vec![word.to_string(), quoted(&item.name)];
    let mut names = |word: &str, names: &[(Name, Origin)]| {
        if !names.is_empty() {
            let names = names.iter().map(|(own, _)| guarded(own, &["on", "after", "to", "in", "before", "is"]));
            parts.push(join(word, names));
        }
    };
    names(on, &item.labels);
    names("to", &item.to);
    names("in", &item.states);
    names("before", item.before.as_slice());
    let text = parts.join(" ") + &body(&item.body);
    match item.mode {
        Mode::Enforced => text,
        other => format!("{text}\n#rule {} {}", quoted(&item.name), mode(other)),
    }
}

fn editor(item: &Editor) -> String {
    let mut parts = vec!["#editor".to_string()];
    match item {
        Editor::Layer { name: own, visible, protected } => {
            parts.push(format!("layer {}", guarded(own, &["hidden", "protected"])));
            parts.extend((!visible).then(|| "hidden".to_string()));
            parts.extend(protected.then(|| "protected".to_string()));
        }
        Editor::Slot { relation, of, lane, layer } => {
            parts.push(format!("slot {} of {}", guarded(relation, &["of"]), name(of)));
            parts.extend(lane.map(|lane| lane.word().to_string()));
            parts.extend(layer.iter().map(|layer| format!("on {}", name(layer))));
        }
        Editor::Put { entity, layer } => parts.push(format!("put {} on {}", guarded(entity, &["on"]), name(layer))),
        Editor::Workspace { width, height } => parts.push(format!("workspace {width} {height}")),
        Editor::Group { name: own, entities } => {
            parts.push(format!("group {}", name(own)));
            parts.extend(entities.iter().map(|entity| name(entity)));
        }
        Editor::Keep { of, text } => {
            parts.push(match of {
                Drawn::Game => "keep game".into(),
                Drawn::Model(own) => format!("keep model {}", name(own)),
                Drawn::Slot(relation, of) => format!("keep slot {} of {}", guarded(relation, &["of"]), name(of)),
                Drawn::Entity(own) => format!("keep entity {}", name(own)),
            });
            parts.push(quoted(text));
        }
    }
    parts.join(" ")
}

fn mode(mode: Mode) -> &'static str {
    match mode {
        Mode::Enforced => "enforced",
        Mode::Advised => "advised",
        Mode::Off => "off",
    }
}

fn view(item: &View) -> String {
    let mut lines = vec![format!("#view {} of {}", name(&item.name), name(&item.of))];
    for (own, value) in &item.properties {
        lines.push(join(&format!("  #property {}", name(own)), value.iter().map(expr)));
    }
    lines.extend(item.behaviors.iter().map(|own| format!("  {}", behavior(own).replace('\n', "\n  "))));
    lines.join("\n")
}
