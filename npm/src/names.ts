// Written by `./x gen` from the core's own tables.

/** The code of an error. */
export type ErrorCode =
  | "invalid-json"
  | "trailing-text"
  | "invalid-utf8"
  | "byte-order-mark"
  | "duplicate-key"
  | "lone-surrogate"
  | "number-out-of-range"
  | "too-deep"
  | "document-too-large"
  | "too-many-tools"
  | "not-json"
  | "not-a-surface"
  | "incomplete-surface"
  | "invalid-tool"
  | "duplicate-tool"
  | "invalid-server"
  | "duplicate-server"
  | "invalid-lockfile"
  | "unsupported-lockfile-version"
  | "foreign-lockfile"
  | "invalid-argument"
  | "unknown-rule"
  | "unknown-operation"
  | "internal-error";

/** The id of a rule, which findings carry. */
export type RuleId =
  | "lockfile-contradiction"
  | "server-unreachable"
  | "server-added"
  | "server-removed"
  | "source-changed"
  | "endpoint-changed"
  | "instructions-changed"
  | "tool-added"
  | "tool-removed"
  | "tool-renamed"
  | "description-changed"
  | "input-schema-changed"
  | "annotations-changed"
  | "extra-fields-changed";
