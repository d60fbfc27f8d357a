//! What would be wrong with a scene as a picture.

use crate::{Align, Graphic, Layer, Place, Scene, Shape, svg::text_width};

/// Letters are never set smaller than this part of what was asked for; beyond it nobody can read them.
const SMALLEST: i32 = 2;

/// Everything that is wrong, in words: nothing drawn, something outside, words without room, cells over each other.
pub fn faults(scene: &Scene) -> Vec<String> {
    let mut faults = Vec::new();
    if !scene.graphics.values().any(|graphic| graphic.shape != Shape::Group && graphic.opacity > 0) {
        faults.push("Nothing is drawn.".into());
    }
    for graphic in scene.graphics.values() {
        let (from, to) = bounds(graphic);
        if from.x < 0 || from.y < 0 || to.x > scene.size.x || to.y > scene.size.y {
            faults.push(format!(
                "`{}` reaches from {},{} to {},{}, outside of {} by {}.",
                graphic.id, from.x, from.y, to.x, to.y, scene.size.x, scene.size.y
            ));
        }
        if let Shape::Text { text, font, .. } = &graphic.shape
            && text_width(text, graphic.size.y, *font) > SMALLEST * graphic.size.x
        {
            faults.push(format!("`{}`: there is no room for “{text}”.", graphic.id));
        }
    }
    // What lies between two places is drawn over them, and its ends meet.
    let is_cell = |graphic: &&Graphic| graphic.layer == Layer::Places && graphic.thing.is_some() && graphic.z == 0;
    let cells: Vec<&Graphic> = scene.graphics.values().filter(is_cell).collect();
    for (idx, one) in cells.iter().enumerate() {
        for other in &cells[idx + 1..] {
            if overlap(one, other) {
                faults.push(format!("The places `{}` and `{}` lie over each other.", one.id, other.id));
            }
        }
    }
    faults
}

/// The corners of the room that a graphic takes.
pub fn bounds(graphic: &Graphic) -> (Place, Place) {
    let (at, size) = (graphic.at, graphic.size);
    let around = |x: i32, y: i32| (at.by(-x / 2, -y / 2), at.by(x / 2, y / 2));
    match &graphic.shape {
        Shape::Polygon(points) | Shape::Line(points) => {
            let least = |pick: fn(&Place) -> i32| points.iter().map(pick).min().unwrap_or(0);
            let most = |pick: fn(&Place) -> i32| points.iter().map(pick).max().unwrap_or(0);
            (at.by(least(|p| p.x), least(|p| p.y)), at.by(most(|p| p.x), most(|p| p.y)))
        }
        Shape::Text { text, align, font } => {
            let wide = text_width(text, size.y, *font).min(size.x);
            let (from, to) = around(wide, size.y);
            match align {
                Align::Left => (from.by(wide / 2, 0), to.by(wide / 2, 0)),
                Align::Middle => (from, to),
                Align::Right => (from.by(-wide / 2, 0), to.by(-wide / 2, 0)),
            }
        }
        _ if graphic.turn != 0 => {
            let (sin, cos) =
                (f64::from(graphic.turn).to_radians().sin().abs(), f64::from(graphic.turn).to_radians().cos().abs());
            let (x, y) = (f64::from(size.x), f64::from(size.y));
            around((x * cos + y * sin) as i32, (x * sin + y * cos) as i32)
        }
        _ => around(size.x, size.y),
    }
}

fn overlap(one: &Graphic, other: &Graphic) -> bool {
    let ((left, top), (right, bottom)) = {
        let (from, to) = bounds(one);
        ((from.x, from.y), (to.x, to.y))
    };
    let (from, to) = bounds(other);
    let x = right.min(to.x) - left.max(from.x);
    let y = bottom.min(to.y) - top.max(from.y);
    if x <= 1 || y <= 1 {
        return false;
    }
    if matches!((&one.shape, &other.shape), (Shape::Rectangle { .. }, Shape::Rectangle { .. })) {
        return true;
    }
    // Of round and slanted places the corners of their rooms may meet: as ellipses they must not come too near.
    let near = |a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32| {
        let away = f64::from((a + b) - (c + d)) / 2.0;
        away / (f64::from((e - f) + (g - h)) / 2.0).max(1.0)
    };
    let across = near(left, right, from.x, to.x, right, left, to.x, from.x);
    let along = near(top, bottom, from.y, to.y, bottom, top, to.y, from.y);
    across * across + along * along < 0.72
}
