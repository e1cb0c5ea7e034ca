// A schema whose names and values are awkward on purpose.
#pragma once

#include "rankveil/table/schema.h"

namespace rankveil {

inline Schema awkward_schema() {
  Schema schema;
  schema.id_name = "id";
  schema.attributes = {
      {"city", Visibility::Public, 1, *Domain::of({"Oslo", "Paris", "a|b", "a\\b", "x=y"})},
      {"age", Visibility::Public, 2, *Domain::of({"1", "2", "-0.5", "1e+300", "true", "null"})},
      {"a=b", Visibility::Public, 1, *Domain::of({"", " ", "Zürich", "\"quoted\""})},
      {"count", Visibility::Private, 0.5, *Domain::of({"none", "some"})},
      {"", Visibility::Private, 1, *Domain::of({"line\nbreak", "tab\t", "日本"})},
  };
  return schema;
}

}  // namespace rankveil
