#include "rankveil/audit/baseline_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/base/format.h"
#include "rankveil/protect/not_sensitive.h"

namespace rankveil::audit {

namespace {

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

std::string file_name(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

std::string or_none(const std::string& text) { return text.empty() ? "not known" : text; }

// The names that one list has and the other has not. Both are sorted.
std::vector<std::string> without(const std::vector<std::string>& names,
                                 const std::vector<std::string>& others) {
  std::vector<std::string> left;
  std::ranges::set_difference(names, others, std::back_inserter(left));
  return left;
}

class Differences {
 public:
  void compare(const char* what, const std::string& then, const std::string& now) {
    if (then != now) add(fmt::format("{} was {} and is {}", what, or_none(then), or_none(now)));
  }
  void compare(const char* what, const std::vector<std::string>& then,
               const std::vector<std::string>& now) {
    constexpr std::size_t most = 5;
    auto gone = without(then, now);
    auto more = without(now, then);
    if (!gone.empty()) add(fmt::format("no longer {}: {}", what, listed(gone, most)));
    if (!more.empty()) add(fmt::format("newly {}: {}", what, listed(more, most)));
  }
  std::string take() && { return std::move(text_); }

 private:
  void add(const std::string& difference) { text_ += (text_.empty() ? "" : "; ") + difference; }
  std::string text_;
};

}  // namespace

Subject origin_of(Subject subject) {
  subject.target = file_name(subject.target);
  subject.table.clear();
  subject.policy.clear();
  return subject;
}

std::string misfit(const Subject& then, const Subject& now) {
  Differences differences;
  differences.compare("the target", file_name(then.target), file_name(now.target));
  differences.compare("its kind", then.target_kind, now.target_kind);
  differences.compare("the scheme", then.scheme, now.scheme);
  differences.compare("l", std::to_string(then.l), std::to_string(now.l));
  differences.compare("the promise", then.promise.text(), now.promise.text());
  differences.compare("what is declared not sensitive", to_text(then.not_sensitive),
                      to_text(now.not_sensitive));
  differences.compare("public", sorted(then.public_attributes), sorted(now.public_attributes));
  differences.compare("private", sorted(then.private_attributes), sorted(now.private_attributes));
  return std::move(differences).take();
}

std::string changed_rows(const Subject& then, const Subject& now) {
  if (then.rows == now.rows && then.fingerprint == now.fingerprint) return "";
  return fmt::format(
      "The table is not the one that the baseline was written from: it had {} then and has {} now.",
      counted(then.rows, "row"), grouped(now.rows));
}

}  // namespace rankveil::audit
