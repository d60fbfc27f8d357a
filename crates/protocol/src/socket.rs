//! The two directions of a socket.

use crate::Refusal;
use crate::Seat;
use crate::play::{Chose, LogLine, LogWhat, Question, QuestionKind, RefusedChoice, Result, Yours};
use crate::proposal::{Proposal, Wish};
use crate::replay::Hint;
use crate::rules::{Change, Diagnosis, RuleInfo, SettingInfo};
use crate::scene::{Scene, SceneChange};
use crate::table::{Clocks, Presence, TableChange, TableInfo};
use serde::{Deserialize, Serialize};

/// The first message on a socket.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Hello {
    pub protocol: u32,
    /// Every token this client has of the table: host, seats, watching. None are in any address.
    #[serde(default)]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub tokens: Vec<String>,
    /// The number of the last update it has, after a connection was lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub last: Option<u32>,
}

/// What a client says after that.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct FromClient {
    /// Comes back in the answer.
    pub id: u32,
    #[serde(flatten)]
    pub command: Command,
}

/// What can be asked of a table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Command {
    /// Answers the open question.
    Choose {
        /// The step of the scene it was chosen in: a choice for another position is stale.
        step: u32,
        seat: Seat,
        /// The index among the choices of the seat.
        choice: u32,
        /// Play it although advised rules are against it: asks for a ruling.
        #[serde(default)]
        #[cfg_attr(test, ts(optional, as = "Option<_>"))]
        insist: bool,
    },
    /// Clicks a graphic that says it is `clickable`, in the scene of one's own seat.
    Click {
        /// As of a choice.
        step: u32,
        /// The id of the graphic.
        #[schema(max_length = 200)]
        graphic: String,
    },
    /// The choices of a seat in words, in their order.
    Words {
        seat: Seat,
    },
    /// Why is something not among the choices?
    Why {
        seat: Seat,
    },
    /// Looks with the eyes of one of one's own seats, or of nobody.
    Look {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    /// Begins the match. The host only.
    Start,
    /// Lets those of two seats change places, before the match begins. The host only.
    Swap {
        seat: Seat,
        with: Seat,
    },
    /// Puts the machine on an open seat, on one's own, or on that of somebody who has left. The host, or its sitter.
    PutBot {
        seat: Seat,
        #[schema(minimum = 1, maximum = 10)]
        level: u8,
    },
    /// Takes a seat back from the machine.
    TakeBack {
        seat: Seat,
    },
    /// Gives up a seat; whoever has its invitation can sit there.
    Leave {
        seat: Seat,
    },
    /// Makes an open seat of a bot's, before the match begins; or a new invitation for a seat. The host only.
    Invite {
        seat: Seat,
    },
    Resign {
        seat: Seat,
    },
    Propose {
        wish: Wish,
        /// For whom it is asked; a seat of one's own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[cfg_attr(test, ts(optional))]
        seat: Option<Seat>,
    },
    Answer {
        proposal: u32,
        agree: bool,
    },
    Withdraw {
        proposal: u32,
    },
    /// What would a change of rules do?
    Diagnose {
        change: Change,
    },
    /// What the table would look like if a choice were allowed that somebody wants a ruling for.
    Preview {
        proposal: u32,
    },
    Say {
        #[schema(max_length = 2000)]
        text: String,
        /// Made up by the client: said twice with one key it is said once.
        key: String,
    },
    Hint {
        seat: Seat,
    },
    /// How good the position is, for each seat.
    Evaluate,
    /// Rules and settings as they stand, with their texts.
    Rules,
    /// Only answers, to keep a connection open.
    Ping,
}

/// What the table says. An update is said most often, and is the one message without `is`: see [`ToClient::read`].
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum ToClient {
    Welcome(Box<Welcome>),
    #[serde(skip)]
    Update(Box<Update>),
    /// The command was carried out; if it changed anything, that is kept.
    Done {
        id: u32,
    },
    Refused {
        id: u32,
        refusal: Refusal,
    },
    Presence(Presence),
    /// The machine has begun to think for a seat.
    Thinking {
        seat: Seat,
    },
    Words {
        id: u32,
        step: u32,
        words: Vec<String>,
    },
    Why {
        id: u32,
        refused: Vec<RefusedChoice>,
    },
    Hint {
        id: u32,
        hint: Hint,
    },
    Value {
        id: u32,
        values: Vec<f64>,
    },
    Diagnosis {
        id: u32,
        diagnosis: Diagnosis,
    },
    Preview {
        id: u32,
        scene: Scene,
    },
    Rules {
        id: u32,
        rules: Vec<RuleInfo>,
        settings: Vec<SettingInfo>,
    },
    Invitation {
        id: u32,
        seat: Seat,
        token: String,
    },
    /// The connection ends. Whether to come back follows from the code.
    Bye {
        refusal: Refusal,
    },
}

impl ToClient {
    /// As it is sent.
    pub fn written(&self) -> String {
        let written = match self {
            ToClient::Update(update) => serde_json::to_string(update),
            other => serde_json::to_string(other),
        };
        written.expect("messages are plain values")
    }

    /// What was sent.
    pub fn read(text: &str) -> serde_json::Result<ToClient> {
        match text.starts_with("{\"is\":") {
            true => serde_json::from_str(text),
            false => serde_json::from_str(text).map(|update| ToClient::Update(Box::new(update))),
        }
    }
}

/// Everything a viewer needs to begin with.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Welcome {
    pub protocol: u32,
    /// The number of the newest update.
    pub n: u32,
    pub you: You,
    pub table: TableInfo,
    pub step: u32,
    pub scene: Scene,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub question: Option<Question>,
    /// What happened after `last`, or all there is, without `last`.
    pub log: Vec<LogLine>,
    pub proposals: Vec<Proposal>,
    pub presence: Presence,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub clocks: Option<Clocks>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub result: Option<Result>,
}

/// Who the server takes the client for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct You {
    pub host: bool,
    pub seats: Vec<Seat>,
    /// Whose eyes the scene is for; missing: somebody without a seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub eyes: Option<Seat>,
    pub name: String,
    /// The seats to which the client's links invite; somebody may sit there by now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub invited: Vec<Seat>,
}

/// Something happened. What is missing has not changed.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Update {
    /// Not smaller than that of the update before; all before it have been sent.
    pub n: u32,
    /// The command of this client that it answers: it was carried out, and what it changed is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub done: Option<u32>,
    /// Choices name it. Told with a question; missing there: the number of this update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub step: Option<u32>,
    /// What became of the scene.
    #[serde(flatten)]
    pub change: SceneChange,
    /// There is another question: this and the next three are its parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub asked: Option<Vec<Seat>>,
    #[serde(default, skip_serializing_if = "QuestionKind::is_action")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub kind: QuestionKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub prompt: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub yours: Vec<Yours>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub log: Vec<LogLine>,
    /// The first line of the log, where it says what a seat chose with this update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub chose: Option<Chose>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub you: Option<You>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub table: Option<Box<TableChange>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub proposals: Option<Vec<Proposal>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub clocks: Option<Clocks>,
    /// Where it is not what the log says: that of the last `ended`, unless `began` or `undone` follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub result: Option<Result>,
    /// Whether rules or settings are others: ask for them anew.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(test, ts(optional, as = "Option<_>"))]
    pub rules_changed: bool,
}

impl Update {
    /// The question, if there is another one.
    pub fn question(&self) -> Option<Question> {
        let (prompt, yours) = (self.prompt.clone(), self.yours.clone());
        self.asked.clone().map(|asked| Question { asked, kind: self.kind, prompt, yours })
    }

    /// The same with this question in it.
    pub fn asking(self, question: Option<Question>) -> Update {
        match question {
            Some(Question { asked, kind, prompt, yours }) => Update { asked: Some(asked), kind, prompt, yours, ..self },
            None => self,
        }
    }
}

/// How a match stands that stood like this before these lines.
pub fn result_after<'a>(
    before: Option<&'a Result>,
    lines: impl IntoIterator<Item = &'a LogWhat>,
) -> Option<&'a Result> {
    lines.into_iter().fold(before, |stands, line| match line {
        LogWhat::Ended { result } => Some(result),
        LogWhat::Began { .. } | LogWhat::Undone { .. } => None,
        _ => stands,
    })
}
