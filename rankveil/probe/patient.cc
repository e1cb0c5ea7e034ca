#include "rankveil/probe/patient.h"

#include <algorithm>

#include "rankveil/probe/features.h"

namespace rankveil::probe {
namespace {

bool all_there(const Answer& answer, const std::vector<std::string>& own) {
  return std::ranges::all_of(own, [&](const auto& row) { return place_of(answer, row) > 0; });
}

void append_page(Answer& answer, const Answer& page) {
  answer.rows.insert(answer.rows.end(), page.rows.begin(), page.rows.end());
  for (const Part& part : page.parts) {
    if (!part.row.empty()) answer.parts.push_back(part);
  }
  answer.requests += page.requests;
}

}  // namespace

Answer PatientAsker::out_of_budget() const {
  Answer answer;
  answer.outcome = Outcome::Failed;
  answer.reason = meter_.reason();
  answer.requests = 0;
  return answer;
}

std::uint32_t PatientAsker::tries_left(const Question& question, std::uint32_t tries) const {
  const auto failing = failing_.find(question.field);
  if (failing == failing_.end() || failing->second.empty()) return tries;
  const bool once = failing->second.size() > 1 || failing->second.contains(question.way);
  return once ? 1 : (tries + 1) / 2;
}

Answer PatientAsker::ask_page(const Question& question, std::uint32_t most_tries) {
  double waited = 0;
  double pause = 0.5;
  std::uint32_t failures = 0;
  std::uint32_t requests = 0;
  const std::uint32_t tries = tries_left(question, most_tries);
  while (true) {
    if (!meter_.may_go_on()) return out_of_budget();
    Answer answer = asker_.ask(question);
    meter_.spend(answer.requests);
    answer.requests = requests += answer.requests;
    const bool throttled = answer.outcome == Outcome::Throttled;
    if (!throttled && answer.outcome != Outcome::Failed) {
      failing_[question.field].erase(question.way);
      return answer;
    }
    if (!throttled && ++failures >= tries) {
      failing_[question.field].insert(question.way);
      return answer;
    }
    const double wait = answer.wait_seconds > 0 ? answer.wait_seconds : pause;
    if (waited + wait > patience_.seconds) return answer;
    clock_.sleep(wait);
    waited += wait;
    pause *= 2;
  }
}

Answer PatientAsker::ask(const Question& question, std::uint32_t tries) {
  Answer answer = ask_page(question, tries);
  std::string cursor = answer.cursor;
  for (std::uint32_t page = 1; page < patience_.pages; ++page) {
    if (answer.outcome != Outcome::Answered || cursor.empty()) break;
    if (all_there(answer, question.own)) break;
    Question next = question;
    next.page = question.page + page;
    next.cursor = cursor;
    const Answer more = ask_page(next, tries);
    if (more.outcome != Outcome::Answered) break;
    append_page(answer, more);
    cursor = more.cursor;
  }
  return answer;
}

}  // namespace rankveil::probe
