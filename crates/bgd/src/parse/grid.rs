//! Grids, an extension: `square Cell 3 by 3{ … }` and `hex Cell 5 by 5{ … }` are written out as locations and connections.

use super::{Parser, RANGE};
use crate::syntax::*;
use houserules_model::Diagnostic;

/// Columns are letters.
const WIDEST: u32 = 26;

impl Parser<'_> {
    /// `CellA1` lies in the lower left; each location knows its `Column` and `Row`, and whoever shares a side is connected.
    pub(super) fn grid(&mut self, hexagons: bool, program: &mut Program) {
        let start = self.origin();
        self.bump();
        let Some(stem) = self.id("the name of a location") else { return self.skip() };
        let size = |parser: &mut Self| {
            let (width, _) = parser.number()?;
            if !parser.take_word("by") {
                parser.expected("`by`");
                return None;
            }
            Some((width, parser.number()?.0))
        };
        let Some((width, height)) = size(self) else { return self.skip() };
        let origin = self.since(start);
        if width == 0 || height == 0 || width > WIDEST || i64::from(width) * i64::from(height) > RANGE {
            let label = format!("A grid has 1 to {WIDEST} columns and at most {RANGE} locations.");
            self.tell(Diagnostic::error("text/range", "This is no grid", origin, label));
            return self.skip();
        }
        let name = |column: u32, row: u32| {
            let letter = char::from(b'A' + column as u8);
            Name { text: format!("{}{letter}{}", stem.text, row + 1), origin: stem.origin }
        };
        let (before, quiet) = (self.at, self.quiet);
        for (at, (row, column)) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))).enumerate() {
            // The text is read once for each location, and is wrong only once.
            self.at = before;
            self.quiet |= at > 0;
            let mut location = self.location_body(name(column, row), false);
            for (of, value) in [("Column", column), ("Row", row)] {
                if !location.attrs.iter().any(|attr| attr.name.text == of) {
                    let value = Expr::new(ExprKind::Int(i64::from(value) + 1), origin);
                    let name = Name { text: of.to_owned(), origin };
                    location.attrs.push(Attr { name, value, hidden: false });
                }
            }
            program.locations.push(location);
        }
        self.quiet = quiet;
        let mut chain = |chain: Vec<Name>| {
            if chain.len() > 1 {
                program.connections.push(Connection { directed: false, chain, attrs: Vec::new(), origin });
            }
        };
        for row in 0..height {
            chain((0..width).map(|column| name(column, row)).collect());
        }
        for column in 0..width {
            chain((0..height).map(|row| name(column, row)).collect());
        }
        if hexagons {
            // Of the two diagonals one: up and to the left.
            for row in 1..height {
                for column in 1..width {
                    chain(vec![name(column, row - 1), name(column - 1, row)]);
                }
            }
        }
    }
}
