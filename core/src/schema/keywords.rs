//! What is known of the keywords of JSON Schema.

use crate::text::value::{Data, Object, Value};

/// Keywords that say nothing about which values are accepted, and names that generators add for people and forms.
const ANNOTATIONS: [&str; 26] = [
    "$anchor",
    "$comment",
    "$defs",
    "$id",
    "$schema",
    "$vocabulary",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "enumDescriptions",
    "enumNames",
    "errorMessage",
    "example",
    "examples",
    "externalDocs",
    "id",
    "markdownDescription",
    "readOnly",
    "title",
    "writeOnly",
    "xml",
];

/// Whether a keyword says nothing about which values are accepted.
pub(super) fn is_annotation(keyword: &str) -> bool {
    keyword.starts_with("x-") || ANNOTATIONS.contains(&keyword)
}

/// Whether two schemas have the same keywords with the same arguments, annotations apart, at any depth.
pub(super) fn says_the_same(a: &Value, b: &Value) -> bool {
    let (Data::Object(a), Data::Object(b)) = (&a.data, &b.data) else { return a == b };
    let said = |members: &Object| members.iter().filter(|(keyword, _)| !is_annotation(keyword)).count();
    let is_in_b = |(keyword, argument): (&str, &Value)| {
        is_annotation(keyword) || b.get(keyword).is_some_and(|other| is_same_argument(keyword, argument, other))
    };
    a.iter().all(is_in_b) && said(a) == said(b)
}

fn is_same_argument(keyword: &str, a: &Value, b: &Value) -> bool {
    match (keyword, &a.data, &b.data) {
        ("properties" | "patternProperties" | "dependentSchemas", Data::Object(a), Data::Object(b)) => {
            let is_in_b =
                |(name, schema): (&str, &Value)| b.get(name).is_some_and(|other| says_the_same(schema, other));
            a.len() == b.len() && a.iter().all(is_in_b)
        }
        ("allOf" | "anyOf" | "oneOf" | "prefixItems" | "items", Data::Array(a), Data::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| says_the_same(a, b))
        }
        (
            "items"
            | "additionalItems"
            | "additionalProperties"
            | "unevaluatedItems"
            | "unevaluatedProperties"
            | "contains"
            | "propertyNames"
            | "not"
            | "if"
            | "then"
            | "else",
            ..,
        ) => says_the_same(a, b),
        _ => a == b,
    }
}

/// The only kind of values that a keyword speaks of, if it is one.
pub(super) fn kind_of(keyword: &str) -> Option<&'static str> {
    Some(match keyword {
        "minLength" | "maxLength" | "pattern" | "format" => "string",
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => "number",
        "items" | "prefixItems" | "additionalItems" | "minItems" | "maxItems" | "uniqueItems" | "contains"
        | "minContains" | "maxContains" | "unevaluatedItems" => "array",
        "properties"
        | "patternProperties"
        | "additionalProperties"
        | "required"
        | "minProperties"
        | "maxProperties"
        | "propertyNames"
        | "dependentRequired"
        | "dependentSchemas"
        | "dependencies"
        | "unevaluatedProperties" => "object",
        _ => return None,
    })
}

/// Whether a keyword is known, and its argument is what it should be.
pub(super) fn is_well_formed(keyword: &str, argument: &Value) -> bool {
    let is_schema = |value: &Value| matches!(value.data, Data::Object(_) | Data::Bool(_));
    match keyword {
        "$ref" | "pattern" | "format" => argument.as_str().is_some(),
        "const" => true,
        "enum" | "allOf" | "anyOf" | "oneOf" | "prefixItems" => argument.as_array().is_some(),
        "type" => argument.as_str().is_some() || is_list_of_texts(argument),
        "required" => is_list_of_texts(argument),
        "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" | "multipleOf" => argument.as_f64().is_some(),
        "minLength" | "maxLength" | "minItems" | "maxItems" | "minContains" | "maxContains" | "minProperties"
        | "maxProperties" => argument.as_index().is_some(),
        "uniqueItems" => argument.as_bool().is_some(),
        "properties" | "patternProperties" | "dependentRequired" | "dependentSchemas" | "dependencies" => {
            argument.as_object().is_some()
        }
        "items" => is_schema(argument) || argument.as_array().is_some(),
        "additionalItems"
        | "additionalProperties"
        | "unevaluatedItems"
        | "unevaluatedProperties"
        | "contains"
        | "propertyNames"
        | "not"
        | "if"
        | "then"
        | "else" => is_schema(argument),
        _ => false,
    }
}

fn is_list_of_texts(argument: &Value) -> bool {
    argument.as_array().is_some_and(|items| items.iter().all(|item| item.as_str().is_some()))
}
