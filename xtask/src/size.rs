//! How large the built files are, raw and gzipped: what a user downloads.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};

use crate::{Result, root};

/// Already compressed: gzip says nothing about them.
const ARCHIVES: [&str; 2] = ["whl", "tgz"];

pub(crate) fn run() -> Result {
    println!("{:<60} {:>11} {:>11}", "file", "bytes", "gzipped");
    for folder in ["dist", "npm/dist"] {
        for path in files(&root().join(folder))? {
            let bytes = fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            let archive =
                path.extension().is_some_and(|extension| ARCHIVES.iter().any(|archive| *archive == extension));
            let gzipped = if archive { "-".to_owned() } else { gzip(&bytes)?.to_string() };
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            println!("{:<60} {:>11} {gzipped:>11}", format!("{folder}/{name}"), bytes.len());
        }
    }
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|why| format!("{}: {why} (run `./x build` first)", folder.display()))?;
    let mut files: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_file()).collect();
    files.sort();
    Ok(files)
}

/// The size at gzip's best level, as a server or a registry would send it.
fn gzip(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map(|packed| packed.len()).map_err(|why| why.to_string())
}
