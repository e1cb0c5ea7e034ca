// rankveil keygen: the secret that protection stands on.
#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"
#include "rankveil/api/protect.h"

namespace rankveil::cli {

namespace {

struct KeygenOptions {
  std::string path;
  std::optional<std::uint32_t> seed;
  bool json = false;
};

int run(const KeygenOptions& told) {
  auto result = api::keygen(told.path, told.seed);
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n"
                  : fmt::format("wrote {}: key {}, readable by you alone\n",
                                printable(result->path), result->fingerprint));
  if (told.seed) {
    say_warning("this key protects nothing: whoever tries the seed has it");
    return exit_ok;
  }
  say_note(
      "keep it safe and secret: rows keep what they show only with this key, and whoever has it "
      "can "
      "undo the protection");
  return exit_ok;
}

}  // namespace

Run set_up_keygen(Options& options) {
  auto told = std::make_shared<KeygenOptions>();
  options.positional("FILE", "where the key goes; an existing file is never replaced", told->path);
  options.number("--seed", "N", "make the same key again; for demonstrations, it protects nothing",
                 told->seed, 0);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil keygen people.key");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli
