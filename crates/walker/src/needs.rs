//! What a definition uses of what every thing could have.

use crate::world::World;
use houserules_model::*;

/// Which predefined properties a definition needs at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Needs {
    pub owner: bool,
    pub places: bool,
    pub states: bool,
    pub removal: bool,
    pub making: bool,
    pub score: bool,
}

/// Looks through a definition for what it uses.
pub fn needs(definition: &Definition, world: &World) -> Needs {
    let mut needs = Needs {
        owner: world.entities.iter().any(|thing| thing.owner != crate::world::NOBODY),
        places: world.entities.iter().any(|thing| thing.at.is_some()),
        states: world.entities.iter().any(|thing| thing.state.is_some())
            || world.kinds.iter().any(|kind| kind.state.is_some()),
        making: world.kinds.iter().any(|kind| kind.supply.is_some()),
        ..Needs::default()
    };
    needs.places |= needs.making;
    for item in definition.items() {
        item.exprs(&mut |expr| {
            expr.walk(&mut |inner| match &inner.kind {
                ExprKind::Word(word) => needs.word(word),
                ExprKind::Call { name, .. } => needs.word(name),
                ExprKind::Form(form, slots) => match form {
                    Form::ChangeState => needs.states = true,
                    Form::Move => needs.places = true,
                    Form::Remove => needs.removal = true,
                    Form::New => {
                        needs.making = true;
                        needs.places |= slots[1].given();
                        slots[2].pairs().iter().filter_map(|(name, _)| name.known()).for_each(|name| needs.word(name));
                    }
                    Form::Property | Form::UpdateProperty | Form::NewProperty => {
                        match slots[0].name().and_then(NameRef::known) {
                            Some(name) => needs.word(name),
                            // The name is computed: it may be any.
                            None => needs = Needs { owner: true, score: true, ..needs },
                        }
                    }
                    _ => {}
                },
                _ => {}
            });
        });
        if let ItemKind::Entity(entity) = &item.kind {
            entity.with.iter().for_each(|(name, _)| needs.word(name));
        }
    }
    needs
}

impl Needs {
    fn word(&mut self, word: &str) {
        match word {
            "owner" => self.owner = true,
            "score" => self.score = true,
            _ => {}
        }
    }
}
