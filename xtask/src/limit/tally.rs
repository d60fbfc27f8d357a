//! What many playouts came to, and whether two such tallies can be of one game.

use super::board::End;

/// Beyond this many standard errors two tallies differ. Eight games with four figures each stay below it by chance
/// in all but one of some thousands of runs.
pub const MOST: f64 = 4.5;

#[derive(Clone, Copy, Default, Debug)]
pub struct Tally {
    pub playouts: u64,
    pub seconds: f64,
    plies: u64,
    squares: u64,
    /// Matches won by each of two seats, and draws.
    results: [u64; 3],
}

impl Tally {
    #[inline]
    pub fn add(&mut self, end: End) {
        self.playouts += 1;
        self.plies += u64::from(end.plies);
        self.squares += u64::from(end.plies) * u64::from(end.plies);
        self.results[end.result as usize] += 1;
    }

    /// Takes in another tally of the same game.
    pub fn join(&mut self, other: &Tally) {
        self.playouts += other.playouts;
        self.seconds += other.seconds;
        self.plies += other.plies;
        self.squares += other.squares;
        for (result, more) in self.results.iter_mut().zip(other.results) {
            *result += more;
        }
    }

    /// Such as `60.6 plies, 45.1 % 49.9 % 5.0 %`: the shares of the first seat, the second, and draws.
    pub fn told(&self) -> String {
        let [first, second, drawn] = self.results.map(|result| 100.0 * result as f64 / self.n());
        format!("{:.2} plies, {first:.1} % {second:.1} % {drawn:.1} %", self.average_length())
    }

    pub fn per_second(&self) -> f64 {
        self.playouts as f64 / self.seconds
    }

    pub fn average_length(&self) -> f64 {
        self.plies as f64 / self.n()
    }

    /// How many standard errors apart two tallies are, in whatever they differ most.
    pub fn distance(&self, other: &Tally) -> f64 {
        let lengths = error(
            self.average_length(),
            self.variance(),
            self.n(),
            other.average_length(),
            other.variance(),
            other.n(),
        );
        let shares = (0..3).map(|result| {
            let share = |tally: &Tally| tally.results[result] as f64 / tally.n();
            let pooled = (self.results[result] + other.results[result]) as f64 / (self.n() + other.n());
            let variance = pooled * (1.0 - pooled);
            error(share(self), variance, self.n(), share(other), variance, other.n())
        });
        shares.fold(lengths, f64::max)
    }

    fn n(&self) -> f64 {
        self.playouts.max(1) as f64
    }

    fn variance(&self) -> f64 {
        (self.squares as f64 / self.n() - self.average_length().powi(2)).max(0.0)
    }
}

/// The difference of two means in standard errors.
fn error(mean: f64, variance: f64, n: f64, other: f64, other_variance: f64, other_n: f64) -> f64 {
    let difference = (mean - other).abs();
    match (variance / n + other_variance / other_n).sqrt() {
        _ if difference < 1e-9 => 0.0,
        spread if spread > 0.0 => difference / spread,
        _ => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(lengths: &[(u32, u32)]) -> Tally {
        let mut tally = Tally::default();
        for &(result, plies) in lengths.iter().cycle().take(10_000) {
            tally.add(End { result, plies });
        }
        tally
    }

    #[test]
    fn other_lengths_and_other_results_are_told_apart() {
        let one = tally(&[(0, 5), (1, 6), (2, 9)]);
        assert_eq!(one.distance(&tally(&[(0, 5), (1, 6), (2, 9)])), 0.0);
        assert!(one.distance(&tally(&[(0, 5), (1, 6), (2, 9), (0, 6)])) > MOST);
        assert!(one.distance(&tally(&[(0, 6), (1, 5), (2, 9)])) < MOST);
        assert!(one.distance(&tally(&[(1, 5), (0, 6), (1, 9)])) > MOST);
        assert_eq!(tally(&[(0, 5)]).distance(&tally(&[(0, 6)])), f64::INFINITY);
    }
}
