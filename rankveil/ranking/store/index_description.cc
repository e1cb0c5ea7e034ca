#include "rankveil/ranking/store/index_description.h"

#include <fmt/core.h>

#include <array>

namespace rankveil {

namespace {

constexpr std::array<std::string_view, 3> name_kinds = {"counted", "offsets", "text"};

SegmentDescription describe(const SegmentSlot& slot) {
  const SegmentNames& names = slot.segment->names;
  SegmentDescription made{
      slot.segment->rows, name_kind(names), first_name(names), {}, false, {}, {}};
  for (const auto& planes : slot.segment->attributes) made.domains.push_back(planes.domain_size());
  made.reach = slot.segment->reach.has_value();
  if (slot.segment->group_columns) made.columns = slot.segment->group_columns->first_halved;
  if (slot.segment->bounds) {
    made.bounds.emplace();
    for (const auto& extra : slot.segment->bounds->extras()) made.bounds->push_back(extra.step);
  }
  return made;
}

Json to_json(const Attribute& attribute) {
  Json::Array values;
  for (const std::string& value : attribute.domain.values()) values.emplace_back(value);
  Json json;
  json.set("name", attribute.name);
  json.set("visibility", attribute.is_private() ? "private" : "public");
  json.set("weight", attribute.weight);
  json.set("values", std::move(values));
  return json;
}

Json::Array steps_of(const std::vector<std::uint32_t>& extras) {
  Json::Array steps;
  for (std::uint32_t step : extras) steps.emplace_back(step);
  return steps;
}

Json to_json(const SegmentDescription& segment) {
  Json::Array domains;
  for (std::uint32_t size : segment.domains) domains.emplace_back(size);
  Json json;
  json.set("rows", segment.rows);
  json.set("names", name_kinds[static_cast<std::size_t>(segment.names)]);
  json.set("first_name", segment.first_name);
  json.set("domains", std::move(domains));
  json.set("reach", segment.reach);
  json.set("columns", segment.columns ? Json(*segment.columns) : Json());
  json.set("bounds", segment.bounds ? Json(steps_of(*segment.bounds)) : Json());
  return json;
}

// ---- reading: the first thing that is wrong is remembered, the rest reads on harmlessly ----

class Reader {
 public:
  bool failed() const { return !problem_.empty(); }
  Error error() const { return bad_input("its description " + problem_); }
  void fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
  }

  const Json& member(const Json& json, const char* name) {
    static const Json nothing;
    const Json* found = json.find(name);
    if (found == nullptr) fail(fmt::format("lacks \"{}\"", name));
    return found == nullptr ? nothing : *found;
  }
  std::int64_t integer(const Json& json, const char* name, std::int64_t low, std::int64_t high) {
    const auto* number = member(json, name).as_integer();
    if (number == nullptr || *number < low || *number > high) {
      fail(fmt::format("has no sensible \"{}\"", name));
      return low;
    }
    return *number;
  }
  std::uint32_t count(const Json& json, const char* name, std::int64_t low, std::int64_t high) {
    return static_cast<std::uint32_t>(integer(json, name, low, high));
  }
  std::string text(const Json& json, const char* name) {
    const auto* found = member(json, name).as_text();
    if (found == nullptr) fail(fmt::format("has no text \"{}\"", name));
    return found == nullptr ? std::string() : *found;
  }
  const Json::Array& array(const Json& json, const char* name) {
    static const Json::Array nothing;
    const auto* found = member(json, name).as_array();
    if (found == nullptr) fail(fmt::format("has no list \"{}\"", name));
    return found == nullptr ? nothing : *found;
  }

 private:
  std::string problem_;
};

Attribute read_attribute(const Json& json, Reader& reader) {
  Attribute attribute;
  attribute.name = reader.text(json, "name");
  std::string visibility = reader.text(json, "visibility");
  if (visibility != "public" && visibility != "private") reader.fail("has an unknown visibility");
  attribute.visibility = visibility == "private" ? Visibility::Private : Visibility::Public;
  auto weight = reader.member(json, "weight").as_number();
  attribute.weight = weight.value_or(0);
  std::vector<std::string> values;
  for (const Json& value : reader.array(json, "values")) {
    const auto* text = value.as_text();
    if (text == nullptr) reader.fail("has a value that is no text");
    values.push_back(text == nullptr ? std::string() : *text);
  }
  auto domain = Domain::of(std::move(values));
  if (!domain) reader.fail("has a domain that does not work");
  if (domain) attribute.domain = std::move(*domain);
  return attribute;
}

Schema read_schema(const Json& json, Reader& reader) {
  Schema schema;
  schema.id_name = reader.text(json, "id");
  bool was_private = false;
  for (const Json& item : reader.array(json, "attributes")) {
    schema.attributes.push_back(read_attribute(item, reader));
    bool is_private = schema.attributes.back().is_private();
    if (was_private && !is_private) reader.fail("lists a public attribute behind a private one");
    was_private = is_private;
  }
  if (!check_weights(schema)) reader.fail("has weights that do not work");
  return schema;
}

// The steps of at most two extras.
std::vector<std::uint32_t> read_steps(const Json& json, Reader& reader) {
  std::vector<std::uint32_t> steps;
  const auto* items = json.as_array();
  if (items == nullptr || items->size() > 2) reader.fail("has bounds that do not work");
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    const auto* step = (*items)[i].as_integer();
    bool fits = step != nullptr && *step > 0 && *step <= UINT16_MAX;
    if (!fits) reader.fail("has bounds with steps that do not work");
    steps.push_back(fits ? static_cast<std::uint32_t>(*step) : 1);
  }
  return steps;
}

void read_shapes(const Json& json, SegmentDescription& segment, Reader& reader) {
  const auto* reach = reader.member(json, "reach").as_bool();
  if (reach == nullptr) reader.fail("does not say whether runs have planes");
  segment.reach = reach != nullptr && *reach;
  if (!reader.member(json, "columns").is_null()) {
    segment.columns = reader.count(json, "columns", 0, UINT32_MAX);
  }
  const Json& bounds = reader.member(json, "bounds");
  if (!bounds.is_null()) segment.bounds = read_steps(bounds, reader);
}

SegmentDescription read_segment(const Json& json, const Schema& schema, Reader& reader) {
  SegmentDescription segment{};
  segment.rows = reader.count(json, "rows", 0, max_rows);
  segment.first_name = reader.integer(json, "first_name", INT64_MIN, INT64_MAX);
  std::string names = reader.text(json, "names");
  auto found = std::find(name_kinds.begin(), name_kinds.end(), names);
  if (found == name_kinds.end()) reader.fail("has an unknown kind of names");
  segment.names = static_cast<NameKind>((found - name_kinds.begin()) % 3);
  const auto& domains = reader.array(json, "domains");
  if (domains.size() != schema.size()) reader.fail("has a segment with other attributes");
  for (std::size_t i = 0; i < domains.size() && i < schema.size(); ++i) {
    const auto* size = domains[i].as_integer();
    bool fits = size != nullptr && *size >= 0 && *size <= schema.attributes[i].domain.size();
    if (!fits) reader.fail("has a segment with a larger domain than its attribute");
    segment.domains.push_back(fits ? static_cast<std::uint32_t>(*size) : 0);
  }
  read_shapes(json, segment, reader);
  return segment;
}

void read_profiles(const Json& json, IndexDescription& made, Reader& reader) {
  std::string kind = reader.text(json, "kind");
  made.grouped = kind == "grouped";
  if (!made.grouped && kind != "levels") reader.fail("has an unknown kind of profiles");
  made.levels = reader.count(json, "levels", 1, max_steps);
  if (made.grouped) {
    made.keep.denominator =
        reader.count(json, "keep_denominator", 1, max_steps / std::max(1U, made.levels));
    made.keep.numerator = reader.count(json, "keep_numerator", 0, made.keep.denominator);
    made.groups = reader.count(json, "groups", 0, max_rows);
  }
}

IndexInfo read_info(const Json& json, Reader& reader) {
  IndexInfo info;
  info.scheme = reader.text(json, "scheme");
  info.l = reader.count(json, "l", 0, UINT32_MAX);
  info.default_k = reader.count(json, "k", 0, UINT32_MAX);
  info.notes = reader.member(json, "notes");
  return info;
}

}  // namespace

NameKind name_kind(const SegmentNames& names) { return static_cast<NameKind>(names.index()); }

std::int64_t first_name(const SegmentNames& names) {
  if (const auto* counted = std::get_if<CountedNames>(&names)) return counted->first;
  if (const auto* offsets = std::get_if<OffsetNames>(&names)) return offsets->base;
  return 0;
}

IndexDescription describe(const Index::State& state) {
  IndexDescription made{state.schema,
                        state.info,
                        state.kind.grouped,
                        state.kind.levels,
                        state.kind.keep,
                        state.kind.shares.groups(),
                        {}};
  for (const SegmentSlot& slot : state.slots) made.segments.push_back(describe(slot));
  return made;
}

Json to_json(const IndexDescription& description) {
  Json info;
  info.set("scheme", description.info.scheme);
  info.set("l", description.info.l);
  info.set("k", description.info.default_k);
  info.set("notes", description.info.notes);
  Json profiles;
  profiles.set("kind", description.grouped ? "grouped" : "levels");
  profiles.set("levels", description.levels);
  if (description.grouped) {
    profiles.set("keep_numerator", description.keep.numerator);
    profiles.set("keep_denominator", description.keep.denominator);
    profiles.set("groups", description.groups);
  }
  Json::Array attributes;
  for (const Attribute& attribute : description.schema.attributes) {
    attributes.push_back(to_json(attribute));
  }
  Json::Array segments;
  for (const auto& segment : description.segments) segments.push_back(to_json(segment));
  Json json;
  json.set("info", std::move(info));
  json.set("id", description.schema.id_name);
  json.set("attributes", std::move(attributes));
  json.set("profiles", std::move(profiles));
  json.set("segments", std::move(segments));
  return json;
}

Result<IndexDescription> description_from_json(const Json& json) {
  Reader reader;
  IndexDescription made{};
  made.levels = 1;
  made.schema = read_schema(json, reader);
  made.info = read_info(reader.member(json, "info"), reader);
  read_profiles(reader.member(json, "profiles"), made, reader);
  std::int64_t rows = 0;
  for (const Json& item : reader.array(json, "segments")) {
    made.segments.push_back(read_segment(item, made.schema, reader));
    rows += made.segments.back().rows;
    if (rows > max_rows) reader.fail("has too many rows");
  }
  if (reader.failed()) return reader.error();
  return made;
}

}  // namespace rankveil
