//! The same types for the browser, in one file.

use super::*;
use std::path::Path;
use ts_rs::{Config, TS};

macro_rules! declarations {
    ($config:expr; $($type:ty),* $(,)?) => {
        [$(format!("{}export {}\n", docs::<$type>(), <$type>::decl($config))),*].join("\n")
    };
}

fn docs<T: TS>() -> String {
    T::docs().map(|docs| docs.trim_end().to_owned() + "\n").unwrap_or_default()
}

fn written() -> String {
    let config = &Config::default();
    let all = declarations!(config;
        Refusal, Code,
        game::Library, game::GameCard, game::GamePage, game::InfoLine, game::SourceFile, game::Definition, game::Checked, game::Kept,
        rules::RuleInfo, rules::RuleKind, rules::Mode, rules::SettingInfo, rules::Range, rules::VariantInfo, rules::Change,
        rules::Diagnosis, rules::Diagnostic, rules::Severity, rules::Place,
        table::OpenTable, table::SettingValue, table::SitterWish, table::Manners, table::Consent, table::ClockKind,
        table::TableOpened, table::SeatToken, table::Sit, table::ForkAt, table::TableInfo, table::TableChange, table::Phase, table::SeatInfo,
        table::SitterKind, table::Clocks, table::Presence,
        play::Question, play::QuestionKind, play::Yours, play::Picking, play::Ways, play::Words, play::Warning, play::RefusedChoice, play::LogLine, play::Chose, play::LogWhat,
        play::Result, play::How,
        proposal::Proposal, proposal::Wish,
        scene::Scene, scene::Point, scene::Graphic, scene::Layer, scene::Shape, scene::Align, scene::Font, scene::Stroke, scene::Motion,
        scene::Target, scene::SceneChange, scene::GraphicPatch, scene::Alike, scene::Moved,
        replay::ReplayOutline, replay::ReplayStep, replay::Traced, replay::RuleDid, replay::Hint, replay::Considered,
        watch::Watched, watch::WatchedStep, watch::WatchedLine, watch::WatchedWhat, watch::RuleSort, watch::Held,
        study::StudyWanted, study::StudyState, study::StudyPhase, study::StudyReport, study::FigureRow, study::FigureValue, study::LengthRow, study::RuleRow,
        Hello, FromClient, Command, ToClient, Welcome, socket::You, Update,
    );
    format!(
        "// Made from crates/protocol by `cargo xtask protocol`; not to be edited.\n\n\
         export const PROTOCOL = {PROTOCOL};\n\n{all}"
    )
}

/// The page of the protocol lists every code; a new one without a line there fails here.
fn codes() -> String {
    Code::ALL.iter().map(|code| format!("- `{}` ({}) {}\n", code.word(), code.status(), code.meaning())).collect()
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn current(path: &str, text: &str) {
    let path = Path::new(ROOT).join(path);
    if std::env::var_os("HOUSERULES_WRITE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == text, "{} is not current; `cargo xtask protocol` writes it anew.", path.display());
}

#[test]
fn the_types_of_the_browser_are_those_of_the_server() {
    current("web/src/protocol/generated.ts", &written());
}

#[test]
fn the_page_of_the_protocol_lists_every_code() {
    let path = Path::new(ROOT).join("docs/protocol.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (head, tail) = ("<!-- codes -->\n", "<!-- end of codes -->");
    let start = page.find(head).unwrap() + head.len();
    let end = page.find(tail).unwrap();
    current("docs/protocol.md", &format!("{}{}{}", &page[..start], codes(), &page[end..]));
}
