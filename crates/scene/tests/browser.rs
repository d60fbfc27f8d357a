//! The browser draws our pictures from the same table, and knows every colour by the same name.

use houserules_scene::art::{self, Role};
use houserules_scene::theme;
use std::fmt::Write;
use std::path::Path;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn role(role: Role) -> String {
    match role {
        Role::None => r#""none""#.into(),
        Role::Fill => r#""fill""#.into(),
        Role::Edge => r#""edge""#.into(),
        Role::Ink => r#""ink""#.into(),
        Role::Light(percent) => format!(r#"["light", {percent}]"#),
        Role::Shade(percent) => format!(r#"["shade", {percent}]"#),
    }
}

fn written() -> String {
    let mut text = String::from(
        "// Made from crates/scene by `cargo xtask protocol`; not to be edited.\n\n\
         /** Which of a graphic's colours a stroke takes. */\n\
         export type Role = \"none\" | \"fill\" | \"edge\" | \"ink\" | [\"light\" | \"shade\", number];\n\n\
         /** The strokes of each picture in a square of a hundred by a hundred: path, fill, line, width of the line. */\n\
         export const ART: Record<string, [string, Role, Role, number][]> = {\n",
    );
    for name in art::names() {
        writeln!(text, "  {name:?}: [").unwrap();
        for part in art::art(name).unwrap() {
            writeln!(text, "    [{:?}, {}, {}, {}],", part.path, role(part.fill), role(part.line), part.width).unwrap();
        }
        text.push_str("  ],\n");
    }
    text.push_str("};\n");
    text
}

#[test]
fn the_pictures_of_the_browser_are_ours() {
    let path = Path::new(ROOT).join("web/src/board/art.ts");
    let text = written();
    if std::env::var_os("HOUSERULES_WRITE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} is not current; `cargo xtask protocol` writes it anew.", path.display());
}

#[test]
fn every_colour_of_the_theme_is_the_browsers() {
    let tokens = std::fs::read_to_string(Path::new(ROOT).join("web/src/styles/tokens.css")).unwrap();
    for (name, light, dark) in theme::COLOURS {
        let one = format!("--{name}: #{light:06x};");
        let both = format!("--{name}: light-dark(#{light:06x}, #{dark:06x});");
        let found = tokens.contains(&both) || (light == dark && tokens.contains(&one));
        assert!(found, "tokens.css has no {both}");
    }
}
