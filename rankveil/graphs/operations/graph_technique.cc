#include "rankveil/graphs/operations/graph_technique.h"

#include <fmt/core.h>

#include <array>
#include <utility>

namespace rankveil::api {

namespace {

template <typename Value, std::size_t size>
Result<Value> chosen(std::string_view what, const std::string& name,
                     const std::array<std::pair<const char*, Value>, size>& choices) {
  std::string known;
  for (const auto& [choice, value] : choices) {
    if (name == choice) return value;
    known += (known.empty() ? "" : ", ") + std::string(choice);
  }
  return wrong_use(fmt::format("there is no {} \"{}\"; there are {}", what, name, known));
}

constexpr std::array<std::pair<const char*, graph::Grouping>, 2> groupings = {
    {{"optimal", graph::Grouping::Optimal}, {"greedy", graph::Grouping::Greedy}}};
constexpr std::array<std::pair<const char*, graph::Editing>, 2> editings = {
    {{"add-delete", graph::Editing::AddAndDelete}, {"supergraph", graph::Editing::Supergraph}}};
constexpr std::array<std::pair<const char*, graph::BaselineForm>, 3> forms = {
    {{"greedy", graph::BaselineForm::Greedy},
     {"balanced", graph::BaselineForm::Balanced},
     {"similar", graph::BaselineForm::Similar}}};

}  // namespace

Result<graph::ReleaseOptions> release_options(const GraphTechnique& technique, std::uint32_t k) {
  auto name = graph::technique_named(technique.name);
  if (!name) return name.error();
  auto grouping = chosen("grouping", technique.grouping, groupings);
  if (!grouping) return grouping.error();
  auto editing = chosen("editing", technique.editing, editings);
  if (!editing) return editing.error();
  auto form = chosen("form of be", technique.form, forms);
  if (!form) return form.error();
  return graph::ReleaseOptions{.technique = *name,
                               .k = k,
                               .alpha = technique.alpha,
                               .beta = technique.beta,
                               .grouping = *grouping,
                               .editing = *editing,
                               .probes = technique.probes,
                               .form = *form,
                               .window = technique.window,
                               .seed = technique.seed};
}

}  // namespace rankveil::api
