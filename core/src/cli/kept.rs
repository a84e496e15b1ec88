//! Texts that are kept beside a lockfile: `.gatewright/surfaces/<hex>.json`, each named by its own hash.

use std::collections::BTreeMap;

use crate::digest::Digest;
use crate::lock::text_hashes;
use crate::surface::Surface;

use super::effect::{Flow, Session, Stop};

/// Where the text of this hash is kept.
pub(super) fn path(lockfile: &str, hash: Digest) -> String {
    let folder = lockfile.rfind(['/', '\\']).and_then(|end| lockfile.get(..=end)).unwrap_or_default();
    let hash = hash.to_string();
    format!("{folder}.gatewright/surfaces/{}.json", hash.strip_prefix("sha256:").unwrap_or_default())
}

/// The texts that a lockfile's entries name, by server, and notes on those that cannot be used.
pub(super) fn read(
    path_of_lockfile: &str,
    lockfile: &[u8],
    session: &mut Session<'_>,
) -> Flow<(BTreeMap<String, Surface>, Vec<String>)> {
    let hashes = text_hashes(lockfile).unwrap_or_default();
    let files: Vec<_> = hashes
        .into_iter()
        .map(|(server, hash)| {
            let path = path(path_of_lockfile, hash);
            let file = session.read_file(&path);
            (server, hash, path, file)
        })
        .collect();
    let (mut kept, mut notes) = (BTreeMap::new(), Vec::new());
    for (server, hash, path, file) in files {
        let why = match file.ok_or(Stop::Wait)? {
            Ok(Some(text)) if Digest::of(text) != hash => {
                "it is not what was kept there: its hash is another".to_owned()
            }
            Ok(Some(text)) => match Surface::parse(text) {
                Ok(surface) => {
                    kept.insert(server, surface);
                    continue;
                }
                Err(error) => error.to_string(),
            },
            Ok(None) => "there is no such file".to_owned(),
            Err(why) => crate::text::escape::line(&why),
        };
        notes.push(super::about_file(&path, why));
    }
    Ok((kept, notes))
}
