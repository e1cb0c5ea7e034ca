#include "rankveil/api/doctor.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/api/index_output.h"
#include "rankveil/api/population.h"
#include "rankveil/base/format.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/protect/ledger/days.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {

namespace {

class Examination {
 public:
  explicit Examination(const ProtectRequest& request) : request_(request) {}

  std::vector<Diagnosis> of_files() {
    look_at_key();
    look_at_policy();
    look_at_ledger();
    look_at_index();
    return std::move(diagnoses_);
  }

 private:
  void say(const char* about, Health health, std::string sentence) {
    diagnoses_.push_back({about, health, std::move(sentence)});
  }

  void look_at_key() {
    auto key = read_key_file(request_.key_path);
    if (!key) return say("key", Health::Wrong, key.error().message);
    fingerprint_ = key->fingerprint();
    say("key", Health::Fine,
        fmt::format("{} is whole and closed to others: {}", request_.key_path, fingerprint_));
  }

  void look_at_policy() {
    auto policy = load_policy(request_.input);
    if (!policy) return say("policy", Health::Wrong, policy.error().message);
    ledger_path_ = ledger_path(request_.key_path, *policy);
    std::string name =
        request_.input.policy_path.empty() ? "the flags" : request_.input.policy_path;
    say("policy", Health::Fine,
        fmt::format("{} can be read: {}, l = {}, population {}", name, policy->scheme, policy->l,
                    policy->population.name));
  }

  void look_at_ledger() {
    if (ledger_path_.empty()) return;
    if (!file_exists(ledger_path_)) {
      return say("ledger", Health::Open,
                 fmt::format("{} is not there yet; the next build begins it", ledger_path_));
    }
    auto ledger = read_ledger(ledger_path_);
    if (!ledger) return say("ledger", Health::Wrong, ledger.error().message);
    ledger_ = std::move(*ledger);
    std::string made_with = key_of(*ledger_);
    if (!fingerprint_.empty() && made_with != fingerprint_) {
      return say("ledger", Health::Wrong,
                 fmt::format("{} was made with the key {}, and {} is {}; use the key of then",
                             ledger_path_, made_with, request_.key_path, fingerprint_));
    }
    say("ledger", Health::Fine,
        fmt::format("{} is of this key: release {}, {} of it, {}", ledger_path_, ledger_->release,
                    counted(ledger_->build, "build"), counted(ledger_->outputs.size(), "output")));
  }

  void look_at_index() {
    const std::string& path = request_.output;
    if (!file_exists(path)) {
      return say("index", Health::Open,
                 fmt::format("{} is not there yet; the next build makes it", path));
    }
    auto index = open_index(path);
    if (!index) return say("index", Health::Wrong, index.error().message);
    if (index->info().unprotected()) {
      return say(
          "index", Health::Wrong,
          fmt::format("{} is UNPROTECTED: the order of its answers gives private values away",
                      path));
    }
    if (!ledger_) {
      return say("index", Health::Wrong,
                 fmt::format("{} was made from a ledger that is not {}", path, ledger_path_));
    }
    if (!belong_together(*index, *ledger_)) {
      return say("index", Health::Wrong,
                 fmt::format("{} was not made from {}", path, ledger_path_));
    }
    say_how_old(path, *index);
  }

  void say_how_old(const std::string& path, const Index& index) {
    std::uint32_t built = build_of(index);
    std::string rows = counted(index.live_rows(), "row");
    if (built == ledger_->build) {
      return say("index", Health::Fine,
                 fmt::format("{} is of the ledger's last build: {}", path, rows));
    }
    say("index", Health::Open,
        fmt::format("{} is of build {}, and the ledger's last is {} ({}): build it again", path,
                    built, ledger_->build, rows));
  }

  const ProtectRequest& request_;
  std::string fingerprint_;
  std::string ledger_path_;
  std::optional<Ledger> ledger_;
  std::vector<Diagnosis> diagnoses_;
};

// What the next build would do to rows, in a sentence.
std::string next_sentence(const ProtectResult& next) {
  const ReleaseCounts& counts = next.counts;
  std::string text = next.continued
                         ? "goes on: " + counted(counts.kept, "row") + " would keep what " +
                               (counts.kept == 1 ? "it shows" : "they show")
                         : std::string("begins a release");
  auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) text += fmt::format(", {} {}", grouped(count), what);
  };
  add(counts.released, "would show something for the first time");
  std::uint64_t newcomers = counts.waiting - counts.not_established;
  std::string since = counts.waiting_since == 0 ? "" : " since " + date_text(counts.waiting_since);
  add(newcomers, (newcomers == 1 ? "waits" : "wait") + since);
  add(counts.not_established, "not established");
  add(counts.withdrawn_now + counts.company_now, "would be withdrawn now");
  add(counts.changed,
      fmt::format("changed since {} and will be withdrawn later", date_text(counts.changed_since)));
  add(counts.gone, "left");
  return text;
}

}  // namespace

std::string_view health_name(Health health) {
  switch (health) {
    case Health::Fine:
      return "fine";
    case Health::Open:
      return "open";
    case Health::Wrong:
      return "wrong";
  }
  return "";
}

bool DoctorResult::sound() const {
  return std::ranges::none_of(diagnoses,
                              [](const Diagnosis& one) { return one.health == Health::Wrong; });
}

Result<DoctorResult> doctor(ProtectRequest request) {
  Stopwatch watch;
  if (auto checked = check_has_policy(request.input, "doctor"); !checked) return checked.error();
  if (request.key_path.empty()) return wrong_use("doctor needs the key; pass --key FILE");
  DoctorResult result;
  result.diagnoses = Examination(request).of_files();
  request.dry_run = true;
  auto next = protect(request);
  if (next) {
    result.diagnoses.push_back({"next build", Health::Fine, next_sentence(*next)});
    result.next = std::move(*next);
  } else {
    result.diagnoses.push_back(
        {"next build", Health::Wrong, "would be refused: " + next.error().message});
  }
  result.seconds = watch.seconds();
  return result;
}

Json to_json(const DoctorResult& result) {
  Json::Array diagnoses;
  for (const Diagnosis& one : result.diagnoses) {
    diagnoses.push_back(Json()
                            .set("about", one.about)
                            .set("health", health_name(one.health))
                            .set("sentence", one.sentence));
  }
  return Json()
      .set("sound", result.sound())
      .set("diagnoses", std::move(diagnoses))
      .set("next", result.next ? to_json(*result.next) : Json())
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api
