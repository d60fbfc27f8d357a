use std::path::{Path, PathBuf};

/// A test that quotes a feature.
#[derive(Debug, PartialEq, Eq)]
pub struct Quote {
    pub file: String,
    pub test: String,
    pub feature: String,
}

/// Where definitions are read, checked and changed, and none is played.
const WITHOUT_PLAY: [&str; 4] = ["crates/gdf/", "crates/gdl/", "crates/check/", "crates/model/"];

/// Tests of the real program in a real browser.
pub const BROWSER: &str = "web/tests/browser";

impl Quote {
    /// Whether a browser has to show it.
    pub fn is_in_browser(&self) -> bool {
        self.file.starts_with(BROWSER)
    }

    /// Whether its test can show something in running play: the crates that only read a definition cannot.
    pub fn is_played(&self) -> bool {
        !WITHOUT_PLAY.iter().any(|folder| self.file.starts_with(folder))
    }
}

/// Every quote in the sources of the project.
pub fn scan(root: &Path) -> Result<Vec<Quote>, String> {
    let mut files = Vec::new();
    for folder in ["crates", "xtask"] {
        collect(&root.join(folder), ".rs", &mut files)?;
    }
    // What a browser is seen to do; the other tests of `web/` show parts of it alone.
    collect(&root.join(BROWSER), ".spec.ts", &mut files)?;
    files.sort();
    let mut quotes = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let is_script = file.extension().is_some_and(|extension| extension == "ts");
        quotes.extend(if is_script { in_script(&name, &text) } else { in_source(&name, &text) });
    }
    Ok(quotes)
}

fn collect(folder: &Path, ending: &str, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            collect(&path, ending, files)?;
        } else if path.to_string_lossy().ends_with(ending) {
            files.push(path);
        }
    }
    Ok(())
}

/// The quotes of one file: in the comment above a function marked `#[test]`, or in its body.
///
/// Reads lines and counts nothing but indentation: a function ends at the brace that stands where it began.
fn in_source(file: &str, text: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut above: Vec<String> = Vec::new();
    let mut is_test = false;
    let mut inside: Option<(String, String)> = None;
    for line in text.lines() {
        let code = line.trim_start();
        let indent = &line[..line.len() - code.len()];
        if let Some((test, end)) = &inside {
            quotes.extend(numbers(code).map(|feature| Quote { file: file.into(), test: test.clone(), feature }));
            if line == end {
                inside = None;
            }
        } else if code.starts_with("//") {
            above.extend(numbers(code));
        } else if code.starts_with("#[") {
            is_test |= code.starts_with("#[test]");
        } else {
            if is_test && let Some(test) = function_name(code) {
                quotes.extend(above.drain(..).map(|feature| Quote { file: file.into(), test: test.into(), feature }));
                if !code.ends_with('}') {
                    inside = Some((test.into(), format!("{indent}}}")));
                }
            }
            above.clear();
            is_test = false;
        }
    }
    quotes
}

/// The quotes of one file of browser tests: in the comment above a `test("…"`, or inside of it, up to the line that closes
/// it. One that is skipped, or only to be done, shows nothing.
fn in_script(file: &str, text: &str) -> Vec<Quote> {
    let mut quotes = Vec::new();
    let mut above: Vec<String> = Vec::new();
    let mut inside: Option<String> = None;
    for line in text.lines() {
        if let Some(test) = &inside {
            quotes.extend(numbers(line).map(|feature| Quote { file: file.into(), test: test.clone(), feature }));
            if line.starts_with('}') {
                inside = None;
            }
        } else if let Some(after) = line.strip_prefix("test(\"") {
            if let Some((test, _)) = after.split_once("\",") {
                quotes.extend(above.drain(..).map(|feature| Quote { file: file.into(), test: test.into(), feature }));
                inside = (!line.ends_with(");")).then(|| test.to_owned());
            }
            above.clear();
        } else if line.starts_with("//") || line.starts_with("/*") || line.starts_with(" *") {
            above.extend(numbers(line));
        } else {
            above.clear();
        }
    }
    quotes
}

fn function_name(code: &str) -> Option<&str> {
    let (_, after) = code.split_once("fn ")?;
    after.split(['(', '<']).next()
}

/// Every `[FR-36]` in a line.
fn numbers(line: &str) -> impl Iterator<Item = String> {
    line.split('[').skip(1).filter_map(|after| {
        let (number, _) = after.split_once(']')?;
        let (prefix, index) = number.split_once('-')?;
        let is_number = prefix.len() == 2
            && prefix.bytes().all(|byte| byte.is_ascii_uppercase())
            && !index.is_empty()
            && index.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| number.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_of_browser_tests_count_where_a_test_runs() {
        let tag = |number: u32| format!("[AB-{number}]");
        let source = format!(
            "// {} about the file\nconst x = 1;\n\n/** {} {} */\ntest(\"is seen\", async () => {{\n  if (a) {{\n  }}\n  // {}\n}}, 60_000);\n\n\
             /** {} */\ntest.skip(\"is not\", async () => {{\n  // {}\n}});\n\n/** {} */\nasync function helper() {{\n}}\n",
            tag(1),
            tag(2),
            tag(3),
            tag(4),
            tag(5),
            tag(6),
            tag(7)
        );
        let found: Vec<(String, String)> =
            in_script("a.spec.ts", &source).into_iter().map(|quote| (quote.test, quote.feature)).collect();
        assert_eq!(found, ["AB-2", "AB-3", "AB-4"].map(|feature| ("is seen".to_owned(), feature.to_owned())));
    }

    #[test]
    fn quotes_are_found_above_and_inside_tests_only() {
        let tag = |number: u32| format!("[AB-{number}]");
        let source = format!(
            "/// {} not a test\nfn helper() {{}}\n\nmod tests {{\n    /// {} and {}\n    #[test]\n    fn above() {{\n        let x = [1];\n    }}\n\n    \
             #[test]\n    fn inside() {{\n        // {}\n        if x {{\n        }}\n        check(\"{}\");\n    }}\n\n    // {}\n    const X: u8 = 1;\n}}\n",
            tag(1),
            tag(2),
            tag(3),
            tag(4),
            tag(5),
            tag(6)
        );
        let found: Vec<(String, String)> =
            in_source("a.rs", &source).into_iter().map(|quote| (quote.test, quote.feature)).collect();
        let expected = [("above", "AB-2"), ("above", "AB-3"), ("inside", "AB-4"), ("inside", "AB-5")];
        assert_eq!(found, expected.map(|(test, feature)| (test.to_owned(), feature.to_owned())));
    }
}
