#include "rankveil/protect/ledger.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <span>

#include "rankveil/base/file.h"
#include "rankveil/base/key_file.h"
#include "rankveil/protect/report_json.h"

namespace rankveil {

namespace {

constexpr std::string_view kind = "rankveil ledger";
constexpr int version = 1;
constexpr std::string_view status_letters = "swxg";

std::string escaped(std::string_view name) {
  std::string text;
  for (char c : name) {
    if (c == '\n') {
      text += "\\n";
    } else if (c == '\\') {
      text += "\\\\";
    } else {
      text += c;
    }
  }
  return text;
}

std::string unescaped(std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool marked = text[i] == '\\' && i + 1 < text.size();
    if (marked) ++i;
    name += marked && text[i] == 'n' ? '\n' : text[i];
  }
  return name;
}

Json shares_json(const Ledger& ledger) {
  Json::Object attributes;
  for (const auto& [attribute, values] : ledger.shares) {
    Json::Object counts;
    for (const auto& [value, count] : values) counts.emplace_back(value, Json(count));
    attributes.emplace_back(attribute, Json(std::move(counts)));
  }
  return Json(std::move(attributes));
}

Json ladder_json(const Ledger& ledger) {
  if (!ledger.ladder) return Json();
  Json::Array rungs;
  for (const auto& columns : *ledger.ladder) rungs.push_back(json_texts(columns));
  return rungs;
}

// Counts as one list: a value's place, its rows, the next place, ...
Json group_json(const FrozenGroup& group) {
  Json::Array values, counts;
  for (const auto& value : group.values) values.push_back(value ? Json(*value) : Json());
  for (const auto& attribute : group.counts) {
    Json::Array flat;
    for (const auto& [place, rows] : attribute) {
      flat.emplace_back(place);
      flat.emplace_back(rows);
    }
    counts.emplace_back(std::move(flat));
  }
  return Json()
      .set("values", std::move(values))
      .set("group", group.number)
      .set("rows", group.rows)
      .set("counts", std::move(counts));
}

Json groups_json(const Ledger& ledger) {
  if (!ledger.groups) return Json();
  Json::Array rungs;
  for (const FrozenRung& rung : *ledger.groups) {
    Json::Array groups;
    for (const FrozenGroup& group : rung.groups) groups.push_back(group_json(group));
    rungs.push_back(
        Json().set("columns", json_texts(rung.columns)).set("groups", std::move(groups)));
  }
  return rungs;
}

std::string head_of(const Ledger& ledger) {
  return Json()
             .set("kind", kind)
             .set("version", version)
             .set("parameters", ledger.parameters)
             .set("release", ledger.release)
             .set("build", ledger.build)
             .set("left_out", json_texts(ledger.left_out))
             .set("ladder", ladder_json(ledger))
             .set("rows", ledger.rows.size())
             .set("share_rows", ledger.share_rows)
             .set("shares", shares_json(ledger))
             .set("told", ledger.told ? report_to_json(*ledger.told) : Json())
             .set("groups", groups_json(ledger))
             .dump(-1) +
         "\n";
}

// "0123456789abcdef0123456789abcdef s 1/17 name", or without "/17"
std::string line_of(const std::string& name, const LedgerEntry& entry) {
  std::string group =
      entry.group == LedgerEntry::nobody ? std::string() : fmt::format("/{}", entry.group);
  return fmt::format("{:016x}{:016x} {} {}{} {}\n", entry.values[0], entry.values[1],
                     status_letters[static_cast<std::size_t>(entry.status)], entry.releases, group,
                     escaped(name));
}

template <typename Number>
bool take_number(std::string_view text, int base, Number& number) {
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return problem == std::errc() && end == text.data() + text.size();
}

std::optional<std::pair<std::string, LedgerEntry>> entry_of(std::string_view line) {
  constexpr std::size_t hash_size = 32;
  if (line.size() < hash_size + 5 || line[hash_size] != ' ' || line[hash_size + 2] != ' ') {
    return std::nullopt;
  }
  LedgerEntry entry;
  auto status = status_letters.find(line[hash_size + 1]);
  std::string_view rest = line.substr(hash_size + 3);
  auto space = rest.find(' ');
  std::string_view times = rest.substr(0, space);
  auto slash = std::min(times.find('/'), times.size());
  bool sound = status != std::string_view::npos && space != std::string_view::npos &&
               take_number(line.substr(0, 16), 16, entry.values[0]) &&
               take_number(line.substr(16, 16), 16, entry.values[1]) &&
               take_number(times.substr(0, slash), 10, entry.releases) &&
               (slash == times.size() || take_number(times.substr(slash + 1), 10, entry.group));
  if (!sound) return std::nullopt;
  entry.status = static_cast<RowStatus>(status);
  return std::pair(unescaped(rest.substr(space + 1)), entry);
}

bool read_shares(const Json* json, Ledger& ledger) {
  if (json == nullptr || (json->as_object() == nullptr && !json->is_null())) return false;
  if (json->is_null()) return true;
  for (const auto& [attribute, values] : *json->as_object()) {
    auto& counts =
        ledger.shares.emplace_back(attribute, decltype(ledger.shares)::value_type::second_type{});
    if (values.as_object() == nullptr) return false;
    for (const auto& [value, count] : *values.as_object()) {
      const auto* number = count.as_integer();
      if (number == nullptr || *number < 0) return false;
      counts.second.emplace_back(value, static_cast<std::uint64_t>(*number));
    }
  }
  return true;
}

bool read_texts(const Json& json, std::vector<std::string>& texts) {
  if (json.as_array() == nullptr) return false;
  for (const Json& text : *json.as_array()) {
    if (text.as_text() == nullptr) return false;
    texts.push_back(*text.as_text());
  }
  return true;
}

bool read_ladder(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->is_null()) return true;
  if (json->as_array() == nullptr) return false;
  ledger.ladder.emplace();
  for (const Json& columns : *json->as_array()) {
    if (!read_texts(columns, ledger.ladder->emplace_back())) return false;
  }
  return true;
}

bool read_told(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->is_null()) return true;
  ledger.told = report_from_json(*json);
  return ledger.told.has_value();
}

bool read_counts(const Json& json, std::vector<FrozenCount>& counts) {
  if (json.as_array() == nullptr || json.as_array()->size() % 2 != 0) return false;
  const auto& flat = *json.as_array();
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    const auto* place = flat[i].as_integer();
    const auto* rows = flat[i + 1].as_integer();
    if (place == nullptr || *place < 0 || *place > UINT32_MAX) return false;
    if (rows == nullptr || *rows < 0) return false;
    counts.emplace_back(static_cast<std::uint32_t>(*place), static_cast<std::uint64_t>(*rows));
  }
  return true;
}

bool read_group(const Json& json, std::size_t columns, FrozenGroup& group) {
  const Json* values = json.find("values");
  const Json* rows = json.find("rows");
  const Json* counts = json.find("counts");
  const Json* number = json.find("group");
  bool sound = number != nullptr && number->as_integer() != nullptr && *number->as_integer() >= 0 &&
               *number->as_integer() < UINT32_MAX && values != nullptr &&
               values->as_array() != nullptr && values->as_array()->size() == columns &&
               rows != nullptr && rows->as_integer() != nullptr && *rows->as_integer() >= 0 &&
               counts != nullptr && counts->as_array() != nullptr;
  if (!sound) return false;
  group.rows = static_cast<std::uint64_t>(*rows->as_integer());
  group.number = static_cast<std::uint32_t>(*number->as_integer());
  for (const Json& value : *values->as_array()) {
    if (!value.is_null() && value.as_text() == nullptr) return false;
    group.values.push_back(value.is_null() ? std::nullopt : std::optional(*value.as_text()));
  }
  for (const Json& attribute : *counts->as_array()) {
    if (!read_counts(attribute, group.counts.emplace_back())) return false;
  }
  return true;
}

bool read_groups(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->is_null()) return true;
  if (json->as_array() == nullptr) return false;
  ledger.groups.emplace();
  for (const Json& one : *json->as_array()) {
    FrozenRung& rung = ledger.groups->emplace_back();
    const Json* columns = one.find("columns");
    const Json* groups = one.find("groups");
    if (columns == nullptr || !read_texts(*columns, rung.columns)) return false;
    if (groups == nullptr || groups->as_array() == nullptr) return false;
    for (const Json& group : *groups->as_array()) {
      if (!read_group(group, rung.columns.size(), rung.groups.emplace_back())) return false;
    }
  }
  return true;
}

bool read_head(const Json& json, Ledger& ledger) {
  const Json* name = json.find("kind");
  const Json* number = json.find("version");
  const Json* release = json.find("release");
  const Json* rows = json.find("share_rows");
  const Json* parameters = json.find("parameters");
  bool sound = name != nullptr && name->as_text() != nullptr && *name->as_text() == kind &&
               number != nullptr && number->as_integer() != nullptr &&
               *number->as_integer() == version && release != nullptr &&
               release->as_integer() != nullptr && *release->as_integer() > 0 &&
               *release->as_integer() <= UINT32_MAX && rows != nullptr &&
               rows->as_integer() != nullptr && *rows->as_integer() >= 0 && parameters != nullptr;
  if (!sound) return false;
  ledger.parameters = *parameters;
  ledger.release = static_cast<std::uint32_t>(*release->as_integer());
  ledger.share_rows = static_cast<std::uint64_t>(*rows->as_integer());
  const Json* build = json.find("build");
  if (build == nullptr || build->as_integer() == nullptr) return false;
  ledger.build = static_cast<std::uint32_t>(*build->as_integer());
  const Json* left_out = json.find("left_out");
  if (left_out == nullptr || !read_texts(*left_out, ledger.left_out)) return false;
  if (!read_ladder(json.find("ladder"), ledger)) return false;
  if (!read_told(json.find("told"), ledger)) return false;
  return read_shares(json.find("shares"), ledger) && read_groups(json.find("groups"), ledger);
}

}  // namespace

VectorHash hash_of_values(const SecretKey& key, const Table& table, RowId row) {
  std::string text = table.names().text(row);
  const Schema& schema = table.schema();
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    ValueId value = table.value(row, AttributeId{i});
    // Lengths keep ("a", "bc") and ("ab", "c") apart; a missing value has none.
    if (value == missing_value) {
      text += "-";
      continue;
    }
    const std::string& name = schema.attributes[i].domain.text(value);
    text += fmt::format("{}:", name.size());
    text += name;
  }
  return keyed_hash(key, "private values of a row", text);
}

std::string ledger_path(const std::string& index_path) { return index_path + ".ledger"; }

Status write_ledger(const Ledger& ledger, const std::string& path) {
  std::vector<const std::pair<const std::string, LedgerEntry>*> entries;
  entries.reserve(ledger.rows.size());
  for (const auto& entry : ledger.rows) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(),
            [](const auto* left, const auto* right) { return left->first < right->first; });
  auto file = AtomicFile::create(path, 0600);
  if (!file) return file.error();
  std::string text = head_of(ledger);
  constexpr std::size_t piece = std::size_t{1} << 20;
  for (const auto* entry : entries) {
    text += line_of(entry->first, entry->second);
    if (text.size() < piece) continue;
    if (auto written = file->write(std::as_bytes(std::span(text))); !written) return written;
    text.clear();
  }
  if (auto written = file->write(std::as_bytes(std::span(text))); !written) return written;
  return file->commit();
}

Result<Ledger> read_ledger(const std::string& path) {
  if (auto closed = check_private_file(path, "ledger"); !closed) return closed.error();
  auto text = read_text(path);
  if (!text) return text.error();
  std::string_view left = *text;
  auto next_line = [&left] {
    std::string_view line = left.substr(0, left.find('\n'));
    left.remove_prefix(std::min(left.size(), line.size() + 1));
    return line;
  };
  Ledger ledger;
  auto head = parse_json(next_line());
  if (!head || !read_head(*head, ledger)) {
    return bad_input(fmt::format("{} is no ledger of rankveil protect", path));
  }
  const Json* rows = head->find("rows");
  std::size_t number = 2;
  for (; !left.empty(); ++number) {
    auto entry = entry_of(next_line());
    if (!entry || !ledger.rows.insert(std::move(*entry)).second) {
      return bad_input(
          fmt::format("{}, line {}: the ledger is damaged; restore it from a copy, or "
                      "start over with --new-release",
                      path, number));
    }
  }
  bool complete = rows != nullptr && rows->as_integer() != nullptr &&
                  *rows->as_integer() == static_cast<std::int64_t>(ledger.rows.size());
  if (!complete) {
    return bad_input(fmt::format(
        "{} ends too early, at line {}; restore it from a copy, or start over with --new-release",
        path, number));
  }
  return ledger;
}

}  // namespace rankveil
