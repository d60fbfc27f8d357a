//! Ctrl-C: what is under way is finished, and a second time ends everything at once.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);
static ONCE: Once = Once::new();

/// Becomes true when somebody presses Ctrl-C.
pub fn flag() -> &'static AtomicBool {
    ONCE.call_once(|| {
        // Where there is no such signal, Ctrl-C just ends the program, and nothing kept is lost.
        let _ = ctrlc::set_handler(|| {
            if STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
        });
    });
    &STOP
}
