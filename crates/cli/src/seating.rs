//! Who sits where.

use houserules_kernel::{SeatId, Who};
use houserules_players::Player;

use crate::args::Sitter;

/// A sitter for every seat.
#[derive(Clone, Debug)]
pub struct Seating(Vec<Sitter>);

impl Seating {
    /// The last sitter named sits on all seats that are left.
    pub fn new(sitters: &[Sitter], seats: &[String]) -> Result<Self, String> {
        if sitters.len() > seats.len() {
            let n_seats = match seats.len() {
                1 => "one seat".into(),
                n => format!("{n} seats"),
            };
            // The default names two sitters and must not forbid a game for one.
            if seats.len() != 1 || sitters != Sitter::usual() {
                return Err(format!("{} sitters for {n_seats}: {}.", sitters.len(), seats.join(", ")));
            }
        }
        let last = sitters.last().ok_or("Nobody sits anywhere.")?;
        Ok(Seating((0..seats.len()).map(|seat| sitters.get(seat).unwrap_or(last).clone()).collect()))
    }

    /// How many take part where a game leaves that open: as many as are named, or as few as can be.
    ///
    /// Too many are left to the game to refuse, which knows the words for it.
    pub fn n_seats(sitters: &[Sitter], (least, most): (u32, u32)) -> Option<u32> {
        let n_named = u32::try_from(sitters.len()).unwrap_or(u32::MAX);
        (least < most && n_named > least).then_some(n_named)
    }

    /// Who sits on each seat, as it is typed.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(ToString::to_string).collect()
    }

    pub fn is_human(&self, who: Who) -> bool {
        matches!(who, Who::Seat(seat) if self.0.get(usize::from(seat.0)) == Some(&Sitter::Human))
    }

    /// Whoever looks ahead, seat by seat.
    pub fn players(&self, seed: u64) -> Vec<Option<Box<dyn Player>>> {
        self.0.iter().enumerate().map(|(seat, sitter)| sitter.player(seed.wrapping_add(1 + seat as u64))).collect()
    }

    pub fn humans(&self) -> Vec<SeatId> {
        (0..self.0.len() as u8).map(SeatId).filter(|&seat| self.is_human(Who::Seat(seat))).collect()
    }
}
