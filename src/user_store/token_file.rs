//! `token`: what every call has to show, where the user wants that. In a file of the user's own, never in a Set.

use super::atomic_files::remove_if_present;
use super::atomic_files::{read_plain, write_atomically};
use crate::disk::Access;
use std::path::{Path, PathBuf};

const TOKEN_FILE: &str = "token";
const MIN_TOKEN_CHARS: usize = 16;
const MAX_TOKEN_CHARS: usize = 200;

/// A token as it is shown: letters, digits and `-._~+/=`, as the header takes them. Not printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// The error follows the token's name in a sentence, and does not repeat it.
    pub fn new(text: &str) -> Result<Token, String> {
        let fits = |c: u8| c.is_ascii_alphanumeric() || b"-._~+/=".contains(&c);
        if (MIN_TOKEN_CHARS..=MAX_TOKEN_CHARS).contains(&text.len()) && text.bytes().all(fits) {
            Ok(Token(text.to_owned()))
        } else {
            Err(format!("must be {MIN_TOKEN_CHARS} to {MAX_TOKEN_CHARS} letters, digits and -._~+/="))
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Compares in a time that says nothing of how much of it is right.
    pub fn matches(&self, shown: &[u8]) -> bool {
        let own = self.0.as_bytes();
        let mut difference = own.len() ^ shown.len();
        for (index, byte) in own.iter().enumerate() {
            difference |= usize::from(byte ^ shown.get(index).copied().unwrap_or_default());
        }
        std::hint::black_box(difference) == 0
    }
}

impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Where the user's token lies, in the user's folder.
pub fn token_file(folder: &Path) -> PathBuf {
    folder.join(TOKEN_FILE)
}

/// The token in a file; `None` where there is no file. The error names the file.
pub fn read_token(file: &Path) -> Result<Option<Token>, String> {
    let named = |why: String| format!("the token in {} {why}", file.display());
    let Some(text) = read_plain(file, 4096).map_err(named)? else { return Ok(None) };
    Token::new(text.trim()).map(Some).map_err(named)
}

/// Keeps the token in the user's folder, or removes it.
pub fn write_token(folder: &Path, token: Option<&Token>) -> std::io::Result<()> {
    match token {
        Some(token) => write_atomically(&token_file(folder), token.as_str().as_bytes(), Access::OwnerOnly),
        None => remove_if_present(&token_file(folder)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn tokens_and_what_they_match() {
        for bad in ["", "short", "0123456789abcde", "0123456789 abcdef", "0123456789abcdef\n", "0123456789abcdeé"] {
            let refused = Token::new(bad).unwrap_err();
            assert!(bad.is_empty() || !refused.contains(bad), "{refused}");
        }
        assert!(Token::new(&"x".repeat(201)).is_err());
        let token = Token::new("0123456789abcdef").unwrap();
        assert_eq!(format!("{token:?}"), "Token");
        for (shown, same) in [
            ("0123456789abcdef", true),
            ("0123456789abcdeg", false),
            ("0123456789abcde", false),
            ("0123456789abcdef0", false),
            ("0123456789ABCDEF", false),
            ("", false),
        ] {
            assert_eq!(token.matches(shown.as_bytes()), same, "{shown}");
        }
    }

    #[test]
    fn a_token_is_kept_for_its_user_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = token_file(folder.path());
        assert_eq!(read_token(&file), Ok(None));
        let token = Token::new("0123456789abcdef").unwrap();
        write_token(folder.path(), Some(&token)).unwrap();
        assert_eq!(read_token(&file), Ok(Some(token)));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        write_token(folder.path(), None).unwrap();
        assert!(!file.exists());
        fs::write(&file, "  fedcba9876543210\n").unwrap();
        assert_eq!(read_token(&file).unwrap().unwrap().as_str(), "fedcba9876543210");
        for odd in [&b"no"[..], b"\xff", &[b'x'; 5000]] {
            fs::write(&file, odd).unwrap();
            assert!(read_token(&file).is_err_and(|why| why.contains("token")));
        }
        fs::remove_file(&file).unwrap();
        fs::create_dir(&file).unwrap();
        assert!(read_token(&file).is_err());
    }
}
