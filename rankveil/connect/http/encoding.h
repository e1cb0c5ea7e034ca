// Text that is put into URLs and JSON bodies, so that it never changes the meaning of what is
// around it.
#pragma once

#include <string>
#include <string_view>

namespace rankveil::connect {

// Everything but letters, digits and -._~ with percent signs, as a value in a path or query needs
// it: "a b&c" is a%20b%26c.
std::string percent_encoded(std::string_view text);

// What somebody typed as a URL, with blanks and all that is not ASCII encoded; what is encoded
// already stays: "/people?where=(income gt 5)" is /people?where=(income%20gt%205).
std::string typed_url_encoded(std::string_view url);

// Follows a JSON text to know whether the next place in it stands inside a string.
class JsonQuotes {
 public:
  void read(std::string_view text);
  bool is_inside() const { return is_inside_; }

 private:
  bool is_inside_ = false;
  bool is_escaped_ = false;
};

// `text` as JSON; without quotes of its own where it is `inside` a string already.
std::string json_encoded(std::string_view text, bool inside);

}  // namespace rankveil::connect
