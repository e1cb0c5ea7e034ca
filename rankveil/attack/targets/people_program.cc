// people_program [FAULT N]: ranks the awkward people of the tests over pipes, in the way of
// program_service.h. At its N-th question it meets with a fault: dies, hangs, babbles, chatters
// (two lines), refuses or complains (which passes).
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>

#include "rankveil/attack/targets/awkward_people.h"

namespace rankveil::attack {
namespace {

// False: there is an answer to be given after all.
bool meet(const std::string& fault) {
  if (fault == "die") std::exit(3);
  if (fault == "hang") pause();
  if (fault == "babble") std::cout << "I rank people\n" << std::flush;
  if (fault == "refuse") std::cout << "{\"error\": \"not today\"}\n" << std::flush;
  if (fault == "complain") std::cout << "{\"error\": \"busy\", \"retry\": true}\n" << std::flush;
  if (fault == "chatter") std::cout << "{\"ids\": []}\nand more\n" << std::flush;
  return fault != "none";
}

}  // namespace
}  // namespace rankveil::attack

int main(int argc, char** argv) {
  const std::string fault = argc > 2 ? argv[1] : "none";
  const int when = argc > 2 ? std::atoi(argv[2]) : 0;
  rankveil::attack::testing_support::PeopleRanking ranking(
      rankveil::attack::testing_support::awkward_table());
  std::string line;
  for (int number = 1; std::getline(std::cin, line); ++number) {
    if (number == when && rankveil::attack::meet(fault)) continue;
    std::cout << rankveil::attack::testing_support::answer_to(*rankveil::parse_json(line), ranking)
                     .dump(-1)
              << "\n"
              << std::flush;
  }
}
