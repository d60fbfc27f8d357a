//! Tags to text.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

use crate::xml::{NAMESPACE, can_be_written};

/// A piece of a file that is about to be written.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Out {
    Tag {
        name: &'static str,
        attributes: Vec<(&'static str, String)>,
        inside: Vec<Out>,
    },
    Text(String),
    /// Markup that stands there as it is.
    Raw(String),
    Comment(String),
}

pub(crate) fn tag(name: &'static str, inside: Vec<Out>) -> Out {
    Out::Tag { name, attributes: Vec::new(), inside }
}

pub(crate) fn text(name: &'static str, said: &str) -> Out {
    tag(name, if said.is_empty() { Vec::new() } else { vec![Out::Text(said.into())] })
}

impl Out {
    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Out {
        if let Out::Tag { attributes, .. } = &mut self {
            attributes.push((name, value.into()));
        }
        self
    }

    fn is_ours(&self) -> bool {
        match self {
            Out::Tag { name, attributes, inside } => {
                let ours = |name: &str| name.starts_with("hr:");
                ours(name) || attributes.iter().any(|(name, _)| ours(name)) || inside.iter().any(Out::is_ours)
            }
            Out::Text(_) | Out::Raw(_) | Out::Comment(_) => false,
        }
    }
}

/// A whole file. The namespace is declared only where something is in it.
pub(crate) fn file(mut root: Out) -> String {
    let ours = root.is_ours();
    if let Out::Tag { attributes, .. } = &mut root
        && ours
    {
        attributes.insert(0, ("xmlns:hr", NAMESPACE.into()));
    }
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    put(&mut writer, Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    write(&mut writer, &root);
    let mut text = String::from_utf8(writer.into_inner()).expect("only texts are written");
    text.push('\n');
    text
}

fn write(writer: &mut Writer<Vec<u8>>, out: &Out) {
    match out {
        Out::Tag { name, attributes, inside } => {
            let mut start = String::from(*name);
            for (name, value) in attributes {
                start.push_str(&format!(" {name}=\"{}\"", escaped(value, true)));
            }
            let start = BytesStart::from_content(start, name.len());
            if inside.is_empty() {
                return put(writer, Event::Empty(start));
            }
            put(writer, Event::Start(start));
            inside.iter().for_each(|inside| write(writer, inside));
            put(writer, Event::End(BytesEnd::new(*name)));
        }
        Out::Text(text) => put(writer, Event::Text(BytesText::from_escaped(escaped(text, false)))),
        Out::Raw(text) => put(writer, Event::Text(BytesText::from_escaped(text.as_str()))),
        Out::Comment(text) => put(writer, Event::Comment(BytesText::from_escaped(format!(" {} ", commented(text))))),
    }
}

fn put(writer: &mut Writer<Vec<u8>>, event: Event) {
    writer.write_event(event).expect("memory can always be written to");
}

/// Whatever a reader would take for something else, or for layout, as a reference.
fn escaped(text: &str, attribute: bool) -> String {
    let mut all = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => all.push_str("&amp;"),
            '<' => all.push_str("&lt;"),
            '>' => all.push_str("&gt;"),
            '"' if attribute => all.push_str("&quot;"),
            '\r' => all.push_str("&#13;"),
            '\n' if attribute => all.push_str("&#10;"),
            '\t' if attribute => all.push_str("&#9;"),
            sign if can_be_written(sign) => all.push(sign),
            // XML has no way to write it.
            _ => all.push('\u{fffd}'),
        }
    }
    all
}

/// Two hyphens would end it.
fn commented(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for sign in text.chars().filter(|sign| can_be_written(*sign)) {
        if sign == '-' && all.ends_with('-') {
            all.push(' ');
        }
        all.push(sign);
    }
    if all.ends_with('-') {
        all.push(' ');
    }
    all
}
