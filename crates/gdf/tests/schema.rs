//! The tables, the page and the schema say the same.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::{behaving, root, validate};
use houserules_gdf::tags::{ADDED, ADDITIONS, STATEMENTS, TAGS};
use roxmltree::{Document, Node};

/// What is said of tags: attributes and children of each, over all places where it stands.
type Said = BTreeMap<String, (BTreeSet<String>, BTreeSet<String>)>;

fn schema(name: &str) -> String {
    std::fs::read_to_string(root().join("crates/gdf/schema").join(name)).expect("the schema is shipped")
}

/// Everything that the content of a type declares, with the types and groups it refers to looked up.
struct Types<'d> {
    named: BTreeMap<String, Node<'d, 'd>>,
}

impl<'d> Types<'d> {
    fn new(documents: &[&'d Document<'d>]) -> Self {
        let tops = documents.iter().flat_map(|document| document.root_element().children());
        let tops = tops.filter(|node| ["complexType", "group"].contains(&node.tag_name().name()));
        Types {
            named: tops
                .filter_map(|node| Some((format!("{}:{}", node.tag_name().name(), node.attribute("name")?), node)))
                .collect(),
        }
    }

    fn collect(&self, node: Node<'d, 'd>, attributes: &mut BTreeSet<String>, children: &mut BTreeSet<String>) {
        for inner in node.children().filter(Node::is_element) {
            let reference = inner.attribute("ref");
            match inner.tag_name().name() {
                "element" => {
                    // What is declared in a schema with a namespace is in it, unless it says otherwise.
                    let ours = inner.document().root_element().attribute("targetNamespace").is_some();
                    let ours = ours && inner.attribute("form").is_none();
                    let own = inner.attribute("name").map(|name| format!("{}{name}", if ours { "hr:" } else { "" }));
                    children.insert(own.or(reference.map(str::to_owned)).unwrap());
                }
                "attribute" => {
                    attributes.insert(inner.attribute("name").or(reference).unwrap().to_owned());
                }
                "group" => self.collect(self.named[&format!("group:{}", reference.unwrap())], attributes, children),
                "key" => {}
                _ => {
                    if let Some(base) = inner.attribute("base").filter(|base| base.starts_with("hr:")) {
                        self.collect(self.named[&format!("complexType:{}", &base[3..])], attributes, children);
                    }
                    self.collect(inner, attributes, children)
                }
            }
        }
    }
}

/// What the schemas say of every tag.
fn by_schema() -> Said {
    let texts = [schema("gdf.xsd"), schema("additions.xsd")];
    let documents: Vec<Document> = texts.iter().map(|text| Document::parse(text).unwrap()).collect();
    let types = Types::new(&documents.iter().collect::<Vec<_>>());
    let mut said = Said::new();
    for (document, prefix) in documents.iter().zip(["", "hr:"]) {
        for element in
            document.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2001/XMLSchema", "element")))
        {
            let Some(name) = element.attribute("name") else { continue };
            let prefix = if element.attribute("form") == Some("unqualified") { "" } else { prefix };
            let (attributes, children) = said.entry(format!("{prefix}{name}")).or_default();
            if let Some(own) = element.attribute("type").map(|own| own.trim_start_matches("hr:"))
                && let Some(own) = types.named.get(&format!("complexType:{own}"))
            {
                types.collect(*own, attributes, children);
            }
            types.collect(element, attributes, children);
        }
    }
    said
}

/// What the tables say.
fn by_tables() -> Said {
    let mut said = Said::new();
    let statements: BTreeSet<String> =
        STATEMENTS.iter().map(|def| def.tag.to_owned()).chain(["hr:expr".into()]).collect();
    let mut put = |name: &str, attributes: &[&str], children: &[&str]| {
        let (known, inside) = said.entry(name.to_owned()).or_default();
        known.extend(attributes.iter().map(|name| name.to_string()));
        inside.extend(children.iter().map(|name| name.to_string()));
    };
    for (tags, prefix) in [(TAGS, ""), (ADDITIONS, "hr:")] {
        for def in tags {
            let inside: Vec<String> = def
                .inside
                .iter()
                .map(|(tag, _)| {
                    let ours = ADDITIONS.iter().any(|def| def.tag == *tag) && !TAGS.iter().any(|def| def.tag == *tag);
                    if ours { format!("hr:{tag}") } else { tag.to_string() }
                })
                .collect();
            put(
                &format!("{prefix}{}", def.tag),
                def.attributes,
                &inside.iter().map(String::as_str).collect::<Vec<_>>(),
            );
        }
    }
    for def in STATEMENTS {
        let attributes: Vec<&str> = def.attributes.iter().map(|(name, _)| *name).collect();
        let slots: Vec<&str> = def.slots.iter().map(|slot| slot.tag).collect();
        put(def.tag, &attributes, &slots);
        if !def.op.is_empty() {
            put(def.tag, &["op"], &["operand1", "operand2"]);
        }
    }
    // What a table of statements cannot say of itself.
    put("ifElse", &[], &["if", "else"]);
    put("sendMessage", &[], &["parameter"]);
    put("constant", &[], &["number", "string", "id", "list", "dictionary"]);
    for (name, of, _) in ADDED {
        for tag in of.split(", ") {
            let tag = tag.split(" in ").next().unwrap().trim();
            put(tag, &[&format!("hr:{name}")], &[]);
        }
    }
    // A body or a slot takes every statement.
    let statements: Vec<&str> = statements.iter().map(String::as_str).collect();
    for holder in ["block", "statements", "else", "parameter", "hr:with"] {
        put(holder, &[], &statements);
    }
    let slots: BTreeSet<&str> = STATEMENTS
        .iter()
        .flat_map(|def| def.slots)
        .map(|slot| slot.tag)
        .chain(["operand2", "condition", "statement"])
        .collect();
    for slot in slots {
        put(slot, &[], &statements);
    }
    said
}

/// Where the schema is wider than the tables on purpose.
fn beyond(tag: &str, what: &str) -> bool {
    match tag {
        // Lists of links are kept apart, and what is computed may hold anything beside it.
        "relationship" => ["string", "number", "constant"].contains(&what),
        "property" | "appearance" => what == "constant",
        "game" => what.starts_with("hr:"),
        "model" => what == "hr:item",
        // Its children are known by their own names.
        "visual" => true,
        _ => false,
    }
}

/// [GM-234] Every tag and attribute of the tables is in the schema, and the other way round.
#[test]
fn tables_and_schema_say_the_same() {
    let (tables, schema) = (by_tables(), by_schema());
    let names = |said: &Said| said.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(names(&tables), names(&schema));
    for (tag, (attributes, children)) in &tables {
        let (known, inside) = &schema[tag];
        let more: Vec<&String> =
            known.difference(attributes).chain(inside.difference(children)).filter(|what| !beyond(tag, what)).collect();
        let less: Vec<&String> =
            attributes.difference(known).chain(children.difference(inside)).filter(|what| !beyond(tag, what)).collect();
        assert!(more.is_empty() && less.is_empty(), "{tag}: only the schema has {more:?}, only the tables {less:?}");
    }
    let ops: BTreeSet<&str> = STATEMENTS.iter().map(|def| def.op).filter(|op| !op.is_empty()).collect();
    let text = self::schema("gdf.xsd");
    let document = Document::parse(&text).unwrap();
    let op = document
        .descendants()
        .find(|node| {
            node.attribute("name") == Some("op")
                && node.has_tag_name(("http://www.w3.org/2001/XMLSchema", "simpleType"))
        })
        .unwrap();
    let known: BTreeSet<&str> = op.descendants().filter_map(|node| node.attribute("value")).collect();
    assert_eq!(ops, known);
}

/// [GM-86] [GM-253] Every statement has a kind, a German name and a line on the page, which is written from the tables.
#[test]
fn the_page_is_what_the_tables_say() {
    let page = houserules_gdf::reference();
    for def in STATEMENTS {
        let line = page.lines().find(|line| line.contains(&format!("| {} | {} |", def.german, def.kind.word())));
        assert!(line.is_some_and(|line| line.starts_with(&format!("| `{}", def.tag))), "{}", def.german);
    }
    let path = root().join("docs/reference/gdf.md");
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == page, "docs/reference/gdf.md is old; `cargo xtask reference` writes it anew.");
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let file = |text: &str| vec![("x.gdf.xml".to_owned(), text.to_owned())];
    validate(&file(&behaving("<break/>"))).unwrap();
    for (from, to) in [
        ("<break/>", "<brake/>"),
        ("<break/>", "<operator op=\"plus\"><operand1/></operator>"),
        ("<break/>", "<while><condition/></while>"),
        ("<break/>", "<constant><dictionary><number>1</number></dictionary></constant>"),
        ("<number>3</number>", "<number>three</number>"),
        ("<number>3</number>", "<number>3</number><number>3</number>"),
        ("name=\"Right\"", "name=\"Left\""),
        ("parent=\"Bowl\"", ""),
        ("state number=\"0\"", "state number=\"zero\""),
        ("<id/>", "<string>x</string>"),
    ] {
        let wrong = behaving("<break/>").replacen(from, to, 1);
        assert!(validate(&file(&wrong)).is_err(), "{to}");
    }
}
