use houserules_model::Name;

/// Which models a thing can be of, as far as reading the definition tells.
#[derive(Clone, PartialEq, Debug)]
pub enum Kinds {
    Any,
    /// One of these, children included.
    Of(Vec<Name>),
}

/// What a value can be, as far as reading the definition tells.
#[derive(Clone, PartialEq, Debug)]
pub enum What {
    Unknown,
    Nil,
    /// True or nil.
    Truth,
    Number,
    Text,
    List(Box<What>),
    Dictionary,
    Thing(Kinds),
    /// A model as a word: all its things, the only one, or the model itself.
    Model(Name),
    Message,
    Direction,
}

/// A value's type: what it is, and whether it can also be nil.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    pub what: What,
    pub nil: bool,
}

impl Kinds {
    pub fn one(model: &str) -> Kinds {
        Kinds::Of(vec![model.into()])
    }

    /// Things of these kinds or of those.
    pub fn or(self, other: Kinds) -> Kinds {
        match (self, other) {
            (Kinds::Of(mut left), Kinds::Of(right)) => {
                for model in right {
                    if !left.contains(&model) {
                        left.push(model);
                    }
                }
                Kinds::Of(left)
            }
            _ => Kinds::Any,
        }
    }

    pub fn words(&self) -> String {
        match self {
            Kinds::Any => "a thing".into(),
            Kinds::Of(models) => models.iter().map(|model| format!("`{model}`")).collect::<Vec<_>>().join(" or "),
        }
    }
}

impl Type {
    pub const UNKNOWN: Type = Type { what: What::Unknown, nil: true };

    pub fn sure(what: What) -> Type {
        Type { what, nil: false }
    }

    pub fn maybe(what: What) -> Type {
        Type { what, nil: true }
    }

    pub fn thing(model: &str) -> Type {
        Type::sure(What::Thing(Kinds::one(model)))
    }

    pub fn list(member: What) -> Type {
        Type::sure(What::List(Box::new(member)))
    }

    /// Either of two values.
    pub fn or(self, other: Type) -> Type {
        let nil = self.nil || other.nil;
        match (self.what, other.what) {
            (What::Nil, what) | (what, What::Nil) => Type { what, nil: true },
            (What::Thing(left), What::Thing(right)) => Type { what: What::Thing(left.or(right)), nil },
            (What::List(left), What::List(right)) => {
                let member = Type::sure(*left).or(Type::sure(*right)).what;
                Type { what: What::List(Box::new(member)), nil }
            }
            (left, right) if left == right => Type { what: left, nil },
            _ => Type::UNKNOWN,
        }
    }

    /// What a member of this list is. A model stands for all its things.
    pub fn member(&self) -> What {
        match &self.what {
            What::List(member) => (**member).clone(),
            What::Model(model) => What::Thing(Kinds::one(model)),
            _ => What::Unknown,
        }
    }

    /// The kinds of the thing this is; a model stands for the only one of its kind.
    pub fn kinds(&self) -> Kinds {
        match &self.what {
            What::Thing(kinds) => kinds.clone(),
            What::Model(model) => Kinds::one(model),
            _ => Kinds::Any,
        }
    }

    pub fn nilable(mut self) -> Type {
        self.nil = true;
        self
    }
}

impl What {
    pub fn words(&self) -> &'static str {
        match self {
            What::Unknown => "a value",
            What::Nil => "nil",
            What::Truth => "true or nil",
            What::Number => "a number",
            What::Text => "a text",
            What::List(_) => "a list",
            What::Dictionary => "a dictionary",
            What::Thing(_) => "a thing",
            What::Model(_) => "a model",
            What::Message => "a message",
            What::Direction => "a direction",
        }
    }
}
