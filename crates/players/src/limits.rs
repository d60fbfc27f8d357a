use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Says how much time has passed since some fixed moment.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// How far a player may look before it must choose. What is not given is not limited.
#[derive(Clone, Default)]
pub struct Limits {
    /// Choices of seats in a row.
    pub depth: Option<u32>,
    /// Positions, or matches played out.
    pub nodes: Option<u64>,
    /// Plies in matches played out, so that a long game takes no longer than a short one.
    pub plies: Option<u64>,
    /// How long, and by which clock.
    pub time: Option<(Duration, Clock)>,
}

impl Limits {
    pub fn depth(depth: u32) -> Self {
        Limits { depth: Some(depth), ..Limits::default() }
    }

    pub fn nodes(nodes: u64) -> Self {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    /// Stops after so many plies in matches played out, all together.
    pub fn and_plies(mut self, plies: u64) -> Self {
        self.plies = Some(plies);
        self
    }

    pub fn within(mut self, time: Duration, clock: Clock) -> Self {
        self.time = Some((time, clock));
        self
    }

    /// What each of `n` may spend who work at the same time.
    pub(crate) fn shared(&self, n: u64) -> Self {
        let part = |of: Option<u64>| of.map(|of| of.div_ceil(n.max(1)));
        Limits { nodes: part(self.nodes), plies: part(self.plies), ..self.clone() }
    }

    /// What each of `n` may spend when `at_once` of them work at a time, one lot after the other.
    pub(crate) fn in_turn(&self, n: usize, at_once: usize) -> Self {
        let lots = n.div_ceil(at_once.max(1)).max(1) as u32;
        let time = self.time.as_ref().map(|(time, clock)| (*time / lots, clock.clone()));
        Limits { time, ..self.shared(n as u64) }
    }

    pub(crate) fn begin(&self) -> Budget {
        let until = self.time.as_ref().map(|(time, clock)| (clock() + *time, clock.clone()));
        let most = |of: Option<u64>| of.unwrap_or(u64::MAX);
        Budget { most: most(self.nodes), most_plies: most(self.plies), until, nodes: 0, plies: 0, out: false }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.depth.map(|depth| format!("{depth} deep")));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.plies.map(|plies| format!("{plies} plies")));
        parts.extend(self.time.as_ref().map(|(time, _)| format!("{} seconds", time.as_secs_f64())));
        match parts.is_empty() {
            true => f.write_str("as far as is usual"),
            false => write!(f, "at most {}", parts.join(" and ")),
        }
    }
}

/// What is left of the limits while somebody thinks.
pub(crate) struct Budget {
    most: u64,
    most_plies: u64,
    until: Option<(Duration, Clock)>,
    pub nodes: u64,
    plies: u64,
    out: bool,
}

impl Budget {
    /// Counts one more node; false when there is no more.
    pub fn spend(&mut self, look_every: u64) -> bool {
        if self.out || self.nodes >= self.most || self.plies >= self.most_plies {
            self.out = true;
            return false;
        }
        self.nodes += 1;
        if self.nodes.is_multiple_of(look_every)
            && let Some((until, clock)) = &self.until
            && clock() >= *until
        {
            self.out = true;
        }
        !self.out
    }
    /// Counts what a match played out has cost.
    pub fn played(&mut self, plies: u64) {
        self.plies = self.plies.saturating_add(plies);
    }

    /// Whether one part in so many of what is allowed is spent, by number.
    pub fn has_spent(&self, part: u64) -> bool {
        self.nodes >= self.most / part || self.plies >= self.most_plies / part
    }
}
