#include "rankveil/probe/finding.h"

#include <array>
#include <utility>

namespace rankveil::probe {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 7> verdicts = {{
    {Verdict::Leak, "LEAK"},
    {Verdict::Declared, "DECLARED"},
    {Verdict::Shown, "SHOWN"},
    {Verdict::Refused, "REFUSED"},
    {Verdict::Inert, "INERT"},
    {Verdict::Absent, "ABSENT"},
    {Verdict::Blind, "BLIND"},
}};

}  // namespace

std::string_view to_text(Verdict verdict) {
  return verdicts[static_cast<std::size_t>(verdict)].second;
}

std::optional<Verdict> parse_verdict(std::string_view text) {
  for (const auto& [verdict, name] : verdicts) {
    if (name == text) return verdict;
  }
  return std::nullopt;
}

}  // namespace rankveil::probe
