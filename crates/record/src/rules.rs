use crate::Change;
use houserules_gdl::{Sources, render_all};
use houserules_library::{Found, Game, MachinePosition, Options, changed, leaks, locate};
use houserules_machine::Renewed;
use houserules_model::{
    Budget, Definition, Diagnostic, Edit, Item, ItemKind, Mode, Name, Origin, Rule, RuleKind, nearest,
};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The rules of a running match as they stand, compiled.
///
/// The machine knows rules that are on and rules that are off. A law that is advised is off there, so that what it is
/// against is offered; a side-effect that is advised is on, because only its refusals are a matter of advice.
///
/// Redo, forks and whoever follows a match meet the same changes again, and compiling takes longer than all the rest:
/// what somebody still plays by is not compiled twice.
pub(crate) struct Rules {
    sources: Arc<Sources>,
    /// With all changes made so far, and the modes as the players know them.
    pub definition: Arc<Definition>,
    pub chosen: Options,
    /// What is typed during the match is somebody else's than the game: from then on this budget counts, and the interpreter
    /// alone plays. None: it is played as the game is.
    typed: Option<Budget>,
    pub game: Game,
    /// Whether any rule is only advised; asked at every move.
    advises: bool,
    /// Properties whose first value the change that made these rules put anew.
    pub renewed: Vec<Renewed>,
    /// Whether compiled for positions with a behavior stopped in the middle, and what came of the change.
    changed: Mutex<Vec<(Change, bool, Weak<Rules>)>>,
    advised: Mutex<Vec<(Advice, bool, Game)>>,
}

/// What an advised rule is for the machine.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Advice {
    /// As the match is played.
    Offered,
    /// As if enforced: tells what to warn about.
    Followed,
    /// As if off: for what a side-effect refused.
    Ignored,
}

impl Rules {
    /// The rules at the start of a match. The messages say what stands against it.
    pub fn start(found: &Found, options: &Options, advised: &[String], typed: Option<Budget>) -> Result<Self, String> {
        found.refuse_errors()?;
        let chosen = found.options(options);
        let mut definition = found.arrange(&chosen)?;
        for rule in advised {
            set_mode(&mut definition, rule, Mode::Advised)?;
        }
        // They are in the definition now, and putting them there again would undo what is switched later.
        let chosen = Options { variants: Vec::new(), off: Vec::new(), ..chosen };
        let game = houserules_machine::compile(&under(&definition, Advice::Offered), &chosen)
            .map_err(|faults| found.render(&faults, false))?;
        let rules = Rules::new(Arc::new(found.loaded.sources.clone()), Arc::new(definition), chosen, game, Vec::new());
        Ok(Rules { typed, ..rules })
    }

    fn new(
        sources: Arc<Sources>,
        definition: Arc<Definition>,
        chosen: Options,
        game: Game,
        renewed: Vec<Renewed>,
    ) -> Self {
        let advises = advised(&definition).next().is_some();
        let (changed, advised) = (Mutex::default(), Mutex::default());
        Rules { sources, definition, chosen, typed: None, game, advises, renewed, changed, advised }
    }

    /// The same rules, compiled anew.
    pub fn recompiled(&self, game: Game) -> Self {
        let rules = Rules::new(self.sources.clone(), self.definition.clone(), self.chosen.clone(), game, Vec::new());
        Rules { typed: self.typed, ..rules }
    }

    /// How what was typed is played.
    pub fn typing(&self, chosen: Options) -> Options {
        match self.typed {
            Some(budget) => Options { budget, interpreted: true, ..chosen },
            None => chosen,
        }
    }

    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The definition with every advised rule on or off.
    pub fn under(&self, advice: Advice) -> Definition {
        under(&self.definition, advice)
    }

    pub fn advises(&self) -> bool {
        self.advises
    }

    /// Whether a side-effect is only advised.
    pub fn advises_after(&self) -> bool {
        advised(&self.definition).any(|rule| rule.kind == RuleKind::SideEffect)
    }

    pub fn render(&self, faults: &[Diagnostic]) -> String {
        render_all(faults, &self.sources, false).trim_end().to_owned()
    }

    /// The same for people at a table: what has no place in the text is a sentence.
    pub fn told(&self, faults: &[Diagnostic]) -> String {
        match faults {
            [fault] if fault.code.starts_with("change/") => format!("{}: {}", fault.title, fault.labels[0].text),
            faults => self.render(faults),
        }
    }

    /// What a change makes of the rules, for a position under them.
    pub fn changed(&self, change: &Change, position: &MachinePosition) -> Result<Arc<Rules>, String> {
        let running = position.is_running();
        let mut known = self.changed.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(.., rules)| rules.strong_count() > 0);
        let same = known.iter().find(|(other, for_running, _)| other == change && *for_running == running);
        if let Some(rules) = same.and_then(|(.., rules)| rules.upgrade()) {
            return Ok(rules);
        }
        let (sources, definition, chosen) = self.put(change)?;
        let compiled = position.compile_change(&under(&definition, Advice::Offered), &chosen);
        let game = compiled.map_err(|faults| render_all(&faults, &sources, false).trim_end().to_owned())?;
        let renewed = renewed(&self.definition, &definition);
        let rules = Rules::new(sources, definition, chosen, game, renewed);
        let rules = Arc::new(Rules { typed: self.typed, ..rules });
        known.push((change.clone(), running, Arc::downgrade(&rules)));
        Ok(rules)
    }

    /// The rules as they stand, or with a change, for matches from the start. What is advised is followed, as the machine's
    /// players do.
    pub fn afresh(&self, change: Option<&Change>) -> Result<Game, String> {
        let (sources, definition, chosen) = match change {
            Some(change) => self.put(change)?,
            None => (self.sources.clone(), self.definition.clone(), self.chosen.clone()),
        };
        houserules_machine::compile(&under(&definition, Advice::Followed), &chosen)
            .map_err(|faults| render_all(&faults, &sources, false).trim_end().to_owned())
    }

    /// The same without each of the rules in force, for matches from the start: none where the game cannot do without.
    pub fn without_each(&self, change: Option<&Change>) -> Result<Vec<(Name, RuleKind, Option<Game>)>, String> {
        let (_, definition, chosen) = match change {
            Some(change) => self.put(change)?,
            None => (self.sources.clone(), self.definition.clone(), self.chosen.clone()),
        };
        let played = under(&definition, Advice::Followed);
        let without = |rule: &Rule| {
            let mut left = played.clone();
            let game = set_mode(&mut left, &rule.name, Mode::Off).ok();
            let game = game.and_then(|()| houserules_machine::compile(&left, &chosen).ok());
            (rule.name.clone(), rule.kind, game)
        };
        Ok(played.rules().filter(|rule| rule.mode != Mode::Off).map(without).collect())
    }

    /// What the checker says about secrets that a change gives away.
    pub fn leaks(&self, change: &Change) -> Option<String> {
        let (sources, definition, _) = self.put(change).ok()?;
        leaks(&self.definition, &definition, &sources)
    }

    fn put(&self, change: &Change) -> Result<(Arc<Sources>, Arc<Definition>, Options), String> {
        let (mut sources, mut definition) = (self.sources.clone(), self.definition.clone());
        let mut chosen = self.chosen.clone();
        match change {
            Change::Mode { rule, mode } => set_mode(Arc::make_mut(&mut definition), rule, *mode)?,
            Change::Setting { name, value } => {
                let name = setting_name(&definition, name)?;
                chosen.settings.retain(|(known, _)| *known != name);
                chosen.settings.push((name, value.clone()));
            }
            Change::Text(text) => {
                let (put, with_typed) = changed(&self.definition, &self.sources, text)?;
                // A value given before the match would hide one that is given now.
                let value = |definition: &Definition, name: &str| {
                    definition.settings().find(|setting| *setting.name == *name).map(|setting| setting.value.clone())
                };
                chosen.settings.retain(|(name, _)| value(&put, name) == value(&self.definition, name));
                chosen = self.typing(chosen);
                chosen.locate = Some(locate(&with_typed));
                (definition, sources) = (Arc::new(put), Arc::new(with_typed));
            }
        }
        Ok((sources, definition, chosen))
    }

    /// The position with the advised rules as if they were on or off.
    pub fn advising(&self, advice: Advice, position: &MachinePosition) -> Result<MachinePosition, Vec<Diagnostic>> {
        let running = position.is_running();
        let mut known = self.advised.lock().unwrap_or_else(PoisonError::into_inner);
        let same = known.iter().find(|(other, for_running, _)| *other == advice && *for_running == running);
        if let Some((.., game)) = same {
            return position.adopt(game);
        }
        let game = position.compile_change(&self.under(advice), &self.chosen)?;
        known.push((advice, running, game.clone()));
        position.adopt(&game)
    }
}

fn advised(definition: &Definition) -> impl Iterator<Item = &Rule> {
    definition.rules().filter(|rule| rule.mode == Mode::Advised)
}

fn under(definition: &Definition, advice: Advice) -> Definition {
    let mut played = definition.clone();
    for rule in advised(definition) {
        let mode = match (advice, rule.kind) {
            (Advice::Followed, _) | (Advice::Offered, RuleKind::SideEffect) => Mode::Enforced,
            (Advice::Ignored, _) | (Advice::Offered, RuleKind::Law | RuleKind::AfterLaw) => Mode::Off,
        };
        let change = Item::new(ItemKind::RuleMode { rule: rule.name.clone(), mode }, Origin::NONE);
        // The rule was just found there.
        let _ = played.apply(Edit::Put(change));
    }
    played
}

/// The properties and entities that a change puts anew. A setting that others are computed from does not count: play has
/// gone on from what they were.
fn renewed(before: &Definition, after: &Definition) -> Vec<Renewed> {
    let mut renewed = Vec::new();
    for item in after.items() {
        let old = item.key().and_then(|key| before.get(&key));
        match (&item.kind, old.map(|old| &old.kind)) {
            (ItemKind::Property(now), Some(ItemKind::Property(then))) if now.value != then.value => {
                renewed.push(Renewed { model: now.of.to_string(), entity: None, property: now.name.to_string() });
            }
            (ItemKind::Entity(now), Some(ItemKind::Entity(then))) if now.with != then.with => {
                let names: BTreeSet<&Name> = now.with.iter().chain(&then.with).map(|(name, _)| name).collect();
                renewed.extend(names.into_iter().map(|name| Renewed {
                    model: now.model.to_string(),
                    entity: now.name.as_ref().map(ToString::to_string),
                    property: name.to_string(),
                }));
            }
            _ => {}
        }
    }
    renewed
}

fn set_mode(definition: &mut Definition, name: &str, mode: Mode) -> Result<(), String> {
    let names: Vec<String> = definition.rules().map(|rule| rule.name.to_string()).collect();
    let rule = spelled(name, &names, "rule")?;
    let change = Item::new(ItemKind::RuleMode { rule: rule.as_str().into(), mode }, Origin::NONE);
    definition.apply(Edit::Put(change)).map(|_| ()).map_err(|error| error.to_string())
}

fn setting_name(definition: &Definition, name: &str) -> Result<String, String> {
    let names: Vec<String> = definition.settings().map(|setting| setting.name.to_string()).collect();
    spelled(name, &names, "setting")
}

/// People do not remember which words of a name are capital.
fn spelled(name: &str, names: &[String], what: &str) -> Result<String, String> {
    if let Some(known) = names.iter().find(|known| known.to_lowercase() == name.to_lowercase()) {
        return Ok(known.clone());
    }
    Err(match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("There is no {what} “{name}”. Did you mean “{near}”?"),
        None if names.is_empty() => format!("There is no {what} “{name}”; this game has none."),
        None => format!("There is no {what} “{name}”. There are: {}.", names.join(", ")),
    })
}
