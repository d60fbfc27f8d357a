//! What there is: the names that a message can offer instead of a wrong one.

use crate::kinds::Kinds;
use crate::outline::EVERY_THING;
use crate::places::{self, Pick};
use crate::site::Attributes;
use crate::walk::Walk;
use houserules_model::*;

impl Walk<'_, '_> {
    /// The models that have a property or define of this name.
    pub(crate) fn owners(&self, name: &str) -> Vec<Name> {
        let has =
            |model: &crate::outline::Model| model.properties.contains_key(name) || model.defines.contains_key(name);
        let mut owners: Vec<Name> =
            self.outline.models.iter().filter(|(_, model)| has(model)).map(|(name, _)| name.clone()).collect();
        if matches!(name, "row" | "column") {
            owners.extend(self.outline.boards.iter().map(|board| board.model.clone()));
        }
        let players = self.outline.each_player.contains_key(name) || matches!(name, "score" | "team");
        if players && !owners.iter().any(|owner| &**owner == "player") {
            owners.push("player".into());
        }
        owners
    }

    pub(crate) fn members_of(&self, kinds: &Kinds) -> Vec<Name> {
        let models = self.outline.related_to(kinds);
        let mut all: Vec<Name> = EVERY_THING.iter().map(|name| (*name).into()).collect();
        for name in &models {
            if let Some(model) = self.outline.models.get(name) {
                all.extend(model.properties.keys().chain(model.defines.keys()).cloned());
            }
            if &**name == "player" {
                all.extend(["score", "team", "next", "previous"].map(Name::from));
                all.extend(self.outline.each_player.keys().cloned());
            }
        }
        for board in self.outline.boards_for(kinds) {
            all.extend(["row".into(), "column".into()]);
            all.extend(self.outline.directions_of(board));
        }
        all
    }

    pub(crate) fn all_defines(&self) -> Vec<Name> {
        let mut all: Vec<Name> = self.outline.defines.keys().cloned().collect();
        all.extend(self.outline.models.values().flat_map(|model| model.defines.keys().cloned()));
        all
    }

    pub(crate) fn thing_names(&self) -> Vec<Name> {
        let outline = self.outline;
        let mut all: Vec<Name> = outline.entities.keys().cloned().chain(outline.player_names().cloned()).collect();
        all.push("game".into());
        all
    }

    /// Every word that would mean something here; names of places are left out.
    pub(crate) fn words_here(&self) -> Vec<Name> {
        let outline = self.outline;
        let mut all: Vec<Name> =
            self.variables.iter().filter(|variable| variable.visible).map(|variable| variable.name.clone()).collect();
        match &self.site.attributes {
            Attributes::These(known) => all.extend(known.iter().cloned()),
            Attributes::All => all.extend(outline.labels.values().flat_map(|label| label.attributes.iter().cloned())),
            Attributes::None => {}
        }
        all.extend(self.site.view_properties.iter().cloned());
        if let Some(kinds) = self.candidate_kinds() {
            all.extend(self.members_of(&kinds));
        }
        all.extend(self.members_of(&self.site.own));
        all.extend(self.members_of(&Kinds::one("game")));
        all.extend(outline.defines.keys().chain(outline.settings.keys()).chain(outline.models.keys()).cloned());
        all.extend(outline.boards.iter().filter_map(|board| board.name.clone()));
        all.extend(self.thing_names());
        all.extend(["player", "opponent", "players", "seats", "self", "message", "nil", "true"].map(Name::from));
        all
    }

    /// A name of the right shape that the board is too small for.
    pub(crate) fn place_beyond(&self, name: &str) -> Option<String> {
        places::column_and_row(name)?;
        let size = self
            .outline
            .boards
            .iter()
            .find_map(|board| places::size(self.outline, board, Pick::Default).map(|size| (board, size)));
        let (board, (width, height)) = size?;
        Some(format!("The board of `{}` is {width} wide and {height} high.", board.model))
    }
}
