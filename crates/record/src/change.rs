use houserules_model::Mode;

/// A change of the rules during a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// A rule enforced, advised or off.
    Mode { rule: String, mode: Mode },
    /// Another value for a setting.
    Setting { name: String, value: String },
    /// Text of the definition language: a rule added or replaced, a property, an entity, a view.
    Text(String),
}
