// A table, a protected index, a query: the library in one page.
//
//   first_ranking people.csv people.toml FOLDER     the key, its ledger and the index go to FOLDER
#include <fmt/core.h>

#include <filesystem>

#include "rankveil/api/protect.h"
#include "rankveil/ranking/index_file.h"

namespace {

using namespace rankveil;

int fail(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string folder = argv[3];

  api::ProtectRequest request;
  request.input.source.path = argv[1];
  request.input.policy_path = argv[2];        // what each column may be used for, scheme and l
  request.key_path = folder + "/people.key";  // secret: whoever has it undoes what protect does
  request.output = folder + "/people.rankveil";
  if (!std::filesystem::exists(request.key_path)) {
    if (auto made = api::keygen(request.key_path); !made) return fail(made.error());
  }

  // Refuses what the policy may not allow. Once more: rows keep what they show, by the ledger
  // beside the key.
  auto made = api::protect(request);
  if (!made) return fail(made.error());
  fmt::print("{}, for {} of {} rows\n", made->promise.text(), made->coverage.covered, made->rows);
  for (const std::string& warning : made->warnings) fmt::print(stderr, "{}\n", warning);

  // What a server holds: it needs neither the table nor the key.
  auto index = open_index(made->output);
  if (!index) return fail(index.error());
  Query query = empty_query(index->schema());
  auto added = add_wish(index->schema(), "religion=none", query);
  if (!added) return fail(added.error());
  Answer answer = index->rank(query, {.k = 3});
  for (const Hit& hit : answer.hits) {
    fmt::print("{} scores {:.3f}\n", index->name(hit.row),
               static_cast<double>(hit.score) * answer.unit);
  }
}
