#include "rankveil/audit/effect/effect.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "rankveil/audit/json_fields.h"

namespace rankveil::audit {

namespace {

constexpr std::array<std::pair<Acts, std::string_view>, 6> acts_names = {{
    {Acts::Rises, "rises"},
    {Acts::Still, "still"},
    {Acts::Otherwise, "otherwise"},
    {Acts::Unasked, "unasked"},
    {Acts::Blind, "blind"},
    {Acts::Refused, "refused"},
}};

}  // namespace

std::string_view acts_name(Acts acts) { return acts_names[static_cast<std::size_t>(acts)].second; }

std::string not_tested_because(std::span<const Effect> effects, std::string_view attribute) {
  for (const Effect& effect : effects) {
    if (effect.is_tested()) continue;
    if (effect.attribute == attribute) return effect.note;
    if (attribute == "all")
      return fmt::format("{} was not tested: {}", effect.attribute, effect.note);
  }
  return {};
}

Json to_json(const Effect& effect) {
  return Json()
      .set("attribute", effect.attribute)
      .set("acts", acts_name(effect.acts))
      .set("questions", effect.questions)
      .set("share", effect.share)
      .set("elsewhere", effect.elsewhere)
      .set("chance", effect.chance)
      .set("note", effect.note);
}

Effect effect_from_json(JsonFields fields) {
  Effect effect;
  effect.attribute = fields.text("attribute");
  const std::string name = fields.text("acts");
  bool known = false;
  for (const auto& [acts, text] : acts_names) {
    if (text != name) continue;
    effect.acts = acts;
    known = true;
  }
  if (!known) fields.object_to(fmt::format("\"{}\" is no effect", name));
  effect.questions = fields.whole("questions");
  effect.share = fields.number("share");
  effect.elsewhere = fields.number("elsewhere");
  effect.chance = fields.number("chance");
  effect.note = fields.text("note");
  return effect;
}

}  // namespace rankveil::audit
