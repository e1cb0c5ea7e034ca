// For tests: what keeps a text from being well-formed XML, as far as our writers use it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace rankveil::reports {

// Checks that every tag closes in order, that attributes are quoted and free of '<', and that no
// '&' stands alone. Tags in `open_only` need no end, as in HTML.
class WellFormed {
 public:
  explicit WellFormed(std::vector<std::string> open_only = {}) : open_only_(std::move(open_only)) {}

  std::string operator()(std::string_view text) const {
    std::vector<std::string> open;
    std::size_t at = 0;
    while ((at = text.find('<', at)) != std::string_view::npos) {
      if (text.substr(at, 2) == "<?" || text.substr(at, 2) == "<!") {
        at = text.find('>', at);
        continue;
      }
      const std::size_t end = end_of_tag(text, at);
      if (end == std::string_view::npos) return failed(text, at, "a tag does not end");
      const std::string tag(text.substr(at + 1, end - at - 1));
      if (tag.find('<') != std::string::npos) return failed(text, at, "a tag holds '<'");
      if (!closes(tag, open)) return failed(text, at, "an end tag fits nothing");
      at = tag == "style" ? text.find("</style", end) : end;
    }
    if (!open.empty()) return "<" + open.back() + "> stays open";
    return entities_are_whole(text);
  }

 private:
  // '>' between quotes does not end a tag.
  static std::size_t end_of_tag(std::string_view text, std::size_t at) {
    bool quoted = false;
    for (; at < text.size(); ++at) {
      if (text[at] == '"') quoted = !quoted;
      if (text[at] == '>' && !quoted) return at;
    }
    return std::string_view::npos;
  }

  bool closes(const std::string& tag, std::vector<std::string>& open) const {
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
      return true;
    }
    const std::string name = tag.substr(0, tag.find_first_of(" /\n"));
    const bool needs_end =
        !tag.ends_with('/') && std::ranges::find(open_only_, name) == open_only_.end();
    if (needs_end) open.push_back(name);
    return true;
  }

  static std::string entities_are_whole(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos;
         at = text.find('&', at + 1)) {
      const std::string_view name = text.substr(at, 7);
      if (name.find(';') == std::string_view::npos) return failed(text, at, "an '&' stands alone");
    }
    return "";
  }

  static std::string failed(std::string_view text, std::size_t at, const char* what) {
    return std::string(what) + ": " + std::string(text.substr(at, 80));
  }

  std::vector<std::string> open_only_;
};

}  // namespace rankveil::reports
