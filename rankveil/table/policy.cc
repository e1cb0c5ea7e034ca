#include "rankveil/table/policy.h"

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/core.h>
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "rankveil/table/ids.h"
#include "rankveil/table/toml_text.h"

namespace rankveil {
namespace {

constexpr std::size_t largest_text = std::size_t{64} << 20;
constexpr std::size_t most_dots = 8;  // column.x.bins.edges has three
constexpr double smallest_weight = 1e-6, largest_weight = 1e6;

constexpr std::array<std::pair<Role, std::string_view>, 4> role_names = {{
    {Role::Id, "id"},
    {Role::Public, "public"},
    {Role::Private, "private"},
    {Role::Ignored, "ignored"},
}};

using Keys = std::vector<std::string_view>;
using Entry = std::pair<const toml::key*, const toml::node*>;

// Where a message points to.
struct Place {
  std::string_view source;
  std::uint32_t line;

  Error error(std::string_view message) const {
    return bad_input(fmt::format("{}, line {}: {}", source, line, message));
  }
};

// Reads the nodes of one document. `what` names the thing in messages, e.g. `weight of "age"`.
class Reader {
 public:
  explicit Reader(std::string_view source) : source_(source) {}

  Result<Policy> policy(const toml::table& root) const;

 private:
  Place at(const toml::source_region& region) const { return {source_, region.begin.line}; }
  Error error(const toml::node& node, std::string_view message) const {
    return at(node.source()).error(message);
  }

  Result<ColumnPolicy> column(const toml::key& name, const toml::node& node) const;
  Status fill(ColumnPolicy& column, const toml::table& table) const;
  Result<std::vector<ColumnPolicy>> columns(const toml::node& node) const;
  Result<Role> role(const toml::node& node, const std::string& what) const;
  Result<double> weight(const toml::node& node, const std::string& what) const;
  Result<std::vector<std::string>> domain(const toml::node& node, const std::string& what) const;
  Result<Binning> bins(const toml::node& node, const std::string& what) const;
  Result<BinEdges> edges(const toml::node& node, const std::string& what) const;
  Result<std::string> text(const toml::node& node, const std::string& what) const;
  Result<std::uint32_t> whole(const toml::node& node, const std::string& what, std::uint32_t least,
                              std::uint32_t most) const;
  Status only(const toml::table& table, const Keys& known, const std::string& where) const;
  Status one_id(const std::vector<ColumnPolicy>& columns) const;

  std::string_view source_;
};

std::string joined(const Keys& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list += i == 0 ? "" : i + 1 < names.size() ? ", " : " and ";
    list += names[i];
  }
  return list;
}

// The library sorts keys by name; the order of the file is that of the places.
std::vector<Entry> in_file_order(const toml::table& table) {
  std::vector<Entry> entries;
  for (const auto& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& left, const Entry& right) {
    const auto& a = left.first->source().begin;
    const auto& b = right.first->source().begin;
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
  return entries;
}

std::optional<double> number_of(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* real = node.as_floating_point()) return real->get();
  return std::nullopt;
}

std::string real_text(double number) {
  std::string text = fmt::format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

// How a table shows the value: 3, 0.5, true. None for dates, lists and numbers without digits.
std::optional<std::string> value_text(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* integer = node.as_integer()) return fmt::format("{}", integer->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  auto number = number_of(node);
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return real_text(*number);
}

Status Reader::only(const toml::table& table, const Keys& known, const std::string& where) const {
  for (const auto& [key, node] : in_file_order(table)) {
    if (std::find(known.begin(), known.end(), key->str()) != known.end()) continue;
    return at(key->source())
        .error(fmt::format("{} is not known {}; known are {}", toml_quoted(key->str()), where,
                           joined(known)));
  }
  return {};
}

Result<std::string> Reader::text(const toml::node& node, const std::string& what) const {
  const auto* text = node.as_string();
  if (text == nullptr || text->get().empty()) {
    return error(node, fmt::format("{} must be a name in quotes", what));
  }
  return text->get();
}

Result<std::uint32_t> Reader::whole(const toml::node& node, const std::string& what,
                                    std::uint32_t least, std::uint32_t most) const {
  const auto* number = node.as_integer();
  if (number == nullptr || number->get() < least || number->get() > most) {
    return error(node, fmt::format("{} must be a whole number from {} to {}", what, least, most));
  }
  return static_cast<std::uint32_t>(number->get());
}

Result<Role> Reader::role(const toml::node& node, const std::string& what) const {
  const auto* name = node.as_string();
  auto role = name == nullptr ? std::nullopt : role_from_name(name->get());
  if (role) return *role;
  std::string given = name == nullptr ? "" : ", not " + toml_quoted(name->get());
  return error(node, fmt::format("the role of {} must be \"id\", \"public\", \"private\" or "
                                 "\"ignored\"{}",
                                 what, given));
}

Result<double> Reader::weight(const toml::node& node, const std::string& what) const {
  auto number = number_of(node);
  if (number && *number >= smallest_weight && *number <= largest_weight) return *number;
  return error(node,
               fmt::format("the weight of {} must be a number from 0.000001 to 1000000", what));
}

Result<std::vector<std::string>> Reader::domain(const toml::node& node,
                                                const std::string& what) const {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || list->size() > largest_domain) {
    return error(node, fmt::format("the domain of {} must be a list of 1 to {} values; leave it "
                                   "out to take the values of the data",
                                   what, largest_domain));
  }
  std::vector<std::string> values;
  std::unordered_set<std::string> seen;
  for (const toml::node& item : *list) {
    auto value = value_text(item);
    if (!value) {
      return error(item, fmt::format("the domain of {} takes text; put the value in quotes", what));
    }
    if (!seen.insert(*value).second) {
      return error(item,
                   fmt::format("{} stands twice in the domain of {}", toml_quoted(*value), what));
    }
    values.push_back(std::move(*value));
  }
  return values;
}

Result<BinEdges> Reader::edges(const toml::node& node, const std::string& what) const {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || list->size() >= largest_domain) {
    return error(node, fmt::format("the edges of {} must be a list of 1 to {} numbers", what,
                                   largest_domain - 1));
  }
  BinEdges bins;
  for (const toml::node& item : *list) {
    auto edge = number_of(item);
    if (!edge || !std::isfinite(*edge)) {
      return error(item, fmt::format("the edges of {} must be finite numbers", what));
    }
    if (!bins.edges.empty() && *edge <= bins.edges.back()) {
      return error(item, fmt::format("the edges of {} must ascend, but {} comes after {}", what,
                                     *edge, bins.edges.back()));
    }
    bins.edges.push_back(*edge);
  }
  return bins;
}

Result<Binning> Reader::bins(const toml::node& node, const std::string& what) const {
  const Keys known = {"edges", "equal_width", "quantiles"};
  const auto* table = node.as_table();
  if (table == nullptr || table->size() != 1) {
    return error(node, fmt::format("the bins of {} must be one of {{ edges = [18, 25] }}, {{ "
                                   "equal_width = 8 }} and {{ quantiles = 4 }}",
                                   what));
  }
  if (auto fine = only(*table, known, "in the bins of " + what); !fine) return fine.error();
  const auto [name, content] = in_file_order(*table).front();
  const toml::key& key = *name;
  const toml::node& value = *content;
  if (key == "edges") {
    auto given = edges(value, what);
    return given ? Result<Binning>(std::move(*given)) : given.error();
  }
  auto count = whole(value, fmt::format("{} of {}", key.str(), what), 2, largest_domain);
  if (!count) return count.error();
  Binning bins;
  if (key == "quantiles") {
    bins.emplace<Quantiles>(Quantiles{*count});
  } else {
    bins.emplace<EqualWidth>(EqualWidth{*count});
  }
  return bins;
}

// Sets `target` from the key's node when there is one.
template <typename Read, typename Target>
Status take(const toml::table& table, std::string_view key, Target& target, Read read) {
  const toml::node* node = table.get(key);
  if (node == nullptr) return {};
  auto value = read(*node);
  if (!value) return value.error();
  target = std::move(*value);
  return {};
}

Status Reader::fill(ColumnPolicy& column, const toml::table& table) const {
  std::string what = "column " + toml_quoted(column.name);
  if (auto fine = only(table, {"role", "weight", "domain", "bins"}, "in " + what); !fine)
    return fine;
  const auto role_of = [&](const toml::node& node) { return role(node, what); };
  const auto weight_of = [&](const toml::node& node) { return weight(node, what); };
  const auto domain_of = [&](const toml::node& node) { return domain(node, what); };
  const auto bins_of = [&](const toml::node& node) { return bins(node, what); };
  if (auto done = take(table, "role", column.role, role_of); !done) return done;
  if (auto done = take(table, "weight", column.weight, weight_of); !done) return done;
  if (auto done = take(table, "domain", column.domain, domain_of); !done) return done;
  return take(table, "bins", column.bins, bins_of);
}

Result<ColumnPolicy> Reader::column(const toml::key& name, const toml::node& node) const {
  Place place = at(name.source());
  if (name.empty()) return place.error("a column needs a name");
  std::string what = "column " + toml_quoted(name.str());
  const auto* table = node.as_table();
  if (table == nullptr || !table->contains("role")) {
    return place.error(what + " needs a role, such as role = \"public\"");
  }
  ColumnPolicy column{.name = std::string(name.str())};
  if (auto done = fill(column, *table); !done) return done.error();
  bool has_bins = !std::holds_alternative<std::monostate>(column.bins);
  if (has_bins && !column.domain.empty()) {
    return place.error(what + " has a domain and bins; bins make their own domain, so keep one");
  }
  if (column.role == Role::Id && (has_bins || !column.domain.empty())) {
    return place.error(what + " is the id, which has neither domain nor bins");
  }
  return column;
}

Status Reader::one_id(const std::vector<ColumnPolicy>& columns) const {
  const ColumnPolicy* first = nullptr;
  for (const ColumnPolicy& column : columns) {
    if (column.role != Role::Id) continue;
    if (first != nullptr) {
      return bad_input(fmt::format("{}: columns {} and {} are both the id; keep one of them",
                                   source_, toml_quoted(first->name), toml_quoted(column.name)));
    }
    first = &column;
  }
  return {};
}

Result<std::vector<ColumnPolicy>> Reader::columns(const toml::node& node) const {
  const auto* table = node.as_table();
  if (table == nullptr) {
    return error(node, "columns are written as sections such as [column.city]");
  }
  std::vector<ColumnPolicy> columns;
  for (const auto& [name, content] : in_file_order(*table)) {
    auto read = column(*name, *content);
    if (!read) return read.error();
    columns.push_back(std::move(*read));
  }
  if (auto fine = one_id(columns); !fine) return fine.error();
  return columns;
}

Result<Policy> Reader::policy(const toml::table& root) const {
  if (auto fine = only(root, {"l", "scheme", "k", "column"}, "here"); !fine) return fine.error();
  constexpr std::uint32_t any = UINT32_MAX;
  const auto l_of = [&](const toml::node& node) { return whole(node, "l", 2, largest_domain); };
  const auto scheme_of = [&](const toml::node& node) { return text(node, "scheme"); };
  const auto k_of = [&](const toml::node& node) { return whole(node, "k", 1, any); };
  const auto columns_of = [&](const toml::node& node) { return columns(node); };
  Policy policy;
  if (auto done = take(root, "l", policy.l, l_of); !done) return done.error();
  if (auto done = take(root, "scheme", policy.scheme, scheme_of); !done) return done.error();
  if (auto done = take(root, "k", policy.k, k_of); !done) return done.error();
  if (auto done = take(root, "column", policy.columns, columns_of); !done) return done.error();
  return policy;
}

// What the TOML library would not survive, or would give the wrong line for.
Status check_text(std::string_view text, std::string_view source) {
  if (text.size() > largest_text) {
    return bad_input(
        fmt::format("{} has {} bytes; a policy has at most {}", source, text.size(), largest_text));
  }
  if (auto line = line_of_broken_utf8(text)) {
    return Place{source, static_cast<std::uint32_t>(*line)}.error("a policy must be UTF-8 text");
  }
  if (auto line = line_of_deep_key(text, most_dots)) {
    return Place{source, static_cast<std::uint32_t>(*line)}.error(
        "a key of so many parts is not known here; put names with dots in quotes");
  }
  return {};
}

}  // namespace

std::string_view role_name(Role role) { return role_names[static_cast<std::size_t>(role)].second; }

std::optional<Role> role_from_name(std::string_view name) {
  for (const auto& [role, known] : role_names) {
    if (name == known) return role;
  }
  return std::nullopt;
}

const ColumnPolicy* Policy::find(std::string_view column) const {
  for (const ColumnPolicy& candidate : columns) {
    if (candidate.name == column) return &candidate;
  }
  return nullptr;
}

Result<Policy> parse_policy(std::string_view text, std::string_view source) {
  if (auto fine = check_text(text, source); !fine) return fine.error();
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return Place{source, parsed.error().source().begin.line}.error(parsed.error().description());
  }
  return Reader(source).policy(parsed.table());
}

}  // namespace rankveil
