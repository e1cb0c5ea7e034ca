#include "cli/target_options.h"

#include <fmt/core.h>

#include "cli/table_options.h"

namespace rankveil::cli {

void add_target_options(Options& options, api::TargetInput& input) {
  options.section("Truth");
  add_truth_options(options, input.input,
                    "the table that the target ranks; not needed when the target is a table");
  options.number("--threads", "N", "cores to work with; 0 takes all", input.input.threads, 0, 1024);
  add_policy_options(options, input.input);
  options.number("--l", "N", "the promise, where the target does not say: gain at most 1/l",
                 input.input.overrides.l, 2, 65535);
  add_scheme_name(options,
                  "whose promise, and what protects a live target, where the target does not say",
                  input.input.overrides.scheme);

  options.section("Target");
  options.text("--key", "FILE", "the key of an index that does not call its rows by their ids",
               input.key_path);
  options.text("--workload", "FILE", "the queries that the ranking was tuned for", input.workload);
  options.text("--ledger", "FILE",
               "who was released when, for an index that was built several times", input.ledger);
  options.once(
      "--defense", "KIND",
      "of a live target: unprotected, sets, graded, or guess (the default) from a few rows",
      [&input](const std::string& text) {
        auto defense = api::defense_from_name(text);
        if (!defense) {
          return Status(
              wrong_use(fmt::format("it is unprotected, sets, graded or guess, not \"{}\"", text)));
        }
        input.defense = *defense;
        return Status{};
      });
  options.flag("--allow-remote", "talk to live targets on other machines, too", input.allow_remote);
  options.text("--log", "FILE",
               "keep here what is done (of a live target, all answers), and go on from it after "
               "Ctrl-C or a break",
               input.log);
}

}  // namespace rankveil::cli
