//! `cargo xtask pictures`: every game at the start, in the middle and at the end of a match, for every viewer, on one sheet.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use houserules_kernel::{Decision, Generator, Position, Rulebook, SeatId, Viewer};
use houserules_library::Options;
use houserules_scene::{Sight, Theme, draw, faults, svg};

use crate::{cargo, games};

/// The match that is drawn.
const SEED: u64 = 7;
/// A match that is not over after so many choices is left where it is.
const MOST: usize = 400;

pub fn run(options: &[&str]) -> Result<(), String> {
    let only = match options {
        [] => None,
        ["--game", game] => Some(*game),
        _ => return Err("cargo xtask pictures [--game G]".into()),
    };
    let folder = cargo::root().join("target/pictures");
    let told = |error: std::io::Error| format!("{} cannot be written: {error}.", folder.display());
    fs::create_dir_all(&folder).map_err(told)?;
    let (mut cards, mut wrong, mut n_pictures) = (Vec::new(), Vec::new(), 0);
    for game in games::folders()?.into_iter().filter(|game| only.is_none_or(|only| only == game.name)) {
        for picture in pictures(&game.name)? {
            n_pictures += 1;
            wrong.extend(picture.faults.iter().map(|fault| format!("{}: {fault}", picture.title)));
            fs::write(folder.join(format!("{}.svg", picture.file)), &picture.light).map_err(told)?;
            cards.push(picture);
        }
    }
    for theme in [Theme::Light, Theme::Dark] {
        for (width, device) in [(1440, "desktop"), (390, "phone")] {
            let name = format!("{device}-{}", if theme == Theme::Dark { "dark" } else { "light" });
            let page = folder.join(format!("{name}.html"));
            fs::write(&page, sheet(&cards, theme)).map_err(told)?;
            photograph(&page, &folder.join(format!("{name}.png")), width, cards.len())?;
        }
    }
    println!("{n_pictures} pictures in {}", folder.display());
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} faults:\n{}", wrong.len(), wrong.join("\n"))) }
}

struct Picture {
    title: String,
    file: String,
    light: String,
    dark: String,
    faults: Vec<String>,
}

/// The start, the middle and the end, each for every viewer who sees something else than those before.
fn pictures(name: &str) -> Result<Vec<Picture>, String> {
    let game = games::compile(name, &Options::default())?;
    let seats = game.seats();
    let length = length(&game)?;
    let mut found: Vec<Picture> = Vec::new();
    for (moment, n) in [("start", 0), ("middle", length / 2), ("end", length)] {
        let mut position = game.open().map_err(|error| format!("{name}: {error}"))?;
        let mut generator = Generator::new(SEED);
        let mut n_played = 0;
        // Where only chance decides there is nothing for anybody to see yet.
        while n_played < n || matches!(position.decision(), Decision::Nature) {
            if !position.play_random(&mut generator).map_err(|refusal| format!("{name}: {refusal}"))? {
                break;
            }
            n_played += 1;
        }
        let all = (0..seats.len()).map(|seat| Viewer::Seat(SeatId(seat as u8)));
        for viewer in [Viewer::Public].into_iter().chain(all).chain([Viewer::All]) {
            let before = Sight::before(&*position, viewer);
            let scene = draw(&Sight::of(&mut *position, &seats, viewer, before));
            let light = svg(&scene, Theme::Light);
            if found.iter().any(|known| known.light == light) {
                continue;
            }
            let who = match viewer {
                Viewer::Public => "public".to_owned(),
                Viewer::All => "referee".to_owned(),
                Viewer::Seat(seat) => seats[usize::from(seat.0)].clone(),
            };
            found.push(Picture {
                title: format!("{}, {moment}, {who}", game.name()),
                file: format!("{name}-{moment}-{}", who.to_lowercase().replace(' ', "-")),
                dark: svg(&scene, Theme::Dark),
                light,
                faults: faults(&scene),
            });
        }
    }
    Ok(found)
}

/// How many choices the match has.
fn length(game: &dyn Rulebook) -> Result<usize, String> {
    let mut position: Box<dyn Position> = game.open().map_err(|error| error.to_string())?;
    let mut generator = Generator::new(SEED);
    let mut n = 0;
    while n < MOST && position.play_random(&mut generator).map_err(|refusal| refusal.to_string())? {
        n += 1;
    }
    Ok(n)
}

fn sheet(pictures: &[Picture], theme: Theme) -> String {
    let (ground, ink) = if theme == Theme::Dark { ("#121514", "#edf0ed") } else { ("#f3f4f1", "#181c1a") };
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Houserules: pictures</title><style>\
         body{{margin:16px;background:{ground};color:{ink};font:13px sans-serif;display:grid;gap:14px;\
         grid-template-columns:repeat(auto-fill,minmax(330px,1fr))}}figure{{margin:0}}svg{{width:100%;height:330px}}\
         figcaption{{text-align:center;margin-top:4px}}</style>"
    );
    for picture in pictures {
        let drawn = if theme == Theme::Dark { &picture.dark } else { &picture.light };
        let title = picture.title.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(page, "<figure>{drawn}<figcaption>{title}</figcaption></figure>");
    }
    page
}

/// A picture of a page by Chromium, if there is one.
fn photograph(page: &Path, to: &Path, width: usize, n_pictures: usize) -> Result<(), String> {
    let columns = (width / 344).max(1);
    let height = n_pictures.div_ceil(columns) * 368 + 40;
    let profile = std::env::temp_dir().join(format!("houserules-pictures-{}", std::process::id()));
    let run = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .arg("--hide-scrollbars")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},{}", height.min(16_000)))
        .arg(format!("--screenshot={}", to.display()))
        .arg(format!("file://{}", page.display()))
        .output();
    let _ = fs::remove_dir_all(&profile);
    match run {
        Ok(done) if done.status.success() && to.exists() => Ok(()),
        Ok(done) => Err(format!("chromium: {}", String::from_utf8_lossy(&done.stderr))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            eprintln!("No picture of {}: `chromium` is not installed.", page.display());
            Ok(())
        }
        Err(error) => Err(format!("chromium: {error}")),
    }
}
