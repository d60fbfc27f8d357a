use houserules_kernel::BoardView;

use super::Draw;

/// A line for each place: its name, what lies there, where one can go from it.
pub fn draw(draw: &Draw, board: &BoardView) -> Vec<String> {
    let name_width = board.cells.iter().map(|cell| cell.name.chars().count()).max().unwrap_or(0);
    let width = board.cells.iter().map(|cell| draw.cell(cell).width).max().unwrap_or(1);
    board
        .cells
        .iter()
        .map(|cell| {
            let drawn = draw.cell(cell);
            let linked: Vec<&str> = cell
                .linked
                .iter()
                .filter_map(|&idx| board.cells.get(idx as usize))
                .map(|cell| cell.name.as_str())
                .collect();
            let links =
                if linked.is_empty() { String::new() } else { draw.paint.faint(&format!("– {}", linked.join(" "))) };
            format!("{:name_width$}  {}{}  {links}", cell.name, drawn.text, " ".repeat(width - drawn.width))
                .trim_end()
                .to_owned()
        })
        .collect()
}
