//! How strong players are, from who beat whom.
//!
//! The model of Bradley and Terry (1952) in Elo's scale: 400 points are ten to one. A draw is half a win. The strengths are
//! those that make the results most likely, and their errors come from how sharp that peak is. Every two who met get one
//! more draw than they played, so that who has won everything is very strong and not infinitely so.

/// A player's strength, against an average of 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub elo: f64,
    /// With 95 in 100 the strength lies within this much.
    pub error: f64,
    /// Points won, a draw for half a point.
    pub points: f64,
    pub games: u64,
}

/// What one player won against another: points by row and column.
#[derive(Clone, PartialEq, Debug)]
pub struct Results {
    n: usize,
    points: Vec<f64>,
}

const POINTS_A_NATURAL: f64 = 400.0 / std::f64::consts::LN_10;
/// Of a normal distribution, 95 in 100 lie within so many standard deviations.
const NINETY_FIVE: f64 = 1.96;

impl Results {
    pub fn new(n: usize) -> Self {
        Results { n, points: vec![0.0; n * n] }
    }

    /// `one` scored so much against `other`: 1, a half or 0.
    pub fn add(&mut self, one: usize, other: usize, points: f64) {
        self.points[one * self.n + other] += points;
        self.points[other * self.n + one] += 1.0 - points;
    }

    pub fn points(&self, one: usize, other: usize) -> f64 {
        self.points[one * self.n + other]
    }

    /// How often two met.
    pub fn games(&self, one: usize, other: usize) -> f64 {
        self.points(one, other) + self.points(other, one)
    }

    pub fn ratings(&self) -> Vec<Rating> {
        let n = self.n;
        let met = |one: usize, other: usize| one != other && self.games(one, other) > 0.0;
        let games = |one, other| if met(one, other) { self.games(one, other) + 1.0 } else { 0.0 };
        let points = |one, other| if met(one, other) { self.points(one, other) + 0.5 } else { 0.0 };
        // Newton's method on the likelihood, which has one peak; the average is held at 0.
        let mut strength = vec![0.0; n];
        let mut inverse = vec![vec![0.0; n]; n];
        for _ in 0..100 {
            let mut slope = vec![0.0; n];
            let mut sharpness = vec![vec![0.0; n]; n];
            for one in 0..n {
                for other in 0..n {
                    let chance: f64 = 1.0 / (1.0 + f64::exp(strength[other] - strength[one]));
                    slope[one] += points(one, other) - games(one, other) * chance;
                    let information = games(one, other) * chance * (1.0 - chance);
                    sharpness[one][one] += information;
                    sharpness[one][other] -= information;
                }
                // Without this the matrix could not be inverted: adding the same to everybody changes nothing.
                for other in &mut sharpness[one] {
                    *other += 1.0 / n as f64;
                }
            }
            inverse = invert(sharpness);
            let step: Vec<f64> = inverse.iter().map(|row| row.iter().zip(&slope).map(|(a, b)| a * b).sum()).collect();
            let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
            // Long steps overshoot where one has won everything.
            let scale = if longest > 1.0 { 1.0 / longest } else { 1.0 };
            strength.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
            if longest < 1e-9 {
                break;
            }
        }
        let mean = strength.iter().sum::<f64>() / n.max(1) as f64;
        (0..n)
            .map(|one| Rating {
                elo: POINTS_A_NATURAL * (strength[one] - mean),
                error: POINTS_A_NATURAL * NINETY_FIVE * (inverse[one][one] - 1.0 / n as f64).max(0.0).sqrt(),
                points: (0..n).map(|other| self.points(one, other)).sum(),
                games: (0..n).map(|other| self.games(one, other)).sum::<f64>() as u64,
            })
            .collect()
    }
}

/// Gauss and Jordan; what cannot be inverted gives zeros.
fn invert(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..n).map(|row| (0..n).map(|col| f64::from(u8::from(row == col))).collect()).collect();
    for col in 0..n {
        let pivot = (col..n).max_by(|&one, &other| matrix[one][col].abs().total_cmp(&matrix[other][col].abs()));
        let Some(pivot) = pivot.filter(|&pivot| matrix[pivot][col].abs() > 1e-12) else { return vec![vec![0.0; n]; n] };
        matrix.swap(col, pivot);
        inverse.swap(col, pivot);
        let scale = matrix[col][col];
        matrix[col].iter_mut().chain(&mut inverse[col]).for_each(|value| *value /= scale);
        let (pivot_row, pivot_inverse) = (matrix[col].clone(), inverse[col].clone());
        for row in (0..n).filter(|&row| row != col) {
            let factor = matrix[row][col];
            let minus = |target: &mut Vec<f64>, source: &[f64]| {
                target.iter_mut().zip(source).for_each(|(target, source)| *target -= factor * source);
            };
            minus(&mut matrix[row], &pivot_row);
            minus(&mut inverse[row], &pivot_inverse);
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(scores: &[(usize, usize, u32, u32)]) -> Vec<Rating> {
        let n = scores.iter().map(|&(one, other, ..)| one.max(other) + 1).max().unwrap();
        let mut results = Results::new(n);
        for &(one, other, won, lost) in scores {
            (0..won).for_each(|_| results.add(one, other, 1.0));
            (0..lost).for_each(|_| results.add(one, other, 0.0));
        }
        results.ratings()
    }

    #[test]
    fn ten_to_one_is_four_hundred_points() {
        let ratings = results(&[(0, 1, 10_000, 1_000)]);
        assert!((ratings[0].elo - ratings[1].elo - 400.0).abs() < 1.0, "{ratings:?}");
        assert!(ratings[0].error < 10.0 && (ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        assert_eq!((ratings[0].points, ratings[0].games), (10_000.0, 11_000));
    }

    #[test]
    fn more_games_mean_less_error_and_a_clean_sheet_is_finite() {
        let (few, many) = (results(&[(0, 1, 6, 4)]), results(&[(0, 1, 600, 400)]));
        assert!(few[0].error > 5.0 * many[0].error);
        let clean = results(&[(0, 1, 20, 0)]);
        assert!(clean[0].elo > 200.0 && clean[0].elo < 1000.0 && clean[0].error > 50.0, "{clean:?}");
    }

    #[test]
    fn who_never_met_is_compared_through_a_third() {
        let ratings = results(&[(0, 1, 75, 25), (1, 2, 75, 25)]);
        assert!(ratings[0].elo > ratings[1].elo && ratings[1].elo > ratings[2].elo);
        assert!((ratings[0].elo - ratings[1].elo - (ratings[1].elo - ratings[2].elo)).abs() < 1.0);
    }
}
