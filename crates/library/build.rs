//! The games are part of the program: a new file among them builds it anew.

fn main() {
    println!("cargo:rerun-if-changed=../../games");
}
