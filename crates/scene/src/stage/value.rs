use std::fmt;

/// A value as a view knows it: things are their names.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Value {
    #[default]
    Nil,
    True,
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Message(Box<super::Message>),
}

impl Value {
    /// What a viewer was shown, read back.
    pub(super) fn shown(text: &str) -> Value {
        match text {
            "nil" => Value::Nil,
            "true" => Value::True,
            _ => match (text.parse::<f64>(), text.strip_prefix('(').and_then(|text| text.strip_suffix(')'))) {
                (Ok(number), _) if number.is_finite() => Value::Number(number),
                (_, Some(members)) => Value::List(members.split_whitespace().map(Value::shown).collect()),
                _ => Value::Text(text.into()),
            },
        }
    }

    /// How many letters and members there are in it, however deep.
    pub(super) fn size(&self) -> usize {
        match self {
            Value::Nil | Value::True | Value::Number(_) => 1,
            Value::Text(text) => 1 + text.len(),
            Value::List(members) => members.iter().fold(1, |size, member| size.saturating_add(member.size())),
            Value::Message(message) => {
                message.attributes.iter().fold(1, |size, (_, value)| size.saturating_add(value.size()))
            }
        }
    }

    pub(super) fn holds(&self) -> bool {
        *self != Value::Nil
    }

    pub(super) fn truth(holds: bool) -> Value {
        if holds { Value::True } else { Value::Nil }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nil => f.write_str("nil"),
            Value::True => f.write_str("true"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Text(text) => f.write_str(text),
            Value::List(members) => {
                let members: Vec<String> = members.iter().map(Value::to_string).collect();
                write!(f, "({})", members.join(" "))
            }
            Value::Message(message) => f.write_str(&message.label),
        }
    }
}
