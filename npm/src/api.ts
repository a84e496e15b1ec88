import { call } from "./engine.js";
import { GatewrightError } from "./error.js";
import { toArgument, toServers } from "./input.js";
import type {
  BuildOptions, Digest, Input, Lockfile, Rule, Servers, SurfaceHashes, ToolHashes, UpdateOptions, Verification, VerifyOptions,
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
  const { list, parts } = toServers(servers);
  return call("buildLockfile", [list, toArgument(options ?? {}), ...parts]);
}

/** The text of a lockfile with the entries of these servers renewed. What did not change keeps its text. */
export function updateLockfile(text: Input, servers: Servers, options: UpdateOptions): string {
  const { list, parts } = toServers(servers);
  return call("updateLockfile", [toArgument(text), list, toArgument(options ?? {}), ...parts]);
}

/** Compares servers with what a lockfile says about them. */
export function verifyLockfile(text: Input, servers: Servers, options: VerifyOptions = {}): Verification {
  const { list, parts } = toServers(servers);
  return JSON.parse(call("verifyLockfile", [toArgument(text), list, toArgument(options), ...parts])) as Verification;
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
