use crate::rules::{Advice, Rules};
use crate::{Change, Property, RuleState, Running};
use houserules_kernel::{Choice, Decision, Position, Refusal, RefusalKind, Rulebook, Who};
use houserules_library::{Found, MachinePosition, Options, by_hand};
use houserules_machine::world::EntityId;
use houserules_machine::{Past, Renewed};
use houserules_model::{Budget, Definition, Diagnostic, RuleKind, nearest};
use std::sync::Arc;

/// A running game made from a definition: every rule of it can be changed.
#[derive(Clone)]
pub struct Defined {
    rules: Arc<Rules>,
    position: MachinePosition,
    /// As far as the position has forgotten it.
    past: Past,
}

/// Somebody of a model, and a definition with what it is to carry out.
pub(crate) struct Hand {
    pub to: EntityId,
    pub model: String,
    pub with: Definition,
}

/// A rule by name and kind, and the game without it.
pub type Without = (String, RuleKind, Option<Arc<dyn Rulebook>>);

impl Defined {
    /// A match from the start. The messages say what stands against it.
    pub fn start(found: &Found, options: &Options, advised: &[String]) -> Result<Self, String> {
        Self::guarded(found, options, advised, None)
    }

    /// The same where strangers may type rules: from then on this budget counts, and the interpreter alone plays.
    pub fn guarded(
        found: &Found,
        options: &Options,
        advised: &[String],
        typed: Option<Budget>,
    ) -> Result<Self, String> {
        let rules = Rules::start(found, options, advised, typed)?;
        let (position, past) = rules.game.start_with_past().map_err(|error| error.to_string())?;
        Ok(Defined { rules: Arc::new(rules), position, past })
    }

    /// The definition as it stands now.
    pub fn definition(&self) -> &Definition {
        &self.rules.definition
    }

    /// The texts it was read from, those typed during the match included.
    pub fn sources(&self) -> &houserules_gdl::Sources {
        self.rules.sources()
    }

    /// As the machine plays it: every advised rule is on or off there.
    pub fn played(&self) -> Definition {
        self.rules.under(Advice::Offered)
    }

    /// Properties whose first value the last change put anew.
    pub fn renewed(&self) -> &[Renewed] {
        &self.rules.renewed
    }

    /// What a referee says, as rules for the moment in which it is carried out.
    pub(crate) fn hand(&mut self, entity: &str, statements: &str) -> Result<Hand, String> {
        let Some((to, model)) = self.position.find(entity) else {
            let mut names: Vec<String> = self.position.properties().into_iter().map(|found| found.entity).collect();
            names.dedup();
            return Err(match nearest(entity, names.iter().map(String::as_str)) {
                Some(near) => format!("There is nothing called “{entity}”. Did you mean “{near}”?"),
                None => format!("There is nothing called “{entity}”. `inspect` lists what there is."),
            });
        };
        let with = by_hand(&self.played(), self.rules.sources(), &model, statements)?;
        Ok(Hand { to, model, with })
    }

    /// Of the rules as the machine plays them.
    pub fn digest(&self) -> String {
        self.rules.game.digest()
    }

    /// The rules as they stand, or with a change, as a rulebook for matches from the start.
    pub fn rulebook(&self, change: Option<&Change>) -> Result<Box<dyn Rulebook>, String> {
        Ok(Box::new(self.rules.afresh(change)?))
    }

    /// The same without each of the rules in force, by name and kind: none where the game cannot do without.
    pub fn without_each(&self, change: Option<&Change>) -> Result<Vec<Without>, String> {
        let each = self.rules.without_each(change)?.into_iter();
        let boxed = |game: houserules_library::Game| -> Arc<dyn Rulebook> { Arc::new(game) };
        Ok(each.map(|(name, kind, game)| (name.to_string(), kind, game.map(boxed))).collect())
    }

    pub fn options(&self) -> &Options {
        &self.rules.chosen
    }
}

impl Running for Defined {
    fn title(&self) -> String {
        self.rules.game.name().to_owned()
    }

    fn seats(&self) -> Vec<String> {
        self.rules.game.seats()
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
        let rules = self.definition().rules();
        rules.map(|rule| RuleState { name: rule.name.to_string(), kind: rule.kind, mode: rule.mode }).collect()
    }

    fn change(&mut self, change: &Change) -> Result<(), String> {
        let (mut position, mut past) = (self.position.clone(), self.past.clone());
        // Undo goes back to before a change by itself; what is taken back is no reason to refuse one.
        past.keep(&mut position);
        let rules = self.rules.changed(change, &position)?;
        let adopted = position.adopt_with(&rules.game, &rules.renewed, &mut past);
        let position = adopted.map_err(|faults| rules.told(&faults))?;
        *self = Defined { rules, position, past };
        Ok(())
    }

    fn leaks(&self, change: &Change) -> Option<String> {
        self.rules.leaks(change)
    }

    fn by_hand(&mut self, entity: &str, statements: &str) -> Result<(), String> {
        let Hand { to, model, with } = self.hand(entity, statements)?;
        let (mut before, mut past) = (self.position.clone(), self.past.clone());
        past.keep(&mut before);
        let done = before.by_hand((to, &model), &with, &self.played(), &self.rules.typing(self.options().clone()));
        let (game, position) = done.map_err(|faults| self.rules.told(&faults))?;
        *self = Defined { rules: Arc::new(self.rules.recompiled(game)), position, past };
        Ok(())
    }

    fn meaning(&mut self) -> Option<String> {
        Some(self.position.meaning())
    }

    fn properties(&mut self) -> Vec<Property> {
        let found = self.position.properties().into_iter();
        found.map(|state| Property { entity: state.entity, property: state.property, value: state.value }).collect()
    }

    fn advises(&self) -> bool {
        self.rules.advises()
    }

    fn warnings(&mut self, who: Who) -> Vec<(Choice, Refusal)> {
        let Who::Seat(seat) = who else { return Vec::new() };
        if !self.advises() || !self.position.decision().open_to().contains(&who) {
            return Vec::new();
        }
        let mut offered = self.position.choices(who);
        if self.rules.advises_after()
            && let Ok(mut loose) = self.rules.advising(Advice::Ignored, &self.position)
        {
            let more = loose.choices(who).into_iter().filter(|choice| !offered.contains(choice));
            offered.extend(more.collect::<Vec<_>>());
        }
        let nobody = Refusal {
            kind: RefusalKind::Law,
            law: None,
            reason: "By the advised rules nobody could choose anything here.".into(),
        };
        let Ok(mut strict) = self.rules.advising(Advice::Followed, &self.position) else { return Vec::new() };
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
            reason: self.rules.render(&faults),
        };
        let mut loose = self.rules.advising(Advice::Ignored, &self.position).map_err(fault)?;
        loose.play(who, choice)?;
        let played = self.played();
        let (game, position) = loose.change_rules(&played, self.options()).map_err(fault)?;
        *self = Defined { rules: Arc::new(self.rules.recompiled(game)), position, past: self.past.clone() };
        Ok(())
    }

    fn strict(&self) -> Option<Box<dyn Position>> {
        if !self.advises() {
            return None;
        }
        let strict = self.rules.advising(Advice::Followed, &self.position).ok()?;
        // Where the advised rules leave nothing, a player may choose what the table allows.
        let open = !matches!(strict.decision(), Decision::Over(_)) && strict.decision() == self.position.decision();
        open.then(|| Box::new(strict) as Box<dyn Position>)
    }
}
