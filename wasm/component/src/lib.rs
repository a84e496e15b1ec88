//! Gatewright as a WebAssembly component: the interfaces of `wit/`, each function one of the core's.
//!
//! Nothing is decided here. `convert` turns the records of `wit/` into the core's types and back, and `bindings` is
//! generated from `wit/`. The component imports nothing.

mod bindings;
mod convert;

use bindings::exports::gatewright::core::types::{
    Drift, Endpoint, Error, Profile, Server, Severity, SurfaceHashes, ToolReport,
};
use bindings::exports::gatewright::core::{canonical, drift, lockfile, meta, schema, snapshot, surface};
use lockfile::Verification;
use meta::{Rule, SpecVersion};
use schema::SchemaWidenings;
use snapshot::CheckedDrift;

/// What `bindings` exports.
struct Component;

impl canonical::Guest for Component {
    fn canonicalize(json: String) -> Result<String, Error> {
        Ok(gatewright::canonicalize(json.as_bytes())?)
    }

    fn digest(json: String) -> Result<String, Error> {
        Ok(gatewright::digest(json.as_bytes())?.to_string())
    }
}

impl surface::Guest for Component {
    fn hash_tool(tool: String) -> Result<ToolReport, Error> {
        Ok(gatewright::hash_tool(tool.as_bytes())?.into())
    }

    fn hash_surface(surface: String) -> Result<SurfaceHashes, Error> {
        Ok(gatewright::hash_surface(surface.as_bytes())?.into())
    }
}

impl lockfile::Guest for Component {
    fn parse(text: String) -> Result<String, Error> {
        Ok(gatewright::parse_lockfile(text.as_bytes())?)
    }

    fn build(servers: Vec<Server>, now: String) -> Result<String, Error> {
        Ok(gatewright::build_lockfile(&convert::servers(servers)?, &now)?)
    }

    fn update(text: String, servers: Vec<Server>, now: String, whole_set: bool) -> Result<String, Error> {
        Ok(gatewright::update_lockfile(text.as_bytes(), &convert::servers(servers)?, &now, whole_set)?)
    }

    fn verify(text: String, servers: Vec<Server>, whole_set: bool) -> Result<Verification, Error> {
        Ok(gatewright::verify_lockfile(text.as_bytes(), &convert::servers(servers)?, whole_set)?.into())
    }
}

impl snapshot::Guest for Component {
    fn build(
        name: String,
        surface: String,
        endpoint: Option<Endpoint>,
        now: String,
        previous: Option<String>,
    ) -> Result<String, Error> {
        let surface = gatewright::Surface::parse(surface.as_bytes()).map_err(convert::within("the surface"))?;
        let endpoint = endpoint.map(gatewright::Endpoint::from);
        let previous = previous.as_ref().map(String::as_bytes);
        Ok(gatewright::build_snapshot(&name, &surface, endpoint.as_ref(), &now, previous)?)
    }

    fn check(
        text: String,
        surface: String,
        endpoint: Option<Endpoint>,
        profile: Profile,
        fail_on: Severity,
    ) -> Result<CheckedDrift, Error> {
        let surface = gatewright::Surface::parse(surface.as_bytes()).map_err(convert::within("the surface"))?;
        let endpoint = endpoint.map(gatewright::Endpoint::from);
        let drift = gatewright::check_snapshot(text.as_bytes(), &surface, endpoint.as_ref(), profile.into())
            .map_err(convert::within("the snapshot"))?;
        Ok(CheckedDrift { fails: drift.fails(fail_on.into()), drift: drift.into() })
    }
}

impl drift::Guest for Component {
    fn classify(before: String, after: String, profile: Profile) -> Result<Drift, Error> {
        let before = gatewright::Surface::parse(before.as_bytes()).map_err(convert::within("the surface `before`"))?;
        let after = gatewright::Surface::parse(after.as_bytes()).map_err(convert::within("the surface `after`"))?;
        Ok(gatewright::classify_drift(&before, &after, profile.into()).into())
    }
}

impl schema::Guest for Component {
    fn widenings(before: String, after: String) -> Result<SchemaWidenings, Error> {
        Ok(gatewright::schema_widenings(before.as_bytes(), after.as_bytes())?.into())
    }
}

impl meta::Guest for Component {
    fn version() -> String {
        gatewright::VERSION.to_owned()
    }

    fn spec_versions() -> Vec<SpecVersion> {
        convert::spec_versions(gatewright::SPEC_VERSIONS)
    }

    fn rules() -> Vec<Rule> {
        gatewright::rules().map(Rule::from).collect()
    }

    fn explain(rule: String) -> Result<String, Error> {
        Ok(gatewright::explain(&rule)?)
    }
}
