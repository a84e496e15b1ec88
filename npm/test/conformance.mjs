// Runs vectors on the package's public functions: as text, as bytes and as objects. Nothing of Node in here: the browser
// runs this file too.

/** An input as the vector files spell it: text, or bytes. */
export function decodeInput(input) {
  if (typeof input === "string") return input;
  if ("hex" in input) return Uint8Array.from(input.hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  if ("repeat" in input) return input.repeat.text.repeat(input.repeat.times);
  const parts = input.concat.map(decodeInput);
  if (parts.every((part) => typeof part === "string")) return parts.join("");
  const bytes = parts.map(toBytes);
  const whole = new Uint8Array(bytes.reduce((length, part) => length + part.length, 0));
  bytes.reduce((at, part) => (whole.set(part, at), at + part.length), 0);
  return whole;
}

const toBytes = (input) => (typeof input === "string" ? new TextEncoder().encode(input) : input);
const toText = (input) => (typeof input === "string" ? input : new TextDecoder().decode(input));

/** The public function of each operation, called with the inputs of the wire. */
const functions = {
  canonicalize: (api, [input]) => api.canonicalize(input),
  digest: (api, [input]) => api.digest(input),
  hashTool: (api, [tool]) => api.hashTool(tool),
  hashSurface: (api, [surface]) => api.hashSurface(surface),
  parseLockfile: (api, [text]) => api.parseLockfile(text),
  buildLockfile: (api, [servers, options, ...parts]) => api.buildLockfile(withParts(servers, parts), toOptions(options)),
  updateLockfile: (api, [text, servers, options, ...parts]) => api.updateLockfile(text, withParts(servers, parts), toOptions(options)),
  verifyLockfile: (api, [text, servers, options, ...parts]) => api.verifyLockfile(text, withParts(servers, parts), toOptions(options)),
  classifyDrift: (api, [before, after, options]) => api.classifyDrift(before, after, toOptions(options)),
  buildSnapshot: (api, [server, options, previous, ...parts]) => api.buildSnapshot(withParts(server, parts), toOptions(options, previous)),
  checkSnapshot: (api, [text, surface, options]) => api.checkSnapshot(text, surface, toOptions(options)),
  schemaWidenings: (api, [before, after]) => api.schemaWidenings(before, after),
  rules: (api) => api.rules(),
  explain: (api, [rule]) => api.explain(toText(rule)),
  version: (api) => api.version,
  specVersions: (api) => api.specVersions,
};

/** The same with objects, where the function takes them. */
const withObjects = {
  canonicalize: (api, [input]) => api.canonicalize(toObject(input)),
  digest: (api, [input]) => api.digest(toObject(input)),
  hashTool: (api, [tool]) => api.hashTool(toObject(tool)),
  hashSurface: (api, [surface]) => api.hashSurface(toObject(surface)),
  buildLockfile: (api, [servers, options, ...parts]) => api.buildLockfile(withParts(servers, parts, toObject), toOptions(options)),
  updateLockfile: (api, [text, servers, options, ...parts]) => api.updateLockfile(text, withParts(servers, parts, toObject), toOptions(options)),
  verifyLockfile: (api, [text, servers, options, ...parts]) => api.verifyLockfile(text, withParts(servers, parts, toObject), toOptions(options)),
  classifyDrift: (api, [before, after, options]) => api.classifyDrift(toObject(before), toObject(after), toOptions(options)),
  buildSnapshot: (api, [server, options, previous, ...parts]) => api.buildSnapshot(withParts(server, parts, toObject), toOptions(options, previous)),
  checkSnapshot: (api, [text, surface, options]) => api.checkSnapshot(toObject(text), toObject(surface), toOptions(options)),
  schemaWidenings: (api, [before, after]) => api.schemaWidenings(toObject(before), toObject(after)),
};

/** A string is JSON text wherever it is given, so JSON that is a string stays text. */
function toObject(input) {
  const value = JSON.parse(toText(input));
  return typeof value === "string" ? input : value;
}

/** On the wire, surfaces given as text or bytes travel beside the server or the list of servers. Here they stand in it. */
function withParts(servers, parts, form) {
  if (parts.length === 0 && !form) return servers;
  const place = (part) => (form ? form(part) : part);
  const whole = ({ surfacePart, ...server }) => (surfacePart === undefined ? server : { ...server, surface: place(parts[surfacePart]) });
  const value = JSON.parse(toText(servers));
  return Array.isArray(value) ? value.map(whole) : whole(value);
}

/**
 * Options are an object here, which cannot hold the same key twice, or be half a text; then the text will do. An earlier
 * snapshot is one of them.
 */
function toOptions(options, previous = "") {
  if (previous.length > 0) return { ...JSON.parse(toText(options)), previous };
  try {
    const value = JSON.parse(toText(options));
    return JSON.stringify(value) === toText(options).replace(/\s/g, "") ? value : options;
  } catch {
    return options;
  }
}

/**
 * Runs one test of a vector file in every way that the package offers. Returns what is wrong, or nothing.
 * What is no function of the package (the command line, say) is called by its name, on the wire.
 */
export function runTest(api, wire, operation, { inputs, expect }) {
  const given = inputs.map(decodeInput);
  const run = functions[operation] ?? ((_, args) => wire(operation, args));
  const parsed = expect.json !== undefined && !functions[operation];
  const ways = [() => run(api, given), () => run(api, given.map(toBytes))];
  if (!expect.error && withObjects[operation]) ways.push(() => withObjects[operation](api, given));
  for (const way of ways) {
    const wrong = judge(() => (parsed ? JSON.parse(way()) : way()), expect);
    if (wrong) return wrong;
  }
}

function judge(run, expect) {
  let result;
  try {
    result = run();
  } catch (error) {
    if (!expect.error) return `threw ${error}`;
    if (error?.name !== "GatewrightError") return `threw ${error} instead of a GatewrightError`;
    const wrong = Object.keys(expect.error).filter((member) => error[member] !== expect.error[member]);
    return wrong.length === 0 ? undefined : wrong.map((member) => `${member} is ${JSON.stringify(error[member])}, not ${JSON.stringify(expect.error[member])}`).join("; ");
  }
  if (expect.error) return `returned ${show(result)} instead of throwing \`${expect.error.code}\``;
  if ("text" in expect) return result === expect.text ? undefined : `returned ${show(result)}, not ${show(expect.text)}`;
  if ("textHex" in expect) {
    const hex = Array.from(toBytes(result), (byte) => byte.toString(16).padStart(2, "0")).join("");
    return hex === expect.textHex ? undefined : `returned ${hex.slice(0, 200)}, not ${expect.textHex.slice(0, 200)}`;
  }
  return same(result, expect.json) ? undefined : `returned ${show(result)}, not ${show(expect.json)}`;
}

const show = (value) => JSON.stringify(value).slice(0, 600);

/** Whether two JSON values are equal, the order of members aside. */
function same(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

/**
 * Runs vector files, given as [path, parsed file] with the manifest beside them, and the reasons to leave some out.
 * Returns how many there were, and what failed.
 */
export function runVectors(api, wire, host, { manifest, files, skips }) {
  const failures = [];
  const used = new Set();
  const mine = skips.filter((skip) => skip.host === host);
  let ran = 0;
  const listed = Object.keys(manifest.files).sort();
  if (!same(listed, files.map(([name]) => name).sort())) failures.push("the manifest names other files than there are");
  for (const [name, file] of files) {
    if (file.tests.length !== manifest.files[name] || file.tests.length !== file.count) failures.push(`${name} has ${file.tests.length} tests; the manifest says ${manifest.files[name]}, the file ${file.count}`);
    for (const test of file.tests) {
      const skip = mine.find(({ id }) => (id.endsWith("*") ? test.id.startsWith(id.slice(0, -1)) : test.id === id));
      ran += 1;
      if (skip) {
        used.add(skip);
        continue;
      }
      const wrong = runTest(api, wire, file.operation, test);
      if (wrong) failures.push(`${test.id} (${test.comment}): ${wrong}`);
    }
  }
  if (ran !== manifest.total) failures.push(`${ran} tests were found; the manifest says ${manifest.total}`);
  for (const skip of mine) if (!used.has(skip)) failures.push(`the skip of ${skip.id} is not used`);
  return { ran, failures };
}
