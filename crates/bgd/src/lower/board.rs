//! Connected locations as a board, and where each of them is drawn.

use super::Writer;
use crate::syntax::*;
use indexmap::IndexMap;

/// Where connected locations lie: column and row, where that is said.
pub(super) type Spots<'a> = IndexMap<&'a str, Option<(i64, i64)>>;

/// Chains lie in rows below each other; where one of them is closed, nothing is said of any place.
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
    // The drawing knows how ways around a closed one lie.
    let is_round = chains().any(|chain| closed(chain));
    let mut row = 0;
    for chain in chains() {
        let fresh: Vec<&Name> = chain.iter().filter(|name| !spots.contains_key(name.text.as_str())).collect();
        if fresh.is_empty() {
            continue;
        }
        row += 1;
        for (at, name) in fresh.into_iter().enumerate() {
            spots.entry(&name.text).or_insert((!is_round).then_some((at as i64 + 1, row)));
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
        let spots: Vec<(String, Option<(i64, i64)>)> =
            self.spots.iter().map(|(name, spot)| ((*name).to_owned(), *spot)).collect();
        if spots.iter().any(|(_, spot)| spot.is_some()) {
            self.lined("  #look x column y row");
        }
        self.lined("#board field graph");
        for (name, spot) in spots {
            let at = spot.map(|(column, row)| format!(" at {column} {row}")).unwrap_or_default();
            self.lined(&format!("#place {name}{at}"));
        }
        for connection in &self.names.program.connections {
            let chain: Vec<&str> = connection.chain.iter().map(|name| name.text.as_str()).collect();
            self.line();
            self.mark(connection.origin);
            self.put(&format!("#link {}{}", chain.join(" "), if connection.directed { " one way" } else { "" }));
        }
    }
}
