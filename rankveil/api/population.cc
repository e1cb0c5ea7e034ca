#include "rankveil/api/population.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/api/index_output.h"
#include "rankveil/base/file.h"
#include "rankveil/protect/life/release_parameters.h"
#include "rankveil/protect/life/same_people.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/damaged_index.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {

namespace {

std::string absolute_path(const std::string& path) {
  std::error_code problem;
  auto absolute = std::filesystem::absolute(path, problem);
  return problem ? path : absolute.lexically_normal().string();
}

std::string next_path(const std::string& path) { return path + ".next"; }

bool is_last_build(const Index& index, const Ledger& ledger) {
  return belong_together(index, ledger) && build_of(index) == ledger.build;
}

Status remove_or_rename(const std::string& next, const std::string& path, bool is_valid) {
  std::error_code problem;
  if (is_valid) {
    std::filesystem::rename(next, path, problem);
  } else {
    std::filesystem::remove(next, problem);
  }
  if (!problem) return {};
  return io_error(fmt::format("cannot tidy up {}: {}", next, problem.message()));
}

// The last build was stopped. It counts if its index was written.
Status settle(const std::string& path) {
  std::string next = next_path(path);
  if (!file_exists(next)) return {};
  auto ledger = read_ledger(next);
  if (!ledger) return remove_or_rename(next, path, false);
  auto index = open_index(ledger->last_output().path);
  return remove_or_rename(next, path, index && is_last_build(*index, *ledger));
}

std::optional<Index> protected_index(const std::string& path) {
  if (!file_exists(path)) return std::nullopt;
  auto index = open_index(path);
  if (!index || index->info().unprotected()) return std::nullopt;
  return std::move(*index);
}

std::uint32_t release_of(const Index& index) {
  const Json* release = index.info().notes.find("release");
  bool sound = release != nullptr && release->as_integer() != nullptr;
  return sound ? static_cast<std::uint32_t>(*release->as_integer()) : 0;
}

bool has_parameters(const Index& index, const Json& parameters) {
  const Json* own = index.info().notes.find("parameters");
  return own != nullptr && own->dump(-1) == parameters.dump(-1);
}

// The output that was built last with these parameters; null: there is none.
const LedgerOutput* last_with(const Ledger& ledger, const Json& parameters) {
  const LedgerOutput* last = nullptr;
  for (const LedgerOutput& output : ledger.outputs) {
    bool same = output.parameters.dump(-1) == parameters.dump(-1);
    if (same && (last == nullptr || last->build < output.build)) last = &output;
  }
  return last;
}

// Files move; where an output may be now.
std::vector<std::string> places_of(const LedgerOutput& made, const std::string& output) {
  std::filesystem::path last(made.path);
  return {last.string(), output,
          (std::filesystem::path(output).parent_path() / last.filename()).string()};
}

std::optional<Index> find_made(const LedgerOutput& made, const Ledger& ledger,
                               const std::string& output) {
  for (const std::string& path : places_of(made, output)) {
    auto index = protected_index(path);
    bool found = index && belong_together(*index, ledger) && build_of(*index) == made.build &&
                 has_parameters(*index, made.parameters);
    if (found) return index;
  }
  return std::nullopt;
}

Error not_from(const std::string& output, const std::string& path) {
  return bad_input(fmt::format(
      "{} is there and was not made from {}, so its rows could not keep what they show; use the "
      "key "
      "and the population that it was made with, choose another output, or start over with "
      "--new-release",
      output, path));
}

bool shows_something(const Ledger& ledger) {
  const Json* name = ledger.parameters.find("scheme");
  const Scheme* scheme =
      name == nullptr || name->as_text() == nullptr ? nullptr : find_scheme(*name->as_text());
  return scheme != nullptr && !scheme->shows_nothing;
}

// All that lie in the folders of these files, in the order of their names.
std::vector<std::string> ledgers_beside(const std::vector<std::string>& files) {
  std::vector<std::string> found;
  for (const std::string& file : files) {
    std::error_code problem;
    auto folder = std::filesystem::path(absolute_path(file)).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(folder, problem)) {
      if (entry.path().extension() == ".ledger") found.push_back(entry.path().string());
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// Whether the file begins as ledgers did before they were one a key: each stood beside an index.
bool is_older_ledger(const std::string& path, const std::string& fingerprint) {
  auto text = read_text(path);
  if (!text) return false;
  auto head = parse_json(std::string_view(*text).substr(0, text->find('\n')));
  if (!head || head->text_at("kind") != "rankveil ledger") return false;
  const Json* version = head->find("version");
  const Json* parameters = head->find("parameters");
  return version != nullptr && version->as_integer() != nullptr && *version->as_integer() == 1 &&
         parameters != nullptr && parameters->text_at("key") == fingerprint;
}

Error speak_twice(const std::string& other) {
  return wrong_use(fmt::format(
      "{} has the same people under another key, so each of them would show two answers: where the "
      "two agree, the value is its own in .93 of all cases (swap, l = 3). Use that key; or pass "
      "--new-key if it is lost, leaked or rotated, and take what was made with it out of use. (If "
      "they are other people who are only called the same, keep the two keys in two folders.)",
      other));
}

Error lost(const LedgerOutput& made, const std::string& path) {
  if (file_exists(made.path) && !open_index(made.path)) {
    return bad_input(fmt::format(
        "{} goes on from {}, and what is there cannot be read; put back a copy of that index, or "
        "start over with --new-release",
        path, made.path));
  }
  return bad_input(fmt::format(
      "{} goes on from {}, and that index is not there, or of another build; put it back, or start "
      "over with --new-release",
      path, made.path));
}

Error of_another_l(const std::string& output, const Index& there) {
  return wrong_use(fmt::format(
      "{} was made under l = {}, and later builds of such outputs go on from it; choose another "
      "name for the output",
      output, there.info().l));
}

// Why the last output cannot be read, of a file that is where it was written, or an index where it
// may be now. Nothing: there is no such file.
std::optional<Error> damage_of(const LedgerOutput& made, const std::string& output) {
  for (const std::string& path : places_of(made, output)) {
    bool may_be_it = file_exists(path) && (path == made.path || looks_like_index(path));
    if (!may_be_it) continue;
    auto index = open_index(path);
    if (!index) return index.error();
  }
  return std::nullopt;
}

// A file that says of itself, where it is whole, that it is younger than the ledger.
bool is_younger(const LedgerOutput& made, const Ledger& ledger, const std::string& output) {
  for (const std::string& path : places_of(made, output)) {
    auto notes = notes_of_damaged(path);
    const Json* build = notes ? notes->find("build") : nullptr;
    const Json* release = notes ? notes->find("release") : nullptr;
    if (build == nullptr || build->as_integer() == nullptr) continue;
    if (*build->as_integer() > ledger.build) return true;
    if (release != nullptr && release->as_integer() != nullptr &&
        *release->as_integer() != ledger.release) {
      return true;
    }
  }
  return false;
}

// The last output under the larger l that is asked for.
Status find_further(const Json& parameters, const std::string& output, const std::string& path,
                    LastBuild& last) {
  last.goes_further = smaller_l(last.ledger.parameters, parameters).has_value();
  const LedgerOutput* made = last.goes_further ? last_with(last.ledger, parameters) : nullptr;
  if (made == nullptr) return {};
  last.further = find_made(*made, last.ledger, output);
  if (!last.further) return lost(*made, path);
  return {};
}

}  // namespace

bool has_made(const Ledger& ledger, const std::string& output) {
  return ledger.find_output(absolute_path(output)) != nullptr;
}

std::string ledger_path(const std::string& key_path, const std::string& population) {
  return key_path + "." + population + ".ledger";
}

std::string ledger_path(const std::string& key_path, const Policy& policy) {
  if (!policy.population.ledger.empty()) return policy.population.ledger;
  return ledger_path(key_path, policy.population.name);
}

std::string key_of(const Ledger& ledger) { return ledger.parameters.text_at("key"); }

Result<PopulationLedger> PopulationLedger::open(const std::string& path) {
  auto lock = FileLock::take(
      path + ".lock", fmt::format("another build works with {}; wait until it is done", path));
  if (!lock) return lock.error();
  if (auto settled = settle(path); !settled) return settled.error();
  return PopulationLedger(path, std::move(*lock));
}

Result<LastBuild> PopulationLedger::last_build(const std::string& output, bool new_release,
                                               const Json& parameters) const {
  LastBuild last;
  std::optional<Index> there = protected_index(output);
  if (there) last.releases = release_of(*there);
  if (!file_exists(path_)) {
    if (there && !new_release) return not_from(output, path_);
    return last;
  }
  auto ledger = read_ledger(path_);
  if (!ledger && !new_release) return ledger.error();
  if (ledger) {
    last.ledger = std::move(*ledger);
    last.releases = std::max(last.releases, last.ledger.release);
  }
  if (new_release) return last;
  if (there && !belong_together(*there, last.ledger)) return not_from(output, path_);
  const LedgerOutput* made = last_with(last.ledger, last.ledger.parameters);
  if (made == nullptr) made = &last.ledger.last_output();
  last.index = find_made(*made, last.ledger, output);
  if (!last.index) {
    auto damage = damage_of(*made, output);
    bool further = smaller_l(last.ledger.parameters, parameters).has_value();
    if (!damage || further || is_younger(*made, last.ledger, output)) return lost(*made, path_);
    last.damage = damage->message;
  }
  if (auto found = find_further(parameters, output, path_, last); !found) return found.error();
  bool other_l = there && !has_parameters(*there, parameters) &&
                 (last.goes_further || !has_parameters(*there, last.ledger.parameters));
  if (other_l) return of_another_l(output, *there);
  return last;
}

Status PopulationLedger::check_other_keys(const Task& task, const std::string& key_path) const {
  if (find_scheme(task.demand.scheme)->shows_nothing) return {};
  std::optional<Ledger> own;
  for (const std::string& path : ledgers_beside({path_, key_path})) {
    auto other = read_ledger(path);
    // What cannot be read is nobody's ledger here, or is met when its own key is used.
    bool counts = other && key_of(*other) != task.key.fingerprint() && shows_something(*other);
    if (!counts) continue;
    if (!own) own = public_side(task);
    if (about_the_same_people(*own, *other)) return speak_twice(path);
  }
  return {};
}

Status PopulationLedger::check_older_ledgers(const SecretKey& key, const std::string& key_path,
                                             const std::string& output) const {
  for (const std::string& path : ledgers_beside({path_, key_path, output})) {
    if (!is_older_ledger(path, key.fingerprint())) continue;
    return wrong_use(fmt::format(
        "{} was begun with this key by an older version, and this one cannot go on from it, so "
        "rows would show a second answer beside the first; serve the old index on, or start over "
        "with --new-release and take it out of use",
        path));
  }
  return {};
}

Status PopulationLedger::write(const Index& index, const std::string& output, Ledger ledger) const {
  std::string name = absolute_path(output);
  std::erase_if(ledger.outputs, [&](const LedgerOutput& made) { return made.path == name; });
  const Json* parameters = index.info().notes.find("parameters");
  LedgerOutput made{name, ledger.build, parameters == nullptr ? Json() : *parameters, {}};
  for (const Attribute& attribute : index.schema().attributes) {
    if (!attribute.is_private()) made.public_columns.push_back(attribute.name);
  }
  ledger.outputs.push_back(std::move(made));
  std::string next = next_path(path_);
  if (auto written = write_ledger(ledger, next); !written) return written;
  if (auto written = write_index(index, output); !written) {
    std::error_code ignored;
    std::filesystem::remove(next, ignored);
    return written;
  }
  // Both are whole now; only a build that was stopped leaves this to the next one (settle).
  return remove_or_rename(next, path_, true);
}

}  // namespace rankveil::api
