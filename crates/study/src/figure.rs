use serde::Serialize;

/// A number with its error, from many matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Figure {
    pub key: String,
    /// What it is, in words.
    pub title: String,
    pub kind: Kind,
    pub mean: f64,
    /// With 95 in 100 the true number lies between these.
    pub low: f64,
    pub high: f64,
    /// Matches it comes from.
    pub n: u64,
    /// Of one match; for comparing.
    pub variance: f64,
}

/// What sort of number a figure is: how it is written, and how its error is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// How many of all, between 0 and 1.
    Share,
    /// A part of something, shown in percent.
    Part,
    /// Any number.
    Mean,
}

/// Of a normal distribution, 95 in 100 lie within so many standard deviations.
pub(crate) const NINETY_FIVE: f64 = 1.96;

impl Figure {
    /// The average of what was measured in each match; none if it was measured in none.
    pub(crate) fn of(key: &str, title: &str, kind: Kind, values: impl Iterator<Item = f64>) -> Option<Figure> {
        // Welford's way: sums of squares of long matches would lose digits.
        let (mut n, mut mean, mut squares) = (0_u64, 0.0, 0.0);
        for value in values {
            n += 1;
            let off = value - mean;
            mean += off / n as f64;
            squares += off * (value - mean);
        }
        if n == 0 {
            return None;
        }
        let variance = if n > 1 { squares / (n - 1) as f64 } else { 0.0 };
        let (low, high) = match kind {
            Kind::Share => wilson(mean, n),
            Kind::Part | Kind::Mean => {
                let error = NINETY_FIVE * (variance / n as f64).sqrt();
                (mean - error, mean + error)
            }
        };
        Some(Figure { key: key.into(), title: title.into(), kind, mean, low, high, n, variance })
    }

    /// Of all that was looked at in all matches, how much had it: pairs of both for each match.
    ///
    /// What happens at two decisions of one match is not independent, so the error comes from how matches differ: that of a
    /// ratio of two sums (Cochran, Sampling Techniques, 1977).
    pub(crate) fn ratio(key: &str, title: &str, kind: Kind, of_matches: &[(f64, f64)]) -> Figure {
        let looked: f64 = of_matches.iter().map(|of| of.1).sum();
        let n = of_matches.iter().filter(|of| of.1 > 0.0).count() as u64;
        let mean = if looked > 0.0 { of_matches.iter().map(|of| of.0).sum::<f64>() / looked } else { 0.0 };
        let squares: f64 = of_matches.iter().map(|of| (of.0 - mean * of.1).powi(2)).sum();
        let variance = match n {
            0 | 1 => 0.0,
            n => (n * n) as f64 / (n - 1) as f64 * squares / (looked * looked),
        };
        let error = NINETY_FIVE * (variance / n.max(1) as f64).sqrt();
        let (low, high) = match kind {
            // Where all matches say the same, Wilson still knows how few they are.
            Kind::Share if error == 0.0 => wilson(mean, n.max(1)),
            Kind::Share => ((mean - error).max(0.0), (mean + error).min(1.0)),
            Kind::Part | Kind::Mean => (mean - error, mean + error),
        };
        Figure { key: key.into(), title: title.into(), kind, mean, low, high, n, variance }
    }

    /// Half the way between the ends of the interval.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The number as people read it, with its error.
    pub fn words(&self) -> String {
        let words = match self.kind {
            Kind::Share | Kind::Part => format!("{:.1} % ±{:.1}", 100.0 * self.mean, 100.0 * self.error()),
            Kind::Mean => format!("{:.2} ±{:.2}", self.mean, self.error()),
        };
        // Rounded to nothing there is no sign.
        let (number, rest) = words.split_once(' ').unwrap_or((&words, ""));
        let nothing = number.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
        let number = if nothing { number.replace('-', "") } else { number.replace('-', "−") };
        format!("{number} {rest}")
    }
}

/// Wilson's interval (1927) for a share: it stays between 0 and 1, and none of a hundred is not certainly never.
fn wilson(share: f64, n: u64) -> (f64, f64) {
    let (n, z) = (n as f64, NINETY_FIVE);
    let middle = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
    let half = z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).max(0.0).sqrt();
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_and_means_have_the_errors_of_the_textbook() {
        let share = Figure::of("k", "t", Kind::Share, (0..100).map(|n| f64::from(u8::from(n < 10)))).unwrap();
        assert!((share.mean - 0.1).abs() < 1e-12);
        // The interval that textbooks give for 10 of 100.
        assert!((share.low - 0.0552).abs() < 5e-4 && (share.high - 0.1744).abs() < 5e-4, "{share:?}");
        let never = Figure::of("k", "t", Kind::Share, std::iter::repeat_n(0.0, 50)).unwrap();
        assert!(never.low == 0.0 && never.high > 0.05);
        let mean = Figure::of("k", "t", Kind::Mean, [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter()).unwrap();
        assert!((mean.mean - 5.0).abs() < 1e-12 && (mean.variance - 32.0 / 7.0).abs() < 1e-12);
        assert!(Figure::of("k", "t", Kind::Mean, std::iter::empty()).is_none());
    }

    #[test]
    fn a_ratio_goes_by_matches_and_not_by_decisions() {
        // Two matches of ten decisions, all refused in one and none in the other: as good as knowing nothing.
        let apart = Figure::ratio("k", "t", Kind::Share, &[(10.0, 10.0), (0.0, 10.0)]);
        assert_eq!((apart.mean, apart.low, apart.high, apart.n), (0.5, 0.0, 1.0, 2));
        // Of matches with one decision each it is the error of a share, but for n − 1.
        let single: Vec<(f64, f64)> = (0..400).map(|n| (f64::from(u8::from(n < 100)), 1.0)).collect();
        let share = Figure::ratio("k", "t", Kind::Share, &single);
        assert!((share.error() - 1.96 * (0.25 * 0.75 / 399.0_f64).sqrt()).abs() < 1e-9, "{share:?}");
        let never = Figure::ratio("k", "t", Kind::Share, &[(0.0, 5.0); 20]);
        assert!(never.mean == 0.0 && never.high > 0.1);
        assert_eq!(Figure::ratio("k", "t", Kind::Mean, &[]).words(), "0.00 ±0.00");
    }

    #[test]
    fn a_number_rounded_to_nothing_has_no_sign() {
        let words = |mean: f64| Figure::of("k", "t", Kind::Part, [mean, mean].into_iter()).unwrap().words();
        assert_eq!([-0.0001, 0.0001, -0.02].map(words), ["0.0 % ±0.0", "0.0 % ±0.0", "−2.0 % ±0.0"]);
    }
}
