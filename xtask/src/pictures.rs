//! `cargo xtask pictures`: every game at the start, in the middle and at the end of a match, for every viewer, on sheets.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use std::sync::Arc;

use houserules_kernel::{Decision, Generator, Position, Rulebook, SeatId, Viewer};
use houserules_library::{Options, find, list, list_bgd, list_ceptre, list_files};
use houserules_scene::stage::{Fault, Stage, Watching};
use houserules_scene::{Sight, Theme, faults, svg};

use crate::cargo;

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
    let all = [list(), list_ceptre(), list_bgd(), list_files()].concat();
    for game in all.iter().filter(|game| only.is_none_or(|only| only == *game)) {
        for picture in pictures(game)? {
            n_pictures += 1;
            wrong.extend(picture.faults.iter().map(|fault| format!("{}: {fault}", picture.title)));
            fs::write(folder.join(format!("{}.svg", picture.file)), &picture.light).map_err(told)?;
            cards.push(picture);
        }
    }
    let mut n_sheets = 0;
    for (name, width, theme, seen) in [
        ("desktop-light", 1440, Theme::Light, Seen::Plainly),
        ("desktop-dark", 1440, Theme::Dark, Seen::Plainly),
        ("phone-light", 390, Theme::Light, Seen::Plainly),
        ("phone-dark", 390, Theme::Dark, Seen::Plainly),
        ("colour-blind", 1440, Theme::Light, Seen::WithoutGreen),
    ] {
        let columns = (width / EACH.0).max(1);
        for (nth, cards) in cards.chunks(HIGHEST / EACH.1 * columns).enumerate() {
            let page = folder.join(format!("{name}-{}.html", nth + 1));
            fs::write(&page, sheet(cards, theme, seen)).map_err(told)?;
            photograph(&page, width, cards.len().div_ceil(columns) * EACH.1 + 40)?;
            n_sheets += 1;
        }
    }
    println!("{n_pictures} pictures on {n_sheets} sheets in {}", folder.display());
    if wrong.is_empty() { Ok(()) } else { Err(format!("{} faults:\n{}", wrong.len(), wrong.join("\n"))) }
}

/// Across and down, a picture with its title on a sheet.
const EACH: (usize, usize) = (344, 368);
/// Chromium cuts off a picture that is higher than 16,000; so high nobody wants to scroll anyhow.
const HIGHEST: usize = 4_400;

/// Through whose eyes a sheet is looked at.
#[derive(Clone, Copy, PartialEq)]
enum Seen {
    Plainly,
    /// Red and green look alike: deuteranopia, by the matrix of Viénot, Brettel and Mollon (1999).
    WithoutGreen,
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
    let of = find(name)?;
    let game = of.rulebook(&Options::default()).map_err(|messages| format!("{name}:\n{messages}"))?;
    let stage = of.arrange(&Options::default()).ok().and_then(|definition| Stage::of(&definition)).map(Arc::new);
    let seats = game.seats();
    let length = length(&*game)?;
    let of_seats = (0..seats.len()).map(|seat| Viewer::Seat(SeatId(seat as u8)));
    let viewers: Vec<Viewer> = [Viewer::Public].into_iter().chain(of_seats).chain([Viewer::All]).collect();
    let mut found: Vec<Picture> = Vec::new();
    for (moment, n) in [("start", 0), ("middle", length / 2), ("end", length)] {
        let mut position = game.open().map_err(|error| format!("{name}: {error}"))?;
        let watch = |viewer: &Viewer| Watching::open(stage.clone(), position.view(*viewer));
        let mut watching: Vec<Watching> = viewers.iter().map(watch).collect();
        let mut generator = Generator::new(SEED);
        let mut n_played = 0;
        // Where only chance decides there is nothing for anybody to see yet.
        while n_played < n || matches!(position.decision(), Decision::Nature) {
            if !position.play_random(&mut generator).map_err(|refusal| format!("{name}: {refusal}"))? {
                break;
            }
            n_played += 1;
            // Where the definition draws nothing, nobody has to be told.
            for (viewer, watching) in viewers.iter().zip(&mut watching).filter(|_| stage.is_some()) {
                watching.step(position.view(*viewer));
            }
        }
        for (&viewer, watching) in viewers.iter().zip(&watching) {
            let before = Sight::before(&*position, viewer);
            let sight = Sight::of(&mut *position, &seats, viewer, before);
            let scene = watching.scene(&sight);
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
                title: format!("{name}, {moment}, {who}"),
                file: format!("{name}-{moment}-{}", who.to_lowercase().replace(' ', "-")),
                dark: svg(&scene, Theme::Dark),
                light,
                faults: faults(&scene)
                    .into_iter()
                    .chain(watching.memory().faults.iter().map(Fault::to_string))
                    .collect(),
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

fn sheet(pictures: &[Picture], theme: Theme, seen: Seen) -> String {
    let (ground, ink) = if theme == Theme::Dark { ("#121514", "#edf0ed") } else { ("#f3f4f1", "#181c1a") };
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Houserules: pictures</title><style>\
         body{{margin:16px;background:{ground};color:{ink};font:13px sans-serif;display:grid;gap:14px;\
         grid-template-columns:repeat(auto-fill,minmax(330px,1fr))}}figure{{margin:0}}svg{{width:100%;height:330px}}\
         figcaption{{text-align:center;margin-top:4px}}</style>"
    );
    if seen == Seen::WithoutGreen {
        page.push_str(
            "<style>figure svg{filter:url(#seen)}</style><svg width=\"0\" height=\"0\" style=\"position:absolute\">\
             <filter id=\"seen\" color-interpolation-filters=\"linearRGB\"><feColorMatrix values=\"0.2929 0.7071 0 0 0 \
             0.2929 0.7071 0 0 0 -0.0223 0.0223 1 0 0 0 0 0 1 0\"/></filter></svg>",
        );
    }
    for picture in pictures {
        let drawn = if theme == Theme::Dark { &picture.dark } else { &picture.light };
        let title = picture.title.replace('&', "&amp;").replace('<', "&lt;");
        let _ = write!(page, "<figure>{drawn}<figcaption>{title}</figcaption></figure>");
    }
    page
}

/// A picture of a page by Chromium, if there is one.
fn photograph(page: &Path, width: usize, height: usize) -> Result<(), String> {
    let to = page.with_extension("png");
    let profile = std::env::temp_dir().join(format!("houserules-pictures-{}", std::process::id()));
    let run = Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .arg("--hide-scrollbars")
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("--window-size={width},{height}"))
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
