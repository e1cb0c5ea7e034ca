#include "cli/claim_lines.h"

#include <fmt/core.h>

#include "rankveil/audit/report_words.h"

namespace rankveil::cli {

std::string promise_lines(std::string_view head, const Promise& promise) {
  std::string text = fmt::format("  {:<8}  {}\n", head, promise.text());
  for (const std::string& sentence : audit::promise_meaning(promise)) {
    text += fmt::format("  {:<8}  {}\n", "", sentence);
  }
  return text;
}

std::string against_text(const Promise& promise, const std::vector<AdversaryLevel>& levels) {
  std::string text;
  for (const std::string& line : claimed_levels(promise, levels)) {
    text += fmt::format("  {:<8}  {}\n", text.empty() ? "against" : "", line);
  }
  return text;
}

}  // namespace rankveil::cli
