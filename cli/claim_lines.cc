#include "cli/claim_lines.h"

#include <fmt/core.h>

namespace rankveil::cli {

std::string against_text(const Promise& promise, const std::vector<AdversaryLevel>& levels) {
  std::string text;
  for (const std::string& line : claimed_levels(promise, levels)) {
    text += fmt::format("  {:<8}  {}\n", text.empty() ? "against" : "", line);
  }
  return text;
}

}  // namespace rankveil::cli
