//! What words mean for things of each kind.

use super::*;
use crate::world::Directions;

const FIELDS: [(&str, Field); 6] = [
    ("name", Field::Name),
    ("kind", Field::Kind),
    ("number", Field::Number),
    ("contents", Field::Contents),
    ("top", Field::Top),
    ("empty", Field::Empty),
];

impl<'a> Lower<'a> {
    /// Fills the table of answers: fields, then directions, then what the definition says, which wins.
    pub(super) fn number_words(&mut self) {
        let n_kinds = self.world.kinds.len();
        let every: Vec<KindId> = (0..n_kinds as KindId).collect();
        for (name, field) in FIELDS {
            self.answer(name, &every, Answer::Field(field));
        }
        for (name, field) in [("next", Field::Next), ("previous", Field::Previous), ("team", Field::Team)] {
            self.answer(name, &[PLAYER_KIND], Answer::Field(field));
        }
        for thing in &self.world.entities {
            self.texts.id(&thing.name);
        }
        for kind in &self.world.kinds {
            self.texts.id(&kind.name);
        }
        self.number_directions();
        for (at, prop) in self.layout.props.iter().enumerate() {
            if prop.name.starts_with('#') {
                continue;
            }
            let kinds: Vec<KindId> =
                every.iter().copied().filter(|&kind| at <= 2 || prop.kinds[kind as usize]).collect();
            self.answer(&prop.name, &kinds, Answer::Property(at as PropId));
        }
        self.number_defines();
    }

    fn answer(&mut self, name: &str, kinds: &[KindId], answer: Answer) {
        let id = self.texts.id(name);
        let n_kinds = self.world.kinds.len();
        let answers = self.answers.entry(id).or_insert_with(|| vec![None; n_kinds]);
        for &kind in kinds {
            answers[kind as usize] = Some(answer);
        }
    }

    fn number_directions(&mut self) {
        let world = self.world;
        let mut places: Vec<KindId> = world.boards.iter().map(|board| board.kind).collect();
        places.dedup();
        if places.is_empty() {
            return;
        }
        for name in ["row", "column"] {
            let field = if name == "row" { Field::Row } else { Field::Column };
            self.answer(name, &places, Answer::Field(field));
        }
        let turning = world.boards.iter().any(|board| !board.compass.is_empty());
        if turning {
            for (turn, name) in crate::world::RELATIVE.iter().enumerate() {
                self.answer(name, &places, Answer::Relative(turn as u8));
            }
            for name in ["forwards", "forward-diagonal", "backward-diagonal"] {
                self.relative_sets.push(Directions::relative(name));
                self.relative_set_names.push(name.into());
                let set = self.relative_sets.len() as u16 - 1;
                self.answer(name, &places, Answer::RelativeSet(set));
            }
        }
        for name in world.directions.set_names() {
            let boards = (0..world.boards.len()).map(|board| world.directions.set(name, board).to_vec()).collect();
            self.sets.push(boards);
            self.set_names.push(name.clone());
            let set = self.sets.len() as u16 - 1;
            self.answer(name, &places, Answer::Set(set));
        }
        for (direction, name) in world.directions.names.iter().enumerate() {
            // A direction with several places is asked like a set: it gives a list.
            if world.directions.many[direction] {
                self.sets.push(vec![vec![direction as u16]; world.boards.len()]);
                self.set_names.push(name.clone());
                let set = self.sets.len() as u16 - 1;
                self.answer(name, &places, Answer::Set(set));
            } else {
                self.answer(name, &places, Answer::Direction(direction as u16));
            }
        }
    }

    fn number_defines(&mut self) {
        let definition = self.definition;
        for item in definition.items() {
            let ItemKind::Define(define) = &item.kind else { continue };
            match &define.of {
                None => {
                    let func = self.reserve();
                    self.queue.push((func, GAME_KIND, define));
                    let id = self.texts.id(&define.name);
                    self.globals.insert(id, (func, define.params.len() as u16));
                }
                Some(_) => {
                    self.texts.id(&define.name);
                }
            }
        }
        for kind in (0..self.world.kinds.len() as KindId).filter(|&kind| self.is_concrete(kind)).collect::<Vec<_>>() {
            let mut found: Vec<&'a Define> = Vec::new();
            let line: Vec<KindId> = self.world.line(kind).collect();
            for ancestor in line {
                let of = &self.world.kinds[ancestor as usize].name;
                for item in definition.items() {
                    if let ItemKind::Define(define) = &item.kind
                        && define.of.as_ref() == Some(of)
                        && !found.iter().any(|known| known.name == define.name)
                    {
                        found.push(define);
                    }
                }
            }
            for define in found {
                let func = self.reserve();
                self.queue.push((func, kind, define));
                let id = self.texts.id(&define.name);
                let n_kinds = self.world.kinds.len();
                self.asked.entry(id).or_insert_with(|| vec![None; n_kinds])[kind as usize] =
                    Some((func, define.params.len() as u16));
                if define.params.is_empty() {
                    self.answer(&define.name, &[kind], Answer::Define(func));
                }
            }
        }
    }

    pub(super) fn answer_for(&self, name: &str, kind: KindId) -> Option<Answer> {
        self.answers.get(&self.texts.find(name)?)?[kind as usize]
    }

    pub(super) fn is_place(&self, kind: KindId) -> bool {
        self.world.boards.iter().any(|board| board.kind == kind)
    }

    /// What a word for a direction, a row or a column means for places, if a thing of this kind may lie on one.
    pub(super) fn answer_there(&self, name: &str, kind: KindId) -> Option<Answer> {
        if matches!(kind, GAME_KIND | PLAYER_KIND) || self.is_place(kind) {
            return None;
        }
        let along = |answer: &Answer| match answer {
            Answer::Direction(_) | Answer::Set(_) | Answer::Relative(_) | Answer::RelativeSet(_) => true,
            Answer::Field(field) => matches!(field, Field::Row | Field::Column),
            Answer::Property(_) | Answer::Define(_) => false,
        };
        let answers = self.world.boards.iter().filter_map(|board| self.answer_for(name, board.kind));
        answers.into_iter().find(along)
    }

    /// The kinds that have an answer to this word.
    pub(super) fn answering(&self, name: &str) -> Vec<(KindId, Answer)> {
        let Some(answers) = self.texts.find(name).and_then(|id| self.answers.get(&id)) else { return Vec::new() };
        answers.iter().enumerate().filter_map(|(kind, answer)| answer.map(|answer| (kind as KindId, answer))).collect()
    }

    pub(super) fn define_for(&self, name: &str, kind: KindId) -> Option<(FuncId, u16)> {
        self.asked.get(&self.texts.find(name)?)?[kind as usize]
    }

    pub(super) fn global_define(&self, name: &str, n_params: u16) -> Option<FuncId> {
        let &(func, params) = self.globals.get(&self.texts.find(name)?)?;
        (params == n_params).then_some(func)
    }

    /// Whether some message carries an attribute of this name.
    pub(super) fn is_attribute(&self, name: &str) -> bool {
        let carried = |id| self.labels.iter().any(|label| label.attributes.contains(&id));
        name == "label" || self.texts.find(name).is_some_and(carried)
    }

    pub(super) fn descendants(&self, kind: KindId) -> Vec<KindId> {
        (0..self.world.kinds.len() as KindId).filter(|&other| self.world.is_a(other, kind)).collect()
    }

    pub(super) fn kind_of(&self, entity: u32) -> KindId {
        self.world.entities[entity as usize].kind
    }

    /// Whether there can be a thing of exactly this kind: a model that only its children complete has no code.
    pub(super) fn is_concrete(&self, kind: KindId) -> bool {
        if self.descendants(kind).len() == 1 || self.world.entities.iter().any(|thing| thing.kind == kind) {
            return true;
        }
        let name = &self.world.kinds[kind as usize].name;
        let mut made = self.world.kinds.iter().any(|other| other.supply.is_some_and(|(made, _)| made == kind));
        for item in self.definition.items() {
            item.exprs(&mut |expr| {
                expr.walk(&mut |inner| match &inner.kind {
                    ExprKind::Form(Form::New, slots) => {
                        made |= matches!(slots[0].expr().map(|expr| &expr.kind), Some(ExprKind::Word(word)) if word == name);
                    }
                    // A model in a list may be made by what chooses from the list.
                    ExprKind::Form(Form::List, slots) => {
                        made |= slots[0].exprs().iter().any(|expr| matches!(&expr.kind, ExprKind::Word(word) if word == name));
                    }
                    _ => {}
                });
            });
        }
        made
    }

    pub(super) fn define_params(&self, name: &str) -> Option<&'a [Name]> {
        self.definition.items().iter().find_map(|item| match &item.kind {
            ItemKind::Define(define) if &*define.name == name => Some(define.params.as_slice()),
            _ => None,
        })
    }

    pub(super) fn known_words(&self) -> Vec<String> {
        let mut known: Vec<String> = self
            .answers
            .keys()
            .chain(self.asked.keys())
            .chain(self.globals.keys())
            .map(|&id| self.texts.get(id).to_string())
            .collect();
        known.extend(self.world.settings.iter().map(|(name, _)| name.to_string()));
        known.extend(self.world.kinds.iter().map(|kind| kind.name.to_string()));
        known.extend(self.world.names.keys().map(|name| name.to_string()));
        known.extend(
            ["player", "opponent", "players", "seats", "self", "it", "game", "message", "nil", "true"]
                .map(String::from),
        );
        known.sort();
        known.dedup();
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use houserules_model::words;
    use std::collections::BTreeSet;

    /// A word that code can mean and the reference does not tell, or the other way round.
    #[test]
    fn the_words_that_are_there_from_the_start_are_those_of_the_table() {
        let text = "#game \"All shapes\" #players \"A\" \"B\" #teams (list A) (list B)
            #model cell #board cell grid 3 3 #model hexagon #board hexagon hex 2
            #model stop #board stop ring 4 #model town #board town graph #link here there
            #setup (finish by score)";
        let definition = houserules_gdl::read_text("shapes.gdl", text).definition;
        let world = crate::world::build(&definition, &[], None, None).expect("a definition without faults");
        let layout = Layout::new(&world, crate::needs::needs(&definition, &world));
        let mut lower = Lower::new(&definition, &world, &layout);
        lower.number_words();
        lower.number_labels();
        let places = world.names.keys().map(|name| name.to_string());
        let models = world.kinds.iter().map(|kind| kind.name.to_string());
        let named: BTreeSet<String> = places.chain(models).collect();
        let unnamed = |word: &String| !named.contains(word) || matches!(word.as_str(), "game" | "player");
        let known: BTreeSet<String> = lower.known_words().into_iter().filter(unnamed).collect();
        // Two words stand for no value of their own: they ask a message, and a board.
        let other = [words::Asked::Message, words::Asked::Board];
        let told = words::all().iter().filter(|def| !other.contains(&def.asked)).map(|def| def.word.to_string());
        assert_eq!(known, told.collect::<BTreeSet<String>>());
        let labels: Vec<&str> = lower.labels.iter().map(|label| &**lower.texts.get(label.name)).collect();
        assert_eq!(labels, words::messages().iter().map(|def| def.label).collect::<Vec<_>>());
    }
}
