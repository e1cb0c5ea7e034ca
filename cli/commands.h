// The subcommands: each declares its options and hands back what runs it.
#pragma once

#include <functional>

#include "cli/options.h"

namespace rankveil::cli {

// Returns the exit code.
using Run = std::function<int()>;

// A setup declares options whose targets the returned Run owns.
Run set_up_doctor(Options& options);
Run set_up_generate(Options& options);
Run set_up_inspect(Options& options);
Run set_up_ids(Options& options);
Run set_up_index(Options& options);
Run set_up_keygen(Options& options);
Run set_up_protect(Options& options);
Run set_up_query(Options& options);
Run set_up_measure(Options& options);
Run set_up_compare(Options& options);
Run set_up_probe(Options& options);
Run set_up_profiles(Options& options);
Run set_up_bound(Options& options);
Run set_up_graph_anonymize(Options& options);
Run set_up_graph_attack(Options& options);
Run set_up_graph_evaluate(Options& options);
Run set_up_graph_generate(Options& options);
Run set_up_graph_inspect(Options& options);
Run set_up_publish(Options& options);
Run set_up_check_publication(Options& options);
Run set_up_audit(Options& options);
Run set_up_replay(Options& options);
Run set_up_verify(Options& options);
Run set_up_completions(Options& options);
Run set_up_man(Options& options);
Run set_up_schema(Options& options);

}  // namespace rankveil::cli
