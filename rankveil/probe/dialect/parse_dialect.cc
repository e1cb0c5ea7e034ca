#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/dialect/toml_section.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil::probe {
namespace {

constexpr std::size_t most_ways = 2000;

using Keys = std::vector<std::string_view>;
// What stands for ${name} in one of the ways that [way.each] makes.
using Choice = std::map<std::string, std::string, std::less<>>;

std::string chosen(std::string_view text, const Choice& choice) {
  std::string result;
  while (!text.empty()) {
    const std::size_t start = std::min(text.find("${"), text.size());
    const std::size_t end = std::min(text.find('}', start), text.size());
    result += text.substr(0, start);
    if (start == text.size()) break;
    const bool is_escaped = start > 0 && text[start - 1] == '$';
    const auto found = is_escaped || end == text.size()
                           ? choice.end()
                           : choice.find(text.substr(start + 2, end - start - 2));
    const std::size_t taken = found == choice.end() ? start + 2 : end + 1;
    result += found == choice.end() ? "${" : found->second;
    text.remove_prefix(taken);
  }
  return result;
}

// "${field}_eq" is called field_eq.
std::string without_marks(std::string_view name) {
  std::string plain;
  bool is_inside = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name.substr(i).starts_with("${")) {
      is_inside = true;
      ++i;
    } else if (is_inside && name[i] == '}') {
      is_inside = false;
    } else {
      plain += name[i];
    }
  }
  return plain;
}

// Reads the keys of one request.
class RequestReader {
 public:
  RequestReader(TomlSection& section, std::string what, const Choice& choice)
      : section_(section), what_(std::move(what)), choice_(choice) {}

  static Keys keys(const Keys& more) {
    Keys all = {"method", "path", "query", "form", "body", "graphql", "headers"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  void read(RequestTemplate& request) {
    method(request);
    text("path", RequestText::Spelling::Path, request.path);
    parameters("query", request.query);
    parameters("form", request.form);
    text("body", RequestText::Spelling::Json, request.body);
    if (section_.has("graphql")) {
      text("graphql", RequestText::Spelling::Graphql, request.body);
      request.is_graphql = true;
    }
    const int bodies = section_.has("form") + section_.has("body") + section_.has("graphql");
    if (bodies > 1) section_.fail("method", "has more than one of form, body and graphql below it");
    if (!section_.has("path")) request.path = *RequestText::parse("${url}", {}, "");
    TomlSection::Pairs headers;
    section_.pairs("headers", headers);
    for (auto& [name, value] : headers) request.headers.emplace_back(name, chosen(value, choice_));
  }

 private:
  void method(RequestTemplate& request) {
    if (section_.has("form") || section_.has("body") || section_.has("graphql")) {
      request.method = "POST";
    }
    section_.text("method", request.method);
    constexpr std::array<std::string_view, 7> methods = {"GET",    "POST",   "PUT",  "PATCH",
                                                         "DELETE", "SEARCH", "QUERY"};
    if (std::ranges::find(methods, request.method) != methods.end()) return;
    section_.fail("method", "must be GET, POST, PUT, PATCH, DELETE, SEARCH or QUERY, in quotes");
  }

  void take(std::string_view key, std::string_view text, RequestText::Spelling spelling,
            RequestText& target) {
    auto parsed = RequestText::parse(chosen(text, choice_), spelling, "it");
    if (!parsed) {
      // "it has a place ..." becomes "query of the way "sort" has a place ...".
      section_.fail(key, fmt::format("of {}{}", what_, parsed.error().message.substr(2)));
      return;
    }
    target = std::move(*parsed);
  }

  void text(std::string_view key, RequestText::Spelling spelling, RequestText& target) {
    std::string text;
    section_.text(key, text);
    if (!text.empty()) take(key, text, spelling, target);
  }

  void parameters(std::string_view key, std::vector<Parameter>& target) {
    std::vector<std::string> lines;
    section_.texts(key, lines);
    for (const std::string& line : lines) {
      const std::size_t equals = line.find('=');
      if (equals == std::string::npos || equals == 0) {
        return section_.fail(
            key, fmt::format("has {}; write each as \"name=value\"", toml_quoted(line)));
      }
      Parameter& parameter = target.emplace_back();
      take(key, std::string_view(line).substr(0, equals), RequestText::Spelling::Parameter,
           parameter.name);
      take(key, std::string_view(line).substr(equals + 1), RequestText::Spelling::Parameter,
           parameter.value);
    }
  }

  TomlSection& section_;
  std::string what_;
  const Choice& choice_;
};

void read_pointer(TomlSection& section, std::string_view key, std::optional<Pointer>& target) {
  if (!section.has(key)) return;
  std::string text;
  section.text(key, text);
  auto pointer = Pointer::parse(text);
  if (!pointer) return section.fail(key, "is " + pointer.error().message);
  target = std::move(*pointer);
}

void read_answer(TomlSection& section, AnswerPlaces& answer) {
  read_pointer(section, "rows", answer.rows);
  read_pointer(section, "id", answer.id);
  read_pointer(section, "count", answer.count);
  read_pointer(section, "cursor", answer.cursor);
}

// Every combination of the lists in [way.each], the last list fastest.
Result<std::vector<Choice>> choices(const Toml& way, std::string_view source) {
  std::vector<Choice> all(1);
  const Toml* each = way.find("each");
  if (each == nullptr) return all;
  if (each->as_table() == nullptr) {
    return toml_error(source, each->line, "each must be a section, [way.each]");
  }
  for (const TomlMember& member : *each->as_table()) {
    const auto* list = member.value.as_array();
    std::vector<Choice> more;
    for (const Choice& choice : all) {
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        if ((*list)[i].as_text() == nullptr || more.size() > most_ways) break;
        more.push_back(choice);
        more.back()[member.key] = *(*list)[i].as_text();
      }
    }
    if (list == nullptr || more.size() != all.size() * list->size() || more.empty()) {
      return toml_error(source, member.line,
                        fmt::format("{} in [way.each] must be a list of texts in quotes, and all "
                                    "lists together make at most {} ways",
                                    member.key, grouped(most_ways)));
    }
    all = std::move(more);
  }
  return all;
}

class DialectReader {
 public:
  DialectReader(const Toml& root, std::string_view source)
      : root_(root, source, ""), source_(source) {}

  Result<Dialect> read() {
    root_.only({"name", "summary", "run_with", "directions", "rows", "id", "count", "cursor",
                "refused", "list", "create", "change", "read", "remove", "find", "way"});
    root_.needed_text("name", dialect_.name);
    root_.text("summary", dialect_.summary);
    root_.texts("run_with", dialect_.run_with);
    read_directions(root_, directions_);
    read_answer(root_, dialect_.answer);
    if (root_.status().ok()) read_refused();
    if (root_.status().ok()) read_requests();
    for (const Toml* way : root_.tables("way")) {
      if (root_.status().ok()) read_way(*way);
    }
    if (root_.status().ok() && dialect_.ways.empty()) root_.fail("way", "is missing");
    if (!root_.status().ok()) return root_.status().error();
    return std::move(dialect_);
  }

 private:
  static void read_directions(TomlSection& section, std::array<std::string, 2>& target) {
    if (!section.has("directions")) return;
    std::vector<std::string> texts;
    section.texts("directions", texts);
    if (texts.size() != 2) {
      return section.fail("directions",
                          "must be two texts, ascending and descending: [\"asc\", \"desc\"]");
    }
    target = {texts[0], texts[1]};
  }

  void read_refused() {
    const Toml* table = root_.table("refused");
    if (table == nullptr) return;
    TomlSection section(*table, source_, "in [refused]");
    section.only({"status", "body"});
    section.whole_numbers("status", 400, 599, dialect_.refused.status);
    read_pointer(section, "body", dialect_.refused.body);
    root_.note(section.status());
  }

  // Calls read(section) with the section of a request, if there is one.
  template <typename Read>
  void request(std::string_view name, const Keys& more, const Read& read) {
    const Toml* table = root_.table(name);
    if (table == nullptr) return;
    TomlSection section(*table, source_, fmt::format("in [{}]", name));
    section.only(RequestReader::keys(more));
    read(section);
    root_.note(section.status());
  }

  static RequestTemplate template_of(TomlSection& section, std::string_view name,
                                     const char* method) {
    RequestTemplate request;
    RequestReader(section, fmt::format("[{}]", name), {}).read(request);
    if (!section.has("method")) request.method = method;
    return request;
  }

  void read_requests() {
    request("list", {}, [&](TomlSection& section) {
      dialect_.list = template_of(section, "list", section.has("graphql") ? "POST" : "GET");
    });
    request("create", {"id"}, [&](TomlSection& section) {
      std::optional<Pointer> id;
      read_pointer(section, "id", id);
      dialect_.create = CreateTemplate{template_of(section, "create", "POST"), std::move(id)};
    });
    request("change", {}, [&](TomlSection& section) {
      dialect_.change = template_of(section, "change", section.has("graphql") ? "POST" : "PATCH");
    });
    request("read", {"row"}, [&](TomlSection& section) {
      std::optional<Pointer> row;
      read_pointer(section, "row", row);
      dialect_.read =
          ReadTemplate{template_of(section, "read", section.has("graphql") ? "POST" : "GET"),
                       row ? std::move(*row) : Pointer{}};
    });
    request("remove", {}, [&](TomlSection& section) {
      dialect_.remove = template_of(section, "remove", section.has("graphql") ? "POST" : "DELETE");
    });
    request("find", {}, [&](TomlSection& section) {
      dialect_.find = template_of(section, "find", section.has("graphql") ? "POST" : "GET");
    });
    if (root_.status().ok() && !root_.has("list")) {
      dialect_.list.path = *RequestText::parse("${url}", {}, "");
    }
  }

  void read_way(const Toml& table) {
    auto all = choices(table, source_);
    if (!all) return root_.note(all.error());
    for (const Choice& choice : *all) {
      if (!root_.status().ok()) return;
      if (dialect_.ways.size() >= most_ways) {
        return root_.note(toml_error(
            source_, table.line,
            fmt::format("there are more than {} ways; leave some out", grouped(most_ways))));
      }
      read_way(table, choice);
    }
  }

  void read_way(const Toml& table, const Choice& choice) {
    TomlSection section(table, source_, "in [[way]]");
    section.only(RequestReader::keys(
        {"name", "kind", "rows", "id", "count", "cursor", "directions", "each"}));
    WayTemplate way;
    way.way.dialect = dialect_.name;
    section.needed_text("name", way.way.name);
    way.way.name = without_marks(chosen(way.way.name, choice));
    read_kind(section, choice, way.way.kind);
    way.directions = directions_;
    read_directions(section, way.directions);
    way.answer = dialect_.answer;
    read_answer(section, way.answer);
    RequestReader(section, fmt::format("the way {}", toml_quoted(way.way.name)), choice)
        .read(way.request);
    if (section.status().ok() && !names_.insert(way.way.name).second) {
      section.fail("name", fmt::format("is {} a second time; names of ways are their own, also "
                                       "among those that [way.each] makes",
                                       toml_quoted(way.way.name)));
    }
    root_.note(section.status());
    dialect_.ways.push_back(std::move(way));
  }

  static void read_kind(TomlSection& section, const Choice& choice, Kind& kind) {
    std::string name;
    section.needed_text("kind", name);
    name = chosen(name, choice);
    if (auto known = parse_kind(name)) {
      kind = *known;
      return;
    }
    std::vector<std::string> names;
    for (int i = 0; i <= static_cast<int>(Kind::Column); ++i) names.emplace_back(to_text(Kind{i}));
    section.fail("kind", fmt::format("is {}; {}", toml_quoted(name), near_and_all(name, names)));
  }

  TomlSection root_;
  std::string_view source_;
  Dialect dialect_;
  std::array<std::string, 2> directions_ = {"", "-"};
  std::set<std::string> names_;
};

}  // namespace

Result<Dialect> parse_dialect(std::string_view text, std::string_view source) {
  auto tree = parse_toml(text, source, "a dialect");
  if (!tree) return tree.error();
  return DialectReader(*tree, source).read();
}

Result<Dialect> open_dialect(const std::string& name_or_path) {
  if (name_or_path.find_first_of("./") != std::string::npos) {
    auto text = read_text(name_or_path);
    if (!text) return text.error();
    return parse_dialect(*text, name_or_path);
  }
  std::vector<std::string> names;
  for (const BuiltinDialect& builtin : builtin_dialects()) {
    if (builtin.name == name_or_path) return parse_dialect(builtin.text, builtin.name);
    names.emplace_back(builtin.name);
  }
  return wrong_use(fmt::format("there is no dialect \"{}\"; {}, or name a .toml file", name_or_path,
                               near_and_all(name_or_path, names)));
}

}  // namespace rankveil::probe
