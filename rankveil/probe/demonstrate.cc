#include "rankveil/probe/demonstrate.h"

#include <algorithm>
#include <vector>

#include "rankveil/probe/features.h"

namespace rankveil::probe {
namespace {

Value number_of(std::int64_t number) { return {std::to_string(number), false}; }

std::int64_t middle_of(NumberRange range) { return range.least + (range.most - range.least) / 2; }

// Asks, and counts.
class Questions {
 public:
  Questions(Asker& asker, std::string way, const Field& field) : asker_(asker) {
    question_.way = std::move(way);
    question_.field = field.name;
  }

  // The rows whose value is above `low` and, where the way cares, below `high`. Nothing: no answer.
  std::optional<std::vector<std::string>> between(std::int64_t low, std::int64_t high) {
    question_.low = number_of(low);
    question_.high = number_of(high);
    question_.value = number_of(low + 1);
    return rows();
  }

  std::optional<std::vector<std::string>> in_order(Direction direction) {
    question_.direction = direction;
    return rows();
  }

  std::uint64_t requests() const { return requests_; }

 private:
  std::optional<std::vector<std::string>> rows() {
    const Answer answer = asker_.ask(question_);
    requests_ += answer.requests;
    if (answer.outcome != Outcome::Answered) return std::nullopt;
    return answer.rows;
  }

  Asker& asker_;
  Question question_ = {};
  std::uint64_t requests_ = 0;
};

bool contains(const std::vector<std::string>& rows, const std::string& row) {
  return std::ranges::find(rows, row) != rows.end();
}

// The numbers at which a row was seen. Where a condition keeps both ends, these are its own and the
// two beside it.
struct Span {
  std::int64_t first;
  std::int64_t last;
};

// Halves each interval that holds somebody, least first.
class Splitting {
 public:
  Splitting(Questions& questions, std::size_t most) : questions_(questions), most_(most) {}

  bool split(NumberRange range) {
    if (has_enough(range.least)) return true;
    const auto rows = questions_.between(range.least - 1, range.most + 1);
    if (!rows) return false;
    if (rows->empty()) return true;
    if (range.least == range.most) {
      for (const std::string& row : *rows) {
        seen_.try_emplace(row, Span{range.least, range.least}).first->second.last = range.least;
      }
      return true;
    }
    const std::int64_t middle = middle_of(range);
    return split({range.least, middle}) && split({middle + 1, range.most});
  }

  // Of rows that will not be seen again.
  std::map<std::string, std::int64_t> values(std::int64_t next) const {
    std::map<std::string, std::int64_t> values;
    for (const auto& [row, span] : seen_) {
      if (span.last + 1 < next) values[row] = span.first + (span.last - span.first) / 2;
    }
    return values;
  }

 private:
  bool has_enough(std::int64_t next) const {
    return seen_.size() >= most_ && values(next).size() >= most_;
  }

  Questions& questions_;
  std::size_t most_;
  std::map<std::string, Span> seen_ = {};
};

// An own row beside the other's.
class Beside {
 public:
  Beside(Questions& questions, Writer& writer, const Field& field, std::string own,
         std::string other)
      : questions_(questions),
        writer_(writer),
        field_(field),
        own_(std::move(own)),
        other_(std::move(other)) {}

  // Whether the other's row comes before ours, once ours has this number.
  std::optional<bool> comes_first(std::int64_t number, Direction direction) {
    if (written_ != number) {
      ++writes_;
      if (!writer_.write(own_, field_, number_of(number))) return std::nullopt;
      written_ = number;
    }
    const auto rows = questions_.in_order(direction);
    // Who is not on the page comes after those who are.
    if (!rows || (!contains(*rows, own_) && !contains(*rows, other_))) return std::nullopt;
    return std::ranges::find(*rows, other_) < std::ranges::find(*rows, own_);
  }

  // Equal rows lie alike in both directions.
  std::optional<bool> is_equal(std::int64_t number) {
    const auto up = comes_first(number, Direction::Ascending);
    const auto down = comes_first(number, Direction::Descending);
    if (!up || !down) return std::nullopt;
    return *up == *down;
  }

  std::uint64_t writes() const { return writes_; }

 private:
  Questions& questions_;
  Writer& writer_;
  const Field& field_;
  std::string own_;
  std::string other_;
  std::optional<std::int64_t> written_ = std::nullopt;
  std::uint64_t writes_ = 0;
};

// The least number at which ours comes after the other's is the other's, or the next one: ties
// decide.
std::optional<std::int64_t> search_beside(Beside& beside, NumberRange range) {
  while (range.least < range.most) {
    const std::int64_t middle = middle_of(range);
    const auto first = beside.comes_first(middle, Direction::Ascending);
    if (!first) return std::nullopt;
    (*first ? range.most : range.least) = *first ? middle : middle + 1;
  }
  const auto equal = beside.is_equal(range.least);
  if (!equal) return std::nullopt;
  return *equal ? range.least : range.least - 1;
}

}  // namespace

std::optional<Recovered> recover_by_condition(Asker& asker, const std::string& way,
                                              const Field& field, const std::string& row,
                                              NumberRange range) {
  Questions questions(asker, way, field);
  const std::int64_t ceiling = range.most + 1;
  while (range.least < range.most) {
    const std::int64_t middle = middle_of(range);
    const auto rows = questions.between(middle, ceiling);
    if (!rows) return std::nullopt;
    (contains(*rows, row) ? range.least : range.most) = contains(*rows, row) ? middle + 1 : middle;
  }
  return Recovered{{{row, range.least}}, questions.requests()};
}

std::optional<Recovered> recover_all_by_condition(Asker& asker, const std::string& way,
                                                  const Field& field, NumberRange range,
                                                  std::size_t most) {
  Questions questions(asker, way, field);
  Splitting splitting(questions, most);
  if (!splitting.split(range)) return std::nullopt;
  return Recovered{splitting.values(range.most + 2), questions.requests()};
}

std::optional<Recovered> recover_by_order(Asker& asker, Writer& writer, const std::string& way,
                                          const Field& field, const std::string& row,
                                          NumberRange range, const std::string& mark) {
  auto own = writer.create(mark);
  if (!own) return std::nullopt;
  Questions questions(asker, way, field);
  Beside beside(questions, writer, field, *own, row);
  const auto value = search_beside(beside, range);
  const bool removed = static_cast<bool>(writer.remove(*own));
  if (!value || !removed) return std::nullopt;
  return Recovered{{{row, *value}}, questions.requests() + beside.writes() + 2};
}

}  // namespace rankveil::probe
