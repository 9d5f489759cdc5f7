//! What an event says, in words that are found when somebody reads them.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

type Make = Box<dyn FnOnce() -> String + Send>;

/// A text that readers share. What is told thirty times a second is put into words only where one of them reads it,
/// then once for all.
#[derive(Clone)]
pub struct Words {
    text: Arc<LazyLock<String, Make>>,
}

impl Words {
    /// `make` is called at most once, by the first who reads.
    pub fn when_read(make: impl FnOnce() -> String + Send + 'static) -> Words {
        Words { text: Arc::new(LazyLock::new(Box::new(make))) }
    }
}

impl From<String> for Words {
    fn from(text: String) -> Words {
        let words = Words::when_read(|| text);
        LazyLock::force(&words.text);
        words
    }
}

impl Deref for Words {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

impl fmt::Debug for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn words_are_found_once_and_only_for_a_reader() {
        let found = Arc::new(AtomicUsize::new(0));
        let words = Words::when_read({
            let found = found.clone();
            move || format!("found {}", found.fetch_add(1, Ordering::SeqCst) + 1)
        });
        let other = words.clone();
        assert_eq!(found.load(Ordering::SeqCst), 0, "nobody has read them");
        assert_eq!((&*words, &*other), ("found 1", "found 1"));
    }
}
