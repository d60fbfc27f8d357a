use houserules_model::*;

/// The slot of a form by its name in the pattern; absent when the form has none, or too few.
pub fn slot<'a>(form: Form, slots: &'a [Slot], name: &str) -> &'a Slot {
    let at = form.pattern().slots().iter().position(|slot| slot.name == name);
    at.and_then(|at| slots.get(at)).unwrap_or(&Slot::Absent)
}

/// The name in a slot, where it is written out.
pub fn given(slot: &Slot) -> Option<&Name> {
    match slot {
        Slot::Name(name) => name.known(),
        Slot::Expr(expr) => match &expr.kind {
            ExprKind::Word(name) | ExprKind::Text(name) => Some(name),
            _ => None,
        },
        _ => None,
    }
}

/// Where the name in a slot stands.
pub fn given_origin(slot: &Slot) -> Origin {
    match slot {
        Slot::Name(name) => name.origin(),
        Slot::Expr(expr) => expr.origin,
        _ => Origin::NONE,
    }
}

/// Whether a name position is filled by a form that computes it.
pub fn computed(slot: &Slot) -> bool {
    matches!(slot, Slot::Name(NameRef::Computed(_)))
}

pub fn is_word(expr: &Expr, word: &str) -> bool {
    matches!(&expr.kind, ExprKind::Word(name) if &**name == word)
}

/// `(word)` is the value of that word.
pub fn as_word(expr: &Expr) -> Option<(&Name, Origin)> {
    match &expr.kind {
        ExprKind::Word(name) => Some((name, expr.origin)),
        ExprKind::Call { name, name_origin, args, of: None } if args.is_empty() => Some((name, *name_origin)),
        _ => None,
    }
}
