#include "rankveil/api/plain_ids.h"

#include <fmt/core.h>

#include "rankveil/base/format.h"

namespace rankveil::api {

namespace {

std::vector<std::uint8_t> rows_to_look_at(const Table& table, const connect::RowPeople& people) {
  if (people.consent.empty() && people.place_of.empty()) return {};
  std::vector<std::uint8_t> rows(table.rows(), 1);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    bool open = !people.consent.empty() &&
                people.consent[row] == static_cast<std::uint8_t>(connect::Consent::Open);
    bool later = !people.place_of.empty() && people.place_of[row] > 0;
    if (open || later) rows[row] = 0;
  }
  return rows;
}

}  // namespace

Result<std::vector<Telling>> check_plain_ids(const Policy& policy, const Table& table,
                                             const connect::RowPeople& people,
                                             std::uint32_t threads) {
  if (policy.ids != IdForm::Plain) return std::vector<Telling>{};
  auto tellings = what_ids_tell(table, policy.l, rows_to_look_at(table, people), threads);
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
