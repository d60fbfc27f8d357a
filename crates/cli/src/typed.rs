//! What a person typed, understood as one of the choices.

use houserules_kernel::{Choice, Position, View, Viewer, Who};

/// What typed text may mean.
#[derive(Debug, PartialEq, Eq)]
pub enum Meaning {
    /// One choice, by index.
    One(usize),
    /// Several fit.
    Many(Vec<usize>),
    Nothing,
}

/// Finds the choice somebody means: its words, its number in the list from 1, or a part that only one choice has.
pub fn meaning(typed: &str, choices: &[String]) -> Meaning {
    let typed = normal(typed);
    if typed.is_empty() {
        return Meaning::Nothing;
    }
    let choices: Vec<String> = choices.iter().map(|words| normal(words)).collect();
    if let Some(exact) = choices.iter().position(|words| *words == typed) {
        return Meaning::One(exact);
    }
    if let Ok(number) = typed.parse::<usize>()
        && (1..=choices.len()).contains(&number)
    {
        return Meaning::One(number - 1);
    }
    by_part(&typed, &choices)
}

/// As `meaning`, but a number is only a part of the words.
pub fn part(typed: &str, choices: &[String]) -> Meaning {
    let typed = normal(typed);
    let choices: Vec<String> = choices.iter().map(|words| normal(words)).collect();
    match choices.iter().position(|words| *words == typed) {
        Some(exact) => Meaning::One(exact),
        None if typed.is_empty() => Meaning::Nothing,
        None => by_part(&typed, &choices),
    }
}

/// As players of a game with different pieces write: `Nf3` is the choice `g1f3` if an N stands on g1, and so are `Ngf3`,
/// `Nxf3` and `Nf3+`.
pub fn by_sign(typed: &str, choices: &[String], view: &View) -> Meaning {
    let mut typed = typed.trim().chars().filter(|letter| !"x+#=".contains(*letter));
    let Some(sign) = typed.next().filter(|letter| letter.is_uppercase()) else { return Meaning::Nothing };
    let typed = normal(&typed.collect::<String>());
    let cells: Vec<&str> = view
        .boards
        .iter()
        .flat_map(|board| &board.cells)
        .filter(|cell| cell.mark.sign.to_uppercase() == sign.to_string())
        .map(|cell| cell.name.as_str())
        .collect();
    let fits = |words: &String| {
        cells.iter().any(|from| {
            let Some(to) = words.strip_prefix(from).map(normal).filter(|to| !to.is_empty()) else { return false };
            // What stands before the target tells two pieces of a kind apart.
            typed.strip_suffix(&to).is_some_and(|hint| from.contains(hint))
        })
    };
    match (0..choices.len()).filter(|&idx| fits(&choices[idx])).collect::<Vec<usize>>() {
        fitting if fitting.is_empty() => Meaning::Nothing,
        fitting if fitting.len() == 1 => Meaning::One(fitting[0]),
        fitting => Meaning::Many(fitting),
    }
}

/// Whole words before pieces of words: `a1` must not mean `a10`.
fn by_part(typed: &str, choices: &[String]) -> Meaning {
    let whole = |words: &String| format!(" {words} ").contains(&format!(" {typed} "));
    let piece = |words: &String| words.contains(typed);
    for fits in [&whole as &dyn Fn(&String) -> bool, &piece] {
        let fitting: Vec<usize> = (0..choices.len()).filter(|&idx| fits(&choices[idx])).collect();
        match fitting.len() {
            0 => {}
            1 => return Meaning::One(fitting[0]),
            _ => return Meaning::Many(fitting),
        }
    }
    Meaning::Nothing
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Plays a line of moves such as `b2 a1` or `place b2, place a1`; chance is typed like any other answer.
///
/// On an error the moves before it have been played.
pub fn play_moves(position: &mut dyn Position, moves: &str) -> Result<Vec<(Who, Choice)>, String> {
    let mut played = Vec::new();
    for part in moves.split([',', ';', '\n']) {
        let tokens: Vec<&str> = part.split_whitespace().collect();
        let mut from = 0;
        while from < tokens.len() {
            let (n_used, who, choice) = next_move(position, &tokens[from..])?;
            position.play(who, &choice).map_err(|refusal| refusal.to_string())?;
            played.push((who, choice));
            from += n_used;
        }
    }
    Ok(played)
}

/// The longest beginning of the tokens that means a choice of somebody who is asked.
fn next_move(position: &mut dyn Position, tokens: &[&str]) -> Result<(usize, Who, Choice), String> {
    let mut open: Vec<(Who, Choice, String)> = Vec::new();
    for who in position.decision().open_to() {
        for choice in position.choices(who) {
            let words = position.words(who, &choice);
            open.push((who, choice, words));
        }
    }
    if open.is_empty() {
        return Err(format!("The match is over before “{}”.", tokens.join(" ")));
    }
    let words: Vec<String> = open.iter().map(|(_, _, words)| words.clone()).collect();
    let view = position.view(Viewer::Public);
    let mut several = None;
    for n_used in (1..=tokens.len().min(24)).rev() {
        let typed = tokens[..n_used].join(" ");
        let meaning = match part(&typed, &words) {
            Meaning::Nothing => by_sign(&typed, &words, &view),
            meaning => meaning,
        };
        match meaning {
            Meaning::One(idx) => {
                let (who, choice, _) = open.swap_remove(idx);
                return Ok((n_used, who, choice));
            }
            Meaning::Many(fitting) => several = several.or(Some(fitting)),
            Meaning::Nothing => {}
        }
    }
    Err(match several {
        Some(fitting) => {
            let fitting: Vec<&str> = fitting.into_iter().take(6).map(|idx| words[idx].as_str()).collect();
            format!("“{}” could mean {}.", tokens[0], fitting.join(", "))
        }
        None => format!("“{}” is no choice here{}.", tokens[0], refusal_of(position, tokens[0])),
    })
}

/// Why a typed move is refused, where a rule refuses it: `: place b2. Refused by …`.
fn refusal_of(position: &mut dyn Position, typed: &str) -> String {
    for who in position.decision().open_to() {
        let Who::Seat(seat) = who else { continue };
        let offers = position.offers(seat);
        let words: Vec<String> = offers.iter().map(|offer| offer.words.clone()).collect();
        if let Meaning::One(idx) = part(typed, &words)
            && let Some(refusal) = &offers[idx].refused
        {
            return format!(" ({}: {})", words[idx], refusal.to_string().trim_end_matches('.'));
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use houserules_kernel::{BoardView, CellView, Mark, Shape};

    use super::*;

    fn check(typed: &str, choices: &[&str], expected: Meaning) {
        let choices: Vec<String> = choices.iter().map(|&words| words.into()).collect();
        assert_eq!(meaning(typed, &choices), expected, "{typed}");
    }

    #[test]
    fn a_choice_is_named_by_words_number_or_part() {
        let choices = ["place a1", "place b2", "pass"];
        check("place b2", &choices, Meaning::One(1));
        check("  PLACE   b2 ", &choices, Meaning::One(1));
        check("3", &choices, Meaning::One(2));
        check("b2", &choices, Meaning::One(1));
        check("pas", &choices, Meaning::One(2));
        check("place", &choices, Meaning::Many(vec![0, 1]));
        check("4", &choices, Meaning::Nothing);
        check("", &choices, Meaning::Nothing);
    }

    #[test]
    fn whole_words_go_before_pieces_and_words_before_numbers() {
        check("a1", &["place a10", "place a1"], Meaning::One(1));
        check("2", &["2", "1"], Meaning::One(0));
    }
    #[test]
    fn a_piece_is_named_by_its_sign() {
        let cell = |name: &str, sign: &str| CellView {
            name: name.into(),
            at: (1, 1),
            mark: Mark { sign: sign.into(), seat: None },
            count: None,
            properties: Vec::new(),
            look: Vec::new(),
            linked: Vec::new(),
        };
        let cells = vec![cell("g1", "N"), cell("d2", "N"), cell("f8", "b"), cell("e5", "P"), cell("e1", "")];
        let board = BoardView { name: "board".into(), shape: Shape::Graph, owner: None, cells };
        let view = View { boards: vec![board], ..View::default() };
        let choices = ["g1f3", "g1e2", "d2f3", "f8b4", "e5e6", "e7e8q"].map(String::from);
        let check = |typed: &str, expected: Meaning| assert_eq!(by_sign(typed, &choices, &view), expected, "{typed}");
        check("Ne2", Meaning::One(1));
        check("Nxe2+", Meaning::One(1));
        check("Nf3", Meaning::Many(vec![0, 2]));
        check("Ngf3", Meaning::One(0));
        check("N2f3", Meaning::One(2));
        check("Bb4", Meaning::One(3));
        // A small letter is a column.
        check("bb4", Meaning::Nothing);
        check("Nh8", Meaning::Nothing);
        check("N", Meaning::Nothing);
    }
}
