use crate::{Change, Property, RuleState, Running};
use houserules_gdl::{Sources, render_all};
use houserules_kernel::{Choice, Decision, Position, Refusal, RefusalKind, Rulebook, Who};
use houserules_library::{Found, Game, MachinePosition, Options, by_hand, changed, locate};
use houserules_model::{Definition, Diagnostic, Edit, Item, ItemKind, Mode, Origin, RuleKind, nearest};
use std::sync::Arc;

/// A running game made from a definition: every rule of it can be changed.
///
/// The machine knows rules that are on and rules that are off. A law that is advised is off there, so that what it is
/// against is offered; a side-effect that is advised is on, because only its refusals are a matter of advice.
#[derive(Clone)]
pub struct Defined {
    sources: Arc<Sources>,
    /// With all changes made so far, and the modes as the players know them.
    definition: Arc<Definition>,
    chosen: Options,
    game: Game,
    position: MachinePosition,
}

/// What an advised rule is for the machine.
#[derive(Clone, Copy, PartialEq)]
enum Advice {
    /// As the match is played.
    Offered,
    /// As if enforced: tells what to warn about.
    Followed,
    /// As if off: for what a side-effect refused.
    Ignored,
}

impl Defined {
    /// A match from the start. The messages say what stands against it.
    pub fn start(found: &Found, options: &Options, advised: &[String]) -> Result<Self, String> {
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
        let position = game.start().map_err(|error| error.to_string())?;
        let sources = Arc::new(found.loaded.sources.clone());
        Ok(Defined { sources, definition: Arc::new(definition), chosen, game, position })
    }

    /// The definition as it stands now.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// As the machine plays it: every advised rule is on or off there.
    pub fn played(&self) -> Definition {
        under(&self.definition, Advice::Offered)
    }

    pub fn options(&self) -> &Options {
        &self.chosen
    }

    fn render(&self, faults: &[Diagnostic]) -> String {
        render_all(faults, &self.sources, false).trim_end().to_owned()
    }

    fn under_advice(&self, advice: Advice) -> Result<MachinePosition, Vec<Diagnostic>> {
        let definition = under(&self.definition, advice);
        self.position.change_rules(&definition, &self.chosen).map(|(_, position)| position)
    }

    fn advised(&self) -> impl Iterator<Item = &houserules_model::Rule> {
        self.definition.rules().filter(|rule| rule.mode == Mode::Advised)
    }
}

impl Running for Defined {
    fn title(&self) -> String {
        self.game.name().to_owned()
    }

    fn seats(&self) -> Vec<String> {
        self.game.seats()
    }

    fn position(&mut self) -> &mut dyn Position {
        &mut self.position
    }

    fn look(&self) -> &dyn Position {
        &self.position
    }

    fn duplicate(&self) -> Box<dyn Running> {
        Box::new(self.clone())
    }

    fn as_defined(&self) -> Option<&Defined> {
        Some(self)
    }

    fn rules(&self) -> Vec<RuleState> {
        let rules = self.definition.rules();
        rules.map(|rule| RuleState { name: rule.name.to_string(), kind: rule.kind, mode: rule.mode }).collect()
    }

    fn change(&mut self, change: &Change) -> Result<(), String> {
        let mut next = self.clone();
        match change {
            Change::Mode { rule, mode } => set_mode(Arc::make_mut(&mut next.definition), rule, *mode)?,
            Change::Setting { name, value } => {
                let name = setting_name(&self.definition, name)?;
                next.chosen.settings.retain(|(known, _)| *known != name);
                next.chosen.settings.push((name, value.clone()));
            }
            Change::Text(text) => {
                let (definition, sources) = changed(&self.definition, &self.sources, text)?;
                // A value given before the match would hide one that is given now.
                next.chosen.settings.retain(|(name, _)| {
                    let value = |definition: &Definition| {
                        definition
                            .settings()
                            .find(|setting| *setting.name == **name)
                            .map(|setting| setting.value.clone())
                    };
                    value(&definition) == value(&self.definition)
                });
                next.chosen.locate = Some(locate(&sources));
                (next.definition, next.sources) = (Arc::new(definition), Arc::new(sources));
            }
        }
        // Undo goes back to before a change by itself; what is taken back is no reason to refuse one.
        next.position.forget();
        let played = under(&next.definition, Advice::Offered);
        (next.game, next.position) =
            next.position.change_rules(&played, &next.chosen).map_err(|faults| next.render(&faults))?;
        *self = next;
        Ok(())
    }

    fn by_hand(&mut self, entity: &str, statements: &str) -> Result<(), String> {
        let played = under(&self.definition, Advice::Offered);
        let Some((to, model)) = self.position.find(entity) else {
            let mut names: Vec<String> = self.position.properties().into_iter().map(|found| found.entity).collect();
            names.dedup();
            return Err(match nearest(entity, names.iter().map(String::as_str)) {
                Some(near) => format!("There is nothing called “{entity}”. Did you mean “{near}”?"),
                None => format!("There is nothing called “{entity}”. `inspect` lists what there is."),
            });
        };
        let with = by_hand(&played, &self.sources, &model, statements)?;
        let mut before = self.position.clone();
        before.forget();
        let done = before.by_hand((to, &model), &with, &played, &self.chosen);
        let (game, position) = done.map_err(|faults| match faults.as_slice() {
            [fault] if fault.code == "change/by-hand" => format!("{}: {}", fault.title, fault.labels[0].text),
            faults => self.render(faults),
        })?;
        (self.game, self.position) = (game, position);
        Ok(())
    }

    fn properties(&mut self) -> Vec<Property> {
        let found = self.position.properties().into_iter();
        found.map(|state| Property { entity: state.entity, property: state.property, value: state.value }).collect()
    }

    fn advises(&self) -> bool {
        self.advised().next().is_some()
    }

    fn warnings(&mut self, who: Who) -> Vec<(Choice, Refusal)> {
        let Who::Seat(seat) = who else { return Vec::new() };
        if !self.advises() || !self.position.decision().open_to().contains(&who) {
            return Vec::new();
        }
        let mut offered = self.position.choices(who);
        if self.advised().any(|rule| rule.kind == RuleKind::SideEffect)
            && let Ok(mut loose) = self.under_advice(Advice::Ignored)
        {
            let more = loose.choices(who).into_iter().filter(|choice| !offered.contains(choice));
            offered.extend(more.collect::<Vec<_>>());
        }
        let nobody = Refusal {
            kind: RefusalKind::Law,
            law: None,
            reason: "By the advised rules nobody could choose anything here.".into(),
        };
        let Ok(mut strict) = self.under_advice(Advice::Followed) else { return Vec::new() };
        if !strict.decision().open_to().contains(&who) {
            return offered.into_iter().map(|choice| (choice, nobody.clone())).collect();
        }
        let judged = strict.offers(seat);
        let refusal = |choice: &Choice| match judged.iter().find(|offer| offer.choice == *choice) {
            Some(offer) => offer.refused.clone(),
            None => Some(nobody.clone()),
        };
        offered.into_iter().filter_map(|choice| refusal(&choice).map(|refusal| (choice, refusal))).collect()
    }

    fn overrule(&mut self, who: Who, choice: &Choice) -> Result<(), Refusal> {
        if self.position.play(who, choice).is_ok() {
            return Ok(());
        }
        // An advised side-effect refuses it: it is left out for this one choice.
        let fault = |faults: Vec<Diagnostic>| Refusal {
            kind: RefusalKind::Fault,
            law: None,
            reason: render_all(&faults, &self.sources, false).trim_end().to_owned(),
        };
        let mut loose = self.under_advice(Advice::Ignored).map_err(fault)?;
        loose.play(who, choice)?;
        let played = under(&self.definition, Advice::Offered);
        let (game, position) = loose.change_rules(&played, &self.chosen).map_err(fault)?;
        (self.game, self.position) = (game, position);
        Ok(())
    }

    fn strict(&self) -> Option<Box<dyn Position>> {
        if !self.advises() {
            return None;
        }
        let strict = self.under_advice(Advice::Followed).ok()?;
        // Where the advised rules leave nothing, a player may choose what the table allows.
        let open = !matches!(strict.decision(), Decision::Over(_)) && strict.decision() == self.position.decision();
        open.then(|| Box::new(strict) as Box<dyn Position>)
    }
}

/// The definition with every advised rule on or off.
fn under(definition: &Definition, advice: Advice) -> Definition {
    let mut played = definition.clone();
    for rule in definition.rules().filter(|rule| rule.mode == Mode::Advised) {
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
