//! Texts that are kept beside a lockfile: `.gatewright/surfaces/<hex>.json`, each named by its own hash.

use std::collections::{BTreeMap, BTreeSet};

use crate::digest::Digest;
use crate::lock::text_hashes;
use crate::surface::Surface;
use crate::text::escape::line;

use super::about_file;
use super::effect::{Flow, Session, Stop, Stream};

/// Where the text of this hash is kept.
pub(super) fn path(lockfile: &str, hash: Digest) -> String {
    let folder = lockfile.rfind(['/', '\\']).and_then(|end| lockfile.get(..=end)).unwrap_or_default();
    let hash = hash.to_string();
    format!("{folder}.gatewright/surfaces/{}.json", hash.strip_prefix("sha256:").unwrap_or_default())
}

/// The texts that a lockfile's entries name.
#[derive(Default)]
pub(super) struct Kept {
    /// The servers whose entries name a text, whether or not it can be used.
    pub(super) servers: BTreeSet<String>,
    /// By server, the hash and what it stands for.
    pub(super) texts: BTreeMap<String, (Digest, Surface)>,
    /// Why others cannot be used.
    pub(super) notes: Vec<String>,
}

impl Kept {
    pub(super) fn read(path_of_lockfile: &str, lockfile: &[u8], session: &mut Session<'_>) -> Flow<Self> {
        let hashes = text_hashes(lockfile).unwrap_or_default();
        let files: Vec<_> = hashes
            .into_iter()
            .map(|(server, hash)| {
                let path = path(path_of_lockfile, hash);
                let file = session.read_file(&path);
                (server, hash, path, file)
            })
            .collect();
        if files.iter().any(|(_, _, _, file)| file.is_none()) {
            return Err(Stop::Wait);
        }
        let mut kept = Self::default();
        for (server, hash, path, file) in files {
            kept.servers.insert(server.clone());
            let why = match file.ok_or(Stop::Wait)? {
                Ok(Some(text)) if Digest::of(text) != hash => {
                    "it is not what was kept there: its hash is another".to_owned()
                }
                Ok(Some(text)) => match Surface::parse(text) {
                    Ok(surface) => {
                        kept.texts.insert(server, (hash, surface));
                        continue;
                    }
                    Err(error) => error.to_string(),
                },
                Ok(None) => "there is no such file".to_owned(),
                Err(why) => line(&why),
            };
            kept.notes.push(about_file(&path, why));
        }
        Ok(kept)
    }

    pub(super) fn print_notes(&self, session: &mut Session<'_>) {
        for note in &self.notes {
            session.print(Stream::Stderr, format!("gatewright: note: a kept text cannot be used: {note}\n"));
        }
    }
}
