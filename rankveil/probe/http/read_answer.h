// What a stranger's answer says about own rows, and nothing about others.
#pragma once

#include <span>
#include <string>

#include "rankveil/connect/http/client.h"
#include "rankveil/probe/asking.h"
#include "rankveil/probe/dialect/dialect.h"

namespace rankveil::probe {

// Equal JSON is equal text: members are sorted.
std::string canonical(const Json& value);

// `outcome`, `status`, `reason`, `rows`, `count`, `cursor` and `parts` of an answer. Rows are known
// by their ids; of rows that are not in `question.own` nothing else is kept but a digest. The same
// holds for texts elsewhere in the answer, unless they are the value that was asked for.
Answer read_answer(const connect::HttpAnswer& received, const WayTemplate& way,
                   const Refusals& refusals, const Question& question);

// The rows of a listing; fails with a sentence where there are none to be found.
Result<const Json::Array*> rows_of(const Json& answer, const AnswerPlaces& places);
std::optional<std::string> id_of(const Json& row, const AnswerPlaces& places);

// The row that an item of the list is, or leads to.
const Json& row_in(const Json& item, const AnswerPlaces& places);

// "/a/b" or the flat name "a.b": where a field stands in a row. Null: nowhere.
const Json* field_of(const Json& row, std::string_view name);

// 429, or 503 with a time to wait.
bool is_throttled(const connect::HttpAnswer& answer);

// "status 400: The following path cannot be queried": one line, at most 200 characters of it.
std::string answer_excerpt(const connect::HttpAnswer& answer);

}  // namespace rankveil::probe
