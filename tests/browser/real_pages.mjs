// node real_pages.mjs RANKVEIL PAGES
//
// Runs the commands that write pages on small data of their own making, and puts each page into
// PAGES as NAME.html, with NAME.json: what check_pages.mjs is to find there. The numbers come from
// what the same command prints as JSON.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [command, pages] = process.argv.slice(2).map((path) => resolve(path));
const folder = mkdtempSync(join(tmpdir(), 'rankveil-pages-'));

function rankveil(...words) {
  return execFileSync(command, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
const json = (...words) => JSON.parse(rankveil(...words, '--json'));

function keep(name, expected) {
  renameSync(join(folder, 'page.html'), join(pages, `${name}.html`));
  writeFileSync(join(pages, `${name}.json`), JSON.stringify({ real: true, ...expected }, null, 2));
}

const share = (value) => `${(100 * value).toFixed(1)}%`;
const gain = (value) => value.toFixed(3);
const grouped = (value) => value.toLocaleString('en-US');

// ---- Audits ----

rankveil('generate', 'people', '-n', '1500', '--attributes', '8', '--seed', '7', '-o', 'people.csv');
rankveil('keygen', 'people.key', '--seed', '1');
rankveil('protect', 'people.csv', '--policy', 'people.toml', '--key', 'people.key', '-o', 'people.rankveil');

function auditTexts(report) {
  const texts = [report.subject.fingerprint, grouped(report.subject.rows), 'Method and limits', `rankveil ${report.settings.version}`];
  for (const finding of report.findings) {
    if (finding.level.startsWith('prior')) continue;
    texts.push(finding.level, finding.method);
    // Checks count cases, not guesses.
    if (finding.method !== 'check') texts.push(share(finding.rate), gain(finding.gain));
  }
  return texts;
}

const common = ['--policy', 'people.toml', '--victims', '40', '--k', '50', '--html', 'page.html'];
const kept = json('audit', 'people.rankveil', '--table', 'people.csv', ...common);
keep('real-audit-protected', { title: 'Audit of people.rankveil', charts: 1, texts: [...auditTexts(kept), { kept: 'Promise kept', undecidable: 'Not decided', broken: 'Promise broken' }[kept.verdict]] });
const open = json('audit', 'people.csv', ...common);
keep('real-audit-open', {
  title: 'Audit of people.csv',
  charts: 1,
  texts: [...auditTexts(open), 'Promise broken', open.transcript.victim, open.transcript.value, ...open.transcript.steps.map((step) => step.why)],
});

// ---- A comparison ----

const compared = json('compare', 'people.csv', '--policy', 'people.toml', '--seed', '1', '--queries', '20', '--html', 'page.html');
keep('real-compare', {
  charts: 1,
  texts: compared.compared.filter((one) => !one.left_out).flatMap((one) => [one.scheme, gain(one.privacy.gain), share(one.privacy.rate)]),
});

// ---- A graph and a bound, where the command has them ----

if (/^  graph /m.test(rankveil('--help'))) {
  rankveil('graph', 'generate', 'chung-lu', '-n', '300', '-m', '900', '-o', 'friends.csv');
  const graph = json('graph', 'evaluate', 'friends.csv', '--draws', '3', '--html', 'page.html');
  keep('real-graph', { charts: 1, texts: graph.flatMap((row) => [row.technique, row.attack, share(row.fu)]) });
  const bound = json('bound', '--n', '10000', '--p', '0.3', '--k', '10', '--sweep', 'lambda2=0:0.9:0.1', '--html', 'page.html');
  keep('real-bound', { charts: 1, texts: bound.results.flatMap((row) => [Number(row.lambda2.toPrecision(6)).toString(), Number(row.delta.toPrecision(6)).toString()]) });
}

// ---- A publication, and its audit ----

// Players with made-up numbers, the same ones each time.
let state = 12345;
const draw = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % below;
};
const players = ['points,assists,rebounds,age,team,salary'];
for (let i = 0; i < 600; ++i) {
  const skill = draw(60);
  players.push([skill * 20 + draw(300), skill * 5 + draw(90), draw(700), 18 + draw(20), ['Boston', 'Lakers', 'Miami', 'Utah'][draw(4)], 1 + draw(30)].join(','));
}
writeFileSync(join(folder, 'players.csv'), `${players.join('\n')}\n`);
const published = ['publish', 'players.csv', '--rank-by', 'points,assists,rebounds', '--top', '60', '--k', '5', '--precision', '0.5', '--method', 'greedy-insertion', '--quasi', 'age,team', '--sensitive', 'salary', '--l-diversity', '3'];
rankveil(...published, '-o', 'page.html');
const top = json(...published, '-o', 'top.json');
keep('real-publish', { charts: 0, texts: top.groups.flatMap((group) => [String(group.members), String(group.true_positives)]) });
const reidentified = json('check-publication', 'top.json', 'players.csv', '--html', 'page.html');
keep('real-publication-audit', {
  title: 'Audit of top.json',
  charts: 1,
  texts: ['Promise kept', ...reidentified.adversaries.flatMap((one) => [one.adversary, String(one.victims)]), ...reidentified.groups.map((group) => gain(group.precision))],
});

rmSync(folder, { recursive: true });
