//! Random calls near a schema: often accepted, often just not.

use serde_json::{Map, Value, json};

use crate::random::Random;

pub(super) fn near(schema: &Value, root: &Value, random: &mut Random, depth: usize) -> Value {
    if depth == 0 {
        return Value::Null;
    }
    if random.below(14) == 0 {
        let odd = [json!(null), json!("x"), json!(3), json!(0.5), json!([]), json!({}), json!(true), json!("delete")];
        return random.pick(&odd);
    }
    let Value::Object(members) = schema else { return json!("any") };
    let inner = |schema: &Value, random: &mut Random| near(schema, root, random, depth - 1);
    if let Some(target) = members.get("$ref").and_then(Value::as_str).and_then(|target| root.pointer(target.get(1..)?))
    {
        return inner(target, random);
    }
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let branches = members.get(keyword).and_then(Value::as_array).filter(|branches| !branches.is_empty());
        if let Some(branches) = branches
            && (keyword != "allOf" || random.below(2) == 0)
        {
            return inner(&random.pick(branches), random);
        }
    }
    if let Some(values) = members.get("enum").and_then(Value::as_array).filter(|values| !values.is_empty()) {
        return random.pick(values);
    }
    if let Some(value) = members.get("const") {
        return value.clone();
    }
    let types: Vec<&str> = match members.get("type") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
        _ if members.contains_key("properties") => vec!["object"],
        _ if members.contains_key("items") => vec!["array"],
        _ => vec!["string", "integer", "object", "array", "boolean"],
    };
    match types.get(random.below(types.len())).copied().unwrap_or("null") {
        "string" => {
            let length = random.pick(&[0, 1, 3, 45]);
            json!(random.pick(&["a", "x", "5", "/", "Z"]).repeat(length))
        }
        "integer" => json!(random.pick(&[-1, 0, 1, 2, 5, 10, 50, 99, 100, 101, 1000])),
        "number" => json!(random.pick(&[0.0, 0.5, 1.5, -3.0, 100.5, 7.0])),
        "boolean" => json!(random.below(2) == 0),
        "null" => Value::Null,
        "array" => {
            let items = members.get("items").cloned().unwrap_or(json!(true));
            (0..random.below(5)).map(|_| inner(&items, random)).collect()
        }
        _ => Value::Object(object(members, &inner, random)),
    }
}

fn object(
    members: &Map<String, Value>,
    inner: &impl Fn(&Value, &mut Random) -> Value,
    random: &mut Random,
) -> Map<String, Value> {
    let mut call = Map::new();
    let required = members.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<&str> = required.filter_map(Value::as_str).collect();
    for (name, schema) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
        let is_given = (required.contains(&name.as_str()) && random.below(12) > 0) || random.below(3) == 0;
        if is_given {
            call.insert(name.clone(), inner(schema, random));
        }
    }
    for name in required {
        if !call.contains_key(name) && random.below(3) > 0 {
            call.insert(name.into(), json!("x"));
        }
    }
    if random.below(5) == 0 {
        let value = random.pick(&[json!("s"), json!(1), json!(true)]);
        call.insert(random.pick(&["extra", "x-a", "recursive", "zz"]).into(), value);
    }
    call
}
