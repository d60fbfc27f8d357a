//! Games of several files.

use houserules_gdl::{Disk, Loaded, Memory, load, render};
use houserules_model::*;

fn messages(loaded: &Loaded) -> String {
    loaded.diagnostics.iter().map(|own| render(own, &loaded.sources, false)).collect()
}

fn sound(files: &Memory, path: &str) -> Definition {
    let loaded = load(files, path);
    assert!(loaded.diagnostics.is_empty(), "{}", messages(&loaded));
    loaded.definition
}

#[test]
fn a_game_is_a_file_or_a_folder() {
    let files = Memory::new().with("toys/nim/game.gdl", "#game \"Nim\"").with("toys/go.gdl", "#game \"Go\"");
    assert_eq!(sound(&files, "toys/nim").name(), "Nim");
    assert_eq!(sound(&files, "toys/nim/").name(), "Nim");
    assert_eq!(sound(&files, "toys/nim/game.gdl").name(), "Nim");
    assert_eq!(sound(&files, "toys/go").name(), "Go");
}

#[test]
fn a_game_from_another_has_all_of_it_and_replaces_what_it_says_again() {
    let base = "#game \"Base\" #setting n 3 #property p 1 #law R on a (draw) #entity m #model m";
    let files = Memory::new()
        .with("g/base/game.gdl", base)
        .with("g/child/game.gdl", "#game \"Child\" from base #property p 2 #rule R off #set n 4 #entity m");
    let definition = sound(&files, "g/child");
    assert_eq!(definition.name(), "Child");
    assert_eq!(definition.rule("R").unwrap().mode, Mode::Off);
    assert_eq!(definition.settings().next().unwrap().value, Expr::whole(4));
    let n_entities = definition.items().iter().filter(|item| matches!(item.kind, ItemKind::Entity(_))).count();
    assert_eq!(n_entities, 2, "nameless entities are added, not replaced");
}

#[test]
fn an_included_file_may_hold_the_behaviors_of_the_open_model() {
    let files = Memory::new()
        .with("g/game.gdl", "#model hole #include \"parts/hole.gdl\" #property after")
        .with("g/parts/hole.gdl", "#property stones 4 #state lastSeed #onMessage sow (draw) #model other #property x");
    let definition = sound(&files, "g");
    let owner = |name: &str| {
        definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Property(own) if &*own.name == name => Some(own.of.to_string()),
            _ => None,
        })
    };
    assert_eq!(owner("stones").as_deref(), Some("hole"));
    assert_eq!(owner("x").as_deref(), Some("other"));
    assert_eq!(owner("after").as_deref(), Some("hole"), "what a file opens ends with it");
}

/// [FR-109] rules are written with the statements of behaviors
/// [FR-110] `#law on L to E in S is FILE`
/// [FR-111] `#sideeffect on L to E in S is FILE`
/// [FR-112] each rule in a file of its own
#[test]
fn a_rule_may_take_its_body_and_its_name_from_a_file() {
    let game = "#model hole\n#law on sow to hole in default is laws/onlyOwn.law\n#sideeffect on * to hole in \"default\" is effects/count\n#law \"Named\" on sow is laws/onlyOwn.law";
    let files = Memory::new()
        .with("g/game.gdl", game)
        .with("g/laws/onlyOwn.law", "; who may sow\n(if (!= owner player)\n  (return))")
        .with("g/effects/count.gdl", "(increase n by 1) (draw)");
    let definition = sound(&files, "g");
    let names: Vec<_> = definition.rules().map(|rule| (rule.name.to_string(), rule.kind, rule.body.len())).collect();
    let expected = [("onlyOwn", RuleKind::Law, 1), ("count", RuleKind::SideEffect, 2), ("Named", RuleKind::Law, 1)];
    assert_eq!(names, expected.map(|(name, kind, n)| (name.to_string(), kind, n)));
}

/// [FR-113] one file bound to many pointcuts
/// [FR-117] in the order of the definition
#[test]
fn one_file_bound_to_several_pointcuts_gives_several_rules_in_order() {
    let game = "#law on sow in default is own #law on sow in last is own #law on reap in default is own #law on sow in default is own";
    let files = Memory::new().with("g.gdl", game).with("own.gdl", "(return)");
    let loaded = load(&files, "g.gdl");
    assert!(!loaded.has_errors(), "{}", messages(&loaded));
    let definition = loaded.definition;
    let names: Vec<_> = definition.rules().map(|rule| rule.name.to_string()).collect();
    assert_eq!(names, ["own", "own (2)", "own (3)"], "the same pointcut again is the same rule again");
    assert!(definition.rules().all(|rule| rule.body.len() == 1));
}

#[test]
fn a_missing_file_is_told_with_the_paths_that_were_tried() {
    let files = Memory::new().with("g/game.gdl", "#game \"Toy\" from \"lost\"\n#include \"more\"\n#law on a is rule");
    insta::assert_snapshot!(messages(&load(&files, "g")));
    insta::assert_snapshot!(messages(&load(&files, "nowhere")));
}

#[test]
fn files_that_read_each_other_in_a_circle_are_told() {
    let files = Memory::new()
        .with("a.gdl", "#game A from b")
        .with("b.gdl", "#game B from a")
        .with("c.gdl", "#include d")
        .with("d.gdl", "#turns #include \"./c.gdl\"");
    insta::assert_snapshot!(messages(&load(&files, "a.gdl")));
    insta::assert_snapshot!(messages(&load(&files, "c.gdl")));
}

#[test]
fn a_pyramid_of_files_ends() {
    let mut files = Memory::new();
    for n in 0..30 {
        files = files.with(&format!("{n}.gdl"), &format!("#include {} #include {}", n + 1, n + 1));
    }
    let loaded = load(&files.with("30.gdl", "#turns"), "0.gdl");
    assert!(loaded.diagnostics.iter().any(|own| own.code == "file/too-much"));
    assert!(loaded.diagnostics.len() < 10, "told {} times", loaded.diagnostics.len());
}

#[test]
fn faults_in_another_file_are_told_where_they_stand() {
    let files = Memory::new().with("g.gdl", "#turns\n#include part").with("part.gdl", "#setup\n  (set x)");
    insta::assert_snapshot!(messages(&load(&files, "g.gdl")));
}

#[test]
fn a_file_that_is_not_text_is_an_error() {
    let path = std::env::temp_dir().join(format!("houserules-{}.gdl", std::process::id()));
    std::fs::write(&path, [b'#', 0xff, 0xfe, b'x']).unwrap();
    let loaded = load(&Disk, &path.to_string_lossy());
    std::fs::remove_file(&path).unwrap();
    assert!(messages(&loaded).contains("not text in UTF-8"), "{}", messages(&loaded));
    assert!(load(&Disk, &std::env::temp_dir().to_string_lossy()).has_errors());
}

/// A folder with a game in it, and beside it a file that is none of its business.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("houserules-files-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("game/parts")).unwrap();
        std::fs::write(path.join("secret.gdl"), "swordfish").unwrap();
        std::fs::write(path.join("game/parts/common.gdl"), "#turns").unwrap();
        Folder(path)
    }

    /// What reading a definition in it gives.
    fn told(&self, text: &str) -> String {
        std::fs::write(self.0.join("game/game.gdl"), text).unwrap();
        messages(&load(&Disk, &self.0.join("game").to_string_lossy()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_definition_reads_below_its_own_folder_only() {
    let folder = Folder::new("below");
    let secret = folder.0.join("secret.gdl");
    for path in ["../secret.gdl", "parts/../../secret.gdl", "../secret", &secret.to_string_lossy(), "/etc/passwd"] {
        for line in ["#include \"PATH\"", "#law on a is \"PATH\"", "#game \"Toy\" from \"PATH\""] {
            let told = folder.told(&line.replace("PATH", path));
            assert!(told.contains("lies outside the folder of the game"), "{line} {path}: {told}");
            assert!(!told.contains("swordfish") && !told.contains("root"), "{told}");
        }
    }
    assert_eq!(folder.told("#include \"parts/common.gdl\""), "");
    std::fs::write(folder.0.join("game/parts/up.gdl"), "#include \"../more.gdl\"").unwrap();
    std::fs::write(folder.0.join("game/more.gdl"), "#turns").unwrap();
    assert_eq!(folder.told("#include \"parts/up.gdl\""), "", "a part may name what lies elsewhere in the same game");
}

/// In the library games are made from each other, and lie beside each other.
#[test]
fn a_game_beside_this_one_is_taken_by_its_name_and_reads_below_its_own_folder() {
    let folder = Folder::new("beside");
    std::fs::create_dir(folder.0.join("base")).unwrap();
    std::fs::write(folder.0.join("base/game.gdl"), "#game \"Base\" #include own").unwrap();
    std::fs::write(folder.0.join("base/own.gdl"), "#turns").unwrap();
    assert_eq!(folder.told("#game \"Toy\" from base"), "");
    std::fs::write(folder.0.join("base/game.gdl"), "#game \"Base\" #include \"../secret.gdl\"").unwrap();
    assert!(folder.told("#game \"Toy\" from base").contains("lies outside"));
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_else_and_devices_and_pipes_are_not_read() {
    let folder = Folder::new("links");
    let game = folder.0.join("game");
    std::os::unix::fs::symlink(folder.0.join("secret.gdl"), game.join("link.gdl")).unwrap();
    std::os::unix::fs::symlink(&folder.0, game.join("up")).unwrap();
    std::os::unix::fs::symlink(game.join("parts/common.gdl"), game.join("near.gdl")).unwrap();
    for path in ["link.gdl", "up/secret.gdl"] {
        let told = folder.told(&format!("#include \"{path}\""));
        assert!(told.contains("lies outside the folder of the game") && !told.contains("swordfish"), "{told}");
    }
    assert_eq!(folder.told("#include \"near.gdl\""), "", "a link inside the folder is a file of the game");
    for device in ["/dev/zero", "/dev/stdin"] {
        let told = messages(&load(&Disk, device));
        assert!(told.contains("it is no plain file") || told.contains("no such file"), "{told}");
    }
    let pipe = game.join("pipe.gdl");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert!(folder.told("#include \"pipe.gdl\"").contains("it is no plain file"));
}

#[test]
fn a_file_that_is_too_long_is_not_read() {
    let folder = Folder::new("long");
    let long = ";".repeat(houserules_model::Budget::TEXT + 1);
    std::fs::write(folder.0.join("game/long.gdl"), long).unwrap();
    assert!(folder.told("#include long").contains("longer than 1024 KB"));
    let half = ";".repeat(houserules_model::Budget::TEXT / 2);
    std::fs::write(folder.0.join("game/half.gdl"), half).unwrap();
    assert!(folder.told("#include half\n#include half").contains("at most 1000 files of 1024 KB in all"));
}
