import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import path from "node:path";

/**
 * Writes a file so that at any moment it is the old one or the new one, whole. Synchronous, so that no signal handler of
 * ours runs in between and leaves the temporary file behind. Folders that are missing are made. A private file, and what
 * is made for it, is for its owner alone.
 */
export function writeAtomically(file: string, text: string, isPrivate: boolean): void {
  fs.mkdirSync(path.dirname(file), { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  // Links in a circle end here.
  const old = fs.statSync(file, { throwIfNoEntry: false });
  // A device must not be replaced by a file.
  if (old && !old.isFile()) throw new Error("not a regular file");
  const destination = behindLinks(file);
  const temporary = path.join(path.dirname(destination), `.${path.basename(destination)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    // The mode of a new file that is not private is left to the umask.
    const descriptor = fs.openSync(temporary, "wx", isPrivate ? 0o600 : 0o666);
    try {
      if (old && !isPrivate) fs.fchmodSync(descriptor, old.mode & 0o7777);
      fs.writeFileSync(descriptor, text);
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
    fs.renameSync(temporary, destination);
  } catch (error) {
    fs.rmSync(temporary, { force: true });
    throw error;
  }
  syncFolder(path.dirname(destination));
}

/** A link stays a link: what it points to is replaced, or made if it is not there. */
function behindLinks(file: string): string {
  const place = path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
  const isLink = fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink();
  return isLink ? behindLinks(path.resolve(path.dirname(place), fs.readlinkSync(place))) : place;
}

/** Makes the renaming itself last. Not every system lets a folder be synced, and the file is in place either way. */
function syncFolder(folder: string): void {
  try {
    const descriptor = fs.openSync(folder, "r");
    try {
      fs.fsyncSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    // Windows refuses.
  }
}
