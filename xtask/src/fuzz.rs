//! `cargo xtask fuzz`: definitions made at random, and coverage-guided input, against everything that must take them.

use crate::cargo;

/// Plays random definitions in lockstep; with `--target`, runs one of the fuzz targets in `fuzz/`.
pub fn run(options: &[&str]) -> Result<(), String> {
    let (mut programs, mut seed, mut target, mut seconds) = ("10000", "0", None, "60");
    let mut rest = options;
    while let [option, value, further @ ..] = rest {
        match *option {
            "--programs" => programs = value,
            "--seed" => seed = value,
            "--seconds" => seconds = value,
            "--target" => target = Some(*value),
            _ => return Err(unknown(option)),
        }
        rest = further;
    }
    if let [option, ..] = rest {
        return Err(unknown(option));
    }
    for number in [programs, seed, seconds] {
        number.parse::<u64>().map_err(|_| format!("“{number}” is no number."))?;
    }
    match target {
        Some(target) => guided(target, seconds),
        None => cargo::run(&[
            "run",
            "--profile",
            "fuzz",
            "--package",
            "houserules-net",
            "--bin",
            "net",
            "--",
            "--programs",
            programs,
            "--seed",
            seed,
        ]),
    }
}

fn unknown(option: &str) -> String {
    format!("`cargo xtask fuzz` does not know `{option}`, or it lacks a value; `cargo xtask` lists what it does.")
}

/// What makes the compiler count which branches are taken, as libFuzzer wants it.
const COVERAGE: &str = "--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Cdebug-assertions";

/// Runs a target for so many seconds, beginning with the corpus that is kept. What is found new stays in `target`.
fn guided(target: &str, seconds: &str) -> Result<(), String> {
    let root = cargo::root();
    let kept = root.join("fuzz/corpus").join(target);
    if !kept.is_dir() {
        let known: Vec<String> = std::fs::read_dir(root.join("fuzz/corpus"))
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        return Err(format!("There is no fuzz target `{target}`; there are: {}.", known.join(", ")));
    }
    let found = root.join("fuzz/target/found").join(target);
    let told = |error: std::io::Error| format!("{}: {error}.", found.display());
    std::fs::create_dir_all(&found).map_err(told)?;
    let mut command = cargo::cargo(&["run", "--release", "--target", host(), "--bin", target, "--"]);
    command
        .current_dir(root.join("fuzz"))
        .env("RUSTFLAGS", COVERAGE)
        .arg(&found)
        .arg(&kept)
        .arg(format!("-max_total_time={seconds}"))
        .args(["-timeout=20", "-rss_limit_mb=4000", "-max_len=4096", "-print_final_stats=1"])
        .arg(format!("-artifact_prefix={}/", root.join("fuzz/target").display()));
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err("Something was found; see above.".into()),
        Err(error) => Err(format!("The target could not be started: {error}.")),
    }
}

/// Named, so that what runs while building is not instrumented.
fn host() -> &'static str {
    match (cfg!(target_arch = "aarch64"), cfg!(target_os = "macos")) {
        (true, true) => "aarch64-apple-darwin",
        (true, false) => "aarch64-unknown-linux-gnu",
        (false, true) => "x86_64-apple-darwin",
        (false, false) => "x86_64-unknown-linux-gnu",
    }
}
