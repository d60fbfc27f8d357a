//! Which stage leads to which, as text and as a picture.

use crate::program::{Premise, Program};

/// Boxes and arrows.
#[derive(Clone, Debug, Default)]
pub struct Diagram {
    pub boxes: Vec<Box>,
    pub arrows: Vec<Arrow>,
}

/// Something that can happen.
#[derive(Clone, Debug)]
pub struct Box {
    pub name: String,
    /// What happens in it.
    pub lines: Vec<String>,
    /// Somebody chooses here.
    pub choice: bool,
    pub start: bool,
    pub end: bool,
}

/// From one box to another, by their numbers.
#[derive(Clone, Debug)]
pub struct Arrow {
    pub from: usize,
    pub to: usize,
    pub label: String,
}

/// Where an arrow runs in the picture.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    /// From a box to itself.
    Own,
    /// Down to the next row.
    Next,
    /// Back, beside all boxes.
    Left,
    /// Down past several rows, beside all boxes.
    Right,
}

impl Run {
    fn of(from: usize, to: usize, arrow: &Arrow) -> Run {
        match () {
            () if arrow.from == arrow.to => Run::Own,
            () if to == from + 1 => Run::Next,
            () if to <= from => Run::Left,
            () => Run::Right,
        }
    }
}

const MOST_LINES: usize = 6;
/// Signs of a line in the picture.
const LONGEST_LINE: usize = 44;

impl Diagram {
    /// The stages of a program and its links.
    pub fn of_program(program: &Program) -> Diagram {
        let mut diagram = Diagram::default();
        for (id, stage) in program.stages.iter().enumerate() {
            let mut names: Vec<String> = stage.rules.iter().map(|&rule| program.rules[rule].name.clone()).collect();
            if names.len() > MOST_LINES {
                let n = names.len();
                let (first, last) = (names[0].clone(), names[n - 1].clone());
                names = vec![format!("{first} … {last}"), format!("{n} rules")];
            }
            diagram.boxes.push(Box {
                name: stage.name.clone(),
                lines: names,
                choice: stage.interactive,
                start: program.queries.first().is_some_and(|query| query.stage == id),
                end: stage.links.is_empty(),
            });
            for &link in &stage.links {
                let rule = &program.rules[link];
                let label = label(program, rule, &stage.name);
                diagram.arrows.extend(rule.next.map(|to| Arrow { from: id, to, label: label.clone() }));
            }
        }
        diagram
    }

    /// The box of this name, made if there is none.
    pub fn named(&mut self, name: &str) -> usize {
        self.boxes.iter().position(|known| known.name == name).unwrap_or_else(|| {
            self.boxes.push(Box { name: name.into(), lines: Vec::new(), choice: false, start: false, end: false });
            self.boxes.len() - 1
        })
    }

    pub fn n_boxes(&self) -> usize {
        self.boxes.len()
    }

    /// Somebody chooses here, and with this it begins.
    pub fn begins(&mut self, id: usize) {
        (self.boxes[id].choice, self.boxes[id].start) = (true, true);
    }

    /// Something that happens in a box.
    pub fn line(&mut self, id: usize, line: &str) {
        if !self.boxes[id].lines.iter().any(|known| known == line) {
            self.boxes[id].lines.push(line.into());
        }
    }

    pub fn arrow(&mut self, from: usize, to: usize, label: &str) {
        if !self.arrows.iter().any(|known| (known.from, known.to) == (from, to) && known.label == label) {
            self.arrows.push(Arrow { from, to, label: label.into() });
        }
    }

    /// Of the first so many boxes, those that lead nowhere are ends.
    pub fn ends_where_nothing_follows(&mut self, n: usize) {
        for id in 0..n {
            self.boxes[id].end = !self.arrows.iter().any(|arrow| arrow.from == id);
        }
    }

    /// A paragraph for each box.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (id, known) in self.boxes.iter().enumerate() {
            let marks =
                [(known.start, "begins here"), (known.choice, "somebody chooses"), (known.end, "nothing follows")];
            let marks: Vec<&str> = marks.iter().filter(|(is, _)| *is).map(|(_, mark)| *mark).collect();
            let marks = if marks.is_empty() || self.arrows.is_empty() {
                String::new()
            } else {
                format!("  ({})", marks.join(", "))
            };
            text += &format!("{}{marks}\n", known.name);
            known.lines.iter().for_each(|line| text += &format!("    {line}\n"));
            for arrow in self.arrows.iter().filter(|arrow| arrow.from == id) {
                text += format!("  → {}  {}", self.boxes[arrow.to].name, arrow.label).trim_end();
                text.push('\n');
            }
        }
        text
    }

    /// A picture in SVG: layers by distance from the start, arrows back at the side.
    pub fn svg(&self) -> String {
        const GAP: (i32, i32) = (70, 60);
        const LINE: i32 = 15;
        const LANE: i32 = 13;
        // By what the longest line takes in the fonts below; more is cut.
        let widths = self.boxes.iter().flat_map(|known| {
            let lines = known.lines.iter().map(|line| line.chars().count().min(LONGEST_LINE) as i32 * 63 / 10);
            lines.chain([known.name.chars().count().min(LONGEST_LINE) as i32 * 88 / 10])
        });
        let box_width = (24 + widths.max().unwrap_or(0)).max(120);
        let layers = self.layers();
        let height = |id: usize| 34 + LINE * self.boxes[id].lines.len() as i32;
        let widest = layers.iter().map(Vec::len).max().unwrap_or(1).max(1) as i32;
        let layer_of = |id: usize| layers.iter().position(|layer| layer.contains(&id)).unwrap_or(0);
        let runs: Vec<Run> =
            self.arrows.iter().map(|arrow| Run::of(layer_of(arrow.from), layer_of(arrow.to), arrow)).collect();
        // Beside the boxes is room for every arrow that passes there, and beyond them for what is said of it.
        let lanes = |side: Run| {
            let own = || self.arrows.iter().zip(&runs).filter(|(_, run)| **run == side).map(|(arrow, _)| arrow);
            let longest = own().map(|arrow| arrow.label.chars().count().min(LONGEST_LINE)).max().unwrap_or(0) as i32;
            40 + LANE * own().count() as i32 + longest * 63 / 10
        };
        let margin = lanes(Run::Left);
        let full = widest * box_width + (widest - 1) * GAP.0;
        let mut at = vec![(0, 0); self.boxes.len()];
        let mut y = 30;
        for layer in &layers {
            let own = layer.len() as i32 * box_width + (layer.len() as i32 - 1) * GAP.0;
            for (n, &id) in layer.iter().enumerate() {
                at[id] = (margin + (full - own) / 2 + n as i32 * (box_width + GAP.0), y);
            }
            y += layer.iter().map(|&id| height(id)).max().unwrap_or(0) + GAP.1;
        }
        let lowest = |id: usize| {
            let layer = &layers[layer_of(id)];
            layer.iter().map(|&id| at[id].1 + height(id)).max().unwrap_or(0)
        };
        let mut body = String::new();
        let mut labels = String::new();
        let (mut n_left, mut n_right) = (0, 0);
        for (arrow, run) in self.arrows.iter().zip(&runs) {
            let ((x1, y1), (x2, y2)) = (at[arrow.from], at[arrow.to]);
            let (path, (tx, ty), anchor) = match run {
                Run::Own => {
                    let (x, y) = (x1 + box_width, y1 + height(arrow.from) / 2);
                    let path = format!("M{x} {} C{} {} {} {} {x} {}", y - 10, x + 46, y - 26, x + 46, y + 26, y + 10);
                    (path, (x + 38, y + 4), "start")
                }
                Run::Next => {
                    let (x, y) = (x1 + box_width / 2, y1 + height(arrow.from));
                    let (tx, ty) = (x2 + box_width / 2, y2);
                    let bend = (ty - y) / 2;
                    let path = format!("M{x} {y} C{x} {} {tx} {} {tx} {ty}", y + bend, ty - bend);
                    // Near where it comes from: there arrows have not crossed yet.
                    let (beside, anchor) = if tx < x { (-6, "end") } else { (6, "start") };
                    (path, (x + (tx - x) * 28 / 100 + beside, y + (ty - y) * 38 / 100 + 4), anchor)
                }
                Run::Left | Run::Right => {
                    let is_left = *run == Run::Left;
                    let n = if is_left { &mut n_left } else { &mut n_right };
                    *n += 1;
                    let side = if is_left { margin - 14 - LANE * *n } else { margin + full + 14 + LANE * *n };
                    // Whoever has a neighbour on that side is left and entered between the rows: no arrow goes through a box.
                    let outermost = |id: usize| {
                        let layer = &layers[layer_of(id)];
                        if is_left { layer.first() == Some(&id) } else { layer.last() == Some(&id) }
                    };
                    let edge = |x: i32| if is_left { x } else { x + box_width };
                    let nudge = 8 + 5 * (*n % 4);
                    let (leaves, y) = match outermost(arrow.from) {
                        true => {
                            let y = y1 + height(arrow.from) / 2 + 7;
                            (format!("M{} {y}", edge(x1)), y)
                        }
                        false => {
                            let (x, y) = (x1 + box_width / 2 + 2 * nudge - 60, lowest(arrow.from) + nudge);
                            (format!("M{x} {} V{y}", y1 + height(arrow.from)), y)
                        }
                    };
                    let (enters, ty) = match outermost(arrow.to) {
                        true => {
                            let y = y2 + height(arrow.to) / 2 - 7;
                            (format!("H{}", edge(x2)), y)
                        }
                        false => (format!("H{} V{y2}", x2 + box_width / 2 + 60 - 2 * nudge), y2 - nudge),
                    };
                    let (beside, anchor) = if is_left { (-5, "end") } else { (5, "start") };
                    (format!("{leaves} H{side} V{ty} {enters}"), (side + beside, (y + ty) / 2), anchor)
                }
            };
            body += &format!("<path class=\"arrow\" d=\"{path}\" marker-end=\"url(#tip)\"/>\n");
            labels += &format!(
                "<text class=\"label\" x=\"{tx}\" y=\"{ty}\" text-anchor=\"{anchor}\">{}</text>\n",
                escaped(&cut(&arrow.label))
            );
        }
        for (id, known) in self.boxes.iter().enumerate() {
            let (x, y) = at[id];
            let kind = if known.choice { "choice" } else { "chance" };
            let edge = if known.start { " start" } else { "" };
            body += &format!(
                "<rect class=\"{kind}{edge}\" x=\"{x}\" y=\"{y}\" width=\"{box_width}\" height=\"{}\" rx=\"8\"/>\n",
                height(id)
            );
            let middle = x + box_width / 2;
            body += &format!(
                "<text class=\"name\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                y + 20,
                escaped(&cut(&known.name))
            );
            for (n, line) in known.lines.iter().enumerate() {
                let y = y + 38 + LINE * n as i32;
                body += &format!(
                    "<text class=\"line\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{}</text>\n",
                    escaped(&cut(line))
                );
            }
        }
        body += &labels;
        let loops = if runs.contains(&Run::Own) { 60 } else { 0 };
        let (width, height) = (margin + full + lanes(Run::Right).max(20 + loops), y);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"sans-serif\">\n<style>rect{{stroke:#444;fill:#f4f4f0}} .choice{{fill:#dcebff}} .start{{stroke-width:3}} \
             .arrow{{fill:none;stroke:#666;stroke-width:1.4}} .name{{font-size:14px;font-weight:bold}} \
             .line{{font-size:11px;fill:#555}} .label{{font-size:11px;fill:#222;paint-order:stroke;stroke:#fff;stroke-width:3px}}\
             </style>\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
             orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" fill=\"#666\"/></marker></defs>\n\
             <rect x=\"0\" y=\"0\" width=\"{width}\" height=\"{height}\" style=\"fill:#fff;stroke:none\"/>\n{body}</svg>\n"
        )
    }

    /// Boxes by how far they are from the start; what cannot be reached comes last.
    fn layers(&self) -> Vec<Vec<usize>> {
        let mut seen = vec![false; self.boxes.len()];
        let mut layers: Vec<Vec<usize>> = Vec::new();
        let mut next: Vec<usize> = (0..self.boxes.len()).filter(|&id| self.boxes[id].start).collect();
        while !next.is_empty() {
            next.iter().for_each(|&id| seen[id] = true);
            let mut further: Vec<usize> = Vec::new();
            for arrow in self.arrows.iter().filter(|arrow| next.contains(&arrow.from)) {
                if !seen[arrow.to] && !further.contains(&arrow.to) {
                    further.push(arrow.to);
                }
            }
            layers.push(std::mem::replace(&mut next, further));
        }
        let rest: Vec<usize> = (0..self.boxes.len()).filter(|&id| !seen[id]).collect();
        layers.extend(rest.chunks(4).map(<[usize]>::to_vec));
        layers
    }
}

/// What a link wants, in a word: that the stage was left with success or without, or the facts.
fn label(program: &Program, rule: &crate::program::Rule, stage: &str) -> String {
    let wants: Vec<&str> = rule
        .premises
        .iter()
        .filter_map(|premise| match premise {
            Premise::Fact { pred, .. } => Some(program.preds[*pred].name.as_str()),
            Premise::Goal(_) => None,
        })
        .collect();
    match wants.as_slice() {
        [] => rule.name.trim_start_matches('`').to_owned(),
        [one] if *one == format!("postoken_{stage}") => "done".into(),
        [one] if *one == format!("pretoken_{stage}") => "cannot".into(),
        several => several.join(", "),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
