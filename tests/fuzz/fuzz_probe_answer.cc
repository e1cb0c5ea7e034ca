// Any body is an answer: ids of rows, and of rows that are not ours nothing that they hold.
#include <algorithm>
#include <cstdint>

#include "rankveil/probe/http/read_answer.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rankveil::probe;
  const rankveil::connect::HttpAnswer received{
      .status = 200, .body = std::string(reinterpret_cast<const char*>(data), size)};
  for (const Kind kind : {Kind::Sort, Kind::Count, Kind::GroupBy, Kind::Cursor}) {
    WayTemplate way;
    way.way.kind = kind;
    const Question question{.way = "w", .field = "income", .own = {"7"}};
    const Answer answer = read_answer(received, way, {}, question);
    rankveil::check(answer.reason.find('\n') == std::string::npos, "a reason is one line");
    for (const Part& part : answer.parts) {
      rankveil::check(part.row.empty() || part.row == "7", "only own rows tell what they hold");
    }
  }
  rankveil::check(answer_excerpt(received).size() < 400, "an excerpt is short");
  return 0;
}
