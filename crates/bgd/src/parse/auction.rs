//! Auctions, an extension: written out as a location that knows how it stands, two actions and a loop.
//!
//! `auction Stall from 1 to Purse(Stall.Bidder);` among the actions declares one, the statement
//! `auction Stall among TurnOrder;` holds it. Whoever is first in the list bids or leaves for good, then the next;
//! it ends when only the one who bid last is left, or when all have left without a bid.

use super::Parser;
use crate::syntax::*;
use houserules_model::{Diagnostic, Origin, nearest};

impl Parser<'_> {
    /// The declaration.
    pub(super) fn auction(&mut self, program: &mut Program) {
        let start = self.origin();
        self.bump();
        let Some(name) = self.id("the name of an auction") else { return self.skip() };
        let (mut least, mut most) = (None, None);
        if self.take_word("from") {
            least = Some(self.expr());
            if self.take_word("to") {
                most = Some(self.expr());
            }
        }
        let (Some(least), Some(most)) = (least, most) else {
            self.expected("`from` the least bid `to` the highest");
            return self.skip();
        };
        self.semicolon();
        self.auctions.push(name.text.clone());
        let origin = self.since(start);
        declare(program, &name, origin, least, most);
    }

    /// Auctions that are held and nowhere declared are told once, and taken for declared in what is checked later.
    pub(super) fn undeclared(&mut self, program: &mut Program) {
        for name in std::mem::take(&mut self.held) {
            if self.auctions.contains(&name.text) {
                continue;
            }
            let label = match nearest(&name.text, self.auctions.iter().map(String::as_str)) {
                Some(near) => format!("Did you mean `{near}`?"),
                None => format!("There is no auction `{}`.", name.text),
            };
            let fault = Diagnostic::error("name/unknown", "Unknown auction", name.origin, label);
            self.tell(fault.hint(format!("`auction {} from 1 to 10;` among the actions declares it.", name.text)));
            self.auctions.push(name.text.clone());
            if !program.locations.iter().any(|location| location.name.text == name.text) {
                let one = || Expr::new(ExprKind::Int(1), name.origin);
                declare(program, &name, name.origin, one(), one());
            }
        }
    }

    /// The statement.
    pub(super) fn auctioned(&mut self, body: &mut Block) {
        let start = self.origin();
        self.bump();
        let Some(name) = self.id("the name of an auction") else { return self.skip() };
        if !self.take_word("among") {
            self.expected("`among`");
            return self.skip();
        }
        let list = self.expr();
        self.semicolon();
        self.held.push(name.clone());
        let made = Made { name: &name, origin: self.since(start) };
        let left = || made.expr(ExprKind::Count(Box::new(made.attr("Bidders"))));
        let first = || made.expr(ExprKind::Index(Box::new(made.attr("Bidders")), Box::new(made.int(0))));
        // The last one who bid has nobody to outbid.
        let open = made.binary(
            Op::And,
            made.binary(Op::More, left(), made.int(0)),
            made.binary(
                Op::Or,
                made.binary(Op::More, left(), made.int(1)),
                made.expr(ExprKind::Not(Box::new(made.attr("Sold")))),
            ),
        );
        let round = vec![
            made.assign("Bidder", first()),
            made.assign("Bidders", made.expr(ExprKind::Built(Built::Remove, vec![made.attr("Bidders"), made.int(0)]))),
            made.stmt(StmtKind::Choose { who: made.attr("Bidder"), phase: Some(name.clone()) }),
        ];
        body.extend([
            made.assign("Sold", made.expr(ExprKind::Bool(false))),
            made.assign("Price", made.int(0)),
            made.assign("Bidders", list),
            made.stmt(StmtKind::While(open, round)),
        ]);
    }
}

/// The location and the two actions.
fn declare(program: &mut Program, name: &Name, origin: Origin, least: Expr, most: Expr) {
    let made = Made { name, origin };
    let Some(somebody) = program.players.list.iter().find(|player| player.human) else { return };
    let somebody = made.expr(ExprKind::Name(somebody.name.text.clone()));
    let attr = |name: &str, value| Attr { name: made.named(name), value, hidden: false };
    let attrs = vec![
        attr("Sold", made.expr(ExprKind::Bool(false))),
        attr("Price", made.int(0)),
        attr("Buyer", somebody.clone()),
        attr("Bidder", somebody.clone()),
        attr("Bidders", made.expr(ExprKind::List(vec![somebody]))),
    ];
    program.locations.push(Location {
        name: name.clone(),
        owner: Some(Owner::Public),
        exist: None,
        value: None,
        capacity: None,
        attrs,
        inventory: Vec::new(),
        supplies: Vec::new(),
        supply: false,
    });
    let amount = || made.expr(ExprKind::Low("amount".to_owned()));
    let bid = Action {
        name: made.named(&format!("Bid{}", name.text)),
        phases: vec![name.clone()],
        params: vec![Param {
            kind: made.named("int"),
            name: made.named("amount"),
            domain: Some(Domain::Between(least, most)),
        }],
        requires: vec![made.binary(Op::More, amount(), made.attr("Price"))],
        effect: vec![
            made.assign("Sold", made.expr(ExprKind::Bool(true))),
            made.assign("Price", amount()),
            made.assign("Buyer", made.attr("Bidder")),
            made.assign(
                "Bidders",
                made.expr(ExprKind::Built(Built::Append, vec![made.attr("Bidders"), made.attr("Bidder")])),
            ),
        ],
    };
    let leave = Action {
        name: made.named(&format!("Leave{}", name.text)),
        phases: vec![name.clone()],
        params: Vec::new(),
        requires: Vec::new(),
        effect: Vec::new(),
    };
    program.actions.extend([bid, leave]);
}

/// What is written out, all at the place of the auction.
struct Made<'a> {
    name: &'a Name,
    origin: Origin,
}

impl Made<'_> {
    fn named(&self, text: &str) -> Name {
        Name { text: text.to_owned(), origin: self.origin }
    }

    fn expr(&self, kind: ExprKind) -> Expr {
        Expr::new(kind, self.origin)
    }

    fn int(&self, number: i64) -> Expr {
        self.expr(ExprKind::Int(number))
    }

    fn attr(&self, name: &str) -> Expr {
        // Where the auction is not declared, its name is what is wrong.
        let auction = Expr::new(ExprKind::Name(self.name.text.clone()), self.name.origin);
        self.expr(ExprKind::Attr(Box::new(auction), self.named(name)))
    }

    fn binary(&self, op: Op, left: Expr, right: Expr) -> Expr {
        self.expr(ExprKind::Binary(op, Box::new(left), Box::new(right)))
    }

    fn stmt(&self, kind: StmtKind) -> Stmt {
        Stmt { kind, origin: self.origin }
    }

    fn assign(&self, attr: &str, value: Expr) -> Stmt {
        self.stmt(StmtKind::Assign(self.attr(attr), value))
    }
}
