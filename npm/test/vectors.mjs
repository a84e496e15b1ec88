// The vector files, from tests/vectors and from the folder that GATEWRIGHT_EXTRA_VECTORS names.

import * as fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const own = path.join(path.dirname(fileURLToPath(import.meta.url)), "../../tests/vectors");
const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

/** Each set of vectors: its name, and what conformance.mjs takes. */
export function vectorSets() {
  const folders = [own, process.env.GATEWRIGHT_EXTRA_VECTORS].filter(Boolean);
  return folders.map((folder) => {
    const names = fs.readdirSync(folder, { recursive: true }).map((name) => name.split(path.sep).join("/"));
    const files = names.filter((name) => /^[^/]+\/.*\.json$/.test(name)).sort();
    const skips = path.join(folder, "skips.json");
    return [
      path.basename(folder),
      { manifest: read(path.join(folder, "manifest.json")), files: files.map((name) => [name, read(path.join(folder, name))]), skips: fs.existsSync(skips) ? read(skips) : [] },
    ];
  });
}
