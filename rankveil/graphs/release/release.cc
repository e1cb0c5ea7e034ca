#include "rankveil/graphs/release/release.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/base/format.h"
#include "rankveil/base/json.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/graphs/release/sangreea.h"
#include "rankveil/graphs/release/verify.h"
#include "rankveil/graphs/set_edges.h"

namespace rankveil::graph {

namespace {

Status make_ca(const ReleaseOptions& options, Release& release) {
  auto sets = sangreea(*release.graph, {.k = options.k,
                                        .alpha = options.alpha,
                                        .beta = options.beta,
                                        .attributes = options.attributes,
                                        .progress = options.progress});
  if (!sets) return sets.error();
  release.sets = std::move(*sets);
  return {};
}

Status make_ia(const ReleaseOptions& options, Release& release) {
  report(options.progress, "editing edges", 0);
  auto made = anonymize_identity(*release.graph, {.k = options.k,
                                                  .grouping = options.grouping,
                                                  .editing = options.editing,
                                                  .probes = options.probes,
                                                  .seed = options.seed});
  if (!made) return made.error();
  release.changes = changes(*release.graph, made->graph);
  release.graph = std::make_shared<const Graph>(std::move(made->graph));
  release.sets = std::move(made->sets);
  if (made->probes > 0) {
    release.notes.push_back(fmt::format("some of the lowest degrees were raised {} before all fit",
                                        counted(made->probes, "time")));
  }
  return {};
}

Status make_be(const ReleaseOptions& options, Release& release) {
  report(options.progress, "choosing sets", 0);
  auto made = anonymize_baseline(*release.graph,
                                 {.k = options.k, .form = options.form, .window = options.window});
  if (!made) return made.error();
  release.sets = std::move(made->sets);
  if (made->friends_inside > 0) {
    release.notes.push_back(
        fmt::format("{} a set had to take a friend of a member, since its window held nobody else",
                    counted(made->friends_inside, "time")));
  }
  return {};
}

Status make_random(const ReleaseOptions& options, Release& release) {
  auto sets = random_sets(*release.graph, options.k, options.seed);
  if (!sets) return sets.error();
  release.sets = std::move(*sets);
  return {};
}

Status make(const ReleaseOptions& options, Release& release) {
  switch (options.technique) {
    case Technique::Ca:
      return make_ca(options, release);
    case Technique::Ia:
      return make_ia(options, release);
    case Technique::Be:
      return make_be(options, release);
    case Technique::Random:
      return make_random(options, release);
  }
  return {};
}

Status verify(const Release& release) {
  if (auto fine = verify_simple(*release.graph); !fine) return fine;
  if (auto fine = verify_sets(release.sets, release.graph->nodes(), release.k); !fine) return fine;
  if (release.technique == Technique::Ia) return verify_degrees(*release.graph, release.k);
  return {};
}

void append_list(std::span<const std::uint64_t> items, const std::vector<std::string>& texts,
                 std::string& text) {
  text += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ',';
    if (texts.empty()) {
      fmt::format_to(std::back_inserter(text), "{}", items[i]);
    } else {
      text += Json(texts[items[i]]).dump(-1);
    }
  }
  text += ']';
}

std::vector<std::uint64_t> named(std::span<const Node> nodes,
                                 const std::vector<std::uint64_t>& names) {
  std::vector<std::uint64_t> list;
  list.reserve(nodes.size());
  for (Node node : nodes) list.push_back(names[node]);
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

const std::vector<TechniqueInfo>& techniques() {
  static const std::vector<TechniqueInfo> all = {
      {Technique::Ca, "ca", "clusters of people with nearly the same friends (SaNGreeA)"},
      {Technique::Ia, "ia", "edges changed until every degree is that of k people (Liu-Terzi)"},
      {Technique::Be, "be", "sets that lower the bounds of noiseless privacy (Zhao et al.)"},
      {Technique::Random, "random", "random sets, to compare with"},
  };
  return all;
}

Result<Technique> technique_named(std::string_view name) {
  std::vector<std::string> names;
  for (const TechniqueInfo& info : techniques()) {
    if (info.name == name) return info.technique;
    names.emplace_back(info.name);
  }
  return wrong_use(fmt::format("there is no technique \"{}\"; there are {}", name, listed(names)));
}

std::string_view name_of(Technique technique) {
  for (const TechniqueInfo& info : techniques()) {
    if (info.technique == technique) return info.name;
  }
  return "";
}

Result<Release> anonymize(std::shared_ptr<const Graph> graph, const ReleaseOptions& options) {
  Release release{.technique = options.technique, .k = options.k, .graph = std::move(graph)};
  if (auto made = make(options, release); !made) return made.error();
  if (auto fine = verify(release); !fine) {
    return bad_input(fmt::format("the release is not what {} promises: {}",
                                 name_of(options.technique), fine.error().message));
  }
  return release;
}

std::string cloaked_sets_text(const Release& release, const std::vector<std::uint64_t>& names,
                              const std::vector<std::string>& texts) {
  std::string text;
  for (std::uint32_t set = 0; set < release.sets.size(); ++set) {
    std::vector<std::vector<std::uint64_t>> lists;
    for (Node node : release.sets.members(set)) {
      lists.push_back(named(release.graph->friends(node), names));
    }
    std::sort(lists.begin(), lists.end());
    fmt::format_to(std::back_inserter(text), "{{\"set\":{},\"users\":", set);
    append_list(named(release.sets.members(set), names), texts, text);
    text += ",\"lists\":[";
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (i > 0) text += ',';
      append_list(lists[i], texts, text);
    }
    text += "]}\n";
  }
  return text;
}

std::string set_counts_text(const Release& release) {
  std::string text = "set,size,other,edges\n";
  each_set_pair(*release.graph, release.sets,
                [&](std::uint32_t set, std::uint32_t other, std::uint64_t edges) {
                  fmt::format_to(std::back_inserter(text), "{},{},{},{}\n", set,
                                 release.sets.members(set).size(), other, edges);
                });
  return text;
}

}  // namespace rankveil::graph
