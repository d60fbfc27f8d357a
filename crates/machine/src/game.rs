//! The way in: a definition and options become a rulebook.

use crate::constant::Const;
use crate::lower;
use crate::past::Past;
use crate::position::MachinePosition;
use crate::program::{Locate, Program, RuleInfo, SettingInfo};
use crate::shortcut::Shortcuts;
use crate::world;
use houserules_kernel::{OpenError, Position, Rulebook};
use houserules_model::*;
use houserules_walker::renewed::Renewed;
use std::sync::Arc;

/// What is chosen before a match.
#[derive(Clone, Default)]
pub struct Options {
    pub variants: Vec<String>,
    /// Rules switched off.
    pub off: Vec<String>,
    pub settings: Vec<(String, String)>,
    pub seats: Option<u32>,
    /// Where the match begins, in the notation of the field; none: where the definition says.
    pub position: Option<String>,
    pub budget: Budget,
    /// By the interpreter alone: no native code is made of it, however much it is played.
    pub interpreted: bool,
    /// In builds with assertions: at every step whatever is kept from move to move is found anew and compared.
    pub checked: bool,
    /// Shortcuts the machine does without, to tell whose fault something is.
    pub without: Shortcuts,
    pub locate: Option<Locate>,
}

/// A compiled game.
#[derive(Clone)]
pub struct Game {
    program: Arc<Program>,
}

/// A rule and whether it is on.
pub type RuleState = RuleInfo;

/// Applies variants, switches and settings to a definition.
pub fn arrange(definition: &Definition, options: &Options) -> Result<Definition, Vec<Diagnostic>> {
    let mut arranged = definition.for_play();
    let fault = |text: String| vec![Diagnostic::error("options/unknown", text, Origin::NONE, "")];
    for variant in &options.variants {
        arranged = arranged.with_variant(variant).map_err(|error| match error {
            VariantError::Broken(diagnostic) => vec![*diagnostic],
            other => fault(other.to_string()),
        })?;
    }
    for rule in &options.off {
        let change = Item::new(ItemKind::RuleMode { rule: rule.as_str().into(), mode: Mode::Off }, Origin::NONE);
        if arranged.apply(Edit::Put(change)).is_err() {
            let known: Vec<String> = arranged.rules().map(|rule| rule.name.to_string()).collect();
            let hint = match nearest(rule, known.iter().map(String::as_str)) {
                Some(near) => format!("Did you mean “{near}”?"),
                None => format!(
                    "The rules are: {}.",
                    known.iter().map(|rule| format!("“{rule}”")).collect::<Vec<_>>().join(", ")
                ),
            };
            return Err(vec![
                Diagnostic::error("options/unknown", format!("There is no rule “{rule}”"), Origin::NONE, "").hint(hint),
            ]);
        }
    }
    Ok(arranged)
}

/// Compiles a definition with the options chosen.
pub fn compile(definition: &Definition, options: &Options) -> Result<Game, Vec<Diagnostic>> {
    compile_after(definition, options, None)
}

fn compile_after(
    definition: &Definition,
    options: &Options,
    earlier: Option<(&Program, bool)>,
) -> Result<Game, Vec<Diagnostic>> {
    let arranged = arrange(definition, options)?;
    let chosen: Vec<(String, Const)> =
        options.settings.iter().map(|(name, text)| (name.clone(), Const::typed(text))).collect();
    let setup = options.position.as_deref().map(world::Setup::parse);
    let world = world::build(&arranged, &chosen, options.seats, setup.as_ref())?;
    let program = lower::lower(&arranged, world, options, earlier)?;
    let program = Arc::new(program);
    Ok(Game { program })
}

impl Game {
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// The rules in the order of the definition.
    pub fn rules(&self) -> impl Iterator<Item = &RuleInfo> {
        self.program.rule_order.iter().map(|&rule| &self.program.rules[rule as usize])
    }

    pub fn settings(&self) -> &[SettingInfo] {
        &self.program.settings
    }

    pub fn start(&self) -> Result<MachinePosition, OpenError> {
        MachinePosition::start(&self.program, None).map_err(|refusal| OpenError(refusal.to_string()))
    }

    /// The start of a match whose rules may change: with what a later rule may ask about.
    pub fn start_with_past(&self) -> Result<(MachinePosition, Past), OpenError> {
        let mut past = Past::default();
        let start = MachinePosition::start(&self.program, Some(&mut past));
        Ok((start.map_err(|refusal| OpenError(refusal.to_string()))?, past))
    }
}

impl MachinePosition {
    /// The same position under changed rules. What is running ends with its old code; new rules hold from the
    /// next message on. Refused where the change does not fit, and then this position goes on as it was.
    pub fn change_rules(
        &self,
        definition: &Definition,
        options: &Options,
    ) -> Result<(Game, MachinePosition), Vec<Diagnostic>> {
        let game = self.compile_change(definition, options)?;
        let position = self.adopt(&game)?;
        Ok((game, position))
    }

    /// Changed rules, compiled for positions of the program this one is of: for those with a behavior stopped in the
    /// middle if this one [has any](Self::is_running), otherwise for those without.
    pub fn compile_change(&self, definition: &Definition, options: &Options) -> Result<Game, Vec<Diagnostic>> {
        compile_after(definition, options, Some((&self.program, self.is_running())))
    }

    /// The same position under rules from [`Self::compile_change`], for a moment or a look: rules that ask about earlier
    /// positions know them as far as both programs call them the same.
    pub fn adopt(&self, game: &Game) -> Result<MachinePosition, Vec<Diagnostic>> {
        self.adopted(&game.program, &[], None).map_err(unfit)
    }

    /// The same for good, with everything the match has been through. Things that still have the first value of a renewed
    /// property get the one it has now. Refused, the past is of no more use.
    pub fn adopt_with(
        &self,
        game: &Game,
        renewed: &[Renewed],
        past: &mut Past,
    ) -> Result<MachinePosition, Vec<Diagnostic>> {
        self.adopted(&game.program, renewed, Some(past)).map_err(unfit)
    }
}

fn unfit(reason: String) -> Vec<Diagnostic> {
    vec![Diagnostic::error("change/unfit", "This change does not fit the running match", Origin::NONE, reason)]
}

impl Rulebook for Game {
    fn name(&self) -> &str {
        &self.program.name
    }

    fn seats(&self) -> Vec<String> {
        (0..self.program.world.n_seats)
            .map(|seat| self.program.world.entities[1 + seat as usize].name.to_string())
            .collect()
    }

    fn digest(&self) -> String {
        self.program.digest.clone()
    }

    fn open(&self) -> Result<Box<dyn Position>, OpenError> {
        Ok(Box::new(self.start()?))
    }
}
