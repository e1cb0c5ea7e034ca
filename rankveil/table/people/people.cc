// How rows are drawn: attribute after attribute, each from the shares that fit the values its
// parents got. Row r of seed s reads its own random stream, so it never depends on other rows.
#include "rankveil/table/people/people.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

#include "rankveil/base/random.h"
#include "rankveil/table/people/people_model.h"

namespace rankveil {
namespace {

constexpr std::uint32_t fewest_attributes = 4, max_attributes = 20;
constexpr std::size_t max_values = 16, max_drawn = 32;

// Chances are multiples of 2^-30: they fit a signed number, which every vector unit compares.
constexpr int chance_bits = 30;

// Entry v is the chance of a value up to v; entries behind the last value are 1.
using Cumulative = std::array<std::int32_t, max_values>;

std::uint32_t pick(const Cumulative& cumulative, std::int32_t at) {
  std::uint32_t value = 0;
  for (std::int32_t bound : cumulative) value += bound <= at ? 1 : 0;
  return value;
}

bool names_value(std::string_view list, std::string_view value) {
  while (!list.empty()) {
    std::string_view name = list.substr(0, list.find('|'));
    if (name == value) return true;
    list.remove_prefix(std::min(list.size(), name.size() + 1));
  }
  return false;
}

Cumulative cumulative_of(const std::vector<std::uint64_t>& parts) {
  unsigned __int128 total = 0;
  for (std::uint64_t part : parts) total += part;
  assert(total > 0 && "some value must be possible");
  Cumulative cumulative;
  cumulative.fill(std::int32_t{1} << chance_bits);
  unsigned __int128 sum = 0;
  for (std::size_t value = 0; value < parts.size(); ++value) {
    sum += parts[value];
    cumulative[value] = static_cast<std::int32_t>((sum << chance_bits) / total);
  }
  return cumulative;
}

// One attribute, ready to draw: a list of chances for every combination of parent values.
class Sampler {
 public:
  Sampler(const std::vector<PeopleAttribute>& model, std::size_t index) : model_(model[index]) {
    std::size_t combinations = 1;
    for (const Influence& influence : model_.influences) {
      std::size_t parent = index_of(model, influence.parent);
      assert(parent < index && "parents come first");
      parents_.push_back({parent, combinations});
      combinations *= model[parent].shares.size();
    }
    for (std::size_t i = 0; i < combinations; ++i) {
      chances_.push_back(cumulative_of(parts(model, i)));
    }
  }

  // `values` holds what was drawn for the attributes further up.
  std::uint32_t draw(const std::array<std::uint8_t, max_drawn>& values, std::uint64_t bits) const {
    std::size_t combination = 0;
    for (const Parent& parent : parents_) combination += values[parent.index] * parent.stride;
    return pick(chances_[combination], static_cast<std::int32_t>(bits >> (64 - chance_bits)));
  }

  // Uses bits that `draw` leaves alone.
  bool is_missing(std::uint64_t bits) const {
    return (bits & 0xFFFF) * 1000 < std::uint64_t{model_.missing_per_mille} << 16;
  }

  std::uint8_t missing_code() const { return static_cast<std::uint8_t>(model_.shares.size()); }

 private:
  struct Parent {
    std::size_t index;
    std::size_t stride;
  };

  static std::size_t index_of(const std::vector<PeopleAttribute>& model, std::string_view name) {
    auto is_it = [&](const PeopleAttribute& attribute) { return attribute.name == name; };
    auto found = std::find_if(model.begin(), model.end(), is_it);
    assert(found != model.end() && "an influence names an attribute");
    return static_cast<std::size_t>(found - model.begin());
  }

  std::string_view parent_value(const std::vector<PeopleAttribute>& model, std::size_t influence,
                                std::size_t combination) const {
    const auto& shares = model[parents_[influence].index].shares;
    return shares[combination / parents_[influence].stride % shares.size()].value;
  }

  std::vector<std::uint64_t> parts(const std::vector<PeopleAttribute>& model,
                                   std::size_t combination) const {
    std::vector<std::uint64_t> parts;
    for (const Share& share : model_.shares) parts.push_back(std::uint64_t{share.parts} << 20);
    for (std::size_t i = 0; i < parents_.size(); ++i) {
      tilt(model_.influences[i], parent_value(model, i, combination), parts);
    }
    return parts;
  }

  void tilt(const Influence& influence, std::string_view given,
            std::vector<std::uint64_t>& parts) const {
    for (const Tilt& tilt : influence.tilts) {
      if (!names_value(tilt.given, given)) continue;
      for (std::size_t value = 0; value < parts.size(); ++value) {
        if (!names_value(tilt.values, model_.shares[value].value)) continue;
        parts[value] = parts[value] * tilt.percent / 100;
      }
    }
  }

  const PeopleAttribute& model_;
  std::vector<Parent> parents_;
  std::vector<Cumulative> chances_;
};

std::vector<Sampler> samplers() {
  const auto& model = people_attributes();
  assert(model.size() <= max_drawn && "a row's values fit their array");
  std::vector<Sampler> samplers;
  for (std::size_t i = 0; i < model.size(); ++i) samplers.emplace_back(model, i);
  return samplers;
}

// Positions in the model of the attributes that a table of `count` attributes has.
std::vector<std::size_t> chosen_attributes(std::uint32_t count) {
  const auto& model = people_attributes();
  std::vector<std::size_t> chosen;
  std::uint32_t left_public = (count + 1) / 2;
  std::uint32_t left_private = count / 2;
  for (std::size_t i = 0; i < model.size(); ++i) {
    if (model[i].shown == Shown::Hidden) continue;
    std::uint32_t& left = model[i].shown == Shown::Public ? left_public : left_private;
    if (left == 0) continue;
    --left;
    chosen.push_back(i);
  }
  return chosen;
}

Domain domain_of(const PeopleAttribute& model) {
  std::vector<std::string> values;
  for (const Share& share : model.shares) values.emplace_back(share.value);
  return *Domain::of(std::move(values));
}

Schema schema_of(const std::vector<std::size_t>& chosen) {
  Schema schema;
  schema.id_name = "id";
  for (std::size_t i : chosen) {
    const PeopleAttribute& model = people_attributes()[i];
    auto visibility = model.shown == Shown::Private ? Visibility::Private : Visibility::Public;
    schema.attributes.push_back({std::string(model.name), visibility, 1, domain_of(model)});
  }
  return schema;
}

// Scrambled twice, so that neither neighbouring rows nor neighbouring seeds share a stream.
Rng row_stream(std::uint64_t seed, std::uint64_t row) { return Rng(Rng(Rng(seed)() + row)()); }

using Codes = std::vector<std::vector<std::uint8_t>>;

// `codes` has a list for every attribute of the model; those not chosen are empty.
void draw_row(const std::vector<Sampler>& samplers, std::uint64_t seed, std::uint32_t row,
              Codes& codes) {
  Rng rng = row_stream(seed, row);
  std::array<std::uint8_t, max_drawn> values;
  for (std::size_t i = 0; i < samplers.size(); ++i) {
    std::uint64_t bits = rng();
    values[i] = static_cast<std::uint8_t>(samplers[i].draw(values, bits));
    if (codes[i].empty()) continue;
    codes[i][row] = samplers[i].is_missing(bits) ? samplers[i].missing_code() : values[i];
  }
}

std::vector<Column> draw_columns(const PeopleOptions& options,
                                 const std::vector<std::size_t>& chosen) {
  const auto samplers = rankveil::samplers();
  Codes codes(samplers.size());
  for (std::size_t i : chosen) codes[i].resize(options.rows);
  for (std::uint32_t row = 0; row < options.rows; ++row) {
    draw_row(samplers, options.seed, row, codes);
  }
  std::vector<Column> columns;
  columns.reserve(chosen.size());
  for (std::size_t i : chosen)
    columns.emplace_back(samplers[i].missing_code(), std::move(codes[i]));
  return columns;
}

RowNames ids_from_one(std::uint32_t rows) {
  IntegerNames names;
  names.values.resize(rows);
  for (std::uint32_t row = 0; row < rows; ++row) names.values[row] = std::int64_t{row} + 1;
  return RowNames(std::move(names));
}

}  // namespace

Result<Table> generate_people(const PeopleOptions& options) {
  if (options.attributes < fewest_attributes || options.attributes > max_attributes) {
    return wrong_use(fmt::format("people have {} to {} attributes, not {}", fewest_attributes,
                                 max_attributes, options.attributes));
  }
  auto chosen = chosen_attributes(options.attributes);
  auto columns = draw_columns(options, chosen);
  return Table(schema_of(chosen), std::move(columns), ids_from_one(options.rows));
}

namespace {

// The first public columns, fewer on every rung: gender, age and city make groups that a few
// hundred people share.
std::vector<std::vector<std::string>> people_ladder(const Schema& schema) {
  std::vector<std::vector<std::string>> ladder;
  for (std::uint32_t width : {3, 2, 1}) {
    if (width >= schema.public_count()) continue;
    auto& rung = ladder.emplace_back();
    for (std::uint32_t i = 0; i < width; ++i) rung.push_back(schema.attributes[i].name);
  }
  return ladder;
}

// Where the model makes public columns tell much of a private one, its policy says so.
std::vector<std::string> known_of(const Schema& schema, std::string_view attribute) {
  using Columns = std::vector<std::string_view>;
  static const std::vector<std::pair<std::string_view, Columns>> told = {
      {"religion", {"city", "age_band"}},
      {"income", {"age_band", "education", "occupation", "city", "gender"}},
      {"politics", {"city", "age_band", "education", "gender"}},
      {"smokes", {"age_band", "education"}},
      {"has_kids", {"age_band", "gender"}},
      {"past_partners", {"age_band", "gender"}},
  };
  std::vector<std::string> known;
  for (const auto& [name, columns] : told) {
    if (name != attribute) continue;
    for (std::string_view column : columns) {
      auto found = schema.find(column);
      if (found && !schema[*found].is_private()) known.emplace_back(column);
    }
  }
  return known;
}

}  // namespace

Policy people_policy(const Schema& schema) {
  Policy policy{.l = 3, .scheme = "swap", .k = 10, .ladder = people_ladder(schema)};
  policy.names_scheme = true;
  policy.columns.push_back({.name = schema.id_name, .role = Role::Id});
  for (const Attribute& attribute : schema.attributes) {
    policy.columns.push_back({.name = attribute.name,
                              .role = attribute.is_private() ? Role::Private : Role::Public,
                              .weight = attribute.weight,
                              .domain = attribute.domain.values()});
    if (attribute.is_private()) policy.columns.back().known_from = known_of(schema, attribute.name);
  }
  return policy;
}

}  // namespace rankveil
