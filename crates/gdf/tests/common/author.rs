//! Writes definitions at random, of everything that a game file can say.

use houserules_model::*;

pub struct Author {
    seed: u64,
    variables: Vec<Name>,
}

const NAMES: &[&str] =
    &["beans", "next", "Bild X", "a < b & \"c\"", "größe", "line\nbreak", "tab\there", " blank ", "ä'ö", "𝄞"];

impl Author {
    pub fn new(seed: u64) -> Self {
        Author { seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, variables: Vec::new() }
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    /// A whole definition: models before their children and entities, as a file has them.
    pub fn definition(&mut self) -> Definition {
        let mut items = vec![ItemKind::Game { name: self.pick(&["Toy", "Zwei & <drei>", "𝄞 x"]).into() }];
        if !self.chance(3) {
            items.push(ItemKind::OpenProperties);
        }
        let n_layers = self.below(3);
        for n in 0..n_layers {
            let (visible, protected) = (self.chance(2), self.chance(2));
            items.push(ItemKind::Editor(Editor::Layer { name: format!("layer {n}").into(), visible, protected }));
        }
        if self.chance(4) {
            items.push(ItemKind::Editor(Editor::Workspace { width: 960, height: 1 + self.below(900) as u32 }));
        }
        let n_groups = self.below(3);
        for n in 0..n_groups {
            let entities = (0..self.below(4)).map(|_| self.pick(NAMES).trim().into()).collect();
            items.push(ItemKind::Editor(Editor::Group { name: format!("{} {n}", self.pick(NAMES)).into(), entities }));
        }
        if self.chance(3) {
            items.push(ItemKind::Editor(Editor::Keep {
                of: Drawn::Game,
                text: "<grid a='1'>x &amp; y</grid><b/>".into(),
            }));
        }
        if self.chance(3) {
            items
                .extend(gdl("#players 2 to 4 #turns #info author \"x\" #setting size 3 from 1 to 9 #property round 0"));
        } else if self.chance(2) {
            items.extend(gdl("#players East West #turns free"));
        }
        let n_models = self.below(4);
        let mut models: Vec<(Name, Vec<Name>)> = Vec::new();
        for n in 0..n_models {
            let name: Name = format!("{} {n}", self.pick(&["Bowl", "Größe <x>"])).into();
            let parent =
                (!models.is_empty() && self.chance(2)).then(|| self.below(models.len())).map(|at| models[at].clone());
            items.push(ItemKind::Model { name: name.clone(), parent: parent.as_ref().map(|(name, _)| name.clone()) });
            let mut known = parent.map_or(Vec::new(), |(_, known)| known);
            self.parts(&name, &mut known, n_layers, &mut items);
            models.push((name, known));
        }
        let n_entities = self.below(5);
        for n in 0..n_entities {
            if models.is_empty() {
                break;
            }
            let (model, known) = models[self.below(models.len())].clone();
            let name: Name = format!("{} {n}", self.pick(NAMES).trim()).into();
            let mut with: Vec<(Name, Expr)> = Vec::new();
            if self.chance(6) {
                with.push(("state".into(), text_of("2")));
            }
            for own in known.iter().filter(|own| &***own != "state") {
                if self.chance(3) {
                    with.push((own.clone(), self.value(2)));
                }
            }
            let (times, at) = (self.chance(9).then(|| Expr::whole(2)), None);
            let named = times.is_none();
            let number = if named { 0 } else { count(&items, &model) + 1 };
            let own = named.then(|| name.clone());
            let entity = Entity { name: own, model, number, times, each: Vec::new(), at, with };
            items.push(ItemKind::Entity(entity));
            if named && n_layers > 0 && self.chance(2) {
                items.push(ItemKind::Editor(Editor::Put { entity: name.clone(), layer: "layer 0".into() }));
            }
            if named && self.chance(5) {
                items.push(ItemKind::Editor(Editor::Keep { of: Drawn::Entity(name), text: "<turn>9</turn>".into() }));
            }
        }
        let n_rules = self.below(3);
        for n in 0..n_rules {
            self.play(n, &mut items);
        }
        if self.chance(4) {
            items.extend(gdl("#variant \"Big\" #law \"More\" on go (require true)"));
        }
        let items = items.into_iter().map(|kind| Item::new(kind, Origin::NONE));
        let (definition, faults) = Definition::with_items(items);
        assert!(faults.is_empty(), "{faults:?}");
        definition
    }

    fn parts(&mut self, of: &Name, known: &mut Vec<Name>, n_layers: usize, items: &mut Vec<ItemKind>) {
        if self.chance(3) {
            let value = Some(text_of(self.pick(&["1", "2", "spent", "default"])));
            let name: Name = "state".into();
            let role = Role::Property;
            items.push(ItemKind::Property(Property {
                of: of.clone(),
                name,
                role,
                value,
                seen: None,
                untracked: false,
            }));
        }
        let roles = [Role::Property, Role::Relation, Role::Appearance];
        let n = self.below(4);
        for _ in 0..n {
            let at = self.below(NAMES.len());
            // A name has one role in the whole definition.
            let (name, role): (Name, Role) = (NAMES[at].into(), roles[at % 3]);
            if items.iter().any(|item| matches!(item, ItemKind::Property(own) if own.of == *of && own.name == name)) {
                continue;
            }
            let value = (!self.chance(4)).then(|| match role {
                Role::Relation => self.link(2),
                _ => self.value(2),
            });
            let seen = self.chance(6).then_some(Sight::Owner);
            let untracked = self.chance(8);
            let property = Property { of: of.clone(), name: name.clone(), role, value, seen, untracked };
            items.push(ItemKind::Property(property));
            if !known.contains(&name) {
                known.push(name.clone());
            }
            if role == Role::Relation && n_layers > 0 && self.chance(2) {
                let layer = self.chance(2).then(|| "layer 0".into());
                let slot = Editor::Slot {
                    relation: name.clone(),
                    of: of.clone(),
                    lane: Some(Lane::ALL[self.below(4)]),
                    layer,
                };
                items.push(ItemKind::Editor(slot));
            }
        }
        if self.chance(3) {
            items.push(ItemKind::Capacity { of: of.clone(), most: Expr::whole(3) });
        }
        let n = self.below(4);
        for n in 0..n {
            let state: Name = self.pick(&["default", "1", "2", "spent", "*"]).into();
            if self.chance(4)
                && !items
                    .iter()
                    .any(|item| matches!(item, ItemKind::Behavior(own) if own.of == *of && own.state == state))
            {
                items.push(ItemKind::State { of: of.clone(), name: format!("{}", 7 + n).into() });
            }
            let attributes: Vec<Name> = if self.chance(4) { vec!["amount".into(), "who".into()] } else { Vec::new() };
            let body = self.body(3);
            let label = format!("{} {n}", self.pick(&["go", "Nächstes \"Loch\"", "a|b"])).into();
            items.push(ItemKind::Behavior(Behavior { of: of.clone(), state, label, attributes, body }));
        }
    }

    fn play(&mut self, n: usize, items: &mut Vec<ItemKind>) {
        let body = self.body(3);
        if self.chance(2) {
            let to = match self.below(3) {
                0 => None,
                1 => Some(Expr::word("Bowl")),
                _ => Some(self.expr(1)).filter(|expr| matches!(expr.kind, ExprKind::Form(..))),
            };
            let domain = self.expr(2);
            let with = if self.chance(2) { vec![("to where".into(), domain)] } else { Vec::new() };
            let words = self.chance(2).then(|| "{self} & <more>".into());
            let (when_asked, body) = (self.chance(4), self.chance(2).then_some(body).filter(|body| !body.is_empty()));
            items.push(ItemKind::Action(Action { label: format!("go {n}").into(), to, with, words, when_asked, body }));
            return;
        }
        let kind = [RuleKind::Law, RuleKind::AfterLaw, RuleKind::SideEffect][self.below(3)];
        let mode = [Mode::Enforced, Mode::Advised, Mode::Off][self.below(3)];
        let names = |names: &[&str]| names.iter().map(|name| (Name::from(*name), Origin::NONE)).collect::<Vec<_>>();
        let labels = names([&["go"][..], &["go", "Nächstes Loch"], &["a|b"]][self.below(3)]);
        let to = names([&[][..], &["Bowl 0"]][self.below(2)]);
        let states = names([&[][..], &["1", "spent"]][self.below(2)]);
        let name: Name = format!("Rule {n}").into();
        let earlier = items.iter().rposition(|item| matches!(item, ItemKind::Rule(_)));
        let before = match earlier {
            Some(at) if self.chance(2) => match &items[at] {
                ItemKind::Rule(rule) => Some((rule.name.clone(), Origin::NONE)),
                _ => None,
            },
            _ => None,
        };
        items.push(ItemKind::Rule(Rule { name, kind, labels, to, states, before, mode, body }));
    }

    fn body(&mut self, depth: usize) -> Body {
        let n = self.below(4);
        (0..n).map(|_| self.expr(depth)).collect()
    }

    fn constant(&mut self) -> Expr {
        match self.below(8) {
            0 => Expr::whole(self.below(100) as i64 - 50),
            1 => expr(ExprKind::Number(Number::Decimal(self.below(100) as f64 / 8.0))),
            2 => text_of(self.pick(&["", " x ", "a\r\nb", "{brace", "<&>", "ü\t", "]]>"])),
            3 => Expr::word("nil"),
            4 => entity(self.pick(&["Left", "  odd ", "a < b"])),
            5 => entity(""),
            _ => Expr::whole(1),
        }
    }

    fn value(&mut self, depth: usize) -> Expr {
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0..3 => self.constant(),
            3 => {
                let n = self.below(3);
                form(Form::List, vec![Slot::Exprs((0..n).map(|_| self.value(depth - 1)).collect())])
            }
            4 => {
                let n = self.below(3);
                let key = |n: usize| text_of(&format!("k {n}"));
                form(Form::Dictionary, vec![Slot::Entries((0..n).map(|n| (key(n), self.value(depth - 1))).collect())])
            }
            _ => self.expr(1),
        }
    }

    fn link(&mut self, depth: usize) -> Expr {
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => entity("Left"),
            1 => self.constant(),
            2 => {
                let n = self.below(3);
                form(Form::List, vec![Slot::Exprs((0..n).map(|_| self.link(depth - 1)).collect())])
            }
            _ => form(Form::Dictionary, vec![Slot::Entries(vec![(text_of("k"), self.link(depth - 1))])]),
        }
    }

    /// Any form of the language that a game file has a tag for, and some that it has not.
    pub fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return match self.below(6) {
                0 => Expr::word("self"),
                1 => Expr::word("player"),
                2 if !self.variables.is_empty() => {
                    let at = self.below(self.variables.len());
                    expr(ExprKind::Word(self.variables[at].clone()))
                }
                3 => expr(ExprKind::Told(vec![text_of("so "), Expr::word("player")])),
                _ => self.constant(),
            };
        }
        let forms: Vec<Form> = forms::all().iter().map(|def| def.form).collect();
        let forms: Vec<Form> = forms.into_iter().filter(|form| sayable(*form)).collect();
        let form_ = forms[self.below(forms.len())];
        let mut slots = Vec::new();
        for slot in form_.pattern().slots() {
            let filled = if slot.optional && self.chance(2) {
                Slot::Absent
            } else {
                match slot.kind {
                    None => Slot::Flag,
                    Some(SlotKind::Expr | SlotKind::Direction) => Slot::Expr(Box::new(self.expr(depth - 1))),
                    Some(SlotKind::Exprs) => {
                        let n = 1 + self.below(3);
                        Slot::Exprs((0..n).map(|_| self.expr(depth - 1)).collect())
                    }
                    Some(SlotKind::Body) => {
                        let body = self.body(depth - 1);
                        Slot::Body(if body.is_empty() { vec![Expr::whole(0)] } else { body })
                    }
                    Some(SlotKind::Name) => match self.below(5) {
                        0 => Slot::Name(NameRef::Computed(Box::new(entity("x")))),
                        _ => Slot::Name(NameRef::given(self.pick(NAMES))),
                    },
                    Some(SlotKind::Var) => {
                        let name = self.pick(&["x", "y", "n", "next"]);
                        self.variables.push(name.into());
                        Slot::Name(NameRef::given(name))
                    }
                    Some(SlotKind::Pairs) => {
                        let value = self.expr(depth - 1);
                        Slot::Pairs(vec![(NameRef::given("a b"), value.clone()), (NameRef::given("c"), value)])
                    }
                    Some(SlotKind::Entries) => Slot::Entries(vec![(text_of("k"), self.expr(depth - 1))]),
                    Some(SlotKind::Domain) => {
                        let list = Box::new(self.expr(depth - 1));
                        Slot::Domain { var: self.chance(3).then(|| "z".into()), list, owner: None }
                    }
                    Some(SlotKind::Target) => Slot::Expr(Box::new(match self.below(3) {
                        0 => form(
                            Form::Property,
                            vec![Slot::Name(NameRef::given("beans")), Slot::Expr(Box::new(entity("Left")))],
                        ),
                        1 => Expr::word("round"),
                        _ => Expr::word("x"),
                    })),
                    Some(SlotKind::Names | SlotKind::Cases) => unreachable!("left out"),
                }
            };
            slots.push(filled);
        }
        form(form_, slots)
    }
}

/// Forms with lists of names or cases are said as text like others, and need more than a random slot.
fn sayable(form: Form) -> bool {
    let plain = |slot: &SlotRef| !matches!(slot.kind, Some(SlotKind::Names | SlotKind::Cases | SlotKind::Direction));
    form.pattern().slots().iter().all(plain)
        && matches!(
            form,
            Form::If
                | Form::While
                | Form::Foreach
                | Form::Do
                | Form::Return
                | Form::Break
                | Form::Continue
                | Form::Var
                | Form::Set
                | Form::Increase
                | Form::Property
                | Form::UpdateProperty
                | Form::Entity
                | Form::ChangeState
                | Form::Send
                | Form::Attribute
                | Form::Require
                | Form::Add
                | Form::Subtract
                | Form::Multiply
                | Form::Divide
                | Form::Modulo
                | Form::Equal
                | Form::Unequal
                | Form::Less
                | Form::LessEqual
                | Form::Greater
                | Form::GreaterEqual
                | Form::And
                | Form::Or
                | Form::Not
                | Form::List
                | Form::Range
                | Form::At
                | Form::Append
                | Form::Insert
                | Form::Replace
                | Form::RemoveFrom
                | Form::Dictionary
                | Form::Match
                | Form::Put
                | Form::Count
                | Form::All
                | Form::Win
                | Form::Random
        )
}

fn count(items: &[ItemKind], model: &Name) -> u32 {
    let nameless =
        |item: &&ItemKind| matches!(item, ItemKind::Entity(own) if own.name.is_none() && own.model == *model);
    items.iter().filter(nameless).count() as u32
}

fn gdl(text: &str) -> Vec<ItemKind> {
    let definition = super::gdl(text);
    definition.items().iter().map(|item| item.kind.clone()).collect()
}

fn expr(kind: ExprKind) -> Expr {
    Expr::new(kind, Origin::NONE)
}

fn form(form: Form, slots: Vec<Slot>) -> Expr {
    expr(ExprKind::Form(form, slots))
}

fn text_of(text: &str) -> Expr {
    expr(ExprKind::Text(text.into()))
}

fn entity(name: &str) -> Expr {
    form(Form::Entity, vec![Slot::Expr(Box::new(text_of(name)))])
}
