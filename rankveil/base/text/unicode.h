// Texts that look alike: in other forms of Unicode, in other letters' sizes, with other marks.
//
// The same word may be written with an ö of one code point or of two. Such texts are different to a
// table, which compares bytes; who types one means the other.
#pragma once

#include <string>
#include <string_view>

namespace rankveil {

// Normalization Form C: an ö is one code point. What is not UTF-8 stays as it is.
std::string composed(std::string_view text);

// Without case, spaces at the ends and repeated ones, in one form: what a person takes for the same
// value. "DSL " and "dsl" are; "Köln" and "Koln" are not.
std::string likened(std::string_view text);

// Without case and marks as well ("Köln" is "koln", "Straße" is "strasse"): for looking words up in
// lists. Not for comparing what people wrote.
std::string plain_letters(std::string_view text);

}  // namespace rankveil
