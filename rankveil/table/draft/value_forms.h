// How single values look: e-mail addresses, codes of diagnoses, words of one's own.
#pragma once

#include <string_view>
#include <vector>

namespace rankveil::draft {

bool looks_like_email(std::string_view text);
// IPv4, or IPv6 with two colons or more.
bool looks_like_ip(std::string_view text);
bool looks_like_url(std::string_view text);
// With a plus, brackets or separators, 7 to 15 digits: a bare number is no telephone.
bool looks_like_phone(std::string_view text);
// "E11.9", "I10": a letter, a digit, a digit or letter, and up to four behind a point.
bool looks_like_icd10(std::string_view text);
// "E11.9": such a code with its point, which product codes rarely have.
bool is_detailed_icd10(std::string_view text);
// "<=50K", "$40,000 - $59,999", "75-125k", "over 100.000 EUR": amounts of thousands as a range.
bool looks_like_income_bracket(std::string_view text);
// A pair of numbers in degrees, or a number of three decimals or more within 180.
bool looks_like_coordinates(std::string_view text);
// 32 hexadecimal digits or more, with or without dashes: a UUID, a hash.
bool looks_like_hash(std::string_view text);
// As countries write the numbers of people, insured ones and accounts: "536-22-8871", "12345678Z",
// "RSSMRA70A01F205X", "DE12 5001 0517 0648 4898 90".
bool looks_like_national_number(std::string_view text);
// Whether nearly all hold a day of the same form in the same place, of thirty years or more: "12
// 150472 K 003". Shorter ones are dates, of whatever it may be.
bool hold_birthdays(const std::vector<std::string_view>& texts);
// Two to four words, one of them a frequent first name: "Anna Kowalska", "Smith, Mr. John".
bool looks_like_full_name(std::string_view text);
// Six words or more, or a sentence.
bool looks_like_own_words(std::string_view text);
// "2024-01-31", "31.01.2024", "1/31/24", with or without a time.
bool looks_like_date(std::string_view text);

}  // namespace rankveil::draft
