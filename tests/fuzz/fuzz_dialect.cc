// Any text is a dialect or a refusal. What is filled into a dialect's requests stays where it was
// put: paths and parameters have no bare blanks or line ends, and JSON bodies that were JSON with
// plain values stay so with awkward ones.
#include <cstdint>
#include <string>

#include "rankveil/probe/dialect/dialect.h"
#include "tests/fuzz/check.h"

namespace rankveil::probe {
namespace {

Places places(const std::string& text) {
  Places places{.url = "/api/people",
                .collection = "people",
                .field = text,
                .direction = "-",
                .cursor = text,
                .id = text,
                .link = "/api/posts",
                .by = text,
                .public_field = text,
                .mark = text};
  places.value = {text, true};
  places.low = {"1", false};
  places.high = {text, true};
  places.row.set(text, text);
  places.change.set(text, 1);
  return places;
}

bool is_json(const RequestTemplate& request, const std::string& text) {
  return parse_json(fill(request, places(text)).body).has_value();
}

void check_request(const RequestTemplate& request) {
  const std::string awkward = "\"\\ \n}'${x}&=/?#\xC3\xA9";
  const PlainRequest plain = fill(request, places("plain"));
  const PlainRequest odd = fill(request, places(awkward));
  check(plain.method == odd.method, "a method stays");
  if (request.form.empty() && !request.body.empty() && is_json(request, "plain")) {
    // A place with |bare means what it says.
    check(request.has_bare() || is_json(request, awkward), "a body that was JSON always is");
  }
  if (plain.path.find_first_of(" \n") == std::string::npos) {
    check(odd.path.find_first_of(" \n") == std::string::npos, "no value breaks a request's line");
  }
}

void check_dialect(const Dialect& dialect) {
  check(!dialect.name.empty() && !dialect.ways.empty(), "a dialect has a name and ways");
  check_request(dialect.list);
  if (dialect.create) check_request(dialect.create->request);
  if (dialect.change) check_request(*dialect.change);
  for (const WayTemplate& way : dialect.ways) check_request(way.request);
}

}  // namespace
}  // namespace rankveil::probe

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  auto dialect = rankveil::probe::parse_dialect(text, "d.toml");
  if (dialect) {
    rankveil::probe::check_dialect(*dialect);
  } else {
    rankveil::check(dialect.error().message.starts_with("d.toml"), "a refusal names the source");
  }
  return 0;
}
