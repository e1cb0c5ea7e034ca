#include "rankveil/graphs/release/published_sets.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>

#include "rankveil/base/json.h"

namespace rankveil::graph {

namespace {

using Nodes = std::vector<Node>;

// The text, line by line, as sets of nodes.
class SetsReader {
 public:
  SetsReader(const Graph& original, const std::vector<std::uint64_t>& names,
             const std::vector<std::string>& texts)
      : original_(original), names_(names), texts_(texts), line_of_(original.nodes(), 0) {}

  Status take(std::string_view line) {
    ++line_;
    if (line.empty()) return {};
    auto json = parse_json(line);
    if (!json) return refuse("it is " + json.error().message);
    const Json* users = json->find("users");
    const Json* lists = json->find("lists");
    if (users == nullptr || lists == nullptr || lists->as_array() == nullptr) {
      return refuse(
          "it is no set: a set has \"users\" and \"lists\", as graph anonymize writes them");
    }
    auto members = nodes_of(*users);
    if (!members) return members.error();
    if (members->empty()) return refuse("the set is empty");
    if (auto joined = join(*members); !joined) return joined;
    return check_lists(*members, *lists->as_array());
  }

  Result<CloakedSets> finish() && {
    for (Node node = 0; node < original_.nodes(); ++node) {
      if (line_of_[node] != 0) continue;
      return bad_input(
          fmt::format("user {} is in no set; are these the sets of this graph?", name_of(node)));
    }
    return CloakedSets(original_.nodes(), sets_);
  }

 private:
  Error refuse(const std::string& why) const {
    return bad_input(fmt::format("line {}: {}", line_, why));
  }

  std::string name_of(Node node) const {
    return texts_.empty() ? std::to_string(names_[node]) : texts_[node];
  }

  Result<Nodes> nodes_of(const Json& list) const {
    Nodes nodes;
    if (list.as_array() == nullptr) return refuse("a list of users is missing");
    for (const Json& item : *list.as_array()) {
      if (!texts_.empty()) {
        auto place = item.as_text() == nullptr ? texts_.end()
                                               : std::ranges::lower_bound(texts_, *item.as_text());
        if (place == texts_.end() || *place != *item.as_text()) {
          return refuse(fmt::format("user {} is not in the graph", item.dump(-1)));
        }
        nodes.push_back(static_cast<Node>(place - texts_.begin()));
        continue;
      }
      if (item.as_integer() == nullptr || *item.as_integer() < 0) {
        return refuse("a user must be a whole number from 0 to 9223372036854775807");
      }
      auto name = static_cast<std::uint64_t>(*item.as_integer());
      auto found = std::lower_bound(names_.begin(), names_.end(), name);
      if (found == names_.end() || *found != name) {
        return refuse(fmt::format("user {} is not in the graph", item.dump(-1)));
      }
      nodes.push_back(static_cast<Node>(found - names_.begin()));
    }
    return nodes;
  }

  Status join(const Nodes& members) {
    for (Node node : members) {
      if (line_of_[node] != 0) {
        return refuse(
            fmt::format("user {} is also in the set of line {}", name_of(node), line_of_[node]));
      }
      line_of_[node] = line_;
    }
    sets_.push_back(members);
    return {};
  }

  Status check_lists(const Nodes& members, const Json::Array& published) const {
    std::vector<Nodes> theirs, ours;
    for (const Json& list : published) {
      auto nodes = nodes_of(list);
      if (!nodes) return nodes.error();
      theirs.push_back(std::move(*nodes));
      std::sort(theirs.back().begin(), theirs.back().end());
    }
    for (Node node : members) {
      auto friends = original_.friends(node);
      ours.emplace_back(friends.begin(), friends.end());
    }
    std::sort(theirs.begin(), theirs.end());
    std::sort(ours.begin(), ours.end());
    if (theirs == ours) return {};
    return refuse(
        "the lists are not those of its users in the graph; give the graph that was released, and "
        "sets by ca, be or random, which change no list");
  }

  const Graph& original_;
  const std::vector<std::uint64_t>& names_;
  const std::vector<std::string>& texts_;  // sorted; empty: users are called by numbers
  std::vector<std::uint64_t> line_of_;     // of a user's set; 0: none yet
  std::uint64_t line_ = 0;
  std::vector<Nodes> sets_;
};

}  // namespace

Result<Release> read_published_sets(std::shared_ptr<const Graph> original,
                                    const std::vector<std::uint64_t>& names, std::string_view text,
                                    const std::vector<std::string>& texts) {
  SetsReader reader(*original, names, texts);
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    if (auto taken = reader.take(line); !taken) return taken.error();
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  auto sets = std::move(reader).finish();
  if (!sets) return sets.error();
  std::uint32_t k = sets->smallest();
  return Release{.k = k, .graph = std::move(original), .sets = std::move(*sets)};
}

}  // namespace rankveil::graph
