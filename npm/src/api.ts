import { call } from "./engine.js";
import { GatewrightError } from "./error.js";
import { toArgument, toServers, toSnapshotOptions } from "./input.js";
import type {
  BuildOptions, CheckedDrift, CheckOptions, Digest, Drift, DriftOptions, Input, Lockfile, OneServer, Rule, SchemaWidenings, Servers, SnapshotOptions, SurfaceHashes,
  ToolHashes, UpdateOptions, Verification, VerifyOptions,
} from "./types.js";

export { GatewrightError, type ErrorDetails } from "./error.js";
export { specVersions, version } from "./generated/version.js";
export type * from "./types.js";

/** The RFC 8785 canonical form. */
export function canonicalize(input: Input): string {
  return call("canonicalize", [toArgument(input)]);
}

/** The SHA-256 of the canonical form. */
export function digest(input: Input): Digest {
  return call("digest", [toArgument(input)]) as Digest;
}

/** The hashes of one tool. */
export function hashTool(tool: Input): ToolHashes {
  return JSON.parse(call("hashTool", [toArgument(tool)])) as ToolHashes;
}

/** The hashes of all of a server's tools. */
export function hashSurface(surface: Input): SurfaceHashes {
  return JSON.parse(call("hashSurface", [toArgument(surface)])) as SurfaceHashes;
}

/** The data of a lockfile. To write one back, keep the text: see {@link updateLockfile}. */
export function parseLockfile(text: Input): Lockfile {
  return JSON.parse(call("parseLockfile", [toArgument(text)])) as Lockfile;
}

/** The text of a new lockfile. */
export function buildLockfile(servers: Servers, options: BuildOptions): string {
  const { given, parts } = toServers(servers);
  return call("buildLockfile", [given, toArgument(options ?? {}), ...parts]);
}

/** The text of a lockfile with the entries of these servers renewed. What did not change keeps its text. */
export function updateLockfile(text: Input, servers: Servers, options: UpdateOptions): string {
  const { given, parts } = toServers(servers);
  return call("updateLockfile", [toArgument(text), given, toArgument(options ?? {}), ...parts]);
}

/** Compares servers with what a lockfile says about them. */
export function verifyLockfile(text: Input, servers: Servers, options: VerifyOptions = {}): Verification {
  const { given, parts } = toServers(servers);
  return JSON.parse(call("verifyLockfile", [toArgument(text), given, toArgument(options), ...parts])) as Verification;
}

/**
 * What moved from one surface to another, and how bad it is (mcplock 0.1.1, "Severity").
 *
 * Surfaces are lists of tools, objects with `tools`, or the responses that hold one. The profile `mcplock` judges by the
 * rules of mcplock alone. What moved is in `changes`, as JSON Pointers into a surface whose tools are keyed by name; how
 * bad it is, in `findings`, the worst first.
 *
 * @throws {GatewrightError} `invalid-argument`, and what {@link hashSurface} throws; the message says which surface it is.
 * @example
 * const before = [{ name: "rm", description: "Removes a file." }];
 * const drift = classifyDrift(before, [{ name: "rm", description: "Removes all files." }]);
 * drift.severity; // "high"
 * drift.findings[0].rule; // "description-trigger-word"
 * drift.changes[0].pointer; // "/tools/rm/description"
 */
export function classifyDrift(before: Input, after: Input, options: DriftOptions = {}): Drift {
  return JSON.parse(call("classifyDrift", [toArgument(before), toArgument(after), toArgument(options)])) as Drift;
}

/**
 * The text of a snapshot, which pins one server with its text (mcplock 0.1.1, "Hash model"): JSON with keys in order, two
 * spaces of indent and a newline at the end.
 *
 * `now` is an ISO-8601 text. From `previous`, an earlier snapshot of the server, come the times at which the snapshot and
 * its tools were first made. Credentials in the endpoint are left out.
 *
 * @throws {GatewrightError} `invalid-server`, `invalid-argument`, what {@link hashSurface} throws, and of `previous` what
 * {@link checkSnapshot} throws.
 * @example
 * const text = buildSnapshot({ name: "demo", surface: '[{"name":"ping"}]' }, { now: "2026-11-30T12:00:00Z" });
 * JSON.parse(text).tools.ping.first_seen; // "2026-11-30T12:00:00Z"
 */
export function buildSnapshot(server: OneServer, options: SnapshotOptions): string {
  const { given, parts } = toServers(server);
  return call("buildSnapshot", [given, ...toSnapshotOptions(options), ...parts]);
}

/**
 * Compares a surface with a snapshot, of this library or of mcplock 0.1 and 1.0: a {@link classifyDrift | drift} that says
 * whether it `fails`, which it does if its severity is `failOn` (default: `high`) or worse.
 *
 * `endpoint` is how the server is reached now; without it, that is not compared. What several starts of the server were
 * seen to say differently is let through.
 *
 * @throws {GatewrightError} `invalid-snapshot` (it was edited, say), `unsupported-snapshot-version`, `foreign-snapshot`,
 * `invalid-argument`, and what {@link hashSurface} throws; the message says which text it is.
 * @example
 * const text = buildSnapshot({ name: "demo", surface: '[{"name":"ping"}]' }, { now: "2026-11-30T12:00:00Z" });
 * const drift = checkSnapshot(text, '[{"name":"pong"}]');
 * [drift.severity, drift.fails]; // ["medium", false]
 */
export function checkSnapshot(text: Input, surface: Input, options: CheckOptions = {}): CheckedDrift {
  return JSON.parse(call("checkSnapshot", [toArgument(text), toArgument(surface), toArgument(options)])) as CheckedDrift;
}

/**
 * In which ways a JSON Schema accepts values that another refuses, each proven by an example.
 *
 * What says the same in other words is no difference: an `enum` and an `anyOf` of `const`, a definition in place and by
 * `$ref`. What is neither proven nor ruled out is in `undecided`.
 *
 * @throws {GatewrightError} What {@link canonicalize} throws; the message says which schema it is.
 * @example
 * const before = { type: "object", properties: { mode: { enum: ["read"] } } };
 * const after = { type: "object", properties: { mode: { enum: ["read", "delete"] } } };
 * const { widenings } = schemaWidenings(before, after);
 * widenings[0].pointer; // "/properties/mode/enum"
 * widenings[0].witness; // { mode: "delete" }
 */
export function schemaWidenings(before: Input, after: Input): SchemaWidenings {
  return JSON.parse(call("schemaWidenings", [toArgument(before), toArgument(after)])) as SchemaWidenings;
}

/** All rules that findings can name. */
export function rules(): readonly Rule[] {
  return JSON.parse(call("rules")) as readonly Rule[];
}

/** What a rule is about, as text. */
export function explain(rule: string): string {
  if (typeof rule !== "string") throw new GatewrightError({ code: "invalid-argument", message: `\`explain\` takes the id of a rule, not a value of type \`${typeof rule}\`` });
  return call("explain", [rule]);
}
