//! Two servers that share a PostgreSQL and a NATS. All that is tried with one server alone is tried here, too, with people who
//! come in where their tables are not; beside it what happens when something fails between them.

#[path = "../serving/by_hand.rs"]
mod by_hand;
#[path = "../serving/care.rs"]
mod care;
#[path = "../serving/clicks.rs"]
mod clicks;
#[path = "../serving/common.rs"]
mod common;
#[path = "../serving/http.rs"]
mod http;
#[path = "../serving/letters.rs"]
mod letters;
#[path = "../serving/lossy.rs"]
mod lossy;
#[path = "../serving/secrets.rs"]
mod secrets;
mod several;
#[path = "../serving/sitters.rs"]
mod sitters;
#[path = "../serving/studies.rs"]
mod studies;
#[path = "../serving/table.rs"]
mod table;
#[path = "../serving/traces.rs"]
mod traces;
#[path = "../serving/watching.rs"]
mod watching;
