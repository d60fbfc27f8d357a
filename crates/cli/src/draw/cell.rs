use houserules_kernel::CellView;

use super::Draw;

/// The text of a cell and how wide it is; colour takes no room.
pub struct Drawn {
    pub text: String,
    pub width: usize,
}

const NOTHING: &str = "·";

impl Draw<'_> {
    /// The sign; without one, the first letter of the seat; besides, how much lies there.
    pub fn cell(&self, cell: &CellView) -> Drawn {
        let mut plain = cell.mark.sign.clone();
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
        let width = plain.chars().count();
        if width == 0 || plain == "." {
            return Drawn { text: self.paint.faint(NOTHING), width: 1 };
        }
        Drawn { text: self.paint.seat(cell.mark.seat, &plain), width }
    }
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
