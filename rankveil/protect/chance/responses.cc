#include "rankveil/protect/chance/responses.h"

#include "rankveil/protect/chance/draw_name.h"

namespace rankveil {

Responses::Responses(const Task& task, PrivateId attribute)
    : column_(task.private_column(attribute)),
      domain_(task.attribute(attribute).domain),
      names_(task.table.names()),
      stream_(task.key, "randomised response", task.attribute(attribute).name),
      l_(task.demand.l),
      others_(column_.domain_size()) {}

ValueId Responses::of(RowId row) const {
  ValueId own = column_.value(row);
  RowNames::Digits digits;
  std::string name = draw_name(names_.text(row, digits), domain_, own);
  if (others_ == 0 || stream_.below(l_, name, 0) == 0) return own;
  // Answers are numbered in domain order, "no value" last; those from the own one on stand one
  // place higher.
  std::uint32_t own_number = own == missing_value ? others_ : +own;
  auto number = static_cast<std::uint32_t>(stream_.below(others_, name, 1));
  if (number >= own_number) ++number;
  return number == others_ ? missing_value : ValueId{static_cast<std::uint16_t>(number)};
}

}  // namespace rankveil
