#include "rankveil/audit/recorded.h"

#include <algorithm>

#include "rankveil/attack/session.h"

namespace rankveil::audit {

Result<std::vector<std::uint32_t>> RecordingTarget::query(const Query& query) {
  auto answer = target_.query(query);
  if (answer) steps_.push_back({.query = query, .answer = *answer});
  return answer;
}

Result<std::uint32_t> RecordingTarget::insert(std::span<const ValueId> values) {
  auto row = target_.insert(values);
  if (row) steps_.push_back({.is_insert = true, .values = {values.begin(), values.end()}});
  return row;
}

namespace {

// Answers whatever it was told to answer next.
class ToldTarget : public attack::Target {
 public:
  explicit ToldTarget(std::uint32_t rows) : rows_(rows) {}

  void tell(const RecordedStep& step) { answer_ = step.answer; }
  Result<std::vector<std::uint32_t>> query(const Query&) override { return answer_; }
  Result<std::uint32_t> insert(std::span<const ValueId>) override { return rows_++; }
  bool takes_inserts() const override { return true; }

 private:
  std::uint32_t rows_;
  std::vector<std::uint32_t> answer_;
};

// The query compared with one that leaves an attribute alone, if that was asked before.
void compare(attack::Session& session, const Query& query, PrivateId attribute) {
  Query without = query;
  auto wanted = std::exchange(without.wanted[session.publics() + +attribute], {});
  if (wanted.empty()) return;
  attack::Base* base = session.remembered(without, true);
  if (base == nullptr) base = session.remembered(without);
  if (base != nullptr) session.test(*base, attribute, wanted);
}

void read(attack::Session& session, ToldTarget& target, const RecordedStep& step) {
  if (step.is_insert) {
    session.insert(step.values);
    return;
  }
  target.tell(step);
  for (std::uint32_t j = 0; j < session.privates(); ++j) {
    compare(session, step.query, PrivateId{j});
  }
  session.base(step.query, true);
}

}  // namespace

bool proves(const attack::Knowledge& knowledge, const Claim& claim,
            std::span<const RecordedStep> steps) {
  ToldTarget target(knowledge.rows());
  attack::Request request{.knowledge = knowledge, .target = target, .victim = claim.victim};
  attack::Session session(request);
  for (const RecordedStep& step : steps) {
    if (!session.running()) return false;
    read(session, target, step);
  }
  if (!session.running()) return false;
  auto left = session.candidates(claim.attribute);
  return left.size() == 1 && left[0] == claim.value &&
         session.verdict(claim.attribute, claim.value) == attack::Verdict::Matched;
}

Result<std::vector<RecordedStep>> perform(attack::Target& target,
                                          std::span<const RecordedStep> steps) {
  RecordingTarget recording(target);
  for (const RecordedStep& step : steps) {
    if (step.is_insert) {
      if (auto row = recording.insert(step.values); !row) return row.error();
    } else if (auto answer = recording.query(step.query); !answer) {
      return answer.error();
    }
  }
  return recording.steps();
}

namespace {

// The number of the row that an insert made.
std::uint32_t row_of_insert(std::span<const RecordedStep> steps, std::size_t at,
                            std::uint32_t rows) {
  auto before = steps.subspan(0, at);
  return rows + static_cast<std::uint32_t>(std::count_if(
                    before.begin(), before.end(), [](const auto& step) { return step.is_insert; }));
}

// Without the row in any answer; rows behind it move up.
void forget_row(std::vector<RecordedStep>& steps, std::uint32_t row) {
  for (RecordedStep& step : steps) {
    std::erase(step.answer, row);
    for (std::uint32_t& other : step.answer) other -= other > row ? 1 : 0;
  }
}

// Without steps [at, at + count); nothing when an insert among them must stay.
std::optional<std::vector<RecordedStep>> without(const std::vector<RecordedStep>& steps,
                                                 std::size_t at, std::size_t count,
                                                 std::uint32_t rows, bool drop_inserts) {
  std::vector<RecordedStep> left = steps;
  for (std::size_t i = at + count; i-- > at;) {
    if (left[i].is_insert && !drop_inserts) return std::nullopt;
    if (left[i].is_insert) forget_row(left, row_of_insert(left, i, rows));
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(i));
  }
  return left;
}

}  // namespace

// Large pieces first: most of an attack is about dead ends. Then single steps, until each one left
// is needed.
std::vector<RecordedStep> shortest(const attack::Knowledge& knowledge, const Claim& claim,
                                   std::vector<RecordedStep> steps, bool drop_inserts) {
  std::size_t piece = std::max<std::size_t>(steps.size() / 2, 1);
  for (;;) {
    bool dropped = false;
    for (std::size_t at = 0; at < steps.size();) {
      std::size_t count = std::min(piece, steps.size() - at);
      auto left = without(steps, at, count, knowledge.rows(), drop_inserts);
      if (left && proves(knowledge, claim, *left)) {
        steps = *std::move(left);
        dropped = true;
      } else {
        at += count;
      }
    }
    if (piece == 1 && !dropped) return steps;
    piece = std::max<std::size_t>(piece / 2, 1);
  }
}

}  // namespace rankveil::audit
