// Manual pages, made from the options that commands declare.
#pragma once

#include <string>
#include <vector>

namespace rankveil::cli {

struct ManPage {
  std::string file;  // "rankveil-query.1"
  std::string text;  // for groff -man
};

// rankveil(1), then one of each command in the order of the overview.
std::vector<ManPage> man_pages();

}  // namespace rankveil::cli
