//! What the file itself promises: tags, order, visual tags, special signs, the schema.

use super::{again, digest, found, game, rulebooks, shown, told};
use houserules_library::gdf::{Remarks, read, to_gdl, write};
use houserules_library::{Options, enclosed, find};

/// A file with everything that only an editor wants to know.
const DRAWN: &str = r#"<game><name>Drawn</name>
<visual><layer name="bowls"><visible>1</visible><protected>0</protected></layer><layer name="links"><visible>0</visible><protected>1</protected></layer><grid step="20">  on </grid></visual>
<model name="Bowl"><initialStateNumber>0</initialStateNumber><property name="beans"><number>3</number></property>
<relationship name="next"><id/><visual><lane>right</lane><layer>links</layer></visual></relationship>
<state number="0"><behavior name="go"><statements><setProperty name="beans"><entity><getRelationship relationship="next"><entity><myself/></entity></getRelationship></entity><value><constant><number>0</number></constant></value></setProperty></statements></behavior></state></model>
<entity name="A" parent="Bowl"><relationship name="next"><id>B</id></relationship><visual><layer>bowls</layer><turn>90</turn></visual></entity>
<entity name="B" parent="Bowl"/></game>"#;

/// The text without every `visual` tag.
fn without_visual(text: &str) -> String {
    let mut rest = text;
    let mut bare = String::new();
    while let Some((before, after)) = rest.split_once("<visual>") {
        bare.push_str(before);
        rest = after.split_once("</visual>").unwrap().1;
    }
    bare + rest
}

/// [GM-230] [GM-231] [GM-232] [GM-233] [GM-5] Layers, lanes and what other editors keep survive; without them it is the same game.
#[test]
fn what_an_editor_draws_survives_and_is_no_part_of_the_game() {
    let text = again(DRAWN);
    for kept in [
        "<lane>right</lane>",
        "<layer>links</layer>",
        "<layer>bowls</layer>",
        r#"<grid step="20">  on </grid>"#,
        "<turn>90</turn>",
    ] {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    assert!(text.contains("<visible>0</visible>") && text.contains("<protected>1</protected>"));
    let bare = without_visual(DRAWN);
    assert!(!bare.contains("layer"));
    assert_eq!(digest(DRAWN), digest(&bare));
    for rulebook in rulebooks(&bare) {
        let mut position = rulebook.open().unwrap();
        told(&mut *position, "go A").unwrap();
        assert_eq!(shown(&mut *position, "B", "beans"), "0");
    }
}

/// [GM-203] [GM-204] The ending of the name says what a file is; the name of the game is its title.
#[test]
fn the_ending_says_that_it_is_a_game_file() {
    let found = found(DRAWN);
    assert_eq!(found.definition().name(), "Drawn");
    assert_eq!(houserules_library::GAME_FILE_ENDING, ".gdf.xml");
    assert_eq!(found.rulebook(&Options::default()).unwrap().name(), "Drawn");
}

/// [GM-207] [GM-208] [GM-209] Definitions of a model hold one value each, and are played with it.
#[test]
fn definitions_hold_one_value() {
    for rulebook in rulebooks(&game("")) {
        let mut position = rulebook.open().unwrap();
        assert_eq!(shown(&mut *position, "Right", "beans"), "5");
        assert_eq!(shown(&mut *position, "Left", "beans"), "3");
        assert_eq!(shown(&mut *position, "Left", "other"), "Right");
    }
    let two = game("").replace("<number>3</number>", "<number>3</number><string>x</string>");
    let found = enclosed("toy", &[("toy.gdf.xml".into(), two)]);
    assert!(found.diagnostics.iter().any(|told| told.code == "gdf/twice"), "{}", found.messages(false));
}

/// [GM-236] Saving and loading gives an equal game, whatever signs are in it.
#[test]
fn special_signs_survive() {
    let odd = "a &lt; b &gt; c &amp; d &quot; e ' f\n\tg 𝄞 ü  ";
    let text = game(&format!(
        r#"<setProperty name="result"><entity><myself/></entity><value><constant><string>{odd}</string></constant></value></setProperty>"#
    ))
    .replace("Right", "Räch &lt;&amp;&quot;ts&gt;")
    .replace("name=\"beans\"", "name=\"Bohnen &amp; &quot;mehr&quot;&#10;\"")
    .replace("property=\"beans\"", "property=\"Bohnen &amp; &quot;mehr&quot;&#10;\"");
    for rulebook in rulebooks(&text) {
        let mut position = rulebook.open().unwrap();
        told(&mut *position, "go Left").unwrap();
        let shown = shown(&mut *position, "Left", "result");
        assert!(shown.contains("a < b > c & d \" e ' f\n\tg 𝄞 ü  "), "{shown:?}");
    }
    let empty = game("").replace("<id/></property>", "<string/></property>");
    assert!(again(&empty).contains("<string/>") && again(&game("")).contains("<id/>"));
}

/// [GM-237] [GM-254] What is not known is skipped and told with its place, and the rest is played.
#[test]
fn unknown_tags_are_skipped_and_told() {
    let text = game("<dance/><setProperti name=\"result\"/>")
        .replace("<name>Toy</name>", "<name>Toy</name>\n<weather>fine</weather>");
    let found = enclosed("toy", &[("toy.gdf.xml".into(), text)]);
    let told_: Vec<(&str, usize)> = found
        .diagnostics
        .iter()
        .map(|told| (told.code, found.loaded.sources.place(told.labels[0].origin).unwrap().line))
        .collect();
    assert_eq!(
        told_,
        [("gdf/unknown", 2), ("gdf/unknown", 11), ("gdf/unknown", 11), ("state/unreachable", 19)],
        "{}",
        found.messages(false)
    );
    assert!(found.messages(false).contains("Did you mean `setProperty`?"));
    let mut position = houserules_kernel::Rulebook::open(&found.compile(&Options::default()).unwrap()).unwrap();
    told(&mut *position, "raise Left").unwrap();
    assert_eq!(shown(&mut *position, "Left", "beans"), "4");
}

/// [GM-238] Wrong order is told, and played all the same; written, it is in order.
#[test]
fn wrong_order_is_told_and_mended() {
    let text = r#"<game><name>Toy</name><entity name="E" parent="Child"/>
<model name="Child"><parentModel>Parent</parentModel><initialStateNumber>0</initialStateNumber></model>
<model name="Parent"><initialStateNumber>0</initialStateNumber><property name="n"><number>4</number></property>
<state number="0"><behavior name="go"><statements/></behavior></state></model></game>"#;
    let found = enclosed("toy", &[("toy.gdf.xml".into(), text.into())]);
    let codes: Vec<&str> = found.diagnostics.iter().map(|told| told.code).collect();
    assert_eq!(codes.iter().filter(|code| **code == "gdf/order").count(), 1, "{}", found.messages(false));
    for rulebook in rulebooks(text) {
        assert_eq!(shown(&mut *rulebook.open().unwrap(), "E", "n"), "4");
    }
    let written = again(text);
    let at = |name: &str| written.find(name).unwrap();
    assert!(at("name=\"Parent\"") < at("name=\"Child\"") && at("name=\"Child\"") < at("name=\"E\""), "{written}");
}

/// Rules, actions and players are additions; with them a game file is a game like any other.
#[test]
fn a_file_with_rules_is_played_by_them() {
    let text = r#"<game xmlns:hr="urn:houserules:gdf:1"><name>Lamps</name>
<hr:players><hr:seat>East</hr:seat><hr:seat>West</hr:seat></hr:players><hr:item>#turns</hr:item>
<model name="Lamp"><initialStateNumber>0</initialStateNumber>
<state number="0" hr:name="dark"><behavior name="press"><statements><changeState number="1" hr:name="lit"><entity><myself/></entity></changeState></statements></behavior></state>
<state number="1" hr:name="lit"/></model>
<entity name="A" parent="Lamp"/><entity name="B" parent="Lamp"/>
<hr:action label="press" to="Lamp" as="{self}"/>
<hr:law name="Only dark lamps" on="press"><statements><hr:expr>(require (= state "dark"))</hr:expr></statements></hr:law>
<hr:sideeffect name="The last light wins" on="press"><statements><ifElse><if><condition><hr:expr>(none Lamp where (= state "dark"))</hr:expr></condition>
<statement><hr:expr>(win player)</hr:expr></statement></if></ifElse></statements></hr:sideeffect></game>"#;
    for rulebook in rulebooks(text) {
        let mut position = rulebook.open().unwrap();
        assert_eq!(rulebook.seats(), ["East", "West"]);
        told(&mut *position, "B").unwrap();
        assert!(told(&mut *position, "B").is_err(), "it is lit");
        told(&mut *position, "A").unwrap();
        let houserules_kernel::Decision::Over(outcome) = position.decision() else { panic!("the last lamp is lit") };
        assert_eq!(outcome.ranks[1], 1);
    }
}

/// A game goes from one language to the other and back with all that is said in it, comments included.
#[test]
fn a_game_goes_through_both_languages_and_back() {
    let reading = read("toy.gdf.xml", &DRAWN.replace("<model", "<!-- A bowl is round. -->\n<model"));
    let text = to_gdl(&reading.loaded.definition, &reading.remarks);
    assert!(text.contains("; A bowl is round.\n"), "{text}");
    let loaded = houserules_gdl::read_text("toy.gdl", &text);
    assert!(!loaded.has_errors(), "{text}");
    assert_eq!(loaded.definition, reading.loaded.definition, "{text}");
    let back = write(&loaded.definition, &Remarks::of_gdl(&loaded.sources));
    assert_eq!(back, write(&reading.loaded.definition, &reading.remarks));
}

/// [GM-4] Every game of the library is the same in XML: its digest, and so its records.
#[test]
fn games_of_the_library_are_the_same_in_xml() {
    for name in ["tic-tac-toe", "awele-tutorial", "nine-mens-morris", "dice-race"] {
        let game = find(name).unwrap();
        let text = write(game.definition(), &Remarks::of_gdl(&game.loaded.sources));
        let other = enclosed(name, &[(format!("{name}.gdf.xml"), text)]);
        assert!(!other.has_errors(), "{name}: {}", other.messages(false));
        let digest = |found: &houserules_library::Found| {
            houserules_kernel::Rulebook::digest(&found.compile(&Options::default()).unwrap())
        };
        assert_eq!(digest(&other), digest(&game), "{name}");
    }
}
