//! What random definitions are made of, read from `grammar.txt`.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Productions by the name of what they make.
pub struct Grammar {
    productions: Vec<Production>,
    by_name: BTreeMap<String, Vec<usize>>,
}

/// One way to write something.
#[derive(Debug)]
pub struct Production {
    pub of: String,
    pub text: String,
    pub parts: Vec<Part>,
    pub weight: u64,
    /// What must be in scope, and what must not.
    pub needs: Vec<String>,
    pub bars: Vec<String>,
    /// How deep what it makes is at least.
    height: u32,
}

#[derive(Debug)]
pub enum Part {
    Text(String),
    /// Something else, and how deep it may be at most, if that is said.
    Made(String, Option<u32>),
    /// More words are in scope up to the matching end.
    Opens(Vec<String>),
    Closes,
}

impl Grammar {
    /// The grammar of the net. It is part of the program: a mistake in it is one of ours.
    pub fn usual() -> &'static Grammar {
        static USUAL: OnceLock<Grammar> = OnceLock::new();
        USUAL.get_or_init(|| Grammar::read(include_str!("grammar.txt")).unwrap_or_else(|fault| panic!("{fault}")))
    }

    /// Reads a grammar: a name at the margin, below it one production a line, further in what goes on with it.
    pub fn read(text: &str) -> Result<Grammar, String> {
        let mut lines: Vec<(String, String)> = Vec::new();
        let mut of = None;
        for line in text.lines().filter(|line| !line.trim_start().starts_with(';') && !line.trim().is_empty()) {
            let indent = line.len() - line.trim_start().len();
            match (indent, &of) {
                (0, _) => of = Some(line.trim().to_owned()),
                (_, None) => return Err(format!("nothing is named before: {line}")),
                (1..4, Some(of)) => lines.push((of.clone(), line.trim().to_owned())),
                (_, Some(_)) => {
                    let (_, begun) = lines.last_mut().ok_or_else(|| format!("nothing goes on with: {line}"))?;
                    begun.push('\n');
                    begun.push_str(line.trim());
                }
            }
        }
        let mut grammar = Grammar { productions: Vec::new(), by_name: BTreeMap::new() };
        for (of, line) in lines {
            grammar.by_name.entry(of.clone()).or_default().push(grammar.productions.len());
            grammar.productions.push(Production::read(of, &line)?);
        }
        grammar.measure()?;
        Ok(grammar)
    }

    pub fn productions(&self) -> &[Production] {
        &self.productions
    }

    /// The ways to write something that are open where these words are in scope: those not too deep, otherwise the least
    /// deep ones.
    pub fn open(&self, name: &str, depth: u32, scope: &[String]) -> Vec<usize> {
        let has = |word: &String| scope.contains(word);
        let fits = |at: &usize| {
            let production = &self.productions[*at];
            production.needs.iter().all(has) && !production.bars.iter().any(has)
        };
        let all: Vec<usize> = self.by_name[name].iter().copied().filter(fits).collect();
        let least = all.iter().map(|&at| self.productions[at].height).min().unwrap_or(0);
        all.into_iter().filter(|&at| self.productions[at].height <= depth.max(least)).collect()
    }

    fn measure(&mut self) -> Result<(), String> {
        for production in &self.productions {
            for part in &production.parts {
                if let Part::Made(name, _) = part
                    && !self.by_name.contains_key(name)
                {
                    return Err(format!("`{}` uses <{name}>, which nothing makes", production.of));
                }
            }
        }
        loop {
            let height = |name: &String| self.by_name[name].iter().map(|&at| self.productions[at].height).min();
            let measured: Vec<u32> = self
                .productions
                .iter()
                .map(|production| {
                    let made = production.parts.iter().filter_map(|part| match part {
                        Part::Made(_, Some(_)) => Some(0),
                        Part::Made(name, None) => height(name),
                        _ => None,
                    });
                    made.max().map_or(0, |deepest| deepest.saturating_add(1))
                })
                .collect();
            if self.productions.iter().zip(&measured).all(|(production, &height)| production.height == height) {
                return Ok(());
            }
            for (production, height) in self.productions.iter_mut().zip(measured) {
                production.height = height.min(1000);
            }
            if self.productions.iter().any(|production| production.height == 1000) {
                return Err("something can only be made of itself".into());
            }
        }
    }
}

impl Production {
    fn read(of: String, line: &str) -> Result<Production, String> {
        let (text, tags) = match line.split_once("  @") {
            Some((text, tags)) => (text.trim(), tags),
            None => (line, ""),
        };
        let text = if text == "-" { "" } else { text };
        let mut production = Production {
            of,
            text: text.to_owned(),
            parts: parts(text)?,
            weight: 1,
            needs: Vec::new(),
            bars: Vec::new(),
            height: 0,
        };
        for tag in tags.split_whitespace().map(|tag| tag.trim_start_matches('@')) {
            match (tag.strip_prefix('x').and_then(|n| n.parse().ok()), tag.strip_prefix('!')) {
                (Some(weight), _) => production.weight = weight,
                (_, Some(barred)) => production.bars.push(barred.to_owned()),
                _ => production.needs.push(tag.to_owned()),
            }
        }
        Ok(production)
    }
}

/// `<name>` and `<name:depth>` are made, `[word word: …]` brings words into scope; the rest stands as it is.
fn parts(text: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    let is_name = |name: &str| {
        !name.is_empty() && name.chars().all(|sign| sign.is_ascii_lowercase() || "-:0123456789".contains(sign))
    };
    while let Some(sign) = rest.chars().next() {
        let after = &rest[sign.len_utf8()..];
        let made = (sign == '<').then(|| after.split_once('>')).flatten().filter(|(name, _)| is_name(name));
        let scope = (sign == '[').then(|| after.split_once(": ")).flatten();
        let part = match (made, scope) {
            (Some((name, further)), _) => {
                rest = further;
                match name.split_once(':') {
                    Some((name, depth)) => {
                        let depth = depth.parse().map_err(|_| format!("<{name}:{depth}> has no depth"))?;
                        Part::Made(name.to_owned(), Some(depth))
                    }
                    None => Part::Made(name.to_owned(), None),
                }
            }
            (_, Some((words, further))) => {
                rest = further;
                Part::Opens(words.split_whitespace().map(str::to_owned).collect())
            }
            _ if sign == ']' => {
                rest = after;
                Part::Closes
            }
            _ => {
                plain.push(sign);
                rest = after;
                continue;
            }
        };
        if !plain.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut plain)));
        }
        parts.push(part);
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}
