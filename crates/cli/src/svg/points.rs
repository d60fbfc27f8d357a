//! Boards on whose points pieces stand on each other, as in backgammon.

use super::{EDGE, FAINT, GROUND, SHADE, Sheet};
use crate::draw::{Column, HEIGHT, Stack};

const WIDE: f64 = 34.0;
const DISC: f64 = 30.0;
/// From an edge to the middle of the board.
const HIGH: f64 = DISC * HEIGHT as f64 + 24.0;
const RIM: f64 = 18.0;

pub fn draw(sheet: &mut Sheet, columns: &[Column]) {
    let wide = WIDE * columns.len() as f64;
    let (left, top) = sheet.room(wide, 2.0 * (HIGH + RIM));
    let (top, bottom) = (top + RIM, top + RIM + 2.0 * HIGH);
    sheet.add(&format!(
        "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{wide:.1}\" height=\"{:.1}\" fill=\"{GROUND}\" stroke=\"{EDGE}\"/>",
        bottom - top
    ));
    for (idx, column) in columns.iter().enumerate() {
        let x = left + WIDE * (idx as f64 + 0.5);
        match &column.label {
            Some(label) => {
                sheet.add(&format!(
                    "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{WIDE}\" height=\"{:.1}\" fill=\"{SHADE}\" stroke=\"{EDGE}\"/>",
                    x - WIDE / 2.0,
                    bottom - top
                ));
                sheet.text(label, (x, (top + bottom) / 2.0), 12.0, FAINT);
            }
            None => {
                let dark = idx % 2 == 0;
                triangle(sheet, (x, top), 1.0, dark);
                triangle(sheet, (x, bottom), -1.0, !dark);
            }
        }
        sheet.text(&column.name_above, (x, top - 9.0), 11.0, FAINT);
        sheet.text(&column.name_below, (x, bottom + 10.0), 11.0, FAINT);
        pile(sheet, &column.above, (x, top), 1.0);
        pile(sheet, &column.below, (x, bottom), -1.0);
    }
}

fn triangle(sheet: &mut Sheet, (x, y): (f64, f64), down: f64, dark: bool) {
    let (half, tip) = (WIDE / 2.0 - 2.0, y + down * (HIGH - 20.0));
    let fill = if dark { "#d9c7a0" } else { SHADE };
    sheet.add(&format!(
        "<polygon points=\"{:.1},{y:.1} {:.1},{y:.1} {x:.1},{tip:.1}\" fill=\"{fill}\"/>",
        x - half,
        x + half
    ));
}

/// Pieces from the edge towards the middle; a higher pile ends in its number.
fn pile(sheet: &mut Sheet, stack: &Stack, (x, edge): (f64, f64), down: f64) {
    for level in 0..stack.count.min(HEIGHT) {
        let y = edge + down * DISC * (f64::from(level) + 0.5);
        let last = level + 1 == HEIGHT && stack.count > HEIGHT;
        let sign = if last { stack.count.to_string() } else { stack.sign.clone() };
        sheet.piece(&sign, stack.seat, (x, y), DISC / 2.0 - 1.0);
    }
}
