//! The rules of verification.

use crate::finding::Severity;
use crate::rules::{Family, Rule};

const fn rule(
    id: &'static str,
    category: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
    help: &'static str,
) -> Rule {
    Rule {
        id,
        family: Family::Lock,
        category,
        severity,
        summary,
        since: "0.1.0",
        specification: "agentgate.lock v1, \"Fields\" and \"Hashing rules\"",
        explanation,
        help,
    }
}

/// A rule of what the specification leaves out, which the lockfile's extra field `gatewright` pins.
const fn beyond(
    id: &'static str,
    category: &'static str,
    summary: &'static str,
    explanation: &'static str,
    help: &'static str,
) -> Rule {
    Rule {
        specification: "agentgate.lock v1, \"Compatibility\" (the extra field `gatewright`)",
        ..rule(id, category, Severity::High, summary, explanation, help)
    }
}

const REVIEW: &str =
    "review what it is now; if you trust it, run `gatewright lock` as you ran it before, with `--accept`";
const IF_MEANT: &str = "if that is meant, run `gatewright lock` as you ran it before";

pub(crate) const LOCKFILE_CONTRADICTION: Rule = rule(
    "lockfile-contradiction",
    "file",
    Severity::Critical,
    "The lockfile contradicts itself: it was edited or merged by hand.",
    "A hash in the file does not follow from the others: `toolSurfaceHash` from the tools' hashes, `nameHash` from the \
     tool's name, one tool's hash from its three field hashes where another tool has the same, or the tools of the field \
     `gatewright` from the tools of the server. Nothing such a file says can be relied on. Restore it from version \
     control, or review the server and run `gatewright lock`.",
    "restore the lockfile from version control, or review the server and run `gatewright lock`",
);

pub(crate) const SERVER_UNREACHABLE: Rule = rule(
    "server-unreachable",
    "server",
    Severity::High,
    "A server did not answer, so that nothing is known about it.",
    "The server could not be started, connected to, or asked for all its tools. It is neither clean nor removed; its \
     entry stays as it is. Run the check again once the server answers.",
    "make the server answer and check again; its entry stays as it is",
);

pub(crate) const SERVER_ADDED: Rule = rule(
    "server-added",
    "server",
    Severity::High,
    "A server is in use that the lockfile does not pin.",
    "Nobody has reviewed the tools of this server. Read them, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const SERVER_REMOVED: Rule = rule(
    "server-removed",
    "server",
    Severity::Medium,
    "A server that the lockfile pins is no longer in use.",
    "The lockfile has an entry for a server that is not in the configuration. If that is meant, run `gatewright lock`.",
    IF_MEANT,
);

pub(crate) const SOURCE_CHANGED: Rule = rule(
    "source-changed",
    "server",
    Severity::High,
    "A server comes from another package or version than the one that was locked.",
    "The command names another registry, package or version, or the server moved to another kind of place. The same \
     tools from another package are another program. Check where it comes from, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const ENDPOINT_CHANGED: Rule = beyond(
    "endpoint-changed",
    "server",
    "A server's command, arguments, variables or URL are not the ones that were locked.",
    "What stands behind a server's name was changed: the oldest way to swap a server is to swap the command. Credentials \
     do not count: a new token is no change. Check the command, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const INSTRUCTIONS_CHANGED: Rule = beyond(
    "instructions-changed",
    "server",
    "A server's instructions are not the ones that were locked.",
    "A client may put a server's instructions before the model as they are. Read them, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const TOOL_ADDED: Rule = rule(
    "tool-added",
    "tool",
    Severity::High,
    "A server has a tool that the lockfile does not pin.",
    "Nobody has reviewed the tool. Read its description and schema, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const TOOL_REMOVED: Rule = rule(
    "tool-removed",
    "tool",
    Severity::Medium,
    "A tool that the lockfile pins is gone.",
    "The server no longer lists the tool. Agents that rely on it will fail or choose another. If that is meant, run \
     `gatewright lock`.",
    IF_MEANT,
);

pub(crate) const TOOL_RENAMED: Rule = rule(
    "tool-renamed",
    "tool",
    Severity::High,
    "A tool has another name, and the same description and schema.",
    "The name moved; description and input schema are those that were locked. Permissions that clients keep by name no \
     longer apply to it. If that is meant, run `gatewright lock`.",
    REVIEW,
);

pub(crate) const DESCRIPTION_CHANGED: Rule = rule(
    "description-changed",
    "tool",
    Severity::High,
    "A tool's description is not the one that was locked.",
    "A model acts on the description. Hashes tell that it moved, not how: compare the texts, then run `gatewright lock` \
     if the change is harmless.",
    REVIEW,
);

pub(crate) const INPUT_SCHEMA_CHANGED: Rule = rule(
    "input-schema-changed",
    "tool",
    Severity::High,
    "A tool's input schema is not the one that was locked.",
    "The schema says what an agent can make the tool do, and its descriptions are read by the model. Compare the two, \
     then run `gatewright lock` if the change is harmless.",
    REVIEW,
);

pub(crate) const ANNOTATIONS_CHANGED: Rule = beyond(
    "annotations-changed",
    "tool",
    "A tool's annotations are not the ones that were locked.",
    "An agent may gate its behaviour on hints such as `destructiveHint` and `readOnlyHint`. Look at what the tool \
     promises now, then run `gatewright lock`.",
    REVIEW,
);

pub(crate) const EXTRA_FIELDS_CHANGED: Rule = beyond(
    "extra-fields-changed",
    "tool",
    "A tool's title, output schema, `_meta` or another field is not the one that was locked.",
    "Fields beyond name, description, input schema and annotations reach models and clients too. Look at them, then run \
     `gatewright lock`.",
    REVIEW,
);

/// All of them, in the order in which they are listed.
pub(crate) const RULES: &[Rule] = &[
    LOCKFILE_CONTRADICTION,
    SERVER_UNREACHABLE,
    SERVER_ADDED,
    SERVER_REMOVED,
    SOURCE_CHANGED,
    ENDPOINT_CHANGED,
    INSTRUCTIONS_CHANGED,
    TOOL_ADDED,
    TOOL_REMOVED,
    TOOL_RENAMED,
    DESCRIPTION_CHANGED,
    INPUT_SCHEMA_CHANGED,
    ANNOTATIONS_CHANGED,
    EXTRA_FIELDS_CHANGED,
];
