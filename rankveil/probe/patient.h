// An asker that waits when it is told to, asks again after trouble, and keeps count.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

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
  Answer ask(const Question& question);

 private:
  Answer ask_page(const Question& question);
  Answer out_of_budget() const;
  // Ways that failed each time they were asked again, with the fields they failed for: they are
  // asked once from then on, until they answer. A service that cannot do a thing must not cost
  // waits for every value.
  std::set<std::pair<std::string, std::string>> failing_;
  Asker& asker_;
  Meter& meter_;
  Clock& clock_;
  Patience patience_;
};

}  // namespace rankveil::probe
