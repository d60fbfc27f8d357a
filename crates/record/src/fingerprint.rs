//! Where a match stands, in one number that every version of the program finds.

use houserules_kernel::{Decision, Fingerprint, Who};

/// Of what a position means, what is decided in it, and what was chosen since an action was last awaited.
pub(crate) fn of(meaning: &str, decision: &Decision, stopped_by: &[(Who, String)]) -> Fingerprint {
    let mut text = meaning.to_owned();
    match decision {
        Decision::Over(outcome) => text += &format!("over {:?}\n", outcome.ranks),
        asked => text += &asked.open_to().into_iter().map(|who| format!("asked {}\n", name(who))).collect::<String>(),
    }
    for (who, words) in stopped_by {
        text += &format!("after {} {words}\n", name(*who));
    }
    let hash = blake3::hash(text.as_bytes());
    let bytes = hash.as_bytes()[..8].try_into().expect("a hash has more than eight bytes");
    Fingerprint(u64::from_be_bytes(bytes))
}

fn name(who: Who) -> String {
    match who {
        Who::Seat(seat) => seat.0.to_string(),
        Who::Nature => "chance".into(),
    }
}
