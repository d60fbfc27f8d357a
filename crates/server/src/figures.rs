//! What the operator wants to know.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
pub struct Figures {
    opened: AtomicU64,
    moves: AtomicU64,
    refused: AtomicU64,
    faults: AtomicU64,
    viewers: AtomicU64,
    dropped: AtomicU64,
    passing: AtomicU64,
    forwarded: AtomicU64,
    given_up: AtomicU64,
}

impl Figures {
    pub fn opened(&self) {
        self.opened.fetch_add(1, Ordering::Relaxed);
    }

    pub fn moved(&self, n: usize) {
        self.moves.fetch_add(n as u64, Ordering::Relaxed);
    }

    pub fn refused(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    pub fn fault(&self) {
        self.faults.fetch_add(1, Ordering::Relaxed);
    }

    pub fn came(&self) {
        self.viewers.fetch_add(1, Ordering::Relaxed);
    }

    pub fn went(&self) {
        self.viewers.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn n_viewers(&self) -> u64 {
        self.viewers.load(Ordering::Relaxed)
    }

    pub fn dropped(&self, n: usize) {
        self.dropped.fetch_add(n as u64, Ordering::Relaxed);
    }

    /// A socket whose table is at another server.
    pub fn passes(&self) {
        self.passing.fetch_add(1, Ordering::Relaxed);
    }

    pub fn passed(&self) {
        self.passing.fetch_sub(1, Ordering::Relaxed);
    }

    pub fn n_passing(&self) -> u64 {
        self.passing.load(Ordering::Relaxed)
    }

    pub fn forwarded(&self) {
        self.forwarded.fetch_add(1, Ordering::Relaxed);
    }

    pub fn gave_up(&self) {
        self.given_up.fetch_add(1, Ordering::Relaxed);
    }

    /// In the text format that Prometheus reads.
    pub fn text(&self, n_awake: usize, n_servers: usize) -> String {
        let load = |of: &AtomicU64| of.load(Ordering::Relaxed);
        let figures = [
            ("tables_awake", "gauge", "Tables in memory", n_awake as u64),
            ("viewers", "gauge", "Open sockets", load(&self.viewers)),
            ("tables_opened_total", "counter", "Tables opened", load(&self.opened)),
            ("lines_total", "counter", "Lines of records kept", load(&self.moves)),
            ("refused_total", "counter", "Commands refused", load(&self.refused)),
            ("slow_readers_total", "counter", "Sockets dropped because they did not keep up", load(&self.dropped)),
            ("faults_total", "counter", "Tables closed by a fault", load(&self.faults)),
            ("servers", "gauge", "Servers that hear each other", n_servers as u64),
            ("passed_sockets", "gauge", "Open sockets to tables of other servers", load(&self.passing)),
            ("passed_requests_total", "counter", "Requests passed on to other servers", load(&self.forwarded)),
            ("given_up_total", "counter", "Tables given up without being asked", load(&self.given_up)),
        ];
        let line = |(name, kind, help, value): (&str, &str, &str, u64)| {
            format!("# HELP houserules_{name} {help}\n# TYPE houserules_{name} {kind}\nhouserules_{name} {value}\n")
        };
        figures.map(line).concat()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_figure_stands_in_the_page_for_operators_and_no_other() {
        let page = include_str!("../../../docs/guide/operations.md");
        let names = |text: &str, before: &str, after: char| -> BTreeSet<String> {
            let found = text.lines().filter_map(|line| line.strip_prefix(before)?.split(after).next());
            found.map(str::to_owned).collect()
        };
        let text = Figures::default().text(0, 1);
        assert_eq!(names(page, "| `houserules_", '`'), names(&text, "# HELP houserules_", ' '));
    }
}
