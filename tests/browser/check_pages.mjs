// node check_pages.mjs PLAYWRIGHT CHROMIUM PAGES SCREENSHOTS
//
// For each PAGES/NAME.html, with PAGES/NAME.json = {title, charts, texts} (real: there may be more
// charts, and a title is optional): no console message, no request but for the page itself, nothing
// wider than the screen, a shadow on boxes that can be scrolled, all charts and texts there, text
// large enough and with enough contrast. Prints what is wrong; the exit code says whether anything is.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [playwright, executablePath, pages, screenshots] = process.argv.slice(2);
const { chromium } = createRequire(import.meta.url)(playwright);

const screens = [
  { name: '1280-light', width: 1280, colorScheme: 'light' },
  { name: '1280-dark', width: 1280, colorScheme: 'dark' },
  { name: '400-light', width: 400, colorScheme: 'light' },
  { name: '400-dark', width: 400, colorScheme: 'dark' },
];

const smallestText = 9.5; // pixels, of the text in charts
const leastContrast = 4.5; // what WCAG AA asks of text

// Runs in the page. Whatever scrolls in a box of its own may be wider than the screen.
function look() {
  const problems = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) {
    problems.push(`the page is ${root.scrollWidth} pixels wide on a screen of ${root.clientWidth}`);
  }
  const visible = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0;
  for (const element of document.querySelectorAll('main *, footer *')) {
    if (element.closest('.scroll > *, pre, svg *') || !visible(element)) continue;
    const { left, right } = element.getBoundingClientRect();
    if (right > root.clientWidth + 1 || left < -1) {
      problems.push(`<${element.tagName} class="${element.getAttribute('class')}"> sticks out`);
    }
  }
  for (const box of document.querySelectorAll('.scroll, pre')) {
    if (!visible(box) || box.scrollWidth <= box.clientWidth) continue;
    const style = getComputedStyle(box);
    // The shadow stays with the box, and what hides it at the end moves with the content.
    const fixed = style.backgroundAttachment.split(', ');
    const drawn = style.backgroundImage.includes('gradient') && fixed.includes('local') && fixed.includes('scroll');
    if (style.overflowX !== 'auto') problems.push(`"${box.textContent.slice(0, 20)}" is cut, and cannot be scrolled`);
    if (!drawn) problems.push(`"${box.textContent.slice(0, 20)}" goes on to the right, and nothing says so`);
  }
  const charts = [...document.querySelectorAll('figure.chart')];
  const drawn = charts.filter((chart) => !chart.closest('details:not([open])'));
  let smallest = Infinity;
  for (const chart of drawn) {
    const svgs = [...chart.querySelectorAll(':scope > svg')].filter(visible);
    if (svgs.length !== 1) problems.push(`${chart.id} shows ${svgs.length} drawings`);
    for (const svg of svgs) {
      const frame = svg.getBoundingClientRect();
      smallest = Math.min(smallest, (12 * frame.width) / svg.viewBox.baseVal.width);
      for (const text of svg.querySelectorAll('text')) {
        const box = text.getBoundingClientRect();
        if (box.left < frame.left - 8 || box.right > frame.right + 8) {
          problems.push(`"${text.textContent}" sticks out of ${chart.id}`);
        }
      }
    }
  }
  return {
    problems,
    smallest,
    charts: charts.length,
    title: document.querySelector('h1')?.textContent,
    text: document.body.textContent,
    scripts: document.scripts.length,
    hacked: 'hacked' in window,
    unnamed: [...document.querySelectorAll('svg[role=img]')].filter((svg) => !svg.querySelector('title, desc')).length,
  };
}

// Runs in the page: the lowest contrast of text with what is behind it.
function lowestContrast() {
  const parse = (colour) => colour.match(/[\d.]+/g).map(Number);
  const light = (rgb) => {
    const [r, g, b] = rgb.slice(0, 3).map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  let lowest = { ratio: Infinity };
  const texts = document.querySelectorAll('p, li, td, th, dt, dd, h1, h2, h3, summary, figcaption, .badge, caption, svg text');
  for (const element of texts) {
    if (!element.checkVisibility() || element.textContent.trim() === '') continue;
    const style = getComputedStyle(element);
    const front = light(parse(element instanceof SVGElement ? style.fill : style.color));
    const back = light(behind(element));
    const ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
    if (ratio < lowest.ratio) lowest = { ratio, where: `<${element.tagName} class="${element.getAttribute('class')}">` };
  }
  return lowest;
}

async function check(browser, name, screen) {
  const url = pathToFileURL(resolve(pages, `${name}.html`)).href;
  const expected = JSON.parse(readFileSync(join(pages, `${name}.json`), 'utf8'));
  const context = await browser.newContext({
    viewport: { width: screen.width, height: 900 },
    colorScheme: screen.colorScheme,
  });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => problems.push(`the console says: ${message.text()}`));
  page.on('pageerror', (error) => problems.push(`an error: ${error.message}`));
  page.on('dialog', (dialog) => {
    problems.push(`a dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (request.url() !== url) problems.push(`a request for ${request.url()}`);
  });
  await page.goto(url, { waitUntil: 'load' });
  const path = join(screenshots, `${name}-${screen.name}.png`);
  await page.screenshot({ path, fullPage: true });
  const seen = await page.evaluate(look);
  problems.push(...seen.problems);
  if ((expected.title || !expected.real) && seen.title !== expected.title) problems.push(`the title is "${seen.title}"`);
  const enough = expected.real ? seen.charts >= expected.charts : seen.charts === expected.charts;
  if (!enough) problems.push(`${seen.charts} charts instead of ${expected.charts}`);
  if (seen.smallest < smallestText) problems.push(`text of ${seen.smallest.toFixed(1)} pixels in a chart`);
  if (seen.scripts > 0 || seen.hacked) problems.push('a script got in');
  if (seen.unnamed > 0) problems.push(`${seen.unnamed} charts without a title`);
  for (const text of expected.texts) {
    if (!seen.text.includes(text)) problems.push(`"${text}" is not on the page`);
  }
  // With everything unfolded, too: long tables must scroll in their boxes.
  await page.evaluate(() => document.querySelectorAll('details').forEach((part) => (part.open = true)));
  problems.push(...(await page.evaluate(look)).problems.map((problem) => `unfolded: ${problem}`));
  const lowest = await page.evaluate(lowestContrast);
  if (lowest.ratio < leastContrast) problems.push(`a contrast of ${lowest.ratio.toFixed(2)} in ${lowest.where}`);
  await context.close();
  return problems;
}

// A page that does what it must not, to know that the checks would see it.
async function provesItsEyes(browser) {
  const context = await browser.newContext({ viewport: { width: 400, height: 900 } });
  const page = await context.newPage();
  let requests = 0;
  page.on('request', () => ++requests);
  await page.setContent('<main><p style="width:900px">wide</p><pre style="overflow-x:auto">' + 'long '.repeat(99) +
    '</pre><img src="http://127.0.0.1:9/x.png"></main>');
  const seen = await page.evaluate(look);
  await context.close();
  const sees = (words) => seen.problems.some((problem) => problem.includes(words));
  return sees('pixels wide') && sees('nothing says so') && requests > 0;
}

mkdirSync(screenshots, { recursive: true });
const names = readdirSync(pages).filter((file) => file.endsWith('.html')).map((file) => file.slice(0, -5)).sort();
const browser = await chromium.launch({ executablePath });
let failed = names.length === 0;
try {
  if (!(await provesItsEyes(browser))) {
    console.log('The checks do not see a page that is too wide, hides the rest of a line and asks for an image.');
    failed = true;
  }
  for (const name of names) {
    for (const screen of screens) {
      const problems = [...new Set(await check(browser, name, screen))];
      console.log(`${name} ${screen.name}: ${problems.length === 0 ? 'fine' : ''}`);
      for (const problem of problems) console.log(`  ${problem}`);
      failed ||= problems.length > 0;
    }
  }
} finally {
  await browser.close();
}
process.exit(failed ? 1 : 0);
