#include "rankveil/api/plain_ids.h"

#include <fmt/core.h>

#include "rankveil/api/known_columns.h"
#include "rankveil/base/format.h"

namespace rankveil::api {

Result<std::vector<Telling>> check_plain_ids(const Policy& policy, const Table& table,
                                             const connect::RowPeople& people,
                                             std::uint32_t threads) {
  if (policy.ids != IdForm::Plain) return std::vector<Telling>{};
  auto tellings = what_ids_tell(table, policy.l, rows_that_speak(table, people), threads);
  if (tellings.empty() || policy.ids_tell) return tellings;
  return bad_input(
      fmt::format("ids would tell private values: rows stand side by side with others of the same "
                  "{}, where 1/l "
                  "= {:.3g} is allowed on 1% of them; write ids = \"keyed\" or ids = \"none\" into "
                  "the policy, or "
                  "ids_tell = true to serve these ids all the same",
                  to_text(tellings, table.rows()), 1.0 / policy.l));
}

std::string to_text(const std::vector<Telling>& tellings, std::uint32_t rows) {
  std::string text;
  for (const Telling& telling : tellings) {
    text += fmt::format("{}{} by {} (gain {:.2f} on {} of {})",
                        text.empty() ? "" : ", and of the same ", telling.attribute,
                        telling.pattern, telling.gain, grouped(telling.rows), counted(rows, "row"));
  }
  return text;
}

Json telling_ids_json(const std::vector<Telling>& tellings) {
  Json::Array list;
  for (const Telling& telling : tellings) {
    list.push_back(Json()
                       .set("attribute", telling.attribute)
                       .set("pattern", telling.pattern)
                       .set("rows", telling.rows)
                       .set("gain", telling.gain));
  }
  return Json(std::move(list));
}

}  // namespace rankveil::api
