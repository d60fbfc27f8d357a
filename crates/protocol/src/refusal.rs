//! Why something was not done.

use serde::{Deserialize, Serialize};

/// Why something was not done. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Refusal {
    pub code: Code,
    /// For people; may change.
    pub words: String,
    /// The rule that refused, by its name, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub law: Option<String>,
}

impl Refusal {
    pub fn new(code: Code, words: impl Into<String>) -> Self {
        Refusal { code, words: words.into(), law: None }
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}: {}", self.code.word(), self.words)
    }
}

impl std::error::Error for Refusal {}

macro_rules! codes {
    ($($name:ident $word:literal $status:literal $meaning:literal)*) => {
        /// Every reason there is, in families. The words stay.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
        #[cfg_attr(test, derive(ts_rs::TS))]
        pub enum Code {
            $(#[doc = $meaning] #[serde(rename = $word)] $name,)*
        }

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$name),*];

            /// As it is sent.
            pub fn word(self) -> &'static str {
                match self { $(Code::$name => $word),* }
            }

            /// The status of an HTTP answer that carries it.
            pub fn status(self) -> u16 {
                match self { $(Code::$name => $status),* }
            }

            /// What it means, in a sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$name => $meaning),* }
            }
        }
    };
}

/// By hand, because what derives it does not see words that a macro puts there: it would tell the names of Rust.
impl utoipa::PartialSchema for Code {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        let words = Code::ALL.iter().map(|code| code.word());
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .enum_values(Some(words))
            .into()
    }
}

impl utoipa::ToSchema for Code {}

codes! {
    ChoiceStale "choice/stale" 409 "The position has changed since; look at the newest and choose again."
    ChoiceNotYours "choice/not-yours" 403 "That seat is not yours, or it is not asked."
    ChoiceUnknown "choice/unknown" 422 "There is no choice of that number."
    ChoiceRefused "choice/refused" 422 "A law refuses it; the law and its reason come along."
    ChoiceAdvised "choice/advised" 409 "An advised rule is against it: a ruling was asked for."
    ChoiceFault "choice/fault" 422 "A rule has a fault or ran too long; the action was taken back."

    TableUnknown "table/unknown" 404 "There is no such table, or the link is not of it."
    TableClosed "table/closed" 410 "The table was closed after a fault; its record is kept."
    TableNotStarted "table/not-started" 409 "The match has not begun."
    TableStarted "table/started" 409 "The match has begun; this is decided before."
    TableOver "table/over" 409 "The match is over."
    TablePaused "table/paused" 409 "The match is paused."
    TableMoved "table/moved" 503 "The table goes on at another server; come back at once."
    TableFull "table/full" 503 "So many tables are open that there is no room for another."

    SeatTaken "seat/taken" 409 "Somebody sits there already."
    SeatUnknown "seat/unknown" 404 "There is no such seat."
    SeatOpen "seat/open" 409 "A seat is still empty."

    TokenMissing "token/missing" 401 "A link's token is needed for this."
    TokenNotAllowed "token/not-allowed" 403 "That link does not allow this."

    RuleUnknown "rule/unknown" 422 "There is no rule or setting of that name."
    RuleDoesNotFit "rule/does-not-fit" 422 "The match cannot be carried over to that change."
    RuleText "rule/text" 422 "The text does not compile; the messages say where."
    RuleFixed "rule/fixed" 403 "The rules of this table are not to be changed."

    ProposalUnknown "proposal/unknown" 404 "There is no such proposal; it may have been settled."
    ProposalSame "proposal/same" 409 "The same is proposed already."
    ProposalOwn "proposal/own" 409 "One does not answer one's own proposal; it can be withdrawn."
    ProposalMany "proposal/many" 429 "Too many proposals are open."

    UndoNothing "undo/nothing" 409 "There is nothing that could be taken back or done again."
    UndoForbidden "undo/forbidden" 403 "Nothing is taken back at this table."
    HintForbidden "hint/forbidden" 403 "Nobody is given hints at this table."
    HintBusy "hint/busy" 429 "Somebody is thinking for you already."

    GameUnknown "game/unknown" 404 "There is no such game."
    GameFaulty "game/faulty" 422 "The definition has errors; the messages say where."
    GameOptions "game/options" 422 "The game cannot be played with these variants, settings, rules or seats."

    RecordSecret "record/secret" 403 "The record would tell secrets of a match that is not over."
    RecordStep "record/step" 404 "The record has no such step."

    StudyUnknown "study/unknown" 404 "There is no such study; those that ended long ago are forgotten."
    StudyBusy "study/busy" 429 "A study is under way at this table already."

    RequestMalformed "request/malformed" 400 "The message cannot be read."
    RequestTooLarge "request/too-large" 413 "The message is too large."
    RequestTooMany "request/too-many" 429 "Too many messages in a short time; wait a little."
    RequestOrigin "request/origin" 403 "A page of another site may not open a socket here."
    RequestVersion "request/version" 400 "Client and server speak different versions; load the page again."
    RequestUnknown "request/unknown" 404 "There is nothing at this address."
    RequestMethod "request/method" 405 "This address does not take that method."

    ServerFault "server/fault" 500 "A mistake of ours. Nothing was changed."
    ServerClosing "server/closing" 503 "The server restarts; come back in a moment."
    ServerApart "server/apart" 503 "The server that has this table cannot be reached; come back in a moment."
    ServerNoDatabase "server/no-database" 503 "The database does not answer, so nothing can be kept; come back in a moment."
}
