//! Plots as SVG that needs nothing from elsewhere. Colours come from the page, so that dark screens get dark plots.

use std::fmt::Write;

/// Room around a plot: left, right, above and below.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 12.0;
const ABOVE: f64 = 14.0;
const BELOW: f64 = 34.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 240.0;

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
    let mut svg = begin(title, y);
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
    pub marked: bool,
}

/// A row is its words and below them its interval.
const ROW: f64 = 36.0;

/// Differences one below the other, each with its interval, and a band around none at all.
pub(super) fn intervals(title: &str, unit: &str, rows: &[Interval]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let far = rows.iter().map(|row| row.at.abs()).fold(0.0, f64::max).max(1.5) + 1.3;
    let x = Axis { from: -far, to: far, title: "" };
    let across = |value: f64| RIGHT + (WIDTH - 2.0 * RIGHT) * x.place(value);
    let foot = ABOVE + ROW * rows.len() as f64;
    let mut svg = format!(
        r#"<figure class="whole"><figcaption>{title} <small>{unit}</small></figcaption><svg viewBox="0 0 {WIDTH} {:.1}" role="img" aria-label="{title}">"#,
        foot + 24.0,
        title = escaped(title),
        unit = escaped(unit)
    );
    let (left, right) = (across(-1.0), across(1.0));
    let _ = write!(
        svg,
        r#"<rect class="band" x="{left:.1}" y="{ABOVE}" width="{:.1}" height="{:.1}"/>"#,
        right - left,
        foot - ABOVE
    );
    for tick in x.ticks() {
        let at = across(tick);
        let _ = write!(svg, r#"<path class="grid" d="M{at:.1} {ABOVE}V{foot:.1}"/>"#);
        let _ = write!(
            svg,
            r#"<text class="tick" x="{at:.1}" y="{:.1}" text-anchor="middle">{}</text>"#,
            foot + 16.0,
            number(tick)
        );
    }
    for (nth, row) in rows.iter().enumerate() {
        let top = ABOVE + ROW * nth as f64;
        let (words, y) = (top + 14.0, top + 25.0);
        let class = if row.marked { " yes" } else { "" };
        let _ = write!(svg, r#"<text class="row{class}" x="0" y="{words:.1}">{}</text>"#, escaped(&row.label));
        let (low, high) = (across(row.at - 1.0), across(row.at + 1.0));
        let _ = write!(svg, r#"<path class="bar-end{class}" d="M{low:.1} {y:.1}H{high:.1}"/>"#);
        let _ = write!(svg, r#"<circle class="dot{class}" cx="{:.1}" cy="{y:.1}" r="4.5"/>"#, across(row.at));
    }
    svg.push_str("</svg></figure>");
    svg
}

/// Lines over an axis of numbers.
pub(super) fn lines(title: &str, series: &[Series], x: &Axis, y: &Axis) -> String {
    let mut svg = begin(title, y);
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
        HEIGHT - 4.0,
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

fn begin(title: &str, y: &Axis) -> String {
    let mut svg = format!(
        r#"<figure><figcaption>{title} <small>{unit}</small></figcaption><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">"#,
        title = escaped(title),
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
