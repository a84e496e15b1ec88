//! A tool's annotations changed, and none of the four behavioural hints did.

use super::{BOTH, DriftRule, READ_IT, rule};
use crate::drift::change::Subject;
use crate::finding::Severity;

pub(super) const RULE: DriftRule = DriftRule {
    rule: rule(
        "annotation-edit",
        "annotations",
        Severity::Informational,
        "A tool's annotations changed, and none of the four behavioural hints did.",
        "Annotations are pinned apart from the description, since an agent may gate its behaviour on them. What moved here is not one of the hints that promise how a tool behaves: a title in the annotations, a hint that is not in the protocol, or an empty object that came or went.",
        READ_IT,
    ),
    subjects: &[Subject::Annotations],
    profiles: BOTH,
    is_fallback: true,
    check: |facts| facts.edited("an annotation without a behavioural promise"),
};
