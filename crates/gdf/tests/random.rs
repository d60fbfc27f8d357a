//! Definitions and files at random.

mod common;

use common::author::Author;
use common::{behaving, messages, validate, written};
use houserules_gdf::{Remarks, read, to_gdl, write};
use houserules_model::{Definition, Item};

fn matches() -> u64 {
    std::env::var("HOUSERULES_MATCHES").ok().and_then(|n| n.parse().ok()).unwrap_or(400)
}

/// Thousands of definitions survive their files, item by item; their files are written the same again, and validate.
#[test]
fn random_definitions_survive_and_validate() {
    let mut files = Vec::new();
    for seed in 1..=matches() {
        let definition = Author::new(seed).definition();
        let text = written(&definition);
        let again = read("toy.gdf.xml", &text);
        let back = &again.loaded.definition;
        let other = definition.items().iter().zip(back.items()).find(|(one, other)| one != other);
        assert!(*back == definition, "seed {seed}: {other:#?}\n{}\n{text}", messages(&again));
        assert_eq!(written(back), text, "seed {seed}");
        if seed % 10 == 0 {
            files.push((format!("{seed}.gdf.xml"), text));
        }
    }
    validate(&files).unwrap();
}

/// From XML to the definition language and back nothing is lost, nor what is said in between.
#[test]
fn random_definitions_survive_the_definition_language() {
    for seed in 1..=matches() {
        let definition = Author::new(seed).definition();
        let text = to_gdl(&definition, &Remarks::new());
        let loaded = houserules_gdl::read_text("toy.gdl", &text);
        let other = definition.items().iter().zip(loaded.definition.items()).find(|(one, other)| one != other);
        assert!(loaded.definition == definition, "seed {seed}: {other:#?}\n{text}");
    }
}

/// [GDF8] Wherever comments stand in a file, each is there once when it is written again, in either language.
#[test]
fn comments_survive_wherever_they_stand() {
    for seed in 1..=matches() / 2 {
        let mut author = Author::new(seed);
        let mut text = String::new();
        let mut n = 0;
        let plain = written(&author.definition());
        for (at, line) in plain.lines().enumerate() {
            // In what other editors have drawn there is none of ours to keep.
            if at > 1 && line.trim_start().starts_with('<') && !line.contains("grid") && author.below(4) == 0 {
                n += 1;
                text.push_str(&format!("<!-- note {n}. -->\n"));
            }
            text.push_str(line);
            text.push('\n');
        }
        let reading = read("toy.gdf.xml", &text);
        let again = write(&reading.loaded.definition, &reading.remarks);
        let gdl = to_gdl(&reading.loaded.definition, &reading.remarks);
        let loaded = houserules_gdl::read_text("toy.gdl", &gdl);
        let back = write(&loaded.definition, &Remarks::of_gdl(&loaded.sources));
        for note in (1..=n).map(|n| format!(" note {n}.")) {
            for (in_what, said) in [("XML", &again), ("GDL", &gdl), ("XML once more", &back)] {
                assert_eq!(said.matches(&note).count(), 1, "seed {seed},{note} in {in_what}\n{text}\n{said}");
            }
        }
        let twice = read("toy.gdf.xml", &again);
        assert!(twice.loaded.definition == reading.loaded.definition, "seed {seed}");
    }
}

/// Without its visual tags it is the same but for what an editor draws.
#[test]
fn definitions_without_what_an_editor_draws_are_the_same_games() {
    for seed in 1..=300 {
        let definition = Author::new(seed).definition();
        let plain = |item: &&Item| !matches!(item.kind, houserules_model::ItemKind::Editor(_));
        let (bare, _) = Definition::with_items(in_order(definition.items().iter().filter(plain)));
        let text = written(&bare);
        assert!(!text.contains("<visual>"), "seed {seed}");
        assert!(read("toy", &text).loaded.definition.for_play() == definition.for_play(), "seed {seed}");
    }
}

/// A rule that goes before another is put when the other is there.
fn in_order<'a>(items: impl Iterator<Item = &'a Item>) -> Vec<Item> {
    let (waiting, mut items): (Vec<Item>, Vec<Item>) = items
        .cloned()
        .partition(|item| matches!(&item.kind, houserules_model::ItemKind::Rule(rule) if rule.before.is_some()));
    items.extend(waiting.into_iter().rev());
    items
}

/// Whatever is done to a file, reading it ends with messages that have a place; what was read can be written, and that
/// is read without broken markup.
#[test]
fn damaged_files_are_read_as_far_as_they_go() {
    let whole = std::fs::read_to_string(common::root().join("games/town/game.gdf.xml")).expect("the sample is there");
    let samples = [whole, behaving("<while><condition><myself/></condition><statement><break/></statement></while>")];
    let pieces = [
        "<",
        ">",
        "/",
        "\"",
        "&",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<model>",
        "</model>",
        "<?x?>",
        "ü",
        "\u{0}",
        "=",
        " ",
        "<visual>",
        "</visual>",
    ];
    for seed in 1..=1_500 {
        let mut author = Author::new(seed);
        let mut text = samples[author.below(2)].clone();
        for _ in 0..1 + author.below(4) {
            let mut at = author.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match author.below(3) {
                0 => text.insert_str(at, pieces[author.below(pieces.len())]),
                1 => {
                    let end = (at + author.below(30)).min(text.len());
                    let end = (end..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(at);
                    text.replace_range(at..end, "");
                }
                _ => text.truncate(at),
            }
            if text.is_empty() {
                text.push(' ');
            }
        }
        let reading = read("toy", &text);
        for told in &reading.loaded.diagnostics {
            assert!(!told.labels.is_empty() && !told.title.is_empty(), "seed {seed}");
        }
        let shown = messages(&reading);
        let again = write(&reading.loaded.definition, &reading.remarks);
        let back = read("toy", &again);
        let broken = back.loaded.diagnostics.iter().any(|told| told.code == "gdf/xml");
        assert!(!broken, "seed {seed}: {shown}\n{again}\n{}", messages(&back));
    }
}

/// Time and memory grow with the length of a file, not faster.
#[test]
fn nonsense_is_read_in_time() {
    let began = std::time::Instant::now();
    let tag = "<a b=\"&amp;\" c='d'>&lt;</a>";
    for text in [
        tag.repeat(40_000),
        format!("<game>{}</game>", tag.repeat(30_000)),
        "<game ".to_owned() + &(0..100_000).map(|n| format!("a{n}=\"\" ")).collect::<String>() + "/>",
        "<".repeat(1 << 20),
        "&".repeat(1 << 20),
        "<game>".to_owned() + &"</x>".repeat(100_000),
        "<!--".repeat(100_000),
        format!("<game><name>x</name>{}</game>", "<!-- a -->".repeat(100_000)),
        behaving(&"<declareVariable name=\"n\"/>".repeat(50_000)),
        behaving(&format!("<constant><list>{}</list></constant>", "<number>1</number>".repeat(100_000))),
    ] {
        let reading = read("toy", &text);
        assert!(reading.loaded.diagnostics.len() <= 101);
        write(&reading.loaded.definition, &reading.remarks);
    }
    assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
}
