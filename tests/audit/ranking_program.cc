// ranking_program TABLE POLICY [COUNT LAST]: ranks a table over pipes (docs/reference/targets.md,
// program). With COUNT, a file that grows by a byte a question, it kills whoever asks as soon as
// the file has LAST bytes.
// ranking_program INDEX: ranks an index, and takes no rows.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>

#include "rankveil/api/table_input.h"
#include "rankveil/attack/index_target.h"
#include "rankveil/attack/targets/awkward_people.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::tests {
namespace {

using attack::testing_support::answer_to;
using attack::testing_support::PeopleRanking;

// `asker` started this program.
void count_question(const char* path, long last, pid_t asker) {
  int file = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  struct stat about {};
  bool written = ::write(file, "?", 1) == 1 && ::fstat(file, &about) == 0;
  ::close(file);
  bool is_there = asker > 1 && ::getppid() == asker;
  if (written && about.st_size == last && is_there) ::kill(asker, SIGKILL);
}

int serve_index(const char* path) {
  auto index = open_index(path);
  if (!index) return 1;
  for (std::string line; std::getline(std::cin, line);) {
    auto question = parse_json(line);
    auto query = query_from_json(index->schema(), *question->find("query"));
    auto k = static_cast<std::uint32_t>(*question->find("k")->as_integer());
    auto rows = attack::IndexTarget(*index, k, {}).query(*query);
    std::vector<std::string> ids;
    for (std::uint32_t row : *rows) ids.push_back(index->name(RowId{row}));
    std::cout << Json().set("ids", json_texts(ids)).dump(-1) << "\n" << std::flush;
  }
  return 0;
}

int serve(int count, char** words) {
  api::TableInput input;
  input.source.path = words[1];
  input.policy_path = words[2];
  auto policy = load_policy(input);
  if (!policy) return 1;
  auto loaded = connect::read_table(input.source, *policy);
  if (!loaded) return 1;
  PeopleRanking ranking(loaded->table);
  const pid_t asker = ::getppid();
  for (std::string line; std::getline(std::cin, line);) {
    if (count == 5) count_question(words[3], std::atol(words[4]), asker);
    std::cout << answer_to(*parse_json(line), ranking).dump(-1) << "\n" << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace rankveil::tests

int main(int count, char** words) {
  if (count == 2) return rankveil::tests::serve_index(words[1]);
  if (count == 3 || count == 5) return rankveil::tests::serve(count, words);
  std::cerr << "usage: ranking_program TABLE POLICY [COUNT LAST], or ranking_program INDEX\n";
  return 2;
}
