//! What a person typed, understood as one of the choices.

use houserules_kernel::{CellView, Choice, Position, View, Viewer, Who};

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
/// `Nxf3` and `Nf3+`. Where something is taken the sign may be left out: `exd5` is whatever takes d5 from the column e.
pub fn by_sign(typed: &str, choices: &[String], view: &View) -> Meaning {
    let takes = typed.contains('x');
    let mut typed = typed.trim().chars().filter(|letter| !"x+#=".contains(*letter)).peekable();
    let sign = typed.next_if(|letter| letter.is_uppercase()).map(|sign| sign.to_string());
    if sign.is_none() && !takes {
        return Meaning::Nothing;
    }
    let typed = normal(&typed.collect::<String>());
    let cells: Vec<&str> = view
        .boards
        .iter()
        .flat_map(|board| &board.cells)
        .filter(|cell| sign.as_ref().is_none_or(|sign| cell.mark.sign.to_uppercase() == *sign))
        .map(|cell| cell.name.as_str())
        .collect();
    let fits = |words: &String| {
        cells.iter().any(|from| {
            let Some(to) = words.strip_prefix(from).map(normal).filter(|to| !to.is_empty()) else { return false };
            // What stands before the target tells two pieces of a kind apart.
            typed.strip_suffix(&to).is_some_and(|hint| from.contains(hint))
        })
    };
    several((0..choices.len()).filter(|&idx| fits(&choices[idx])).collect())
}

/// As players of games with pieces write, whatever the choice is called: from where to where, such as `15x24`, `24/22` or
/// `e1g1`. The choices that say where from are tried, and those fit that take the piece there.
pub fn by_way(position: &mut dyn Position, who: Who, typed: &str, choices: &[Choice], words: &[String]) -> Meaning {
    /// Nobody waits for more to be tried.
    const MOST: usize = 64;
    let Who::Seat(seat) = who else { return Meaning::Nothing };
    let before = position.view(Viewer::Seat(seat));
    let Some((from, to)) = two_places(typed, &before) else { return Meaning::Nothing };
    let piece = before.boards[from.0].cells[from.1].mark.clone();
    if piece.sign.is_empty() {
        return Meaning::Nothing;
    }
    let there = |view: &View, (board, cell): (usize, usize)| {
        let cell = view.boards.get(board).and_then(|board| board.cells.get(cell));
        cell.filter(|cell| cell.mark == piece).map_or(0, |cell| cell.count.unwrap_or(1))
    };
    let name = normal(own_name(&before.boards[from.0].cells[from.1]));
    let mut fitting = Vec::new();
    for idx in (0..choices.len()).filter(|&idx| normal(&words[idx]).contains(&name)).take(MOST) {
        if position.play(who, &choices[idx]).is_ok() {
            let after = position.view(Viewer::Seat(seat));
            position.undo();
            if there(&after, from) + 1 == there(&before, from) && there(&after, to) == there(&before, to) + 1 {
                fitting.push(idx);
            }
        }
    }
    several(fitting)
}

/// Two places in a text, each as board and cell: `e1g1`, `15 24`, `15x24`.
fn two_places(typed: &str, view: &View) -> Option<((usize, usize), (usize, usize))> {
    let typed = normal(typed);
    let place = |name: &str| {
        let boards = view.boards.iter().enumerate();
        let mut cells = boards.flat_map(|(at, board)| board.cells.iter().enumerate().map(move |cell| (at, cell)));
        let found = cells.find(|(_, (_, cell))| normal(own_name(cell)) == name)?;
        Some((found.0, found.1.0))
    };
    let between = |sign: char| !sign.is_alphanumeric();
    for parts in [typed.split(between).collect::<Vec<_>>(), typed.split(|sign| between(sign) || sign == 'x').collect()]
    {
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        if let [from, to] = parts.as_slice()
            && let (Some(from), Some(to)) = (place(from), place(to))
        {
            return Some((from, to));
        }
    }
    let splits = typed.char_indices().skip(1).map(|(at, _)| typed.split_at(at));
    splits.filter_map(|(from, to)| place(from).zip(place(to))).next()
}

/// What a place is called besides the name of its owner or model: `24` of `point 24`.
fn own_name(cell: &CellView) -> &str {
    cell.name.rsplit(' ').next().unwrap_or_default()
}

fn several(fitting: Vec<usize>) -> Meaning {
    match fitting.len() {
        0 => Meaning::Nothing,
        1 => Meaning::One(fitting[0]),
        _ => Meaning::Many(fitting),
    }
}

/// Whole words before pieces of words: `a1` must not mean `a10`. What stands between words need not be typed.
fn by_part(typed: &str, choices: &[String]) -> Meaning {
    let whole = |words: &String| format!(" {words} ").contains(&format!(" {typed} "));
    let piece = |words: &String| words.contains(typed);
    let bare = |words: &str| words.chars().filter(|sign| sign.is_alphanumeric()).collect::<String>();
    let wanted = bare(typed);
    let same = |words: &String| !wanted.is_empty() && bare(words) == wanted;
    for fits in [&whole as &dyn Fn(&String) -> bool, &piece, &same] {
        let fitting: Vec<usize> = (0..choices.len()).filter(|&idx| fits(&choices[idx])).collect();
        if !fitting.is_empty() {
            return several(fitting);
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
        let meaning = match (meaning, open.first()) {
            (Meaning::Nothing, Some(&(who, ..))) if open.iter().all(|(other, ..)| *other == who) => {
                let choices: Vec<Choice> = open.iter().map(|(_, choice, _)| choice.clone()).collect();
                by_way(position, who, &typed, &choices, &words)
            }
            (meaning, _) => meaning,
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
    use houserules_kernel::{BoardView, Mark, Rulebook};

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
        check("d1d2d3", &["d1-d2/d3", "d1-d2/d4"], Meaning::One(0));
        check("-", &["d1-d2/d3", "d1 d2"], Meaning::One(0));
        check("/-", &["d1-d2", "d1 d2"], Meaning::Nothing);
    }

    /// Plays a line of moves of a game of the library, and gives the last move in its own words.
    fn last_of(game: &str, moves: &str) -> String {
        let game = houserules_library::find(game).unwrap().compile(&Default::default()).unwrap();
        let mut position = game.open().unwrap();
        let played = play_moves(&mut *position, moves).unwrap_or_else(|error| panic!("{moves}: {error}"));
        let (who, choice) = played.last().unwrap();
        position.undo();
        position.words(*who, choice)
    }

    #[test]
    fn a_piece_is_moved_by_saying_from_where_to_where() {
        assert_eq!(last_of("english-draughts", "11-15 22-18 15x22"), "15x18");
        assert_eq!(last_of("english-draughts", "11-15 22-18 15-22"), "15x18");
        assert_eq!(last_of("chess", "e4 e5 Nf3 Nc6 Bc4 Bc5 e1g1"), "e1 castles with h1");
        assert_eq!(last_of("breakthrough", "a2a3"), "a2-a3");
        assert_eq!(last_of("backgammon", "3, 1, 8/5"), "point 8 3");
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
            ..CellView::default()
        };
        let cells = vec![cell("g1", "N"), cell("d2", "N"), cell("f8", "b"), cell("e5", "P"), cell("e1", "")];
        let board = BoardView { name: "board".into(), cells, ..BoardView::default() };
        let view = View { boards: vec![board], ..View::default() };
        let choices = ["g1f3", "g1e2", "d2f3", "f8b4", "e5e6", "e7e8q"].map(String::from);
        let check = |typed: &str, expected: Meaning| assert_eq!(by_sign(typed, &choices, &view), expected, "{typed}");
        check("Ne2", Meaning::One(1));
        check("Nxe2+", Meaning::One(1));
        check("Nf3", Meaning::Many(vec![0, 2]));
        check("Ngf3", Meaning::One(0));
        check("N2f3", Meaning::One(2));
        check("Bb4", Meaning::One(3));
        check("fxb4", Meaning::One(3));
        check("exb4", Meaning::Nothing);
        // A small letter is a column.
        check("bb4", Meaning::Nothing);
        check("Nh8", Meaning::Nothing);
        check("N", Meaning::Nothing);
    }
}
