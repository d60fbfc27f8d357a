//! Text to a tree of tags. Every node knows where it stands; broken markup gives a tree all the same.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use houserules_model::{Diagnostic, FileId, Origin};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// The namespace of what this program adds to the format.
pub const NAMESPACE: &str = "urn:houserules:gdf:1";

/// Bytes of a file.
pub const LONGEST: usize = 16 << 20;
/// Tags, attributes and texts of a file.
pub const NODES: usize = 500_000;
/// Tags in tags. A statement stands in two or three of them, so this is far more than [`STATEMENTS`].
const DEEPEST: usize = 512;
/// Statements in statements, those of the definition language as well.
pub const STATEMENTS: usize = 120;

#[derive(Debug)]
pub struct Element<'t> {
    pub name: Tag<'t>,
    pub attributes: Vec<Attribute<'t>>,
    pub children: Vec<Node<'t>>,
    /// From the first to the last sign, both tags included.
    pub start: usize,
    pub end: usize,
    /// Where the first tag ends.
    pub inside: usize,
}

/// The name of a tag or an attribute.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tag<'t> {
    Plain(&'t str),
    /// Of our namespace.
    Ours(&'t str),
    /// Of another namespace, as it is written.
    Other(&'t str),
}

#[derive(Debug)]
pub struct Attribute<'t> {
    pub name: Tag<'t>,
    pub value: Cow<'t, str>,
    pub start: usize,
    pub end: usize,
}

#[derive(Debug)]
pub enum Node<'t> {
    Element(Element<'t>),
    Text(Text<'t>),
    Comment { text: &'t str, start: usize },
}

#[derive(Debug)]
pub struct Text<'t> {
    pub text: Cow<'t, str>,
    pub start: usize,
}

/// What came of a text: perhaps a root, comments outside of it, and what is wrong.
pub struct Tree<'t> {
    pub root: Option<Element<'t>>,
    pub comments: Vec<(usize, &'t str)>,
    /// Prefixes that are declared anywhere, with their namespaces.
    pub prefixes: HashMap<&'t str, String>,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn parse(text: &str, file: FileId) -> Tree<'_> {
    let mut parser = Parser {
        text,
        file,
        stack: Vec::new(),
        spaces: vec![HashMap::new()],
        root: None,
        comments: Vec::new(),
        prefixes: HashMap::new(),
        diagnostics: Vec::new(),
        n_nodes: 0,
        fatal: false,
    };
    parser.run();
    let root = if parser.fatal { None } else { parser.root };
    Tree { root, comments: parser.comments, prefixes: parser.prefixes, diagnostics: parser.diagnostics }
}

impl<'t> Element<'t> {
    pub fn is(&self, name: &str) -> bool {
        self.name == Tag::Plain(name)
    }

    pub fn is_ours(&self, name: &str) -> bool {
        self.name == Tag::Ours(name)
    }

    pub fn attribute(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| attribute.name == Tag::Plain(name))
    }

    pub fn ours(&self, name: &str) -> Option<&Attribute<'t>> {
        self.attributes.iter().find(|attribute| attribute.name == Tag::Ours(name))
    }

    pub fn elements(&self) -> impl Iterator<Item = &Element<'t>> {
        self.children.iter().filter_map(|child| match child {
            Node::Element(element) => Some(element),
            _ => None,
        })
    }

    pub fn child(&self, name: &str) -> Option<&Element<'t>> {
        self.elements().find(|element| element.is(name))
    }

    /// The prefixes of other namespaces that it and all inside it use.
    pub fn other_prefixes(&self, found: &mut Vec<&'t str>) {
        let names = std::iter::once(self.name).chain(self.attributes.iter().map(|attribute| attribute.name));
        for name in names {
            if let Tag::Other(name) = name
                && let Some((prefix, _)) = name.split_once(':')
                && prefix != "xml"
                && !found.contains(&prefix)
            {
                found.push(prefix);
            }
        }
        self.elements().for_each(|element| element.other_prefixes(found));
    }

    /// What is written directly inside.
    pub fn text(&self) -> String {
        let mut all = String::new();
        for child in &self.children {
            if let Node::Text(text) = child {
                all.push_str(&text.text);
            }
        }
        all
    }

    /// The one piece of text inside, if it stands in the file as it is meant.
    pub fn plain_text(&self) -> Option<(usize, &str)> {
        match self.children.as_slice() {
            [Node::Text(Text { text: Cow::Borrowed(text), start })] => Some((*start, text)),
            _ => None,
        }
    }
}

impl<'t> Tag<'t> {
    /// As it is shown to people.
    pub fn shown(self) -> String {
        match self {
            Tag::Plain(name) | Tag::Other(name) => name.into(),
            Tag::Ours(name) => format!("hr:{name}"),
        }
    }
}

struct Parser<'t> {
    text: &'t str,
    file: FileId,
    stack: Vec<Element<'t>>,
    /// Prefixes that are declared, for each open element.
    spaces: Vec<HashMap<&'t str, bool>>,
    root: Option<Element<'t>>,
    comments: Vec<(usize, &'t str)>,
    prefixes: HashMap<&'t str, String>,
    diagnostics: Vec<Diagnostic>,
    n_nodes: usize,
    fatal: bool,
}

impl<'t> Parser<'t> {
    fn run(&mut self) {
        if self.text.len() > LONGEST {
            let label = format!("It has {} KB; a game file has at most {}.", self.text.len() >> 10, LONGEST >> 10);
            return self.large(0, &label);
        }
        let mut reader = Reader::from_str(self.text);
        let config = reader.config_mut();
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        loop {
            let start = reader.buffer_position() as usize;
            let event = reader.read_event();
            let end = (reader.buffer_position() as usize).min(self.text.len());
            match event {
                Ok(Event::Eof) => break,
                Ok(event) => self.event(event, start, end),
                Err(error) => {
                    let at = (reader.error_position() as usize).min(self.text.len());
                    self.broken(at, at + 1, format!("This is no XML: {error}."), "Close what was opened here.");
                    break;
                }
            }
            if self.fatal {
                return;
            }
        }
        let end = self.text.len();
        while let Some(element) = self.stack.last() {
            let (start, inside, name) = (element.start, element.inside, element.name.shown());
            let label = format!("The tag `{name}` is never closed.");
            self.broken(start, inside, label, &format!("Write `</{name}>` where it ends."));
            self.close(end);
        }
    }

    fn event(&mut self, event: Event, start: usize, end: usize) {
        match event {
            Event::Start(tag) => {
                if let Some(element) = self.element(&tag, start, end) {
                    self.stack.push(element);
                }
            }
            Event::Empty(tag) => {
                if let Some(element) = self.element(&tag, start, end) {
                    self.stack.push(element);
                    self.close(end);
                }
            }
            Event::End(tag) => self.end(tag.name().as_ref(), start, end),
            Event::Text(_) | Event::CData(_) | Event::GeneralRef(_) => {
                let cdata = matches!(event, Event::CData(_));
                self.put_text(start, end, cdata);
            }
            Event::Comment(_) => {
                let inner = self.text.get(start + 4..end.saturating_sub(3)).unwrap_or_default();
                match self.stack.last_mut() {
                    Some(open) => open.children.push(Node::Comment { text: inner, start }),
                    None => self.comments.push((start, inner)),
                }
                self.count(start);
            }
            Event::Decl(declaration) => {
                let encoding = declaration.encoding().and_then(Result::ok).unwrap_or_default().to_ascii_lowercase();
                if !["", "utf-8", "utf8", "us-ascii", "ascii"].contains(&&*encoding) {
                    let label = format!("This file says that it is written in {encoding}.");
                    self.broken(start, end, label, "Save it in UTF-8, and say so: `encoding=\"UTF-8\"`.");
                }
            }
            Event::DocType(_) => {
                self.refuse(start, end, "This file declares entities. Houserules reads none.");
            }
            Event::PI(_) => self.refuse(start, end, "Instructions to other programs are not read."),
            Event::Eof => {}
        }
    }

    fn element(&mut self, tag: &BytesStart, start: usize, end: usize) -> Option<Element<'t>> {
        self.count(start);
        if self.stack.len() >= DEEPEST {
            self.large(start, &format!("Tags may stand {DEEPEST} deep in each other; this one is deeper."));
            return None;
        }
        if self.stack.is_empty() && self.root.is_some() {
            let label = "A file holds one game; this tag stands after its end.";
            self.broken(start, end, label.into(), "Put it inside `game`, or take it away.");
        }
        let mut attributes: Vec<(&'t str, Cow<'t, str>, usize, usize)> = Vec::new();
        let mut known: HashSet<&'t str> = HashSet::new();
        for attribute in tag.attributes().with_checks(false) {
            self.count(start);
            if self.fatal {
                return None;
            }
            match attribute {
                Ok(attribute) => {
                    let (Some((name, _, _)), Some((value, from, to))) =
                        (self.within(attribute.key.as_ref()), self.within(&attribute.value))
                    else {
                        continue;
                    };
                    if !known.insert(name) {
                        let label = format!("The attribute `{name}` is given twice.");
                        self.broken(from, to, label, "Take one of them away.");
                        continue;
                    }
                    let value = self.decoded(value, from, true);
                    attributes.push((name, value, from, to));
                }
                Err(error) => {
                    let label = format!("An attribute cannot be read: {error}.");
                    self.broken(start, end, label, "An attribute is written `name=\"value\"`.");
                    break;
                }
            }
        }
        let mut declared = HashMap::new();
        for (name, value, ..) in &attributes {
            if let Some(prefix) = name.strip_prefix("xmlns:") {
                declared.insert(prefix, **value == *NAMESPACE);
                self.prefixes.entry(prefix).or_insert_with(|| value.to_string());
            }
        }
        self.spaces.push(declared);
        let raw = tag.name();
        let name = self.within(raw.as_ref()).map_or("", |(name, _, _)| name);
        let name = self.tag(name);
        let attributes = attributes
            .into_iter()
            .filter(|(name, ..)| *name != "xmlns" && !name.starts_with("xmlns:"))
            .map(|(name, value, start, end)| Attribute { name: self.tag(name), value, start, end })
            .collect();
        Some(Element { name, attributes, children: Vec::new(), start, end, inside: end })
    }

    fn tag(&self, name: &'t str) -> Tag<'t> {
        match name.split_once(':') {
            None => Tag::Plain(name),
            Some((prefix, local)) => match self.spaces.iter().rev().find_map(|declared| declared.get(prefix)) {
                Some(true) => Tag::Ours(local),
                _ => Tag::Other(name),
            },
        }
    }

    /// A piece that was borrowed from the text, and where it stands there.
    fn within(&self, piece: &str) -> Option<(&'t str, usize, usize)> {
        let start = (piece.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let end = start.checked_add(piece.len())?;
        Some((self.text.get(start..end)?, start, end))
    }

    fn end(&mut self, raw: &str, start: usize, end: usize) {
        let local = |name: &str| name.rsplit(':').next().unwrap_or_default().to_owned();
        let same = |element: &Element| match element.name {
            Tag::Plain(name) | Tag::Other(name) => name == raw,
            Tag::Ours(name) => name == local(raw) && raw.contains(':'),
        };
        let Some(at) = self.stack.iter().rposition(same) else {
            let label = match self.stack.last() {
                Some(open) => format!("The tag `{}` is closed by `{raw}`.", open.name.shown()),
                None => format!("`{raw}` is closed here, and was never opened."),
            };
            return self.broken(start, end, label, "Take it away, or close what is open.");
        };
        while self.stack.len() > at + 1 {
            let open = self.stack.last().expect("longer than what is looked for");
            let (from, inside, name) = (open.start, open.inside, open.name.shown());
            let label = format!("The tag `{name}` is closed by `{raw}`.");
            let fault = self.fault(start, end, label, &format!("Write `</{name}>` before it."));
            self.diagnostics.push(fault.and(Origin::new(self.file, from as u32, inside as u32), "Opened here."));
            self.close(start);
        }
        self.close(end);
    }

    fn close(&mut self, end: usize) {
        self.spaces.pop();
        let Some(mut element) = self.stack.pop() else { return };
        element.end = end;
        match self.stack.last_mut() {
            Some(open) => open.children.push(Node::Element(element)),
            None if self.root.is_none() => self.root = Some(element),
            None => {}
        }
    }

    fn put_text(&mut self, start: usize, end: usize, cdata: bool) {
        let raw = self.text.get(start..end).unwrap_or_default();
        let text = match cdata {
            true => match raw.strip_prefix("<![CDATA[").and_then(|raw| raw.strip_suffix("]]>")) {
                Some(inner) => self.plain(Cow::Borrowed(inner), start),
                None => return,
            },
            false => self.decoded(raw, start, false),
        };
        let start = if cdata { start + 9 } else { start };
        self.count(start);
        let Some(open) = self.stack.last_mut() else {
            // A mark of the byte order is no text.
            if !text.trim().trim_start_matches('\u{feff}').is_empty() {
                let label = "This stands outside of every tag.".to_owned();
                self.broken(start, end, label, "Take it away.");
            }
            return;
        };
        match open.children.last_mut() {
            Some(Node::Text(before)) => before.text.to_mut().push_str(&text),
            _ => open.children.push(Node::Text(Text { text, start })),
        }
    }

    /// The text that is meant by what is written: references resolved, ends of lines as one sign.
    fn decoded(&mut self, raw: &'t str, at: usize, attribute: bool) -> Cow<'t, str> {
        let layout = |c: char| c == '\r' || attribute && (c == '\n' || c == '\t');
        if !raw.contains('&') && !raw.contains(layout) {
            return self.plain(Cow::Borrowed(raw), at);
        }
        let mut text = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(found) = rest.find('&') {
            self.line_ends(&rest[..found], attribute, &mut text);
            let from = at + raw.len() - rest.len() + found;
            rest = &rest[found + 1..];
            // A reference is short: whatever follows a lone `&` is not looked through to its end.
            let end = rest.bytes().take(40).position(|byte| byte == b';');
            let meant = end.and_then(|end| self.reference(&rest[..end]));
            match (end, meant) {
                (Some(end), Some(meant)) => {
                    text.push(meant);
                    rest = &rest[end + 1..];
                }
                _ => {
                    let label = "This means nothing: no such reference is known.".to_owned();
                    self.broken(from, from + 1, label, "Write `&amp;` for the sign itself.");
                    text.push('&');
                }
            }
        }
        self.line_ends(rest, attribute, &mut text);
        self.plain(Cow::Owned(text), at)
    }

    fn line_ends(&self, raw: &str, attribute: bool, text: &mut String) {
        let mut signs = raw.chars().peekable();
        while let Some(sign) = signs.next() {
            match sign {
                '\r' => {
                    signs.next_if_eq(&'\n');
                    text.push(if attribute { ' ' } else { '\n' });
                }
                '\n' | '\t' if attribute => text.push(' '),
                sign => text.push(sign),
            }
        }
    }

    fn reference(&self, name: &str) -> Option<char> {
        let number = match name.strip_prefix('#') {
            Some(digits) => match digits.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => digits.parse().ok(),
            },
            None => return quick_xml::escape::resolve_predefined_entity(name)?.chars().next(),
        };
        number.and_then(char::from_u32).filter(|sign| can_be_written(*sign))
    }

    /// Without signs that XML does not know.
    fn plain(&mut self, text: Cow<'t, str>, at: usize) -> Cow<'t, str> {
        if text.chars().all(can_be_written) {
            return text;
        }
        let label = "Here stands a sign that no XML file can hold.".to_owned();
        self.broken(at, at + 1, label, "Take it away.");
        Cow::Owned(text.chars().filter(|sign| can_be_written(*sign)).collect())
    }

    fn count(&mut self, at: usize) {
        self.n_nodes += 1;
        if self.n_nodes > NODES && !self.fatal {
            self.large(at, &format!("A game file has at most {NODES} tags, attributes and texts."));
        }
    }

    fn large(&mut self, at: usize, label: &str) {
        let origin = self.origin(at, at + 1);
        let fault = Diagnostic::error("gdf/large", "This file is too large", origin, label);
        self.diagnostics.push(fault.hint("Make several files of it, or take apart what is nested."));
        self.fatal = true;
    }

    fn refuse(&mut self, start: usize, end: usize, label: &str) {
        let origin = self.origin(start, end);
        let fault = Diagnostic::error("gdf/dtd", "This file wants more than to be read", origin, label);
        self.diagnostics.push(fault.hint("Take it away; nothing in a game file needs it."));
        self.fatal = true;
    }

    fn broken(&mut self, start: usize, end: usize, label: String, hint: &str) {
        // What follows the first few faults is their echo.
        if self.diagnostics.len() < 100 {
            let fault = self.fault(start, end, label, hint);
            self.diagnostics.push(fault);
        }
    }

    fn fault(&self, start: usize, end: usize, label: String, hint: &str) -> Diagnostic {
        Diagnostic::error("gdf/xml", "Broken markup", self.origin(start, end), label).hint(hint)
    }

    /// Ends between two signs, wherever the parser stopped.
    fn origin(&self, start: usize, end: usize) -> Origin {
        let boundary = |mut at: usize| {
            at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at as u32
        };
        Origin::new(self.file, boundary(start), boundary(end.max(start)))
    }
}

/// The signs that XML 1.0 allows.
pub fn can_be_written(sign: char) -> bool {
    matches!(sign, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
