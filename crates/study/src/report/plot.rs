//! Plots as SVG that needs nothing from elsewhere. Colours come from the page, so that dark screens get dark plots.

use std::fmt::Write;

/// Room around a plot: left, right, above and below.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 20.0;
const ABOVE: f64 = 14.0;
const BELOW: f64 = 44.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 250.0;

pub(super) struct Series {
    pub label: String,
    /// Points with the ends of their errors.
    pub points: Vec<Point>,
}

#[derive(Clone, Copy)]
pub(super) struct Point {
    pub x: f64,
    pub y: f64,
    pub low: f64,
    pub high: f64,
}

impl Point {
    pub fn sure(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }
}

/// Numbers on an axis, the ends included.
pub(super) struct Axis {
    pub from: f64,
    pub to: f64,
    pub title: &'static str,
}

impl Axis {
    fn place(&self, value: f64) -> f64 {
        let span = self.to - self.from;
        if span > 0.0 { ((value - self.from) / span).clamp(0.0, 1.0) } else { 0.5 }
    }

    /// Up to six round numbers.
    fn ticks(&self) -> Vec<f64> {
        let span = (self.to - self.from).max(f64::MIN_POSITIVE);
        let rough = span / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|nice| nice * power).find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.from / step).ceil() as i64;
        let last = (self.to / step + 1e-9).floor() as i64;
        (first..=last).map(|nth| nth as f64 * step).collect()
    }
}

/// Bars side by side, a group for each name, with errors; a dashed line where `even` is.
pub(super) fn bars(title: &str, groups: &[String], series: &[Series], y: &Axis, even: Option<f64>) -> String {
    let mut svg = begin(title, &in_groups(groups, series, y.title), y);
    let across = WIDTH - LEFT - RIGHT;
    let group = across / groups.len().max(1) as f64;
    let bar = (group * 0.7 / series.len().max(1) as f64).min(60.0);
    for (nth, name) in groups.iter().enumerate() {
        let middle = LEFT + group * (nth as f64 + 0.5);
        let _ = write!(
            svg,
            r#"<text class="tick" x="{middle:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            HEIGHT - BELOW + 16.0,
            escaped(name)
        );
        for (which, line) in series.iter().enumerate() {
            let Some(point) = line.points.get(nth) else { continue };
            let left = middle + bar * (which as f64 - series.len() as f64 / 2.0);
            let (top, foot) = (up(y, point.y), up(y, y.from.max(0.0)));
            let _ = write!(
                svg,
                r#"<rect class="s{}" x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}"/>"#,
                which % 6,
                left + 1.0,
                bar - 2.0,
                (foot - top).max(0.0)
            );
            let _ = write!(
                svg,
                r#"<text class="value" x="{:.1}" y="{:.1}" text-anchor="middle">{:.1}</text>"#,
                left + bar / 2.0,
                (up(y, point.high) - 5.0).max(ABOVE + 4.0),
                point.y
            );
            let _ = write!(
                svg,
                r#"<path class="error" d="M{x:.1} {:.1}V{:.1}"/>"#,
                up(y, point.low),
                up(y, point.high),
                x = left + bar / 2.0
            );
        }
    }
    if let Some(even) = even {
        let _ = write!(svg, r#"<path class="even" d="M{LEFT} {:.1}H{:.1}"/>"#, up(y, even), WIDTH - RIGHT);
    }
    end(svg, series)
}

/// One row of a plot of differences.
pub(super) struct Interval {
    pub label: String,
    /// In multiples of its error; the interval reaches one to either side.
    pub at: f64,
    /// The difference itself, in words.
    pub value: String,
    pub marked: bool,
}

/// Differences one below the other, each with its interval, and a band around none at all.
///
/// Rows of the page and not one drawing, so that words stay large on a small screen.
pub(super) fn intervals(title: &str, unit: &str, rows: &[Interval]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let far = rows.iter().map(|row| row.at.abs()).fold(0.0, f64::max).max(1.5) + 1.3;
    let x = Axis { from: -far, to: far, title: "" };
    let across = |value: f64| 100.0 * x.place(value);
    let mut told = format!(
        r#"<figure class="whole"><figcaption>{} <small>{}</small></figcaption>"#,
        escaped(title),
        escaped(unit)
    );
    told.push_str(r#"<div class="strip head" aria-hidden="true"><span></span><b></b><span class="ways"><i>← less</i><i>more →</i></span></div>"#);
    for row in rows {
        let class = if row.marked { " yes" } else { "" };
        let _ = write!(
            told,
            r#"<div class="strip{class}"><span>{}</span><b>{}</b><span class="track" aria-hidden="true">"#,
            escaped(&row.label),
            escaped(&row.value)
        );
        for (part, low, high) in
            [("band", -1.0, 1.0), ("none", 0.0, 0.0), ("reach", row.at - 1.0, row.at + 1.0), ("dot", row.at, row.at)]
        {
            let (left, right) = (across(low), across(high));
            let _ = write!(told, r#"<i class="{part}" style="left:{left:.1}%;width:{:.1}%"></i>"#, right - left);
        }
        told.push_str("</span></div>");
    }
    told.push_str("</figure>");
    told
}

/// Lines over an axis of numbers.
pub(super) fn lines(title: &str, series: &[Series], x: &Axis, y: &Axis) -> String {
    let mut svg = begin(title, &in_course(series, x.title), y);
    let across = |value: f64| LEFT + (WIDTH - LEFT - RIGHT) * x.place(value);
    for tick in x.ticks() {
        let _ = write!(
            svg,
            r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            across(tick),
            HEIGHT - BELOW + 16.0,
            number(tick)
        );
    }
    let _ = write!(
        svg,
        r#"<text class="axis" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
        WIDTH - RIGHT,
        HEIGHT - 5.0,
        escaped(x.title)
    );
    for (which, line) in series.iter().enumerate() {
        let mut path = String::new();
        for (nth, point) in line.points.iter().enumerate() {
            let letter = if nth == 0 { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", across(point.x), up(y, point.y));
        }
        let _ = write!(svg, r#"<path class="line l{}" d="{path}"/>"#, which % 6);
    }
    end(svg, series)
}

fn up(y: &Axis, value: f64) -> f64 {
    ABOVE + (HEIGHT - ABOVE - BELOW) * (1.0 - y.place(value))
}

/// What bars show, for those who cannot see them.
fn in_groups(groups: &[String], series: &[Series], unit: &str) -> String {
    let of_group = |(nth, name): (usize, &String)| {
        let values = series.iter().filter_map(|line| Some((line, line.points.get(nth)?)));
        let values = values.map(|(line, point)| format!("{} {:.1} {unit}", line.label, point.y));
        format!("{name}: {}.", values.collect::<Vec<_>>().join(", "))
    };
    groups.iter().enumerate().map(of_group).collect::<Vec<_>>().join(" ")
}

/// What lines show, for those who cannot see them: where each begins, ends and is highest.
fn in_course(series: &[Series], unit: &str) -> String {
    let of_line = |line: &Series| {
        let (first, last) = (line.points.first()?, line.points.last()?);
        let highest = line.points.iter().max_by(|one, other| one.y.total_cmp(&other.y))?;
        let at = |point: &Point| format!("{} at {} {unit}", number(point.y), number(point.x));
        Some(format!("{}: from {} to {}, highest {}.", line.label, at(first), at(last), at(highest)))
    };
    series.iter().filter_map(of_line).collect::<Vec<_>>().join(" ")
}

fn begin(title: &str, told: &str, y: &Axis) -> String {
    let mut svg = format!(
        r#"<figure><figcaption>{title} <small>{unit}</small></figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title><desc>{told}</desc>"#,
        title = escaped(title),
        told = escaped(told),
        unit = escaped(y.title)
    );
    for tick in y.ticks() {
        let at = up(y, tick);
        let _ = write!(svg, r#"<path class="grid" d="M{LEFT} {at:.1}H{:.1}"/>"#, WIDTH - RIGHT);
        let _ = write!(
            svg,
            r#"<text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
            LEFT - 6.0,
            at + 4.0,
            number(tick)
        );
    }
    svg
}

fn end(mut svg: String, series: &[Series]) -> String {
    svg.push_str("</svg>");
    if series.len() > 1 {
        svg.push_str("<p class=\"legend\">");
        for (which, line) in series.iter().enumerate() {
            let _ = write!(svg, r#"<span><i class="b{}"></i>{}</span> "#, which % 6, escaped(&line.label));
        }
        svg.push_str("</p>");
    }
    svg.push_str("</figure>");
    svg
}

fn number(value: f64) -> String {
    let text = format!("{value:.2}").replace('-', "−");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_axis() {
        let axis = |from, to| Axis { from, to, title: "" };
        assert_eq!(axis(0.0, 100.0).ticks(), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(axis(0.0, 1.0).ticks().len(), 6);
        assert_eq!(number(0.2), "0.2");
        assert_eq!(number(40.0), "40");
    }

    #[test]
    fn names_cannot_break_out_of_a_plot() {
        let series = [Series { label: "<b>&".into(), points: vec![Point::sure(0.0, 1.0)] }];
        let svg = bars("a \"title\"", &["<script>".into()], &series, &Axis { from: 0.0, to: 1.0, title: "x" }, None);
        assert!(!svg.contains("<script>") && !svg.contains("<b>"), "{svg}");
    }
}
