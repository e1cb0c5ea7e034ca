// Reads the files of the tree as text and checks what the design says about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "rankveil/base/file.h"

namespace rankveil {
namespace {

namespace fs = std::filesystem;

struct SourceFile {
  std::string path;  // from the root of the tree, with slashes
  std::string text;

  bool is_code() const { return path.ends_with(".h") || path.ends_with(".cc"); }
};

bool is_ours(const fs::path& path) {
  static const std::set<std::string> foreign = {".git", ".deps",        ".cache", "build",
                                                "out",  "node_modules", "corpus"};
  return !foreign.contains(path.filename().string());
}

bool is_text(const fs::path& path) {
  static const std::set<std::string> endings = {".h",  ".cc",   ".cmake", ".in", ".md", ".txt",
                                                ".sh", ".json", ".toml",  ".py", ".yml"};
  return endings.contains(path.extension().string()) || path.filename().string().starts_with(".") ||
         path.parent_path().filename() == "scripts" || path.parent_path().filename() == ".ci";
}

std::vector<SourceFile> read_tree() {
  const fs::path root = RANKVEIL_SOURCE_DIR;
  std::vector<SourceFile> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    if (entry->is_directory() && !is_ours(entry->path())) entry.disable_recursion_pending();
    if (!entry->is_regular_file() || !is_text(entry->path()) || !is_ours(entry->path())) continue;
    auto text = read_text(entry->path().string());
    if (text) files.push_back({entry->path().lexically_relative(root).generic_string(), *text});
  }
  std::ranges::sort(files, {}, &SourceFile::path);
  return files;
}

const std::vector<SourceFile>& tree() {
  static const std::vector<SourceFile> files = read_tree();
  return files;
}

struct Include {
  std::string file;    // who includes
  std::string header;  // what, without its marks
};

std::vector<Include> includes_of(const SourceFile& file) {
  static const std::regex pattern(R"(^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"])");
  std::vector<Include> includes;
  std::istringstream lines(file.text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, pattern)) includes.push_back({file.path, match[1]});
  }
  return includes;
}

std::vector<Include> all_includes() {
  std::vector<Include> all;
  for (const SourceFile& file : tree()) {
    if (!file.is_code()) continue;
    for (Include& include : includes_of(file)) all.push_back(std::move(include));
  }
  return all;
}

// The module a path belongs to: "rankveil/table/table.h" and "cli/main.cc" are of "table" and
// "cli".
std::string module_of(const std::string& path) {
  const fs::path parts(path);
  auto part = parts.begin();
  if (part != parts.end() && *part == "rankveil") ++part;
  return part == parts.end() ? "" : part->string();
}

// Includes point to a lower number, or stay in the module. Modules that are not here are tests,
// benchmarks and examples: they may include everything, and nothing includes them.
std::optional<int> layer_of(const std::string& module) {
  static const std::map<std::string, int> layers = {
      {"base", 0},  {"table", 1},  {"ranking", 2}, {"graph", 2},  {"connect", 2}, {"utility", 3},
      {"bound", 3}, {"report", 3}, {"protect", 4}, {"attack", 4}, {"publish", 4}, {"probe", 4},
      {"audit", 5}, {"api", 6},    {"cli", 7},     {"server", 7}, {"python", 7},
  };
  auto layer = layers.find(module);
  return layer == layers.end() ? std::nullopt : std::optional(layer->second);
}

// Neighbours on layers 2 and 3 may share nouns; connect reads workloads and edge lists, which
// ranking and graph define.
bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto from_layer = layer_of(from);
  const auto to_layer = layer_of(to);
  if (!from_layer) return true;
  if (!to_layer) return false;
  if (*from_layer == *to_layer) {
    return *from_layer == 2 && from != "ranking" &&
           (to == "ranking" || (from == "connect" && to == "graph"));
  }
  return *to_layer < *from_layer;
}

bool is_own_header(const std::string& header) {
  const bool has_folder = header.find('/') != std::string::npos;  // <utility> is not ours
  return header.starts_with("rankveil/") || header.starts_with("bench/") ||
         header.starts_with("tests/") || (has_folder && layer_of(module_of(header)).has_value());
}

// Headers of other projects that are not the C++ library, C library or the operating system.
std::optional<std::string> third_party(const std::string& header) {
  static const std::vector<std::pair<std::string, std::string>> prefixes = {
      {"duckdb", "DuckDB"},     {"nlohmann/", "nlohmann/json"},
      {"toml", "toml++"},       {"tbb/", "TBB"},
      {"oneapi/", "TBB"},       {"xxhash", "xxHash"},
      {"CLI/", "CLI11"},        {"libpq", "libpq"},
      {"postgresql/", "libpq"}, {"sqlite3", "SQLite"},
      {"xapian", "Xapian"},     {"faiss/", "FAISS"},
      {"roaring/", "CRoaring"}, {"coin/", "CLP"},
      {"sodium", "libsodium"},  {"lemon/", "LEMON"},
      {"zlib", "zlib"},         {"httplib", "cpp-httplib"},
      {"utf8proc", "utf8proc"},
  };
  for (const auto& [prefix, name] : prefixes) {
    if (header.starts_with(prefix)) return name;
  }
  return std::nullopt;
}

// The first line of `text` that `pattern` matches, or nothing.
std::optional<std::size_t> line_matching(const std::string& text, const std::regex& pattern) {
  std::istringstream lines(text);
  std::size_t number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (std::regex_search(line, pattern)) return number;
  }
  return std::nullopt;
}

TEST(Tree, IsRead) {
  EXPECT_GT(tree().size(), 20U);
  EXPECT_GT(all_includes().size(), 20U);
}

TEST(Tree, IncludesPointDownward) {
  for (const auto& [file, header] : all_includes()) {
    if (!is_own_header(header)) continue;
    EXPECT_TRUE(may_include(module_of(file), module_of(header)))
        << file << " includes " << header << ", which is not below it";
  }
}

TEST(Tree, TheRuleItselfKnowsUpFromDown) {
  EXPECT_TRUE(may_include("ranking", "table"));
  EXPECT_TRUE(may_include("table", "table"));
  EXPECT_TRUE(may_include("connect", "ranking"));
  EXPECT_TRUE(may_include("bench", "cli"));
  EXPECT_FALSE(may_include("table", "ranking"));
  EXPECT_FALSE(may_include("ranking", "connect"));
  EXPECT_FALSE(may_include("protect", "attack"));
  EXPECT_FALSE(may_include("base", "tests"));
}

TEST(Tree, AThirdPartyHeaderIsMetInOneSourceFile) {
  std::map<std::string, std::set<std::string>> met;
  for (const auto& [file, header] : all_includes()) {
    const bool counts = file.starts_with("rankveil/") && !file.ends_with("_test.cc");
    const auto name = third_party(header);
    if (!counts || !name) continue;
    EXPECT_TRUE(file.ends_with(".cc")) << file << " shows " << header << " to all who include it";
    met[*name].insert(file);
  }
  for (const auto& [name, files] : met) {
    EXPECT_EQ(files.size(), 1U) << name << " is met in " << testing::PrintToString(files);
  }
}

TEST(Tree, OnlyTheCommandKnowsItsParser) {
  for (const auto& [file, header] : all_includes()) {
    if (third_party(header) != "CLI11") continue;
    EXPECT_TRUE(file.starts_with("cli/") || file.starts_with("bench/")) << file;
  }
}

TEST(Tree, HeadersAreGuarded) {
  for (const SourceFile& file : tree()) {
    if (!file.path.ends_with(".h")) continue;
    EXPECT_NE(file.text.find("#pragma once\n"), std::string::npos) << file.path;
  }
}

// So a header that includes too little does not compile; headers_alone_test needs to look at those
// without a source only.
TEST(Tree, ASourceIncludesItsOwnHeaderFirst) {
  std::set<std::string> paths;
  for (const SourceFile& file : tree()) paths.insert(file.path);
  for (const SourceFile& file : tree()) {
    if (!file.path.ends_with(".cc")) continue;
    const std::string header = file.path.substr(0, file.path.size() - 2) + "h";
    if (layer_of(module_of(file.path)) && paths.contains(header)) {
      EXPECT_EQ(includes_of(file).front().header, header) << file.path;
    }
  }
}

TEST(Tree, NoLineEndsInWhitespace) {
  const std::regex trailing("[ \t\r]$");
  for (const SourceFile& file : tree()) {
    const auto line = line_matching(file.text, trailing);
    EXPECT_FALSE(line) << file.path << ":" << *line;
    EXPECT_TRUE(file.text.empty() || file.text.ends_with('\n')) << file.path;
  }
}

// Folders in which people and machines keep their work; written in halves, to pass the test itself.
TEST(Tree, NoFileNamesAPathOfOneMachine) {
  const std::regex machine(
      "/(ho"
      "me|ro"
      "ot|Us"
      "ers|wo"
      "rk|m"
      "nt)/[A-Za-z]|/tm"
      "p/w"
      "t");
  for (const SourceFile& file : tree()) {
    const auto line = line_matching(file.text, machine);
    EXPECT_FALSE(line) << file.path << ":" << *line;
  }
}

// The build file of a folder, or of the nearest folder above that has one.
fs::path build_file_of(fs::path folder) {
  const fs::path root = RANKVEIL_SOURCE_DIR;
  while (!folder.empty() && !fs::exists(root / folder / "CMakeLists.txt")) {
    folder = folder.parent_path();
  }
  return folder / "CMakeLists.txt";
}

TEST(Tree, EveryTestFileIsPartOfTheBuild) {
  for (const SourceFile& file : tree()) {
    if (!file.path.ends_with("_test.cc")) continue;
    const fs::path list = build_file_of(fs::path(file.path).parent_path());
    const auto text = read_text((fs::path(RANKVEIL_SOURCE_DIR) / list).string());
    ASSERT_TRUE(text) << list;
    const auto name = fs::path(file.path).lexically_relative(list.parent_path()).generic_string();
    EXPECT_NE(text->find(name), std::string::npos) << list << " does not name " << name;
  }
}

}  // namespace
}  // namespace rankveil
