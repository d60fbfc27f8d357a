//! `Print Game`: everything there is, in the words of the language.

use std::collections::HashMap;

use houserules_kernel::{ThingView, View};
use houserules_library::bgd_syntax::{Attr, Instance, Location, Name, Player, Program};

/// A match as the program it is played by calls it.
pub struct Dump<'a> {
    program: &'a Program,
    joined: &'a [(String, String)],
    known: HashMap<(&'a str, &'a str), &'a str>,
    lying: HashMap<&'a str, Vec<&'a str>>,
}

impl<'a> Dump<'a> {
    /// Properties are known by whose they are and what they are called.
    pub fn new(
        program: &'a Program,
        joined: &'a [(String, String)],
        known: impl Iterator<Item = ((&'a str, &'a str), &'a str)>,
        view: &'a View,
    ) -> Self {
        let names = |things: &'a [ThingView]| things.iter().map(|thing| thing.name.as_str()).collect();
        let places = view.things.iter().filter_map(|thing| Some((&*thing.name, names(thing.contents.as_deref()?))));
        let cells = view.boards.iter().flat_map(|board| &board.cells);
        let cells = cells.filter_map(|cell| Some((&*cell.name, names(cell.pieces.as_deref()?))));
        Dump { program, joined, known: known.collect(), lying: places.chain(cells).collect() }
    }

    pub fn text(&self) -> String {
        let mut lines = vec!["Players:".to_owned()];
        for player in &self.program.players.list {
            lines.push(self.player(&player.name.text));
            lines.extend(self.attributes(&player.name.text, &player.attrs).iter().map(|line| format!("\t{line}")));
        }
        let turn = self.known.get(&("game", "CurrentTurn")).copied().unwrap_or_default();
        lines.push(format!("CurrentTurn: {}", self.player(turn)));
        lines.push("Locations:".to_owned());
        let mut locations: Vec<&Location> = self.program.locations.iter().collect();
        locations.sort_by_key(|location| &location.name.text);
        locations.into_iter().for_each(|location| self.location(location, &mut lines));
        lines.push("Actions:".to_owned());
        for action in &self.program.actions {
            let params: Vec<String> =
                action.params.iter().map(|param| format!("{} {}", param.kind.text, param.name.text)).collect();
            lines.push(format!("{}({})", action.name.text, params.join(", ")));
        }
        lines.join("\n")
    }

    fn player(&self, name: &str) -> String {
        let by = self.joined.iter().find(|(player, _)| player == name).map_or("Nobody", |(_, by)| by);
        format!("Player: {name} c.b. {by}")
    }

    fn location(&self, location: &Location, lines: &mut Vec<String>) {
        let name = &location.name.text;
        lines.push(name.clone());
        lines.push(format!("\tOwner: {}", self.owner(name)));
        lines.extend(self.attributes(name, &location.attrs).iter().map(|line| format!("\t{line}")));
        let inside = self.lying.get(name.as_str()).map(Vec::as_slice).unwrap_or_default();
        lines.push(if inside.is_empty() { "\tInventory Empty".to_owned() } else { "\tInventory:".to_owned() });
        inside.iter().for_each(|object| self.object(object, lines));
    }

    fn object(&self, name: &str, lines: &mut Vec<String>) {
        let program = self.program;
        let mut instances = program.locations.iter().flat_map(|location| &location.inventory);
        let instance: Option<&Instance> = instances.find(|own| own.name.text == name);
        // What a supply has made is called like its type.
        let kind = instance.map_or(name, |own| own.kind.text.as_str());
        lines.push(if instance.is_some() { format!("\t{kind} {name}") } else { format!("\t{kind}") });
        lines.push(format!("\t\tOwner: {}", self.owner(name)));
        let Some(of_type) = program.types.iter().find(|own| own.name.text == kind) else { return };
        let mut attrs: Vec<&Attr> = of_type.with.attrs.iter().collect();
        let own = instance.iter().flat_map(|own| &own.with.attrs);
        attrs.extend(own.filter(|own| !of_type.with.attrs.iter().any(|known| known.name.text == own.name.text)));
        lines.extend(self.attributes(name, attrs).iter().map(|line| format!("\t\t{line}")));
        if of_type.with.randomizer.is_some() || instance.is_some_and(|own| own.with.randomizer.is_some()) {
            lines.push(format!("\t\tRandomizer Value: {}", self.value(self.kept(name, "Value"))));
        }
    }

    fn owner(&self, of: &str) -> String {
        match self.kept(of, "owner") {
            "nil" => "Owner: Public".to_owned(),
            name => format!("Owner: {name}"),
        }
    }

    fn attributes<'s>(&self, of: &str, attrs: impl IntoIterator<Item = &'s Attr>) -> Vec<String> {
        let line = |attr: &Attr| format!("{}: {}", attr.name.text, self.value(self.kept(of, &attr.name.text)));
        attrs.into_iter().map(line).collect()
    }

    /// A property; one whose name is taken has an ending in the definition.
    fn kept(&self, of: &str, name: &str) -> &str {
        let renamed = format!("{name}-of");
        self.known.get(&(of, name)).or_else(|| self.known.get(&(of, &*renamed))).copied().unwrap_or("nil")
    }

    fn value(&self, value: &str) -> String {
        match value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            Some(inside) => {
                let members: String = members(inside).map(|member| self.value(member) + ", ").collect();
                format!("List: [{members}]")
            }
            None => typed(self.program, self.joined, value, None),
        }
    }
}

/// Members of a list as it is written, lists among them as they are.
fn members(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text.trim_start();
    std::iter::from_fn(move || {
        let mut depth = 0_usize;
        let end = rest.find(|letter| {
            match letter {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            letter == ' ' && depth == 0
        });
        let (member, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after.trim_start();
        (!member.is_empty()).then_some(member)
    })
}

/// A value with its type, as recordings have it.
pub fn typed(program: &Program, joined: &[(String, String)], value: &str, kind: Option<&str>) -> String {
    let whole = value.parse::<i64>().is_ok();
    let is = |name: &Name| name.text == value;
    if let "True" | "true" | "False" | "nil" | "nothing" = value {
        format!("Bool: {}", value.eq_ignore_ascii_case("true"))
    } else if whole && kind == Some("double") {
        format!("Double: {value}.0")
    } else if whole {
        format!("Int: {value}")
    } else if value.parse::<f64>().is_ok() {
        format!("Double: {value}")
    } else if program.players.list.iter().any(|player: &Player| is(&player.name)) {
        let by = joined.iter().find(|(player, _)| player == value).map_or("Nobody", |(_, name)| name);
        format!("Player: {value} c.b. {by}")
    } else if program.locations.iter().any(|location| is(&location.name)) {
        format!("Location: {value}")
    } else if program.locations.iter().flat_map(|location| &location.inventory).any(|own| is(&own.name)) {
        format!("Object: {value}")
    } else if program.types.iter().any(|kind| value.starts_with(&kind.name.text)) {
        // Taken from a supply, and called like its type.
        format!("Object: {value}")
    } else {
        format!("String: {value}")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn lists_in_lists_are_members() {
        let found: Vec<&str> = super::members("(Mid South) 3 () Ann").collect();
        assert_eq!(found, ["(Mid South)", "3", "()", "Ann"]);
    }
}
