import type { RuleId } from "./names.js";

export type { ErrorCode, RuleId } from "./names.js";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/**
 * JSON given as text, as UTF-8 bytes (a `Uint8Array`, any other view or an `ArrayBuffer`), or as an object.
 *
 * Text and bytes are read as they are: give what came off the wire. An object is turned into text by `JSON.stringify`
 * first, with its rules: `undefined` members are left out, `toJSON` functions are called. Where it would lose something
 * without a word, the object is refused: `NaN` and infinite numbers, a `Map`, a `Set`, a `RegExp` and the like.
 */
export type Input = string | ArrayBuffer | ArrayBufferView | object;

/** `sha256:` and 64 hexadecimal digits. */
export type Digest = `sha256:${string}`;

/** The hashes of one tool in a lockfile. */
export interface ToolLockHashes {
  readonly hash: Digest;
  readonly nameHash: Digest;
  readonly descriptionHash: Digest;
  readonly inputSchemaHash: Digest;
}

/** The hashes of one tool: the lockfile's four, and the snapshot's. */
export interface ToolHashes extends ToolLockHashes {
  readonly contentHash: Digest;
  readonly annotationsHash: Digest;
}

/** The hashes of a server's tools. */
export interface SurfaceHashes {
  readonly toolSurfaceHash: Digest;
  readonly tools: { readonly [name: string]: ToolLockHashes };
}

/** How a server is reached. Names of environment variables only, never values. */
export interface Endpoint {
  readonly transport: "stdio" | "http" | "sse";
  readonly command?: string;
  readonly args?: readonly string[];
  readonly envNames?: readonly string[];
  readonly url?: string;
}

/** A server with the tools it offers: a list of tools, an object with `tools`, or the response that holds one. */
export interface ReachedServer {
  readonly name: string;
  readonly surface: Input;
  readonly endpoint?: Endpoint;
}

/** A server that was asked and did not answer: it is neither clean nor gone, and keeps its entry. */
export interface UnreachableServer {
  readonly name: string;
  readonly unreachable: true;
  readonly endpoint?: Endpoint;
}

export type Server = ReachedServer | UnreachableServer;

/** JSON as it is in a file or came off the wire. */
export type JsonText = string | ArrayBuffer | ArrayBufferView;

/** Several servers, or the same as JSON. */
export type Servers = readonly Server[] | JsonText;

/** One server that was reached, or the same as JSON. */
export type OneServer = ReachedServer | JsonText;

/** What a lockfile holds on one tool. Fields that other tools added are kept. */
export interface LockedTool extends ToolLockHashes {
  readonly [field: string]: Json;
}

/** What a lockfile holds on one server. */
export interface LockedServer {
  readonly toolSurfaceHash: Digest;
  readonly tools: { readonly [name: string]: LockedTool };
  readonly [field: string]: Json;
}

/** The data of an `agentgate.lock`. */
export interface Lockfile {
  readonly lockfileVersion: number;
  readonly servers: { readonly [name: string]: LockedServer };
  readonly [field: string]: Json;
}

export type Severity = "critical" | "high" | "medium" | "informational";

/** One thing found in readable input. */
export interface Finding {
  /** The id of the rule, as in {@link Rule}. */
  readonly rule: RuleId;
  readonly severity: Severity;
  readonly server?: string;
  readonly tool?: string;
  readonly pointer: string;
  readonly message: string;
  readonly help?: string;
  readonly evidence?: { readonly [key: string]: Json };
}

/** The answer of `verifyLockfile`. */
export interface Verification {
  /** Whether everything asked about is as it was locked. */
  readonly verified: boolean;
  readonly findings: readonly Finding[];
}

/** How many findings there are of each severity. */
export type Counts = { readonly [severity in Severity]: number };

/** A piece of two texts: in both, or only in the old or the new one. */
export interface WordEdit {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** One thing that moved. */
export interface Change {
  /** A tool that is new, gone or under another name; or a field, of a tool or of the server, that is another. */
  readonly kind: "added" | "removed" | "renamed" | "changed";
  /** The tool, by its name now; absent for what belongs to the server. */
  readonly tool?: string;
  /** A JSON Pointer into a surface whose tools are members of `tools`, by their names: `/tools/read/description`. */
  readonly pointer: string;
  /** What was there; absent if there was nothing. Of a renamed tool, the name. */
  readonly before?: Json;
  /** What is there now; absent if there is nothing. */
  readonly after?: Json;
  /** Where both are texts: the two, word by word. */
  readonly words?: readonly WordEdit[];
}

/** What moved between two surfaces, and how bad it is. */
export interface Drift {
  /** The worst of the findings; `null` if nothing moved. */
  readonly severity: Severity | null;
  readonly counts: Counts;
  /** What moved: first the server's, then tool by tool. */
  readonly changes: readonly Change[];
  /** How bad it is, the worst first. Each change has at least one finding. */
  readonly findings: readonly Finding[];
  /** What was not compared, in words. */
  readonly notChecked: readonly string[];
}

/** The answer of `checkSnapshot`. */
export interface CheckedDrift extends Drift {
  /** Whether the drift is as bad as what to fail on. */
  readonly fails: boolean;
}

/** A place where one schema accepts what the other refuses, or may accept it. */
export interface SchemaDifference {
  /** Where the keyword stands in the schema after, as a JSON Pointer; where it would stand, if it is gone. */
  readonly pointer: string;
  /** Where it stands in the schema before, if that is another place. */
  readonly beforePointer?: string;
  /** The keyword that lets the value through. */
  readonly keyword: string;
  /** The keyword's value before; absent if there was none. */
  readonly before?: Json;
  /** The keyword's value after; absent if there is none. */
  readonly after?: Json;
}

/** A difference that is proven. */
export interface ProvenDifference extends SchemaDifference {
  /** A value that one schema accepts, and the other does not. */
  readonly witness: Json;
}

/** How two schemas differ in the values that they accept. */
export interface SchemaWidenings {
  /** What the schema after accepts and the one before refuses. */
  readonly widenings: readonly ProvenDifference[];
  /** What the schema before accepts and the one after refuses. */
  readonly narrowings: readonly ProvenDifference[];
  /** Where it could not be decided whether the schema after accepts more. */
  readonly undecided: readonly SchemaDifference[];
}

/** One rule that findings name. */
export interface Rule {
  readonly id: RuleId;
  readonly family: "drift" | "lint" | "agc" | "lock";
  readonly category: string;
  readonly severity: Severity;
  readonly summary: string;
  readonly since: string;
  readonly specification: string;
}

export interface BuildOptions {
  /** The time to write into the file, as ISO-8601 text. */
  readonly now: string;
}

export interface UpdateOptions extends BuildOptions {
  /** Whether `servers` is all there is, so that entries of others are removed. */
  readonly wholeSet?: boolean;
}

export interface VerifyOptions {
  /** Whether `servers` is all there is, so that an entry without a server is a finding. */
  readonly wholeSet?: boolean;
}

export interface SnapshotOptions extends BuildOptions {
  /** An earlier snapshot of the server, from which come the times at which it and its tools were first seen. */
  readonly previous?: JsonText | undefined;
}

/** Whose rules judge: this library's, or those of mcplock 0.1.1 to the letter. */
export type Profile = "default" | "mcplock";

export interface DriftOptions {
  readonly profile?: Profile;
}

export interface CheckOptions extends DriftOptions {
  /** The least severity that fails; `high` if it is not given. */
  readonly failOn?: Severity;
  /** How the server is reached now. */
  readonly endpoint?: Endpoint;
}
