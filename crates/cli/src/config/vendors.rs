//! The sections that operators name themselves: vendors and their models.

use std::collections::BTreeMap;
use std::path::Path;

use kaiwa_provider::{VENDORS, Vendor};
use toml::Spanned;
use toml::de::DeValue;

use super::Models;
use super::reader::{ConfigReader, FileTable, nearest, shown};
use super::rule::{EnvName, HttpUrl, ValueRule, quote};
use super::section::{ModelSettings, VendorSettings};

/// The part of the file that holds the vendors.
const VENDORS_PART: &str = "vendors";

/// The part of a vendor's section that holds its models.
const MODELS_PART: &str = "models";

/// What the operator says of one vendor.
#[derive(Clone, PartialEq, Debug)]
pub struct NamedVendor {
    /// The vendor itself.
    pub settings: VendorSettings,
    /// Its models, by name.
    pub models: BTreeMap<String, ModelSettings>,
}

/// Reads every `[vendors.NAME]`, or `None` after a problem with one.
pub(super) fn read(
    reader: &mut ConfigReader<'_>,
    root: &FileTable<'_, '_>,
) -> Option<BTreeMap<String, NamedVendor>> {
    let sections = reader.sections(root, VENDORS_PART, VendorSettings::MANUAL.header);
    // Every section is read before any is missed: all problems are told.
    let vendors: Vec<_> = sections
        .into_iter()
        .map(|(name, part)| Some((name.to_owned(), read_vendor(reader, name, &part)?)))
        .collect();
    vendors.into_iter().collect()
}

fn read_vendor(
    reader: &mut ConfigReader<'_>,
    name: &str,
    part: &FileTable<'_, '_>,
) -> Option<NamedVendor> {
    let keys = [VendorSettings::MANUAL.names(), vec![MODELS_PART]].concat();
    reader.check_keys(part, &keys);
    if name.is_empty() || name.contains('/') || name.chars().any(char::is_control) {
        let advice = "the name is what stands before the slash in vendor/model";
        reader.object_to(part, "a vendor cannot be called that", advice);
    }
    let settings = VendorSettings::read(reader, part);
    let sections = reader.sections(part, MODELS_PART, ModelSettings::MANUAL.header);
    let models: Vec<_> = sections
        .into_iter()
        .map(|(model, part)| Some((model.to_owned(), read_model(reader, name, model, &part)?)))
        .collect();
    let settings = settings?;
    if settings.base_url.is_none() && !has_address(name) {
        let advice = "a server of your own needs an address, as in base_url = \"http://127.0.0.1:8080/v1\"; for a known vendor correct the name (`kaiwa provider list` shows them)";
        reader.object_to(part, "base_url is missing", advice);
        return None;
    }
    Some(NamedVendor {
        settings,
        models: models.into_iter().collect::<Option<_>>()?,
    })
}

fn read_model(
    reader: &mut ConfigReader<'_>,
    vendor: &str,
    model: &str,
    part: &FileTable<'_, '_>,
) -> Option<ModelSettings> {
    reader.check_keys(part, &ModelSettings::MANUAL.names());
    let settings = ModelSettings::read(reader, part)?;
    let card = Vendor::named(vendor).and_then(|vendor| vendor.card(model));
    let has_price = card.is_some_and(|card| card.price.is_some());
    if !has_price && !settings.is_priced_whole() {
        let advice = "give both input_price and output_price, or none";
        reader.object_to(part, "half a price", advice);
        return None;
    }
    Some(settings)
}

impl ModelSettings {
    /// Whether what it says about prices makes sense alone.
    const fn is_priced_whole(&self) -> bool {
        match (self.input_price, self.output_price) {
            (Some(_), Some(_)) => true,
            (None, None) => self.cached_price.is_none(),
            _ => false,
        }
    }
}

/// Whether the vendor needs no section.
fn has_address(name: &str) -> bool {
    Vendor::named(name).is_some_and(|vendor| vendor.base_url.is_some())
}

/// Tells of every role whose models nobody serves, and the lines they are on.
pub(super) fn check_roles(
    reader: &mut ConfigReader<'_>,
    root: &FileTable<'_, '_>,
    roles: &FileTable<'_, '_>,
    models: &Models,
) -> BTreeMap<&'static str, usize> {
    let own = root
        .find(VENDORS_PART)
        .and_then(|it| it.get_ref().as_table());
    let mut lines = BTreeMap::new();
    for (role, list) in models.roles() {
        lines.extend(reader.line(roles, role).map(|line| (role, line)));
        for name in list {
            let is_own = own.is_some_and(|own| own.contains_key(name.vendor.as_str()));
            if !is_own && !has_address(&name.vendor) {
                let words = format!("nobody serves {}", quote(&name.to_string()));
                reader.object(roles, role, words, unknown_vendor(&name.vendor));
            }
        }
    }
    lines
}

/// What to do about a vendor that nobody knows.
pub fn unknown_vendor(name: &str) -> String {
    let names: Vec<&str> = VENDORS
        .iter()
        .filter(|vendor| vendor.base_url.is_some())
        .map(|vendor| vendor.name)
        .collect();
    let meant = nearest(name, &names).map(|near| format!("did you mean `{near}`? "));
    format!(
        "{}known vendors are {}; for a server of your own add [vendors.{}] with its base_url",
        meant.unwrap_or_default(),
        names.join(", "),
        shown(name)
    )
}

/// Tells what to write instead of a section `[provider]`, if there is one.
pub(super) fn check_provider(reader: &mut ConfigReader<'_>, root: &FileTable<'_, '_>) {
    if root.find("provider").is_none() {
        return;
    }
    let part = reader.section(root, "provider", "provider");
    let value = |key: &str| part.find(key).map(Spanned::get_ref);
    // Only what keeps to the rules is repeated: somebody may have put a secret
    // in the wrong place.
    let url = value("base_url").and_then(|url| HttpUrl::read(url, Path::new("")).ok());
    let key_env = value("key_env").and_then(|name| EnvName::read(name, Path::new("")).ok());
    let vendor = url.as_ref().map_or("ollama", |url| Vendor::at(url).name);
    let model = value("model").and_then(DeValue::as_str);
    let model = model.unwrap_or("llama3.2");
    let mut instead = format!("[models] chat = {}", quote(&format!("{vendor}/{model}")));
    let mut settings = Vec::new();
    if let Some(url) = url.filter(|_| !has_address(vendor)) {
        settings.push(format!("base_url = {}", quote(url.as_str())));
    }
    if let Some(name) = key_env {
        settings.push(format!("key_env = {}", quote(&name)));
    }
    if !settings.is_empty() {
        instead = format!("{instead} and [vendors.{vendor}] {}", settings.join(", "));
    }
    let advice = format!("write {instead} instead");
    reader.object_to(&part, "there is no such section", &advice);
}
