//! From what is played to what is sent.

use houserules_gdl::{Sources, render};
use houserules_kernel::{Refusal as Refused, RefusalKind};
use houserules_model as model;
use houserules_protocol::rules::{Diagnostic, Mode, Place, RuleKind, Severity};
use houserules_protocol::scene::*;
use houserules_protocol::{Code, Refusal};
use houserules_scene as drawn;

pub fn scene(scene: &drawn::Scene) -> Scene {
    Scene { size: point(scene.size), graphics: scene.graphics.values().map(graphic).collect() }
}

pub fn picking(picking: houserules_kernel::Picking) -> houserules_protocol::play::Picking {
    let houserules_kernel::Picking { options, picked, wanted, again } = picking;
    houserules_protocol::play::Picking { options, picked, wanted, again }
}

/// What became of a scene since somebody was told of it who has laid aside what is gone.
pub fn scene_change(told: drawn::Told, gone: &mut Gone) -> SceneChange {
    let size = (told.size() != told.now.size).then(|| point(told.now.size));
    let mut change = SceneChange { size, ..SceneChange::default() };
    for (id, was, is) in told.differing() {
        match (was, is) {
            (None, Some(made)) => {
                let new = graphic(made);
                let like = alike(told, made).map(|like| (like.id.clone(), like.label == made.label));
                let like = like.or_else(|| gone.alike(&new).map(|like| (like.id.clone(), like.label == made.label)));
                change.add_made(new, like);
            }
            // Mostly something has only moved.
            (Some(old), Some(new)) if old.looks_like(new) && old.label == new.label && old.thing == new.thing => {
                let at = point(new.at);
                change.moved.push(Moved(id.clone(), at.0, at.1, new.on.map(|thing| thing.0)));
            }
            (Some(old), Some(new)) => {
                let (old, now) = (graphic(old), graphic(new));
                let like = || alike(told, new).map(|like| like.id.clone());
                change.add_changed(&old, &now, || like().or_else(|| gone.alike(&now).map(|like| like.id.clone())));
            }
            (Some(_), None) => change.gone.push(id.clone()),
            (None, None) => {}
        }
    }
    gone.lay_aside(&change, |id| told.was(id).map(graphic));
    change
}

/// A scene as somebody was told of it last.
pub fn told_scene(told: drawn::Told) -> Scene {
    let mut graphics: Vec<Graphic> = told.graphics().map(graphic).collect();
    graphics.sort_by(|one, other| one.id.cmp(&other.id));
    Scene { size: point(told.size()), graphics }
}

/// A graphic that looked the same, among those that are named alike: others hardly ever do.
fn alike<'a>(told: drawn::Told<'a>, graphic: &'a drawn::Graphic) -> Option<&'a drawn::Graphic> {
    let family = graphic.id.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(graphic.id.len());
    told.named(&graphic.id[..family]).take(MOST_COMPARED).find(|known| known.looks_like(graphic))
}

/// Among so many one is found mostly at once, or never.
const MOST_COMPARED: usize = 500;

fn point(place: drawn::Place) -> Point {
    Point(place.x, place.y)
}

/// Words that are too long for their room are set smaller, and never cut off: so no screen has to measure them.
fn size(graphic: &drawn::Graphic) -> Point {
    let drawn::Place { x, y } = graphic.size;
    match &graphic.shape {
        drawn::Shape::Text { text, font, .. } if x > 0 => {
            let wide = drawn::text_width(text, y, *font);
            if wide > x { Point(x, (i64::from(y) * i64::from(x) / i64::from(wide)).max(1) as i32) } else { Point(x, y) }
        }
        _ => Point(x, y),
    }
}

fn points(places: &[drawn::Place]) -> Vec<Point> {
    places.iter().copied().map(point).collect()
}

fn graphic(graphic: &drawn::Graphic) -> Graphic {
    let stroke =
        Stroke { paint: paint(&graphic.stroke.paint), width: graphic.stroke.width, dashed: graphic.stroke.dashed };
    Graphic {
        id: graphic.id.clone(),
        layer: match graphic.layer {
            drawn::Layer::Ground => Layer::Ground,
            drawn::Layer::Places => Layer::Places,
            drawn::Layer::Writing => Layer::Writing,
            drawn::Layer::Traces => Layer::Traces,
            drawn::Layer::Things => Layer::Things,
            drawn::Layer::Targets => Layer::Targets,
        },
        z: graphic.z,
        shape: shape(&graphic.shape),
        at: point(graphic.at),
        size: size(graphic),
        turn: graphic.turn,
        fill: paint(&graphic.fill),
        stroke: (stroke.width != 0 && !stroke.paint.is_empty()).then_some(stroke),
        ink: paint(&graphic.ink),
        opacity: graphic.opacity,
        class: graphic.class.clone(),
        label: graphic.label.clone(),
        motion: match graphic.motion {
            drawn::Motion::Still => Motion::Still,
            drawn::Motion::Glide => Motion::Glide,
            drawn::Motion::Fade => Motion::Fade,
            drawn::Motion::Drop => Motion::Drop,
        },
        thing: graphic.thing.map(|thing| thing.0),
        on: graphic.on.map(|thing| thing.0),
        clickable: graphic.clickable,
        target: graphic.target.map(|target| Target {
            paint: target.paint.to_owned(),
            across: target.across,
            ring: target.ring,
        }),
    }
}

fn shape(shape: &drawn::Shape) -> Shape {
    match shape {
        drawn::Shape::Rectangle { round } => Shape::Rectangle { round: *round },
        drawn::Shape::Circle => Shape::Circle,
        drawn::Shape::Ellipse => Shape::Ellipse,
        drawn::Shape::Polygon(corners) => Shape::Polygon { points: points(corners) },
        drawn::Shape::Path(d) => Shape::Path { d: d.clone() },
        drawn::Shape::Line(along) => Shape::Line { points: points(along) },
        drawn::Shape::Text { text, align, font } => Shape::Text {
            text: text.clone(),
            align: match align {
                drawn::Align::Left => Align::Left,
                drawn::Align::Middle => Align::Middle,
                drawn::Align::Right => Align::Right,
            },
            font: match font {
                drawn::Font::Plain => Font::Plain,
                drawn::Font::Bold => Font::Bold,
                drawn::Font::Serif => Font::Serif,
            },
        },
        drawn::Shape::Image(name) => Shape::Image { name: (*name).to_owned() },
        drawn::Shape::File(name) => Shape::File { name: name.clone() },
        drawn::Shape::Group => Shape::Group,
    }
}

fn paint(paint: &drawn::Paint) -> String {
    match paint {
        drawn::Paint::None => String::new(),
        drawn::Paint::Theme(name) => (*name).to_owned(),
        drawn::Paint::Own(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
    }
}

pub fn refusal(refused: &Refused) -> Refusal {
    let code = match refused.kind {
        RefusalKind::Law => Code::ChoiceRefused,
        RefusalKind::NotOffered => Code::ChoiceUnknown,
        RefusalKind::Fault => Code::ChoiceFault,
    };
    Refusal { code, words: refused.reason.clone(), law: refused.law.clone() }
}

pub fn mode(mode: model::Mode) -> Mode {
    match mode {
        model::Mode::Enforced => Mode::Enforced,
        model::Mode::Advised => Mode::Advised,
        model::Mode::Off => Mode::Off,
    }
}

pub fn rule_kind(kind: model::RuleKind) -> RuleKind {
    match kind {
        model::RuleKind::Law => RuleKind::Law,
        model::RuleKind::AfterLaw => RuleKind::AfterLaw,
        model::RuleKind::SideEffect => RuleKind::SideEffect,
    }
}

pub fn diagnostic(diagnostic: &model::Diagnostic, sources: &Sources) -> Diagnostic {
    let label = diagnostic.labels.first();
    let place = label.and_then(|label| {
        let (source, at) = (sources.get(label.origin.file)?, sources.place(label.origin)?);
        Some(Place {
            file: source.name.clone(),
            line: at.line as u32,
            column: at.column as u32,
            start: label.origin.start,
            end: label.origin.end,
        })
    });
    Diagnostic {
        severity: match diagnostic.severity {
            model::Severity::Error => Severity::Error,
            model::Severity::Warning => Severity::Warning,
            model::Severity::ToDo => Severity::ToDo,
        },
        code: diagnostic.code.to_owned(),
        title: diagnostic.title.clone(),
        place,
        label: label.map(|label| label.text.clone()).unwrap_or_default(),
        hint: diagnostic.hint.clone(),
        drawn: render(diagnostic, sources, false),
    }
}
