#include "rankveil/report/page_style.h"

namespace rankveil::reports {

// Colours of series follow Okabe and Ito, darker on white and lighter on black until each has a
// contrast of 3 to 1 with what is behind it. Sizes of type are steps of one scale. Tables and code
// scroll in boxes of their own, so that the page never does sideways. Where such a box goes on to
// the right, a shadow lies on its edge: two backgrounds stay with the box and two that hide them
// move with what is in it. The left edge needs none in tables, whose first column stays.
std::string_view page_style() {
  return R"(
:root { color-scheme: light dark;
  --ink: #1b2430; --soft: #586374; --paper: #ffffff; --panel: #f7f8fa; --rule: #e1e5ea; --grid: #e3e7ec;
  --good: #0b6b5d; --good-soft: #e4f3f0; --bad: #b5301b; --bad-soft: #fcebe7;
  --unsure: #8a5a00; --unsure-soft: #fbf1dc; --quiet: #8a94a3; --plain-soft: #eef2f7; --accent: #0b5c94;
  --shade: #1b243052;
  --s1: #0072b2; --s2: #c65300; --s3: #007d5b; --s4: #a3417c; --s5: #8a6a00; --s6: #4b5563; }
@media (prefers-color-scheme: dark) { :root {
  --ink: #e8ebf0; --soft: #a5afbd; --paper: #12161c; --panel: #1a2028; --rule: #2d3641; --grid: #2d3641;
  --good: #4fc3ae; --good-soft: #12302c; --bad: #ff8d78; --bad-soft: #3a1d18;
  --unsure: #e8b454; --unsure-soft: #33270f; --quiet: #7d8896; --plain-soft: #1e2732; --accent: #7cbcec;
  --shade: #becde161;
  --s1: #5fb2e8; --s2: #ff9a56; --s3: #3fcf9f; --s4: #e79bc6; --s5: #e2bd4b; --s6: #b6bfca; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: anywhere;
  font: 400 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; }
main, footer { max-width: 70rem; margin: 0 auto; padding: 0 2rem; }
header { padding: 4rem 0 0; }
.kind { margin: 0 0 .5rem; color: var(--accent); font-size: .8125rem; font-weight: 600;
  letter-spacing: .08em; text-transform: uppercase; }
h1 { margin: 0; font-size: 2.25rem; font-weight: 650; line-height: 1.2; letter-spacing: -.02em; text-wrap: balance; }
h2 { margin: 0 0 1.25rem; font-size: 1.5rem; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; }
h3 { margin: 2.5rem 0 .75rem; font-size: 1.125rem; font-weight: 600; line-height: 1.4; }
.subtitle { margin: .75rem 0 0; color: var(--soft); font-size: 1.125rem; max-width: 44rem; }
section { margin: 4.5rem 0 0; scroll-margin-top: 1.5rem; }
p, ul, ol { margin: 0 0 1rem; max-width: 44rem; }
ul, ol { padding-left: 1.25rem; }
li { margin: .35rem 0; }
.soft { color: var(--soft); font-size: .9375rem; }
a { color: var(--accent); text-underline-offset: .2em; }
nav { margin: 2rem 0 0; }
nav ul { display: flex; flex-wrap: wrap; gap: .35rem 1.5rem; margin: 0; padding: 0; list-style: none; max-width: none;
  font-size: .9375rem; }
nav li { margin: 0; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.banner { margin: 2.25rem 0 0; padding: 1.5rem 1.75rem; border-radius: .75rem; border-left: .375rem solid var(--accent);
  background: var(--plain-soft); }
.banner p { margin: 0; max-width: 50rem; }
.banner .verdict { font-size: 1.375rem; font-weight: 650; line-height: 1.3; letter-spacing: -.01em; color: var(--accent); }
.banner .sentence { margin-top: .35rem; font-size: 1.0625rem; }
.banner .detail { margin-top: .5rem; color: var(--soft); font-size: .9375rem; }
.banner.good { border-color: var(--good); background: var(--good-soft); } .banner.good .verdict { color: var(--good); }
.banner.bad { border-color: var(--bad); background: var(--bad-soft); } .banner.bad .verdict { color: var(--bad); }
.banner.unsure { border-color: var(--unsure); background: var(--unsure-soft); } .banner.unsure .verdict { color: var(--unsure); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: 2rem 2.5rem;
  margin: 2.5rem 0 0; }
.figures div { display: flex; flex-direction: column; padding-top: .9rem; border-top: 1px solid var(--rule); }
.figures dt { order: 2; margin-top: .3rem; font-size: .9375rem; line-height: 1.45; }
.figures dd { margin: 0; }
.figures .value { order: 1; font-size: 2rem; font-weight: 600; line-height: 1.15; letter-spacing: -.02em;
  font-variant-numeric: tabular-nums; }
.figures .note { order: 3; margin-top: .25rem; color: var(--soft); font-size: .8125rem; line-height: 1.45; }
.figures .good { color: var(--good); } .figures .bad { color: var(--bad); } .figures .unsure { color: var(--unsure); }
.scroll, pre { --under: var(--paper); overflow-x: auto; margin: 0 0 1rem;
  background: linear-gradient(to left, var(--under) 40%, transparent) right / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--under) 40%, transparent) left / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% no-repeat scroll,
    linear-gradient(to right, var(--shade), transparent) left / 1rem 100% no-repeat scroll var(--under); }
.chart .scroll, pre { --under: var(--panel); }
.scroll:focus-visible, summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
table { width: 100%; border-collapse: collapse; font-size: .9375rem; line-height: 1.45; overflow-wrap: break-word; }
p.caption { margin: 1.5rem 0 .4rem; color: var(--soft); font-size: .9375rem; }
h2 + .caption { margin-top: 0; }
th, td { padding: .6rem 1.1rem .6rem 0; border-bottom: 1px solid var(--rule); text-align: left; vertical-align: top;
  unicode-bidi: isolate; }
th:last-child, td:last-child { padding-right: 0; }
th { color: var(--soft); font-size: .8125rem; font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child { position: sticky; left: 0; background: var(--paper); }
.chart th:first-child, .chart td:first-child { background: var(--panel); }
td.short { white-space: nowrap; }
td.number { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.badge { display: inline-block; padding: .05rem .55rem; border-radius: 1rem; font-size: .8125rem; font-weight: 600;
  white-space: nowrap; }
.badge.good { background: var(--good-soft); color: var(--good); } .badge.bad { background: var(--bad-soft); color: var(--bad); }
.badge.unsure { background: var(--unsure-soft); color: var(--unsure); } td .quiet { color: var(--soft); }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 25rem), 1fr)); gap: 1.5rem;
  margin: 0 0 1.5rem; align-items: start; }
.chart { margin: 0; padding: 1.25rem 1.5rem 1rem; min-width: 0; background: var(--panel); border-radius: .75rem; }
.chart.wide { grid-column: 1 / -1; }
figcaption { margin: 0 0 .35rem; font-weight: 600; line-height: 1.4; }
.legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; margin: 0 0 .9rem; padding: 0; list-style: none;
  max-width: none; color: var(--soft); font-size: .8125rem; }
.legend li { margin: 0; }
.legend svg { width: .875rem; height: .875rem; margin-right: .4rem; vertical-align: -2px; overflow: visible; }
.chart > svg { display: block; width: 100%; height: auto; overflow: visible; }
.chart > svg.narrow { max-width: 33rem; }
.chart > svg.broad { display: none; }
@media (min-width: 56rem) { .chart.wide > svg.broad { display: block; } .chart.wide > svg.narrow { display: none; }
  .chart > svg.narrow text { font-size: 11px; } }
svg text { font-family: inherit; font-size: 12px; }
.tick { fill: var(--soft); font-variant-numeric: tabular-nums; }
.label { fill: var(--soft); }
.name { fill: var(--ink); }
.halo { paint-order: stroke; stroke: var(--panel); stroke-width: 4px; stroke-linejoin: round; }
.strong { font-weight: 700; }
.value { fill: var(--ink); font-variant-numeric: tabular-nums; }
.value.bad { fill: var(--bad); font-weight: 700; }
.grid { stroke: var(--grid); }
.axis { stroke: var(--quiet); }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.whisker { stroke-width: 1.5; opacity: .75; }
.whisker.over { stroke: var(--ink); stroke-width: 1.25; opacity: .8; }
.band { stroke: none; opacity: .16; }
.mark, .bar { stroke: none; }
.bar { fill-opacity: .88; }
.line.s2 { stroke-dasharray: 7 3; } .line.s3 { stroke-dasharray: 2 3; } .line.s4 { stroke-dasharray: 9 3 2 3; }
.line.s5 { stroke-dasharray: 4 4; } .line.s6 { stroke-dasharray: 12 4; } .line.quiet { stroke-dasharray: 4 4; }
.line.s1, .whisker.s1 { stroke: var(--s1); } .mark.s1, .bar.s1, .band.s1 { fill: var(--s1); }
.line.s2, .whisker.s2 { stroke: var(--s2); } .mark.s2, .bar.s2, .band.s2 { fill: var(--s2); }
.line.s3, .whisker.s3 { stroke: var(--s3); } .mark.s3, .bar.s3, .band.s3 { fill: var(--s3); }
.line.s4, .whisker.s4 { stroke: var(--s4); } .mark.s4, .bar.s4, .band.s4 { fill: var(--s4); }
.line.s5, .whisker.s5 { stroke: var(--s5); } .mark.s5, .bar.s5, .band.s5 { fill: var(--s5); }
.line.s6, .whisker.s6 { stroke: var(--s6); } .mark.s6, .bar.s6, .band.s6 { fill: var(--s6); }
.line.good, .whisker.good { stroke: var(--good); } .mark.good, .bar.good, .band.good { fill: var(--good); }
.line.bad, .whisker.bad { stroke: var(--bad); } .mark.bad, .bar.bad, .band.bad { fill: var(--bad); }
.line.unsure, .whisker.unsure { stroke: var(--unsure); } .mark.unsure, .bar.unsure, .band.unsure { fill: var(--unsure); }
.line.quiet, .whisker.quiet { stroke: var(--quiet); } .mark.quiet, .bar.quiet, .band.quiet { fill: var(--quiet); }
.bar.quiet { fill-opacity: .55; }
.guide.baseline { stroke: var(--soft); stroke-width: 1.75; stroke-dasharray: 2.5 2.5; }
.guide.bound { stroke: var(--ink); stroke-width: 2; }
.frontier { fill: none; stroke: var(--quiet); stroke-width: 1.5; stroke-dasharray: 5 4; }
.ring { fill: none; stroke: var(--ink); stroke-width: 2; }
details { margin: 0 0 1rem; }
summary { cursor: pointer; padding: .35rem 0; color: var(--accent); font-size: .9375rem; }
details > :nth-child(2) { margin-top: .5rem; }
.numbers { margin: .5rem 0 0; }
.numbers summary { color: var(--soft); font-size: .8125rem; }
.numbers table { font-size: .8125rem; }
.numbers th, .numbers td { padding: .3rem 1rem .3rem 0; font-variant-numeric: tabular-nums; }
pre { padding: 1.1rem 1.25rem; border-radius: .75rem;
  font: .875rem/1.6 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.facts { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: .4rem 2rem; margin: 0 0 1rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; }
footer { margin-top: 5rem; padding-bottom: 4rem; color: var(--soft); font-size: .875rem; }
footer .facts { padding-top: 1.5rem; border-top: 1px solid var(--rule); }
@media (max-width: 40rem) {
  main, footer { padding-left: 1.1rem; padding-right: 1.1rem; }
  header { padding-top: 2rem; }
  h1 { font-size: 1.625rem; }
  h2 { font-size: 1.3125rem; }
  .subtitle { font-size: 1rem; }
  section { margin-top: 3.25rem; }
  .banner { padding: 1.1rem 1.15rem; }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.5rem 1.25rem; }
  .figures .value { font-size: 1.5rem; }
  .chart { padding: 1rem .85rem .75rem; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .facts dd { margin-bottom: .6rem; }
}
@media print { section { break-inside: auto; } .chart, .banner, tr { break-inside: avoid; } nav { display: none; } }
)";
}

}  // namespace rankveil::reports
