// The ledger of a population on disk, and the files that were made from it.
//
//   auto book = PopulationLedger::open(path);   // locked for as long as the object lives
//   auto before = book->last_build(output, new_release, parameters);
//   ...
//   book->write(index, output, ledger);
//
// There is one ledger a key and population. It stands beside the key, as people.key.default.ledger,
// or where the policy says. A build writes the new ledger under another name, then the index, then
// gives the ledger its own name; when it was stopped in between, the index says which of the two
// ledgers is valid, and open() settles it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "rankveil/base/files/file_lock.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/protect/release/release.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

struct LastBuild {
  std::optional<Index> index;  // of the release; none: rows have nothing to keep, or `damage`
  std::string damage = {};     // why the release's index cannot be read; empty: it can
  Ledger ledger = {};
  std::uint32_t releases = 0;  // until now
  // What is asked for is an output under a larger l than the release's (protect/life/
  // further_output.h), and the last one under this l.
  bool goes_further = false;
  std::optional<Index> further = {};

  // Rows keep what they show.
  bool goes_on() const { return index || !damage.empty(); }
};

class PopulationLedger {
 public:
  // Refuses while another build runs.
  static Result<PopulationLedger> open(const std::string& path);

  const std::string& path() const { return path_; }

  // What the next build goes on from, of an output with these parameters (release_parameters.h).
  // Refuses an output that was not made from this ledger, or under another l, and a ledger whose
  // last output is not to be found: where it was written, at `output`, or beside it. One that is
  // there and damaged is told of (LastBuild::damage), unless it is of a later build than the
  // ledger.
  Result<LastBuild> last_build(const std::string& output, bool new_release,
                               const Json& parameters) const;

  // Refuses to release people who are in a ledger of another key, here or beside `key_path`.
  Status check_other_keys(const Task& task, const std::string& key_path) const;

  // Refuses to begin where a ledger of this key lies that an older version wrote, here, beside
  // `key_path` or beside `output`: its people would get a second answer.
  Status check_older_ledgers(const SecretKey& key, const std::string& key_path,
                             const std::string& output) const;

  // The index, and the ledger with this output in it.
  Status write(const Index& index, const std::string& output, Ledger ledger) const;

 private:
  PopulationLedger(std::string path, FileLock lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}
  std::string path_;
  FileLock lock_;
};

// Whether the file at this path is an output of the ledger's release.
bool has_made(const Ledger& ledger, const std::string& output);

std::string ledger_path(const std::string& key_path, const std::string& population);
// Beside the key, or where the policy says.
std::string ledger_path(const std::string& key_path, const Policy& policy);

// The fingerprint of the key that it was made with; empty: it does not say.
std::string key_of(const Ledger& ledger);

}  // namespace rankveil::api
