// The SQL that the database contestants share.
#pragma once

#include <string>

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

// a0 .. a19: the value's number; in Kind::Sets private columns hold a bit per value that matches.
std::string column_name(std::uint32_t attribute);

// "CREATE TABLE people (id ID_TYPE, a0 TYPE, ...)"; sets take `set_type`.
std::string create_table(const Data& data, const std::string& id_type, const std::string& type,
                         const std::string& set_type);

// What the table holds in a row and column.
std::uint32_t stored_value(const Data& data, std::uint32_t attribute, std::uint32_t row);

// SELECT id, sum of CASE AS score ... ORDER BY score DESC, id LIMIT 100. Real weights are decimals
// that the database reads as doubles when `double_suffix` says so ("::DOUBLE").
std::string top_k_query(const Data& data, const Task& task, std::size_t question,
                        const std::string& double_suffix);

}  // namespace rankveil::versus
