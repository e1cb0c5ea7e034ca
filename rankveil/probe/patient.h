// An asker that waits when it is told to, asks again after trouble, and keeps count.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "rankveil/base/clock.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/meter.h"

namespace rankveil::probe {

struct Patience {
  double seconds = 30;      // how long one question may wait for a service that throttles
  std::uint32_t tries = 4;  // of a question that fails
  std::uint32_t pages = 1;  // how far an own row is looked for
};

class PatientAsker {
 public:
  PatientAsker(Asker& asker, Meter& meter, Clock& clock, const Patience& patience)
      : asker_(asker), meter_(meter), clock_(clock), patience_(patience) {}

  // The answer, with the rows of further pages behind those of the first until all own rows are
  // there. When the meter says no, it has failed with the meter's reason.
  Answer ask(const Question& question) { return ask(question, patience_.tries); }
  // The same with fewer tries, for a question to which a failure is an answer, too.
  Answer ask(const Question& question, std::uint32_t tries);

 private:
  Answer ask_page(const Question& question, std::uint32_t tries);
  std::uint32_t tries_left(const Question& question, std::uint32_t tries) const;
  Answer out_of_budget() const;
  // By field, the ways that failed each time they were asked again. They are asked once from then
  // on, until they answer, and further ways of the field less often. A service that cannot do a
  // thing must not cost waits for every value and every way.
  std::map<std::string, std::set<std::string>> failing_;
  Asker& asker_;
  Meter& meter_;
  Clock& clock_;
  Patience patience_;
};

}  // namespace rankveil::probe
