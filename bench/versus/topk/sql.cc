#include "bench/versus/topk/sql.h"

#include <fmt/format.h>

namespace rankveil::versus {
namespace {

bool holds_set(const Data& data, std::uint32_t attribute) {
  return data.kind == Kind::Sets && attribute >= data.table->public_count;
}

std::string weight_text(const Weights& weights, std::size_t attribute,
                        const std::string& double_suffix) {
  if (weights.per_one == 1) return fmt::format("{}", weights.units[attribute]);
  double weight =
      static_cast<double>(weights.units[attribute]) / static_cast<double>(weights.per_one);
  return fmt::format("{:.6f}{}", weight, double_suffix);
}

}  // namespace

std::string column_name(std::uint32_t attribute) { return fmt::format("a{}", attribute); }

std::string create_table(const Data& data, const std::string& id_type, const std::string& type,
                         const std::string& set_type) {
  std::string text = "CREATE TABLE people (id " + id_type;
  for (std::uint32_t a = 0; a < data.table->attributes(); ++a) {
    text += fmt::format(", {} {}", column_name(a), holds_set(data, a) ? set_type : type);
  }
  return text + ")";
}

std::uint32_t stored_value(const Data& data, std::uint32_t attribute, std::uint32_t row) {
  std::uint32_t own = data.table->columns[attribute][row];
  if (!holds_set(data, attribute)) return own;
  return 1U << own | 1U << data.second[attribute - data.table->public_count][row];
}

std::string top_k_query(const Data& data, const Task& task, std::size_t question,
                        const std::string& double_suffix) {
  std::string sum;
  const Question& asked = task.questions[question];
  for (std::uint32_t a = 0; a < asked.wanted.size(); ++a) {
    int wanted = asked.wanted[a];
    if (wanted == no_wish) continue;
    std::string condition = holds_set(data, a)
                                ? fmt::format("({} & {}) <> 0", column_name(a), 1U << wanted)
                                : fmt::format("{} = {}", column_name(a), wanted);
    sum += fmt::format("{}CASE WHEN {} THEN {} ELSE 0 END", sum.empty() ? "" : " + ", condition,
                       weight_text(task.weights, a, double_suffix));
  }
  return fmt::format("SELECT id, {} AS score FROM people ORDER BY score DESC, id LIMIT {}", sum,
                     top_k);
}

}  // namespace rankveil::versus
