//! Schema containment: what is the same in other words does not differ, what is wider is found, and every
//! witness is confirmed by another implementation of JSON Schema.
//!
//! `GATEWRIGHT_SOAK=1` runs many more pairs.

#![allow(clippy::disallowed_methods, reason = "a test reads the environment")]
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, reason = "a test fails by panicking")]

use gatewright::{Overlap, Widenings, schema_overlap, schema_widenings};
use proptest::prelude::*;
use serde_json::{Value, json};

fn compare(before: &Value, after: &Value) -> Widenings {
    schema_widenings(before.to_string().as_bytes(), after.to_string().as_bytes()).expect("two schemas")
}

/// As real servers rewrote their schemas from one version to the next.
#[test]
fn what_says_the_same_in_other_words_does_not_differ() {
    let of = |schema: Value| json!({"type": "object", "properties": {"p": schema}, "required": ["p"]});
    for (a, b) in [
        (json!({"enum": ["x", "y"]}), json!({"anyOf": [{"const": "x"}, {"const": "y"}]})),
        (json!({"enum": ["x", "y"]}), json!({"enum": ["y", "x"], "type": "string"})),
        (json!({"type": "integer", "exclusiveMinimum": 0}), json!({"type": "integer", "minimum": 1})),
        (json!({"type": "integer", "exclusiveMaximum": 1_000_000}), json!({"type": "integer", "maximum": 999_999})),
        (
            json!({"type": "integer"}),
            json!({"type": "integer", "minimum": -9_007_199_254_740_991_i64, "maximum": 9_007_199_254_740_991_i64}),
        ),
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), json!({"type": ["null", "string"]})),
        (json!({"anyOf": [{"type": "string", "maxLength": 5}]}), json!({"type": "string", "maxLength": 5})),
        (
            json!({"type": "object", "additionalProperties": {}}),
            json!({"type": "object", "additionalProperties": true}),
        ),
        (json!({"type": "object", "additionalProperties": true}), json!({"type": "object"})),
        (json!({"allOf": [{"type": "string"}, {"minLength": 1}]}), json!({"type": "string", "minLength": 1})),
        (json!({"type": "array", "items": {}}), json!({"type": "array"})),
        (json!({"type": "number", "maximum": 100}), json!({"type": "number", "maximum": 100.0})),
        (
            json!({"type": "string", "description": "old"}),
            json!({"type": "string", "description": "new", "default": "x"}),
        ),
        (json!(true), json!({})),
        (
            json!({"oneOf": [{"properties": {"a": {"type": "string", "description": "old"}}}, {"required": ["b"]}]}),
            json!({"oneOf": [{"properties": {"a": {"type": "string", "description": "new"}}}, {"required": ["b"]}]}),
        ),
    ] {
        for (before, after) in [(&a, &b), (&b, &a)] {
            let moved = compare(&of(before.clone()), &of(after.clone()));
            assert!(moved.widenings.is_empty() && moved.undecided.is_empty(), "{before} {after} {moved:?}");
        }
    }
    let inline =
        json!({"type": "object", "properties": {"p": {"type": "object", "properties": {"q": {"type": "string"}}}}});
    let by_reference = json!({
        "type": "object",
        "properties": {"p": {"$ref": "#/$defs/P"}},
        "$defs": {"P": {"type": "object", "properties": {"q": {"type": "string"}}}, "Unused": {"type": "null"}}
    });
    for (before, after) in [(&inline, &by_reference), (&by_reference, &inline)] {
        let moved = compare(before, after);
        assert!(moved.widenings.is_empty() && moved.undecided.is_empty(), "{moved:?}");
    }
}

/// Each loosening by its keyword, with the call that it lets through.
#[test]
fn what_is_wider_is_found_with_a_witness() {
    let of = |schema: Value| json!({"type": "object", "properties": {"p": schema}, "required": ["p"], "additionalProperties": false});
    for (before, after, keyword, witness) in [
        (json!({"enum": ["x"]}), json!({"enum": ["x", "delete"]}), "enum", json!({"p": "delete"})),
        (json!({"type": "string"}), json!({"type": ["string", "null"]}), "type", json!({"p": null})),
        (json!({"type": "integer"}), json!({"type": "number"}), "type", json!({"p": 0.5})),
        (json!({"type": "integer", "maximum": 10}), json!({"type": "integer"}), "maximum", json!({"p": 11})),
        (
            json!({"type": "integer", "minimum": 1}),
            json!({"type": "integer", "minimum": 0}),
            "minimum",
            json!({"p": 0}),
        ),
        (json!({"type": "string", "maxLength": 2}), json!({"type": "string"}), "maxLength", json!({"p": "xxx"})),
        (json!({"type": "string", "minLength": 1}), json!({"type": "string"}), "minLength", json!({"p": ""})),
        (json!({"type": "string", "pattern": "^[a-z]+$"}), json!({"type": "string"}), "pattern", json!({"p": ""})),
        (json!({"type": "array", "maxItems": 1}), json!({"type": "array"}), "maxItems", json!({"p": ["x", "x"]})),
        (json!({"type": "array", "items": {"type": "string"}}), json!({"type": "array"}), "type", json!({"p": [0]})),
        (
            json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
            json!({"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "integer"}]}),
            "anyOf",
            json!({"p": 0}),
        ),
        (json!({"type": "string", "not": {"const": "root"}}), json!({"type": "string"}), "not", json!({"p": "root"})),
        (json!({"type": "object", "required": ["q"]}), json!({"type": "object"}), "required", json!({"p": {}})),
        (
            json!({"type": "object", "additionalProperties": false}),
            json!({"type": "object", "additionalProperties": true}),
            "additionalProperties",
            json!({"p": {"x": "x"}}),
        ),
        (
            json!({"type": "object", "properties": {}, "additionalProperties": false}),
            json!({"type": "object", "properties": {"force": {"type": "boolean"}}, "additionalProperties": false}),
            "properties",
            json!({"p": {"force": true}}),
        ),
    ] {
        let moved = compare(&of(before.clone()), &of(after.clone()));
        let found: Vec<(&str, Value)> = moved
            .widenings
            .iter()
            .map(|widening| {
                let witness = widening.witness.as_ref().expect("a witness");
                (widening.keyword.as_str(), serde_json::from_str(witness.as_str()).expect("JSON"))
            })
            .collect();
        assert_eq!(found, [(keyword, witness)], "{before} {after}");
        assert!(moved.undecided.is_empty(), "{moved:?}");
        assert!(moved.widenings[0].pointer.starts_with("/properties/p"), "{moved:?}");
        let back = compare(&of(after), &of(before));
        assert!(back.widenings.is_empty() && back.narrowings.len() == 1, "{back:?}");
    }
}

/// Places in both schemas, through references, and where a keyword is gone.
#[test]
fn a_widening_is_told_with_its_place_in_both() {
    let in_place = |most: u32| json!({"type": "object", "properties": {"p": {"type": "integer", "maximum": most}}});
    let by_reference = |most: Option<u32>| {
        let mut number = json!({"type": "integer"});
        if let Some(most) = most {
            number["maximum"] = json!(most);
        }
        json!({"type": "object", "properties": {"p": {"$ref": "#/$defs/N"}, "q": {"$ref": "#/$defs/N"}}, "$defs": {"N": number}})
    };
    let places = |before: &Value, after: &Value| -> Vec<(String, Option<String>)> {
        let moved = compare(before, after);
        moved.widenings.into_iter().map(|widening| (widening.pointer, widening.before_pointer)).collect()
    };
    // A definition that is used twice is told once.
    assert_eq!(places(&by_reference(Some(1)), &by_reference(Some(2))), [("/$defs/N/maximum".to_owned(), None)]);
    assert_eq!(places(&by_reference(Some(1)), &by_reference(None)), [("/$defs/N/maximum".to_owned(), None)]);
    assert_eq!(
        places(&in_place(1), &by_reference(Some(2))),
        [("/$defs/N/maximum".to_owned(), Some("/properties/p/maximum".to_owned()))]
    );
    let of_items = |items: Value| json!({"properties": {"p": {"type": "array", "items": items}}});
    let bare = json!({"properties": {"p": {"type": "array"}}});
    assert_eq!(
        places(&of_items(json!({"type": "string"})), &bare),
        [("/properties/p/items".to_owned(), Some("/properties/p/items/type".to_owned()))]
    );
}

/// Each witness stands for its own gap: it has what the old schema wants besides.
#[test]
fn a_witness_is_refused_for_its_own_gap() {
    let before = json!({"properties": {"a": {"type": "integer", "maximum": 5}, "b": {}}, "required": ["b"]});
    let after = json!({"properties": {"a": {"type": "integer"}, "b": {}}});
    let witnesses: Vec<String> = compare(&before, &after)
        .widenings
        .into_iter()
        .map(|widening| widening.witness.expect("a witness").as_str().to_owned())
        .collect();
    assert_eq!(witnesses, [r#"{"a":6,"b":"x"}"#, "{}"]);
}

#[test]
fn what_is_not_understood_is_undecided() {
    let of = |schema: Value| json!({"type": "object", "properties": {"p": schema}});
    for (before, after, keyword) in [
        (json!({"type": "string"}), json!({"type": "string", "nullable": true}), "nullable"),
        (
            json!({"type": "string", "allowlist": ["a"]}),
            json!({"type": "string", "allowlist": ["a", "b"]}),
            "allowlist",
        ),
        (json!({"pattern": "^(?=x)"}), json!({"pattern": "^(?=.)"}), "pattern"),
        (json!({"$ref": "https://example.com/a"}), json!({"$ref": "https://example.com/b"}), "schema"),
        (json!({"type": "string", "required": true}), json!({"type": "string"}), "required"),
    ] {
        let moved = compare(&of(before.clone()), &of(after.clone()));
        let keywords: Vec<&str> = moved.undecided.iter().map(|gap| gap.keyword.as_str()).collect();
        assert_eq!((keywords, moved.widenings.len()), (vec![keyword], 0), "{before} {after} {moved:?}");
    }
    for (before, after) in [
        (json!({"type": "string"}), json!({"type": "string", "nullable": false})),
        (json!({"type": "string", "x-order": 1}), json!({"type": "string", "x-order": 2})),
        (json!({"type": ["string", "null"]}), json!({"type": ["string", "null"], "nullable": true})),
        (json!({"pattern": "^(?=x)", "description": "a"}), json!({"pattern": "^(?=x)", "description": "b"})),
    ] {
        let moved = compare(&of(before.clone()), &of(after.clone()));
        assert_eq!(moved, Widenings::default(), "{before} {after}");
    }
}

#[test]
fn one_call_may_satisfy_two_tools() {
    let overlap = |a: Value, b: Value| {
        let told = |a: &Value, b: &Value| match schema_overlap(a.to_string().as_bytes(), b.to_string().as_bytes()) {
            Ok(Overlap::Call(call)) => serde_json::from_str(call.as_str()).expect("JSON"),
            other => json!(format!("{other:?}")),
        };
        let (one, other) = (told(&a, &b), told(&b, &a));
        assert_eq!(one.is_object(), other.is_object(), "{a} {b}");
        for schema in [&a, &b].into_iter().filter(|_| one.is_object()) {
            assert!(jsonschema::is_valid(schema, &one), "{schema} {one}");
        }
        one
    };
    let closed = |name: &str, schema: Value| json!({"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": false});
    let open = |name: &str, schema: Value| json!({"type": "object", "properties": {name: schema}, "required": [name]});
    let (text, number) = (|| json!({"type": "string"}), || json!({"type": "number"}));
    assert_eq!(overlap(closed("a", text()), closed("a", text())), json!({"a": "x"}));
    assert_eq!(overlap(open("a", text()), open("b", number())), json!({"a": "x", "b": 0}));
    assert_eq!(overlap(closed("a", text()), closed("b", text())), json!("Ok(Apart)"));
    assert_eq!(overlap(open("a", text()), open("a", number())), json!("Ok(Apart)"));
    let kind = |kind: &str| open("kind", json!({"const": kind}));
    assert_eq!(overlap(kind("a"), kind("b")), json!("Ok(Apart)"));
    assert_eq!(overlap(kind("a"), json!({"anyOf": [kind("b"), kind("a")]})), json!({"kind": "a"}));
    let by_reference = |name: &str, schema: Value| json!({"type": "object", "properties": {name: {"$ref": "#/$defs/T"}}, "required": [name], "$defs": {"T": schema}});
    assert_eq!(overlap(by_reference("a", text()), by_reference("b", number())), json!({"a": "x", "b": 0}));
    assert_eq!(overlap(open("a", json!({"pattern": "^(?=x)"})), open("a", text())), json!("Ok(Undecided)"));
}

#[test]
fn hostile_schemas_end_within_their_bounds() {
    let mut union = json!({"type": "string"});
    for depth in 0..40 {
        union = json!({"anyOf": [union.clone(), {"type": "object", "properties": {format!("p{depth}"): union}}]});
        if union.to_string().len() > 400_000 {
            break;
        }
    }
    let mut changed = union.clone();
    changed["anyOf"][1]["maxProperties"] = json!(3);
    let cycle = |kind: &str| json!({"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"b": {"$ref": "#/$defs/a"}, "c": {"type": kind}}}}});
    let loops = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}});
    let all_of: Vec<Value> = (0..3000).map(|n| json!({"properties": {format!("p{n}"): {"minLength": n}}})).collect();
    let wide = |count: u32| -> Value {
        let properties: serde_json::Map<String, Value> =
            (0..count).map(|n| (format!("p{n}"), json!({"type": "string", "maxLength": n % 7}))).collect();
        let names: Vec<String> = properties.keys().cloned().collect();
        json!({"type": "object", "properties": properties, "required": names})
    };
    let mut wider = wide(30_000);
    wider["properties"]["p1"] = json!({});
    // Each definition leads to the next twice: two to the power of sixty ways.
    let branching = |last: &str| {
        let mut definitions = serde_json::Map::new();
        for n in 0..60 {
            let next = json!({"$ref": format!("#/$defs/d{}", n + 1)});
            definitions
                .insert(format!("d{n}"), json!({"anyOf": [{"properties": {"a": next}}, {"items": next, "not": next}]}));
        }
        definitions.insert("d60".to_owned(), json!({"type": last}));
        json!({"$ref": "#/$defs/d0", "$defs": definitions})
    };
    let denials =
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"not": {"allOf": [{"$ref": "#/$defs/a"}, {"minLength": 1}]}}}});
    let denied =
        json!({"$ref": "#/$defs/a", "$defs": {"a": {"not": {"allOf": [{"$ref": "#/$defs/a"}, {"minLength": 2}]}}}});
    let pattern = |count: u32| json!({"properties": {"p": {"pattern": format!("^(([a-z]+)*x){{1,{count}}}$")}}});
    for (before, after) in [
        (wide(30_000), wider),
        (branching("string"), branching("null")),
        (denials, denied),
        (pattern(20), pattern(40)),
        (changed, union),
        (cycle("string"), cycle("integer")),
        (loops.clone(), json!({})),
        (json!({}), loops),
        (json!({"allOf": all_of.clone()}), json!({"allOf": all_of[..2999]})),
    ] {
        let moved = compare(&before, &after);
        assert!(moved.widenings.len() + moved.undecided.len() < 5000);
    }
    assert!(!compare(&cycle("string"), &cycle("integer")).widenings.is_empty());
}

fn config() -> ProptestConfig {
    let cases = if std::env::var_os("GATEWRIGHT_SOAK").is_some() { 100_000 } else { 1_000 };
    ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 200, ..ProptestConfig::default() }
}

fn schemas() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!({"type": "string"})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": ["string", "null"]})),
        Just(json!({"enum": ["a", "b", 1]})),
        Just(json!({"const": "a"})),
        Just(json!({"type": "string", "pattern": "^[a-z]+$"})),
        Just(json!({"type": "boolean"})),
        Just(json!(true)),
        (0..6u32, 0..9u32).prop_map(|(least, most)| json!({"type": "string", "minLength": least, "maxLength": most})),
        (0..6i32, 0..9i32)
            .prop_map(|(least, most)| json!({"type": "number", "minimum": least, "exclusiveMaximum": most})),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        let names = || prop_oneof![Just("a"), Just("b"), Just("x-c")];
        let properties = proptest::collection::btree_map(names(), inner.clone(), 0..3);
        let required = proptest::collection::btree_set(names(), 0..2);
        let rest = prop_oneof![Just(json!(true)), Just(json!(false)), inner.clone()];
        prop_oneof![
            (properties, required, rest).prop_map(|(properties, required, rest)| {
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": rest})
            }),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(|branches| json!({"anyOf": branches})),
            proptest::collection::vec(inner.clone(), 1..3).prop_map(|all| json!({"allOf": all})),
            inner.clone().prop_map(|refused| json!({"not": refused})),
            (inner.clone(), 0..3u32, 0..4u32).prop_map(|(items, least, most)| {
                json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
            }),
            inner.prop_map(|schema| json!({"type": "object", "patternProperties": {"^x-": schema}})),
        ]
    })
}

/// Values near such schemas.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(json!(null)),
        Just(json!("a")),
        Just(json!("")),
        Just(json!("abcdefgh")),
        Just(json!("A1")),
        Just(json!(0)),
        Just(json!(1)),
        Just(json!(5)),
        Just(json!(8)),
        Just(json!(0.5)),
        Just(json!(true)),
    ];
    leaf.prop_recursive(3, 16, 3, |inner| {
        let names = prop_oneof![Just("a"), Just("b"), Just("x-c"), Just("zz")];
        prop_oneof![
            proptest::collection::btree_map(names, inner.clone(), 0..4).prop_map(|members| json!(members)),
            proptest::collection::vec(inner, 0..4).prop_map(|items| json!(items)),
        ]
    })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_witness_is_confirmed_and_none_is_missed(
        before in schemas(),
        after in schemas(),
        is_near in any::<bool>(),
        calls in proptest::collection::vec(values(), 24),
    ) {
        // Unrelated schemas seldom tell much: often the second is the first with something around it.
        let after = if is_near { json!({"anyOf": [before.clone(), after]}) } else { after };
        let [old, new] = [&before, &after].map(|schema| jsonschema::validator_for(schema).expect("a schema"));
        let moved = compare(&before, &after);
        for widening in &moved.widenings {
            let witness: Value = serde_json::from_str(widening.witness.as_ref().expect("a witness").as_str()).expect("JSON");
            prop_assert!(new.is_valid(&witness) && !old.is_valid(&witness), "{} {:?}", witness, widening);
        }
        if moved.widenings.is_empty() && moved.undecided.is_empty() {
            for call in &calls {
                prop_assert!(old.is_valid(call) || !new.is_valid(call), "{} is missed", call);
            }
        }
    }
}
