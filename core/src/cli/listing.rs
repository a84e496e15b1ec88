//! What a server listed: the raw texts, and what of them must not be kept.

use crate::error::Error;
use crate::surface::{Detail, PinnedSurface, Surface};
use crate::text::escape::{line, lines};
use crate::text::value::{Object, Value};

use super::effect::{Session, text};
use super::secrets::Secrets;

/// How much of a stranger's reason, and of the end of its error output, is shown, in bytes.
const MAX_REASON: usize = 600;
const MAX_LAST_WORDS: usize = 4096;

/// The texts of one tools/list, as they came.
#[derive(Debug)]
pub(super) struct Listing<'a> {
    pages: Vec<&'a [u8]>,
    init: Option<&'a [u8]>,
    /// The values that the server was given and that are nobody else's business.
    secrets: Secrets,
}

impl<'a> Listing<'a> {
    /// The listing of a file.
    pub(super) fn of_text(text: &'a [u8]) -> Self {
        Self { pages: vec![text], init: None, secrets: Secrets::default() }
    }

    /// The listing of an answer of the host, or why there is none: escaped, without secrets.
    pub(super) fn of_answer(answer: &Object, secrets: Secrets, session: &Session<'a>) -> Result<Self, String> {
        if let Some(error) = answer.get("error").and_then(Value::as_object) {
            // Secrets go before anything is cut: half a secret is still one.
            let why = secrets.hide_in_text(text(error, "message").unwrap_or("it gave no reason"));
            let why = why.trim().lines().next().unwrap_or_default();
            let last_words = secrets.hide_in_text(text(answer, "stderrTail").unwrap_or_default());
            let last_words = match tail(last_words.trim_end(), MAX_LAST_WORDS) {
                "" => String::new(),
                words => format!("\n  its last words were:\n    {}", lines(words).replace('\n', "\n    ")),
            };
            return Err(format!("{}{last_words}", line(head(why, MAX_REASON))));
        }
        let broken = || "the host gave no tools".to_owned();
        let init = answer.get("init").and_then(|number| session.part(number)).ok_or_else(broken)?;
        let pages = answer.get("pages").and_then(Value::as_array).ok_or_else(broken)?;
        let pages: Vec<&[u8]> =
            pages.iter().map(|number| session.part(number)).collect::<Option<_>>().ok_or_else(broken)?;
        if pages.is_empty() {
            return Err(broken());
        }
        Ok(Self { pages, init: Some(init), secrets })
    }

    /// The hashes of what was listed.
    pub(super) fn pinned(&self) -> Result<PinnedSurface, String> {
        let surface = PinnedSurface::read_pages(&self.pages, self.init, Detail::Everything)
            .map_err(|error| self.unreadable(&error))?;
        self.check_names(surface.tools.iter().map(|tool| tool.name.as_str()))?;
        Ok(surface)
    }

    /// The text of what was listed. A secret that the server repeats is taken out.
    pub(super) fn surface(&self) -> Result<Surface, String> {
        let surface = Surface::read_pages(&self.pages, self.init).map_err(|error| self.unreadable(&error))?;
        self.check_names(surface.tools().map(|tool| tool.name))?;
        self.secrets.hide_in(surface).ok_or_else(|| "it repeats a secret where none can be taken out".to_owned())
    }

    /// What the server was given and may repeat.
    pub(super) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    fn unreadable(&self, error: &Error) -> String {
        // What an error quotes is the server's, and cut short: half a secret is still one.
        let error = if self.secrets.is_empty() { error.to_string() } else { unquoted(error) };
        if self.init.is_some() { format!("its tools cannot be read: {error}") } else { error }
    }

    fn check_names<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Result<(), String> {
        if names.any(|name| self.secrets.is_in(name)) {
            Err("the name of a tool holds the value of a variable that is secret".to_owned())
        } else {
            Ok(())
        }
    }
}

/// An error by its code and place alone.
fn unquoted(error: &Error) -> String {
    let place = error.line().zip(error.column()).map(|(line, column)| format!(" (line {line}, column {column})"));
    format!("{}{}", error.code().as_str(), place.unwrap_or_default())
}

/// The start of a text, of at most so many bytes.
fn head(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}

/// The end of a text, of at most so many bytes.
fn tail(text: &str, bytes: usize) -> &str {
    text.get(text.ceil_char_boundary(text.len().saturating_sub(bytes))..).unwrap_or(text)
}
