use std::fmt;

/// A secret that opens something. Shown once; only its hash is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// What is kept of a token.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TokenHash(String);

const BYTES: usize = 32;

impl Token {
    /// One that nobody can guess. Fails where the system has no randomness.
    pub fn random() -> Result<Self, String> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| format!("The system gives no randomness: {error}."))?;
        Ok(Token(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The one secret that is meant to be shown, to whoever it is for.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl TokenHash {
    /// Of whatever somebody says is a token. Without salt: a token has as many random bits as the hash.
    pub fn of(said: &str) -> Self {
        TokenHash(blake3::hash(said.as_bytes()).to_hex().to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A token that finds its way into a message or a log must not be there.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [TB2]
    #[test]
    fn tokens_differ_have_256_bits_and_do_not_show_themselves() {
        let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.reveal().len(), 2 * 256 / 8);
        assert!(!format!("{one:?}").contains(one.reveal()));
        assert_eq!(one.hash(), TokenHash::of(one.reveal()));
        assert!(!one.hash().as_str().contains(one.reveal()));
    }
}
