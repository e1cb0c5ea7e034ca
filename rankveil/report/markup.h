// Text that goes into HTML, SVG and XML, whatever it holds.
#pragma once

#include <string>
#include <string_view>

namespace rankveil::reports {

// `text` as character data or as an attribute's value between double quotes: a reader gets it back
// as it was and never takes a part of it for markup. Bytes that are not UTF-8, characters that XML
// cannot hold (most controls), and those that turn the direction of writing around become U+FFFD.
std::string escaped(std::string_view text);

// How many characters (code points) a text has, for guessing how wide it gets.
std::size_t character_count(std::string_view text);

// At most `most` characters; a longer text ends in an ellipsis.
std::string shortened(std::string_view text, std::size_t most);

// A word for an id or an anchor: letters and digits in lower case, all else one dash.
std::string slug(std::string_view text);

}  // namespace rankveil::reports
