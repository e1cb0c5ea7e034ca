#include "rankveil/report/page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "rankveil/report/page_style.h"
#include "rankveil/report/testing/well_formed.h"

namespace rankveil::reports {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

const std::string hostile_text =
    "\"><script>fetch('//evil')</script><img src=x onerror=alert(1)>&</style></title>\x02\xFF";

// Every text of the page is `text`.
Page page_of(const std::string& text) {
  const LineChart chart{.title = text, .lines = {{text, {{1, 1}, {2, 2}}}}};
  return {.kind = text,
          .title = text,
          .subtitle = text,
          .banner = {{Tone::Bad, text, text, text}},
          .figures = {{text, text, text, Tone::Bad}},
          .sections = {{text,
                        {text, Heading{text}, Bullets{{text}}, Bullets{{text}, true}, Code{text},
                         Table{text, {text, {text, true}}, {{text, {text, Tone::Good}}}},
                         Charts{{chart, chart}}, Facts{{{text, text}}},
                         Details{text, {text, Paragraph{text, true}, Charts{{chart}}}}}},
                       {text, {text}},
                       {text, {text}}},
          .origin = {{text, text}}};
}

const WellFormed well_formed({"meta"});

TEST(Page, IsWellFormed) { EXPECT_EQ(well_formed(to_html(page_of("plain text"))), ""); }

TEST(Page, TakesHostileTextForText) {
  const std::string html = to_html(page_of(hostile_text));
  EXPECT_EQ(well_formed(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script")));
  EXPECT_THAT(html, Not(HasSubstr("<img")));
  EXPECT_THAT(html, Not(HasSubstr("\x02")));
  EXPECT_THAT(html, Not(HasSubstr("\xFF")));
}

TEST(Page, SaysAllItIsGiven) {
  const std::string html = to_html(page_of("Zoë & Co"));
  std::size_t count = 0;
  for (std::size_t at = html.find("Zoë &amp; Co"); at != std::string::npos;
       at = html.find("Zoë &amp; Co", at + 1)) {
    ++count;
  }
  EXPECT_GE(count, 40U);
}

TEST(Page, ForbidsEveryRequest) {
  const std::string html = to_html(page_of("x"));
  const std::size_t policy = html.find("http-equiv=\"Content-Security-Policy\"");
  ASSERT_NE(policy, std::string::npos);
  EXPECT_THAT(html.substr(policy, 120), HasSubstr("default-src 'none'"));
  EXPECT_LT(policy, html.find("<style>")) << "a policy counts for what comes after it";
}

TEST(Page, NamesNothingOutside) {
  const std::string html = to_html(page_of("x"));
  for (const char* part : {"http:", "https:", "//", "url(", "@import", "src=", "<link"}) {
    EXPECT_THAT(html, Not(HasSubstr(part)));
  }
}

TEST(Page, IdsDoNotRepeatAndLinksLeadSomewhere) {
  const std::string html = to_html(page_of("Same title"));
  const std::regex id(" id=\"([^\"]*)\""), link("href=\"#([^\"]*)\"");
  std::set<std::string> ids;
  for (std::sregex_iterator it(html.begin(), html.end(), id), end; it != end; ++it) {
    EXPECT_TRUE(ids.insert((*it)[1]).second) << (*it)[1] << " is there twice";
  }
  std::size_t links = 0;
  for (std::sregex_iterator it(html.begin(), html.end(), link), end; it != end; ++it) {
    EXPECT_TRUE(ids.contains((*it)[1])) << (*it)[1];
    ++links;
  }
  EXPECT_EQ(links, 3U);
}

TEST(Page, SectionsMayHaveAnIdOfTheirOwn) {
  const std::string html = to_html({.title = "t", .sections = {{"Figure 2", {"x"}, "pvs-2"}}});
  EXPECT_THAT(html, HasSubstr("<section id=\"pvs-2\"><h2>Figure 2</h2>"));
}

TEST(Page, ToldTonesAreWordsToo) {
  const std::string html = to_html({.title = "t", .banner = {{Tone::Bad, "Broken", "It leaks."}}});
  EXPECT_THAT(html, HasSubstr(R"(<div class="banner bad"><p class="verdict">Broken</p>)"));
}

TEST(Page, WithoutPartsHasNoEmptyShells) {
  const std::string html = to_html({.title = "t"});
  for (const char* part : {"<nav", "<footer", "<dl", "class=\"banner", "class=\"kind"}) {
    EXPECT_THAT(html, Not(HasSubstr(part)));
  }
}

TEST(Page, NumbersStandRight) {
  const std::string html =
      to_html({.title = "t", .sections = {{"s", {Table{"c", {"a", {"n", true}}, {{"x", "1"}}}}}}});
  EXPECT_THAT(html, HasSubstr("<td class=\"short\">x</td><td class=\"number\">1</td>"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"col\" class=\"number\">n</th>"));
}

TEST(Page, ChartsOfTheSameSeriesShareALegend) {
  LineChart one{.title = "one", .lines = {{"ours", {{1, 2}}}}};
  LineChart other = one;
  other.title = "other";
  auto legends = [](const std::string& html) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = html.find("<ul class=\"legend\"", at)) != std::string::npos;
         ++at) {
      ++count;
    }
    return count;
  };
  Page page{.title = "t", .sections = {{"s", {Charts{{one, other}}}}}};
  EXPECT_EQ(legends(to_html(page)), 1U);
  other.lines[0].name = "theirs";
  page.sections = {{"s", {Charts{{one, other}}}}};
  EXPECT_EQ(legends(to_html(page)), 2U);
}

TEST(PageStyle, HasEveryColourInBothModes) {
  const std::string style(page_style());
  const std::size_t dark = style.find("prefers-color-scheme: dark");
  ASSERT_NE(dark, std::string::npos);
  const std::regex colour("(--[a-z0-9-]+): #");
  std::multiset<std::string> names;
  for (std::sregex_iterator it(style.begin(), style.end(), colour), end; it != end; ++it) {
    names.insert((*it)[1]);
  }
  ASSERT_GE(names.size(), 30U);
  for (const std::string& name : names) EXPECT_EQ(names.count(name), 2U) << name;
}

TEST(PageStyle, UsesOnlyColoursItDefines) {
  const std::string style(page_style());
  const std::regex use(R"(var\((--[a-z0-9-]+)\))");
  for (std::sregex_iterator it(style.begin(), style.end(), use), end; it != end; ++it) {
    const std::string name = (*it)[1];
    EXPECT_THAT(style, AnyOf(HasSubstr(name + ": #"), HasSubstr(name + ": var(--")));
  }
}

TEST(PageStyle, ShadesTheEdgeOfBoxesThatGoOn) {
  const std::string style(page_style());
  const std::size_t box = style.find(".scroll, pre {");
  ASSERT_NE(box, std::string::npos);
  const std::string rules = style.substr(box, style.find('}', box) - box);
  EXPECT_THAT(rules, HasSubstr("overflow-x: auto"));
  EXPECT_THAT(rules, HasSubstr("var(--shade), transparent) right / 1rem 100% no-repeat scroll"));
  EXPECT_THAT(rules,
              HasSubstr("var(--under) 40%, transparent) right / 2.5rem 100% no-repeat local"));
}

}  // namespace
}  // namespace rankveil::reports
