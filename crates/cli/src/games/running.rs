use houserules_kernel::Position;
use houserules_library::{Found, Game, MachinePosition, Options as Chosen};
use houserules_model::{Definition, Edit, Item, ItemKind, Mode, Origin, nearest};

use super::{Match, Options, RuleState, RuleSwitch};

/// A match of a definition, whose rules can be switched.
pub struct Running {
    found: Found,
    /// With all changes made so far.
    definition: Definition,
    chosen: Chosen,
    game: Game,
    position: MachinePosition,
}

impl Running {
    pub(super) fn start(found: &Found, options: &Options) -> Result<Self, String> {
        found.refuse_errors()?;
        let chosen = found.options(&options.into());
        let definition = found.arrange(&chosen)?;
        let game = found.compile(&chosen)?;
        let position = game.start().map_err(|error| error.to_string())?;
        // They are in the definition now, and putting them there again would undo what is switched later.
        let chosen = Chosen { variants: Vec::new(), off: Vec::new(), ..chosen };
        Ok(Running { found: found.clone(), definition, chosen, game, position })
    }
}

impl RuleSwitch for Running {
    fn rules(&self) -> Vec<RuleState> {
        self.game.rules().map(|rule| RuleState { name: rule.name.to_string(), on: rule.mode != Mode::Off }).collect()
    }

    fn switch(&mut self, name: &str, on: bool) -> Result<(), String> {
        let names: Vec<String> = self.rules().into_iter().map(|rule| rule.name).collect();
        let Some(rule) = names.iter().find(|rule| rule.to_lowercase() == name.to_lowercase()) else {
            return Err(match nearest(name, names.iter().map(String::as_str)) {
                Some(near) => format!("There is no rule “{name}”. Did you mean “{near}”?"),
                None => format!("There is no rule “{name}”. `rules` lists them."),
            });
        };
        let mode = if on { Mode::Enforced } else { Mode::Off };
        let change = Item::new(ItemKind::RuleMode { rule: rule.as_str().into(), mode }, Origin::NONE);
        let mut definition = self.definition.clone();
        definition.apply(Edit::Put(change)).map_err(|error| error.to_string())?;
        let (game, position) = self
            .position
            .change_rules(&definition, &self.chosen)
            .map_err(|faults| self.found.render(&faults, false).trim_end().to_owned())?;
        (self.definition, self.game, self.position) = (definition, game, position);
        Ok(())
    }
}

impl Match for Running {
    fn position(&mut self) -> &mut dyn Position {
        &mut self.position
    }
}
