//! The report as one page that needs nothing from elsewhere.

use std::fmt::Write;

use super::plot::{Axis, Interval, Point, Series, bars, escaped, intervals, lines};
use super::words::{self, grouped};
use super::{Lengths, Report};
use crate::compare::Difference;
use crate::figure::{Figure, Kind};
use crate::summary::{RuleSummary, Summary};

/// The whole page.
pub fn html(report: &Report) -> String {
    let mut page = String::new();
    let title = escaped(&report.game);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>A study of {title}</title><style>{STYLE}</style></head><body><main>\n<h1>A study of {title}</h1>\n"
    );
    opening(&mut page, report);
    findings(&mut page, report);
    figures(&mut page, report);
    plots(&mut page, report);
    rules(&mut page, report);
    page.push_str(METHOD);
    page.push_str("</main></body></html>\n");
    page
}

fn opening(page: &mut String, report: &Report) {
    let played: Vec<String> = report
        .subjects
        .iter()
        .map(|subject| format!("{} {}", grouped(subject.matches), escaped(&subject.label)))
        .collect();
    let players: Vec<String> =
        report.players.iter().map(|player| format!("<code>{}</code>", escaped(player))).collect();
    let _ = writeln!(
        page,
        "<p class=\"note\">Matches played: {}. Players: {}; they change seats from match to match. \
         Seed {}. A match is cut after {} choices.</p>",
        played.join(", "),
        players.join(", "),
        report.seed,
        grouped(report.longest)
    );
    if report.subjects.iter().any(|subject| subject.matches < report.matches) {
        let _ = writeln!(
            page,
            "<p class=\"note\">This study was stopped before all {} matches of each were played.</p>",
            grouped(report.matches)
        );
    }
}

fn findings(page: &mut String, report: &Report) {
    let compared = report.subjects.iter().skip(1).zip(&report.comparisons);
    for ((label, findings), (other, comparison)) in report.findings().into_iter().zip(compared) {
        let base = &report.subjects[0];
        let _ = writeln!(page, "<section class=\"findings\"><h2>What is different {}</h2>", escaped(&named(label)));
        let verdict = words::verdict(other, comparison);
        let _ = writeln!(page, "<p class=\"verdict\">{}</p>", escaped(&verdict));
        list(page, &findings);
        for told in words::rules_apart(base, other) {
            let _ = writeln!(page, "<p>{}</p>", escaped(&told));
        }
        let alike = words::alike(other, comparison);
        if !alike.is_empty() {
            let _ = writeln!(
                page,
                "<p class=\"note\">No difference that is more than noise: {}.</p>",
                escaped(&alike.join(", "))
            );
        }
        page.push_str("</section>\n");
    }
    page.push_str("<div class=\"plots\">\n");
    for subject in &report.subjects {
        let heading = if report.subjects.len() > 1 { &*subject.label } else { "In short" };
        let _ = writeln!(page, "<section><h2>{}</h2>", escaped(&capital(heading)));
        list(page, &words::remarks(subject));
        page.push_str("</section>\n");
    }
    page.push_str("</div>\n");
    if report.players.iter().all(|player| player == "random") {
        page.push_str(
            "<p class=\"note\">All this is said of players who choose at random. It holds for what the rules allow, less for \
             how people fare who think; <code>--players level3</code> looks ahead.</p>\n",
        );
    }
}

/// A label as it stands after other words: variants have names, a game without a rule is told in words already.
fn named(label: &str) -> String {
    if label.starts_with("without ") { label.into() } else { format!("in “{label}”") }
}

fn capital(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or(String::new(), |first| first.to_uppercase().chain(chars).collect())
}

fn list(page: &mut String, entries: &[String]) {
    if entries.is_empty() {
        return;
    }
    page.push_str("<ul>");
    for entry in entries {
        let _ = write!(page, "<li>{}</li>", escaped(entry));
    }
    page.push_str("</ul>\n");
}

fn figures(page: &mut String, report: &Report) {
    page.push_str("<h2>Figures</h2>\n<div class=\"wide\"><table><thead><tr><th></th>");
    for subject in &report.subjects {
        let _ = write!(page, "<th scope=\"col\">{}</th>", escaped(&subject.label));
    }
    for comparison in &report.comparisons {
        let of = if report.comparisons.len() > 1 { format!(", {}", escaped(&comparison.other)) } else { String::new() };
        let _ = write!(page, "<th scope=\"col\">difference{of}</th>");
    }
    page.push_str("</tr></thead><tbody>\n");
    let mut keys: Vec<(&str, &str, Kind)> = Vec::new();
    for figure in report.subjects.iter().flat_map(|subject| &subject.figures) {
        if !keys.iter().any(|(key, ..)| *key == figure.key) {
            keys.push((&figure.key, &figure.title, figure.kind));
        }
    }
    // Of what says the same in every variant one row is enough; the seats stay, because people look for their own.
    let repeated =
        |key: &str| key == "turns" && report.subjects.iter().all(|subject| words::says_the_same(subject, key));
    for (key, title, kind) in keys.into_iter().filter(|(key, ..)| !repeated(key)) {
        let _ = write!(page, "<tr><th scope=\"row\">{}</th>", escaped(title));
        for subject in &report.subjects {
            let words = subject.figure(key).map(Figure::words);
            let of = escaped(&subject.label);
            let _ = write!(page, "<td data-of=\"{of}\">{}</td>", words.unwrap_or_else(|| "–".into()));
        }
        for comparison in &report.comparisons {
            let found = comparison.differences.iter().find(|difference| difference.key == key);
            let _ = write!(page, "{}", found.map_or("<td>–</td>".into(), |found| cell(found, kind)));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

fn cell(difference: &Difference, kind: Kind) -> String {
    let (class, verdict) = if difference.more_than_noise { ("yes", "more than noise") } else { ("no", "noise") };
    let words = words::signed(difference, kind);
    format!("<td class=\"{class}\" data-of=\"difference\">{words} <small>{verdict}</small></td>")
}

fn plots(page: &mut String, report: &Report) {
    page.push_str("<h2>Plots</h2>\n<div class=\"plots\">\n");
    for (other, comparison) in report.subjects.iter().skip(1).zip(&report.comparisons) {
        page.push_str(&stand_out(other, &comparison.differences));
    }
    let most_seats = report.subjects.iter().map(|subject| subject.seats.len()).max().unwrap_or(0);
    let seats: Vec<String> = (0..most_seats)
        .map(|seat| {
            let name = report.subjects.iter().find_map(|subject| subject.seats.get(seat));
            name.cloned().unwrap_or_default()
        })
        .collect();
    let of_keys = |keys: &[String]| -> Vec<Series> {
        let series = |subject: &Summary| Series {
            label: subject.label.clone(),
            points: keys
                .iter()
                .enumerate()
                .map(|(nth, key)| match subject.figures.iter().find(|figure| figure.key == *key) {
                    Some(figure) => Point {
                        x: nth as f64,
                        y: 100.0 * figure.mean,
                        low: 100.0 * figure.low,
                        high: 100.0 * figure.high,
                    },
                    None => Point::sure(nth as f64, 0.0),
                })
                .collect(),
        };
        report.subjects.iter().map(series).collect()
    };
    let percent = Axis { from: 0.0, to: 100.0, title: "%" };
    let keys: Vec<String> = (1..=most_seats).map(|seat| format!("seat_{seat}")).collect();
    let fair = (most_seats > 1).then(|| 100.0 / most_seats as f64);
    page.push_str(&bars("Points of each seat", &seats, &of_keys(&keys), &percent, fair));
    let ends = ["decisive", "draws", "stuck", "cut"].map(String::from);
    let named = ["won", "drawn", "stuck", "cut"].map(String::from);
    page.push_str(&bars("How matches end", &named, &of_keys(&ends), &percent, None));
    page.push_str(&lengths(report));
    let branching: Vec<Series> = report
        .subjects
        .iter()
        .map(|subject| Series {
            label: subject.label.clone(),
            points: subject
                .branching_by_tenth
                .iter()
                .enumerate()
                .filter_map(|(tenth, mean)| Some(Point::sure(tenth as f64 * 10.0 + 5.0, (*mean)?)))
                .collect(),
        })
        .collect();
    let x = Axis { from: 0.0, to: 100.0, title: "% of the match" };
    let y = Axis { from: 0.0, to: highest(&branching), title: "choices" };
    page.push_str(&lines("Choices to choose from in the course of a match", &branching, &x, &y));
    page.push_str("</div>\n");
}

/// All differences on one scale: how many times its own error each is.
fn stand_out(other: &Summary, differences: &[Difference]) -> String {
    let rows: Vec<Interval> = differences
        .iter()
        .filter(|difference| difference.error > 0.0 && !words::says_the_same(other, &difference.key))
        .map(|difference| Interval {
            label: difference.title.clone(),
            at: difference.difference / difference.error,
            value: words::signed(difference, other.figure(&difference.key).map_or(Kind::Mean, |figure| figure.kind)),
            marked: difference.more_than_noise,
        })
        .collect();
    let title = format!("What stands out {}", named(&other.label));
    intervals(&title, "each difference on the scale of its own error; about the grey band it may be noise", &rows)
}

/// How many matches had which length, in at most 40 steps.
fn lengths(report: &Report) -> String {
    let steps = report.lengths(40);
    let (Some(first), Some(last)) = (steps.first(), steps.last()) else { return String::new() };
    let series: Vec<Series> = report
        .subjects
        .iter()
        .enumerate()
        .map(|(nth, subject)| {
            let point = |step: &Lengths| {
                let share = 100.0 * step.matches[nth] as f64 / subject.matches.max(1) as f64;
                Point::sure((step.from + step.to) as f64 / 2.0, share)
            };
            Series { label: subject.label.clone(), points: steps.iter().map(point).collect() }
        })
        .collect();
    let x = Axis { from: first.from as f64, to: (last.to + 1) as f64, title: "choices in a match" };
    let y = Axis { from: 0.0, to: highest(&series), title: "% of the matches" };
    lines("How long matches last", &series, &x, &y)
}

fn highest(series: &[Series]) -> f64 {
    let all = series.iter().flat_map(|line| &line.points).map(|point| point.high);
    all.fold(0.0_f64, f64::max).max(1e-9) * 1.05
}

/// What each rule did, in all subjects side by side.
fn rules(page: &mut String, report: &Report) {
    let mut names: Vec<(&str, &str)> = Vec::new();
    for rule in report.subjects.iter().flat_map(|subject| &subject.rules) {
        if !names.iter().any(|(name, _)| *name == rule.name) {
            names.push((&rule.name, &rule.kind));
        }
    }
    if names.is_empty() {
        return;
    }
    let several = report.subjects.len() > 1;
    page.push_str("<h2>Rules</h2>\n<p class=\"note\">How often each rule refused something, and in how many matches it changed anything. ");
    for subject in &report.subjects {
        let of = if several { format!("{}: ", escaped(&capital(&subject.label))) } else { String::new() };
        let _ = write!(
            page,
            "{of}{} decisions looked at, {} matches played again without each rule. ",
            grouped(subject.looked),
            grouped(subject.rule_matches)
        );
    }
    page.push_str("</p>\n<div class=\"wide\"><table class=\"rules\"><thead>");
    if several {
        page.push_str("<tr><th></th>");
        for subject in &report.subjects {
            let _ = write!(page, "<th colspan=\"2\" scope=\"colgroup\">{}</th>", escaped(&subject.label));
        }
        page.push_str("</tr>");
    }
    page.push_str("<tr><th scope=\"col\">rule</th>");
    for _ in &report.subjects {
        page.push_str("<th scope=\"col\">refused something at</th><th scope=\"col\">mattered in</th>");
    }
    page.push_str("</tr></thead><tbody>\n");
    for (name, kind) in names {
        let found = |subject: &Summary| subject.rules.iter().find(|rule| rule.name == name).cloned();
        let never = report.subjects.iter().filter_map(found).all(|rule| rule.never);
        let class = if never { " class=\"never\"" } else { "" };
        let _ = write!(page, "<tr{class}><th scope=\"row\">{} <small>{kind}</small></th>", escaped(name));
        for (nth, subject) in report.subjects.iter().enumerate() {
            let of = if several { escaped(&subject.label) } else { String::new() };
            let comparison = nth.checked_sub(1).and_then(|nth| report.comparisons.get(nth));
            let difference = comparison.and_then(|known| known.rules.iter().find(|rule| rule.key == name));
            let differs = difference.is_some_and(|difference| difference.more_than_noise);
            match found(subject) {
                Some(rule) => did(page, &rule, differs, &of),
                None => {
                    let _ =
                        write!(page, "<td class=\"no\" data-of=\"{of}\">not there</td><td class=\"no gone\">–</td>");
                }
            }
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table></div>\n");
}

/// Two cells: what a rule refused, and in how many matches it mattered.
fn did(page: &mut String, rule: &RuleSummary, differs: bool, of: &str) {
    let mattered = match (rule.n_mattered(), rule.at_most) {
        (None, _) => "cannot be left out".into(),
        (Some(_), Some(at_most)) => format!("no match <small>surely under {:.0} %</small>", 100.0 * at_most),
        (Some((n, of)), None) => {
            let ends = rule.mattered.as_ref().map(|figure| [figure.low, figure.high].map(|end| 100.0 * end));
            let [low, high] = ends.unwrap_or([0.0, 100.0]);
            format!("{n} of {of} matches <small>{low:.0} to {high:.0} %</small>")
        }
    };
    // Some side-effects take an action back, and so refuse as laws do.
    let refused = match rule.kind == "law" || rule.refused.mean > 0.0 {
        true => format!(
            "<span class=\"meter\" aria-hidden=\"true\"><i style=\"width:{share:.1}%\"></i></span>\
             <span class=\"said\">{words} of decisions</span>{each}{noise}",
            share = 100.0 * rule.refused_at.mean,
            words = rule.refused_at.words(),
            each = match rule.refused.mean > 0.0 {
                true => format!(" <small>{} candidates at a decision</small>", rule.refused.words()),
                false => String::new(),
            },
            noise = if differs { " <small class=\"yes\">differs by more than noise</small>" } else { "" },
        ),
        false => "–".into(),
    };
    let _ = write!(page, "<td data-of=\"{of}\">{refused}</td><td data-of=\"mattered in\">{mattered}</td>");
}

const METHOD: &str = "<h2>How it was measured</h2>
<dl>
<dt>Errors</dt><dd>Behind each ± stands half of an interval that holds the true number with 95 in 100: Wilson's for shares,
the normal one for averages. A difference is called more than noise when chance alone would bring about one as large less
than 5 times in 100, after Holm's correction for the number of figures compared. All variants are played from the same seeds.</dd>
<dt>Points</dt><dd>A match has one point. Winners share it; without a winner all do. Cut matches have none.</dd>
<dt>Lead</dt><dd>Who is ahead is said by the game's first evaluator, or without one by 16 random matches played out from
there, where a lead must be twice its error to count. It is asked at up to 20 evenly spaced moments of a match, 10 without an evaluator.</dd>
<dt>Refusals</dt><dd>At about one decision of four all candidates are tried; a candidate counts for the first law that refuses it.
Their errors come from how much matches differ, because decisions of one match are alike.</dd>
<dt>Rules that matter</dt><dd>A match is played again without the rule. The rule matters if at some point something else could
be chosen, somebody else was asked, the match ended otherwise, or things lay differently.</dd>
</dl>
";

const STYLE: &str = include_str!("style.css");
