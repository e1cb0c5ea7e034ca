// The words for the choices in a Demand, as the command line and files say them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rankveil/protect/demand.h"

namespace rankveil {

std::string_view pairing_name(Pairing pairing);
std::optional<Pairing> pairing_from_name(std::string_view name);

std::string_view fallback_name(Fallback fallback);
std::optional<Fallback> fallback_from_name(std::string_view name);

// Every option a scheme may read: "n-min", "set-size", "pairing", "node-budget", "fallback",
// "gamma", "epsilon", "levels".
std::span<const std::string_view> option_names();

// The value of an option, as text. REQUIRES: a name of option_names().
std::string option_text(const Demand& demand, std::string_view option);

// Reads what option_text writes. False: no such option, or no value of it.
bool set_option(Demand& demand, std::string_view option, std::string_view text);

}  // namespace rankveil
