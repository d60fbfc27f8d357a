//! What all tests of the game file use.
#![allow(dead_code)]

pub mod author;

use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use houserules_gdf::{Reading, Remarks, read, write};
use houserules_model::{Definition, Diagnostic};

/// A file without faults.
pub fn sound(text: &str) -> Reading {
    let reading = read("toy.gdf.xml", text);
    assert!(reading.loaded.diagnostics.is_empty(), "{}\n{text}", messages(&reading));
    reading
}

pub fn messages(reading: &Reading) -> String {
    houserules_gdl::render_all(&reading.loaded.diagnostics, &reading.loaded.sources, false)
}

pub fn codes(text: &str) -> Vec<&'static str> {
    read("toy.gdf.xml", text).loaded.diagnostics.iter().map(|own: &Diagnostic| own.code).collect()
}

/// The definition of a text in the definition language.
pub fn gdl(text: &str) -> Definition {
    let loaded = houserules_gdl::read_text("toy.gdl", text);
    assert!(!loaded.has_errors(), "{}", houserules_gdl::render_all(&loaded.diagnostics, &loaded.sources, false));
    loaded.definition
}

pub fn written(definition: &Definition) -> String {
    write(definition, &Remarks::new())
}

/// A model around some statements of the behavior `go`, and two entities of it.
pub fn behaving(statements: &str) -> String {
    format!(
        r#"<game><name>Toy</name><model name="Bowl"><initialStateNumber>0</initialStateNumber>
<property name="beans"><number>3</number></property>
<relationship name="other"><id/></relationship>
<appearance name="Bild X"><number>7</number></appearance>
<state number="0"><behavior name="go"><statements>{statements}</statements></behavior></state></model>
<entity name="Left" parent="Bowl"><relationship name="other"><id>Right</id></relationship></entity>
<entity name="Right" parent="Bowl"/></game>"#
    )
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a validator that knows nothing of this program says about files, by the schema that is shipped.
pub fn validate(files: &[(String, String)]) -> Result<(), String> {
    // Tests run at the same time, each in a folder of its own.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("houserules-gdf-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let schema = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("schema/gdf.xsd");
    let mut faults = String::new();
    for part in files.chunks(200) {
        let mut command = Command::new("xmllint");
        command.args(["--noout", "--nonet", "--schema"]).arg(&schema);
        for (name, text) in part {
            let path = folder.join(name);
            std::fs::write(&path, text).map_err(|error| error.to_string())?;
            command.arg(path);
        }
        let output = command.output().map_err(|error| {
            format!(
                "xmllint cannot be started ({error}); `cargo xtask test` installs it, Debian calls it libxml2-utils"
            )
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            faults.extend(said.lines().filter(|line| !line.ends_with(" validates")).map(|line| format!("{line}\n")));
        }
    }
    std::fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Every game of the library that is written in the definition language.
pub fn library() -> Vec<(String, houserules_gdl::Loaded)> {
    let games = root().join("games");
    let mut names: Vec<String> = std::fs::read_dir(&games)
        .expect("the library is there")
        .map(|entry| entry.expect("it can be listed").file_name().to_string_lossy().into_owned())
        .filter(|name| games.join(name).join("game.gdl").exists())
        .collect();
    names.sort();
    assert!(names.len() > 20, "{names:?}");
    let load = |name: &String| {
        let path = games.join(name).join("game.gdl").to_string_lossy().into_owned();
        houserules_gdl::load(&houserules_gdl::Disk, &path)
    };
    names.iter().map(|name| (name.clone(), load(name))).collect()
}
