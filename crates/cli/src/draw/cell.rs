use houserules_kernel::{CellView, ThingView};

use super::Draw;

/// The text of a cell and how wide it is; colour takes no room.
pub struct Drawn {
    pub text: String,
    pub width: usize,
}

const NOTHING: &str = "·";

impl Draw<'_> {
    /// The sign, or the text that the definition gives what lies on top, where that is a sign; without one, the first
    /// letter of the seat; besides, how much lies there.
    pub fn cell(&self, cell: &CellView) -> Drawn {
        match self.shown(cell) {
            Some(text) => Drawn { width: text.chars().count(), text: self.paint.seat(cell.mark.seat, &text) },
            None => self.faint(NOTHING),
        }
    }

    pub fn is_bare(&self, cell: &CellView) -> bool {
        self.shown(cell).is_none()
    }

    fn shown(&self, cell: &CellView) -> Option<String> {
        let top = cell.pieces.iter().flatten().next_back();
        let own = top.and_then(written).filter(|text| text.chars().count() == 1);
        let mut plain = own.map_or_else(|| cell.mark.sign.clone(), str::to_owned);
        if plain.is_empty()
            && let Some(seat) = cell.mark.seat
            && let Some(letter) = self.seats.get(usize::from(seat.0)).and_then(|name| name.chars().next())
        {
            plain = letter.to_uppercase().to_string();
        }
        match cell.count {
            Some(count) if plain.is_empty() && count > 0 => plain = count.to_string(),
            // A stack shows its height; one thing is just itself.
            Some(count) if count > 1 && plain != count.to_string() => plain = format!("{plain}{count}"),
            _ => {}
        }
        Some(plain).filter(|plain| !plain.is_empty() && plain != ".")
    }

    /// What only helps to find one's way.
    pub fn faint(&self, text: &str) -> Drawn {
        Drawn { text: self.paint.faint(text), width: text.chars().count() }
    }

    /// What stands beyond an edge of the board: the letter of a seat, or any text.
    pub fn beyond(&self, text: &str) -> Drawn {
        match self.seats.iter().position(|name| name == text) {
            Some(seat) => {
                let letter: String = text.chars().take(1).collect();
                let seat = Some(houserules_kernel::SeatId(seat as u8));
                Drawn { text: self.paint.seat(seat, &letter), width: 1 }
            }
            None => self.faint(text),
        }
    }
}

/// The text on a thing, as the definition wants it drawn.
pub fn written(thing: &ThingView) -> Option<&str> {
    let text = thing.look.iter().find(|(attribute, _)| attribute == "text");
    text.map(|(_, text)| &**text).filter(|text| !text.is_empty())
}

impl Drawn {
    /// In the middle of so many characters, rather to the right: numbers line up.
    pub fn centred(&self, width: usize) -> String {
        let room = width.saturating_sub(self.width);
        format!("{}{}{}", " ".repeat(room - room / 2), self.text, " ".repeat(room / 2))
    }
}

/// `a` … `z`, `aa` … for columns from 1.
pub fn letters(column: i32) -> String {
    let mut number = column;
    let mut letters = String::new();
    while number > 0 {
        number -= 1;
        letters.insert(0, (b'a' + (number % 26) as u8) as char);
        number /= 26;
    }
    letters
}
