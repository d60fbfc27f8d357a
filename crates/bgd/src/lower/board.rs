//! Connected locations as a board, and where each of them is drawn.

use super::Writer;
use crate::syntax::*;
use indexmap::IndexMap;

/// Where connected locations lie: column and row.
pub(super) type Spots<'a> = IndexMap<&'a str, (i64, i64)>;

/// A closed chain lies around a square, chains that begin on it lead inwards, all others lie in rows below.
/// What has a capacity or supplies something is a thing of its own, and so is everything where such are connected.
pub(super) fn spots(program: &Program) -> Spots<'_> {
    let mut spots: Spots = IndexMap::new();
    let own = |name: &str| {
        program
            .locations
            .iter()
            .any(|location| location.name.text == name && (location.supply || location.capacity.is_some()))
    };
    if program.connections.iter().flat_map(|connection| &connection.chain).any(|name| own(&name.text)) {
        return spots;
    }
    let chains = || program.connections.iter().map(|connection| &connection.chain);
    let closed =
        |chain: &[Name]| chain.len() > 8 && chain.first().map(|name| &name.text) == chain.last().map(|name| &name.text);
    let mut side = 0;
    if let Some(ring) = chains().find(|chain| closed(chain)) {
        let n = ring.len() as i64 - 1;
        side = (n + 3) / 4;
        for (at, name) in ring[..n as usize].iter().enumerate() {
            let (edge, along) = (at as i64 / side, at as i64 % side);
            let spot = match edge {
                0 => (1 + along, 1),
                1 => (1 + side, 1 + along),
                2 => (1 + side - along, 1 + side),
                _ => (1, 1 + side - along),
            };
            spots.entry(&name.text).or_insert(spot);
        }
        for chain in chains().filter(|chain| !closed(chain)) {
            let Some(&(column, row)) = chain.first().and_then(|first| spots.get(first.text.as_str())) else { continue };
            let step = match (column, row) {
                (_, 1) => (0, 1),
                (_, row) if row == 1 + side => (0, -1),
                (1, _) => (1, 0),
                _ => (-1, 0),
            };
            for (at, name) in chain.iter().enumerate().skip(1) {
                let at = at as i64;
                spots.entry(&name.text).or_insert((column + step.0 * at, row + step.1 * at));
            }
        }
    }
    let mut row = if side > 0 { side + 2 } else { 0 };
    for chain in chains() {
        let fresh: Vec<&Name> = chain.iter().filter(|name| !spots.contains_key(name.text.as_str())).collect();
        if fresh.is_empty() {
            continue;
        }
        row += 1;
        for (at, name) in fresh.into_iter().enumerate() {
            spots.entry(&name.text).or_insert((at as i64 + 1, row));
        }
    }
    spots
}

impl Writer<'_> {
    /// The board with its places and links.
    pub(super) fn board(&mut self) {
        if self.spots.is_empty() {
            return;
        }
        self.lined("#model field is Location");
        self.lined("  #look x column y row");
        self.lined("#board field graph");
        let spots: Vec<(String, (i64, i64))> =
            self.spots.iter().map(|(name, spot)| ((*name).to_owned(), *spot)).collect();
        for (name, (column, row)) in spots {
            self.lined(&format!("#place {name} at {column} {row}"));
        }
        for connection in &self.names.program.connections {
            let chain: Vec<&str> = connection.chain.iter().map(|name| name.text.as_str()).collect();
            self.line();
            self.mark(connection.origin);
            self.put(&format!("#link {}{}", chain.join(" "), if connection.directed { " one way" } else { "" }));
        }
    }
}
