#include "rankveil/audit/baseline_origin.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/audit/json_fields.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

std::vector<std::string> sorted(std::vector<std::string> names) {
  std::ranges::sort(names);
  return names;
}

std::string or_none(const std::string& text) { return text.empty() ? "not known" : text; }

// The names that one list has and the other has not.
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

BaselineOrigin origin_of(const Subject& subject) {
  return {.target = std::filesystem::path(subject.target).filename().string(),
          .target_kind = subject.target_kind,
          .scheme = subject.scheme,
          .l = subject.l,
          .promise = subject.promise.text(),
          .public_attributes = sorted(subject.public_attributes),
          .private_attributes = sorted(subject.private_attributes),
          .rows = subject.rows,
          .fingerprint = subject.fingerprint};
}

Json to_json(const BaselineOrigin& origin) {
  return Json()
      .set("target", origin.target)
      .set("target_kind", origin.target_kind)
      .set("scheme", origin.scheme)
      .set("l", origin.l)
      .set("promise", origin.promise)
      .set("public_attributes", json_texts(origin.public_attributes))
      .set("private_attributes", json_texts(origin.private_attributes))
      .set("rows", origin.rows)
      .set("fingerprint", origin.fingerprint);
}

BaselineOrigin read_origin(JsonFields fields) {
  BaselineOrigin origin;
  origin.target = fields.text("target");
  origin.target_kind = fields.text("target_kind");
  origin.scheme = fields.text("scheme");
  origin.l = fields.whole("l");
  origin.promise = fields.text("promise");
  origin.public_attributes = sorted(fields.texts("public_attributes"));
  origin.private_attributes = sorted(fields.texts("private_attributes"));
  origin.rows = fields.whole("rows");
  origin.fingerprint = fields.text("fingerprint");
  return origin;
}

std::string misfit(const BaselineOrigin& then, const BaselineOrigin& now) {
  Differences differences;
  differences.compare("the target", then.target, now.target);
  differences.compare("its kind", then.target_kind, now.target_kind);
  differences.compare("the scheme", then.scheme, now.scheme);
  differences.compare("l", std::to_string(then.l), std::to_string(now.l));
  differences.compare("the promise", then.promise, now.promise);
  differences.compare("public", then.public_attributes, now.public_attributes);
  differences.compare("private", then.private_attributes, now.private_attributes);
  return std::move(differences).take();
}

std::string changed_rows(const BaselineOrigin& then, const BaselineOrigin& now) {
  if (then.rows == now.rows && then.fingerprint == now.fingerprint) return "";
  return fmt::format(
      "The table is not the one that the baseline was written from: it had {} then and has {} now.",
      counted(then.rows, "row"), grouped(now.rows));
}

}  // namespace rankveil::audit
