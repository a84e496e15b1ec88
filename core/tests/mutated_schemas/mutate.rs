//! Changes of schemas, as reviewers have seen them and as nobody would write them.

use serde_json::{Map, Value, json};

use crate::random::Random;

const NAMED: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];
const ALONE: [&str; 8] = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];
const LISTED: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];

/// Changes one schema somewhere in it.
pub(super) fn change(schema: &mut Value, random: &mut Random) {
    let mut paths = Vec::new();
    collect(schema, "", &mut paths);
    let path = random.pick(&paths);
    if let Some(Value::Object(members)) = schema.pointer_mut(&path) {
        change_one(members, random);
    }
}

/// Where the schemas that are objects stand.
fn collect(schema: &Value, path: &str, paths: &mut Vec<String>) {
    let Value::Object(members) = schema else { return };
    paths.push(path.to_owned());
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    for keyword in NAMED {
        for (name, inner) in members.get(keyword).and_then(Value::as_object).into_iter().flatten() {
            collect(inner, &format!("{path}/{keyword}/{}", escaped(name)), paths);
        }
    }
    for keyword in ALONE {
        if let Some(inner) = members.get(keyword) {
            collect(inner, &format!("{path}/{keyword}"), paths);
        }
    }
    for keyword in LISTED {
        for (index, inner) in members.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate() {
            collect(inner, &format!("{path}/{keyword}/{index}"), paths);
        }
    }
}

fn list<'m>(members: &'m mut Map<String, Value>, keyword: &str) -> Option<&'m mut Vec<Value>> {
    members.get_mut(keyword).and_then(Value::as_array_mut)
}

fn names(members: &Map<String, Value>) -> Vec<String> {
    members.get("properties").and_then(Value::as_object).map(|all| all.keys().cloned().collect()).unwrap_or_default()
}

fn change_one(members: &mut Map<String, Value>, random: &mut Random) {
    match random.below(34) {
        0 | 1 => {
            let keys: Vec<String> =
                members.keys().filter(|key| *key != "$defs" && *key != "$schema").cloned().collect();
            if !keys.is_empty() {
                members.remove(&random.pick(&keys));
            }
        }
        2 | 3 => {
            if let Some(required) = list(members, "required").filter(|required| !required.is_empty()) {
                let place = random.below(required.len());
                required.remove(place);
            }
        }
        4 => {
            let names = names(members);
            if !names.is_empty() {
                members.insert("required".into(), json!([random.pick(&names)]));
            }
        }
        5 => {
            if let Some(Value::Object(properties)) = members.get_mut("properties") {
                properties.insert("recursive".into(), json!({"type": "boolean"}));
            }
        }
        6 => {
            let names = names(members);
            if let Some(Value::Object(properties)) = members.get_mut("properties").filter(|_| !names.is_empty()) {
                properties.remove(&random.pick(&names));
            }
        }
        7 => match list(members, "enum") {
            Some(values) => values.push(json!("delete")),
            None => drop(members.insert("enum".into(), json!(["a", "b", 1]))),
        },
        8 => {
            if let Some(values) = list(members, "enum").filter(|values| values.len() > 1) {
                values.pop();
            }
        }
        9 => {
            if let Some(branches) = list(members, "anyOf") {
                branches.push(json!({"type": "integer"}));
            }
        }
        10 => {
            if let Some(branches) = list(members, "anyOf").filter(|branches| branches.len() > 1) {
                branches.pop();
            }
        }
        11 => wrap(members, |own| json!({"anyOf": [own, {"type": "null"}]})),
        12 => wrap(members, |own| json!({"anyOf": [own]})),
        13 => wrap(members, |own| json!({"allOf": [own, {"minProperties": 1}]})),
        14 => wrap(members, |own| json!({"oneOf": [own, {"type": "array", "maxItems": 2}]})),
        _ => {
            let (keyword, arguments) = random.pick(&arguments());
            let argument = random.pick(&arguments);
            members.insert(keyword.into(), argument);
        }
    }
}

fn wrap(members: &mut Map<String, Value>, around: impl Fn(Value) -> Value) {
    let mut own = core::mem::take(members);
    let dialect = own.remove("$schema");
    if let Value::Object(wrapped) = around(Value::Object(own)) {
        *members = wrapped;
    }
    // The dialect is that of the whole.
    members.extend(dialect.map(|dialect| ("$schema".to_owned(), dialect)));
}

/// Keywords with arguments that they may get.
fn arguments() -> Vec<(&'static str, Vec<Value>)> {
    let counts = || (0..7).map(|count| json!(count)).collect::<Vec<_>>();
    let types = ["string", "integer", "number", "object", "array", "boolean", "null"];
    let mut of_type: Vec<Value> = types.iter().map(|name| json!(name)).collect();
    of_type.extend([json!(["string", "null"]), json!(["integer", "string"])]);
    vec![
        ("additionalProperties", vec![json!(true), json!(false), json!({"type": "string"})]),
        ("maximum", vec![json!(0), json!(7), json!(50), json!(99)]),
        ("minimum", vec![json!(0), json!(1), json!(-5), json!(10)]),
        ("exclusiveMinimum", vec![json!(0)]),
        ("exclusiveMaximum", vec![json!(10), json!(1_000_000)]),
        ("multipleOf", vec![json!(1), json!(2), json!(5)]),
        ("maxLength", vec![json!(0), json!(5), json!(40)]),
        ("minLength", counts()),
        ("maxItems", counts()),
        ("minItems", vec![json!(0), json!(1), json!(2)]),
        ("minProperties", vec![json!(0), json!(1), json!(2)]),
        ("maxProperties", counts()),
        ("uniqueItems", vec![json!(true), json!(false)]),
        ("pattern", ["^[a-z]+$", "^[a-f]+$", "^a", "\\d+", "^[^/]*$", "^(x|y)$"].map(|text| json!(text)).to_vec()),
        ("format", vec![json!("date"), json!("uri"), json!("email")]),
        ("type", of_type),
        ("const", vec![json!("a"), json!(1), json!(null)]),
        ("not", vec![json!({"type": "string"}), json!({"required": ["path"]}), json!({"enum": ["a"]})]),
        ("patternProperties", vec![json!({"^x-": {"type": "string"}})]),
        ("propertyNames", vec![json!({"pattern": "^[a-z_]+$"}), json!({"maxLength": 8})]),
        ("dependentRequired", vec![json!({"path": ["recursive"]}), json!({"query": ["limit"]})]),
        ("contains", vec![json!({"type": "string"}), json!({"const": 1})]),
        ("description", vec![json!("x"), json!("y")]),
        ("default", vec![json!("x"), json!(null)]),
    ]
}
