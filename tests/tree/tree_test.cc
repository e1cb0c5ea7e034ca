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

std::vector<Include> read_includes() {
  std::vector<Include> all;
  for (const SourceFile& file : tree()) {
    if (!file.is_code()) continue;
    for (Include& include : includes_of(file)) all.push_back(std::move(include));
  }
  return all;
}

const std::vector<Include>& all_includes() {
  static const std::vector<Include> all = read_includes();
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
      {"base", 0},   {"table", 1},   {"ranking", 2}, {"connect", 2}, {"utility", 3}, {"promise", 3},
      {"report", 3}, {"protect", 4}, {"attack", 4},  {"publish", 4}, {"probe", 4},   {"audit", 5},
      {"api", 6},    {"graphs", 7},  {"cli", 8},     {"server", 8},  {"python", 8},
  };
  auto layer = layers.find(module);
  return layer == layers.end() ? std::nullopt : std::optional(layer->second);
}

// Neighbours on layers 2 and 3 may share nouns; connect reads workloads, which ranking
// defines.
bool may_include(const std::string& from, const std::string& to) {
  if (from == to) return true;
  const auto from_layer = layer_of(from);
  const auto to_layer = layer_of(to);
  if (!from_layer) return true;
  if (!to_layer) return false;
  if (*from_layer == *to_layer) {
    return *from_layer == 2 && from != "ranking" && to == "ranking";
  }
  return *to_layer < *from_layer;
}

// The room of a module that a path belongs to: "swap/fitted" for
// "rankveil/protect/swap/fitted/coins.h", and "" for "rankveil/protect/task.h", which stands in the
// module's own folder.
std::string room_of(const std::string& path) {
  const std::string module = "rankveil/" + module_of(path) + "/";
  const std::string folder = fs::path(path).parent_path().generic_string();
  return folder.starts_with(module) ? folder.substr(module.size()) : "";
}

bool is_testing(const std::string& path) {
  return path.ends_with("_test.cc") || room_of(path) == "testing" || !path.starts_with("rankveil/");
}

struct Room {
  std::string name;
  std::set<std::string> stands_on;  // rooms it may include, beside the module's own folder
};

// Rooms of a module, each after those it stands on: so there is no cycle.
using Rooms = std::vector<Room>;

const std::map<std::string, Rooms>& modules_with_rooms() {
  static const std::map<std::string, Rooms> modules = {
      {"base", {{"text", {}}, {"files", {}}, {"keys", {}}, {"fit", {}}}},
      {"table",
       {{"toml", {}},
        {"policy", {"toml"}},
        {"building", {"policy"}},
        {"people", {"policy"}},
        {"telling", {"policy", "toml"}},
        {"draft", {"building", "policy", "toml"}}}},
      {"ranking",
       {{"kernels", {}},
        {"store", {"kernels"}},
        {"scan", {"kernels", "store"}},
        {"asking", {"kernels", "scan", "store"}}}},
      {"connect",
       {{"duckdb", {}}, {"relation", {"duckdb"}}, {"http", {}}, {"postgres", {}}, {"program", {}}}},
      {"protect",
       {{"rows", {}},
        {"groups", {}},
        {"ledger", {"groups"}},
        {"chance", {"groups"}},
        {"swap/fitted", {"groups"}},
        {"swap", {"groups", "ledger", "swap/fitted"}},
        {"cluster", {"groups"}},
        {"capped", {"groups", "chance"}},
        {"sets", {"groups"}},
        {"pvst/cover", {"groups"}},
        {"pvst", {"groups", "pvst/cover"}},
        {"esvt/kernels", {}},
        {"esvt", {"groups", "esvt/kernels"}},
        {"estt", {"groups"}},
        {"life", {"groups", "ledger", "chance", "swap", "swap/fitted"}},
        {"release", {"rows", "groups", "ledger", "chance", "swap", "life"}}}},
      {"utility", {}},
      {"promise", {}},
      {"publish", {{"count", {}}, {"methods", {"count"}}, {"release", {}}, {"check", {"release"}}}},
      {"graphs",
       {{"release", {}},
        {"files", {}},
        {"bounds", {}},
        {"attack", {"release", "bounds"}},
        {"operations", {"release", "files", "bounds", "attack"}}}},
  };
  return modules;
}

const Room* find_room(const Rooms& rooms, const std::string& name) {
  auto room = std::ranges::find(rooms, name, &Room::name);
  return room == rooms.end() ? nullptr : &*room;
}

// Whether `file` may include `header`, both of the module with these rooms. The module's own folder
// has the nouns that rooms share, in headers that need no room; and its entry, whose sources use
// them.
bool may_include_in_module(const Rooms& rooms, const std::string& file, const std::string& header) {
  if (is_testing(file)) return true;
  const std::string to = room_of(header);
  if (to.empty() || to == room_of(file)) return true;
  if (to == "testing") return false;
  if (room_of(file).empty()) return !file.ends_with(".h");
  const Room* room = find_room(rooms, room_of(file));
  return room != nullptr && room->stands_on.contains(to);
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
      {"postgresql/", "libpq"}, {"faiss/", "FAISS"},
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

TEST(Tree, RoomsOfAModuleIncludeInOneDirection) {
  for (const auto& [file, header] : all_includes()) {
    const auto module = modules_with_rooms().find(module_of(file));
    if (module == modules_with_rooms().end() || module_of(header) != module->first) continue;
    EXPECT_TRUE(may_include_in_module(module->second, file, header))
        << file << " includes " << header << ", on which its folder does not stand";
  }
}

TEST(Tree, EveryRoomStandsOnRoomsNamedBeforeIt) {
  for (const auto& [module, rooms] : modules_with_rooms()) {
    std::set<std::string> before;
    for (const Room& room : rooms) {
      for (const std::string& below : room.stands_on) {
        EXPECT_TRUE(before.contains(below)) << module << "/" << room.name << " on " << below;
      }
      before.insert(room.name);
    }
  }
}

TEST(Tree, EveryFolderOfCodeIsARoomOfThePlan) {
  for (const SourceFile& file : tree()) {
    const auto module = modules_with_rooms().find(module_of(file.path));
    if (module == modules_with_rooms().end() || !file.is_code()) continue;
    const std::string room = room_of(file.path);
    EXPECT_TRUE(room.empty() || room == "testing" || find_room(module->second, room))
        << file.path << " stands in a folder that has no place among those of its module";
  }
}

TEST(Tree, TheRuleItselfKnowsRoomsThatStandOnOthers) {
  const Rooms rooms = {{"store", {}}, {"scan", {"store"}}};
  const auto may = [&](const std::string& from, const std::string& to) {
    return may_include_in_module(rooms, "rankveil/ranking/" + from, "rankveil/ranking/" + to);
  };
  EXPECT_TRUE(may("scan/scan.cc", "store/segment.h"));
  EXPECT_TRUE(may("scan/scan.h", "query.h"));
  EXPECT_TRUE(may("index.cc", "scan/scan.h"));
  EXPECT_TRUE(may("scan/scan_test.cc", "testing/plain_ranking.h"));
  EXPECT_FALSE(may("store/segment.cc", "scan/scan.h"));
  EXPECT_FALSE(may("index.h", "store/segment.h"));
  EXPECT_FALSE(may("index.cc", "testing/plain_ranking.h"));
  EXPECT_FALSE(may("elsewhere/scan.cc", "store/segment.h"));
}

// Of the library, only tests and what serves them may include headers that serve tests.
TEST(Tree, OnlyTestsIncludeWhatServesThem) {
  for (const auto& [file, header] : all_includes()) {
    if (!is_testing(file)) {
      EXPECT_NE(room_of(header), "testing") << file << " includes " << header;
    }
  }
}

TEST(Tree, NoFolderOfTheEngineOrOfBenchesHoldsMoreThanThirtyFiles) {
  std::vector<fs::path> roots = {fs::path(RANKVEIL_SOURCE_DIR) / "bench"};
  for (const auto& [module, rooms] : modules_with_rooms()) {
    roots.push_back(fs::path(RANKVEIL_SOURCE_DIR) / "rankveil" / module);
  }
  for (const fs::path& root : roots) {
    std::map<std::string, int> count;
    for (const auto& entry : fs::recursive_directory_iterator(root)) {
      if (entry.is_regular_file()) ++count[entry.path().parent_path().generic_string()];
    }
    EXPECT_FALSE(count.empty()) << root;
    for (const auto& [folder, files] : count) EXPECT_LE(files, 30) << folder;
  }
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
