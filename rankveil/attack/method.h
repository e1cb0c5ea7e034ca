// All black-box attacks by name: the one table that help, audits and `run` read.
#pragma once

#include <span>
#include <string_view>

#include "rankveil/attack/request.h"
#include "rankveil/attack/session.h"
#include "rankveil/base/result.h"

namespace rankveil::attack {

struct Method {
  std::string_view name;
  std::string_view summary;
  bool needs_inserts;
  bool needs_sets;  // asks for several values of an attribute at once
  void (*attack)(Session& session, PrivateId attribute);
};

std::span<const Method> methods();
const Method* find_method(std::string_view name);

// Attacks one attribute after the other; what is proven of one helps to bring the victim into view
// for the others, and those that stayed open are tried again. An error: the request makes no sense,
// or the target failed.
Result<Report> run(const Method& method, const Request& request);
Result<Report> run(std::string_view method, const Request& request);

}  // namespace rankveil::attack
