// A report as one page that needs nothing else: no network, no fonts, no other file.
//
// M1. Its policy lets the browser run the one script that we wrote and load nothing, whatever the texts in it hold.
import type { Compiled } from '../../../../compile/compiled.ts';
import { drawSvgChart } from '../../../chart/svg-chart.ts';
import { TASK_STATES } from '../../../run/stage.ts';
import type { Block, Column, Document, Row, Section } from '../../document/document.ts';
import { documentOf } from '../../document/document-of.ts';
import { ganttOf } from '../../gantt.ts';
import type { Report } from '../../report.ts';
import { escapeHtml, escapeLines } from './escape.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH } from './page-script.ts';
import { PAGE_STYLE } from './page-style.ts';

const POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${PAGE_SCRIPT_HASH}'; base-uri 'none'; form-action 'none'`;
const CHART_WIDTH = 1180;

export function writeHtml(compiled: Compiled, report: Report): string {
  const document = documentOf(report);
  const { title, lead, mood, facts, sections } = document;
  return `${[
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeHtml(`${title} · Heddle`)}</title>`,
    `<style>\n${PAGE_STYLE}\n</style>`,
    '</head>',
    '<body>',
    '<main>',
    `<header class="${mood}"><h1>${escapeHtml(title)}</h1><p class="lead">${escapeHtml(lead)}</p></header>`,
    `<section class="facts">${writeBlock({ type: 'facts', facts })}</section>`,
    ...(report.spells.length === 0 ? [] : [writeChart(compiled, report)]),
    ...sections.map((section) => writeSection(section, report)),
    `<footer>${escapeHtml(footOf(document, report))}</footer>`,
    '</main>',
    `<script>${PAGE_SCRIPT}</script>`,
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

const footOf = ({ title }: Document, { version }: Report): string =>
  `${title}, told by Heddle from its log. Format ${version} of the report.`;

const writeChart = (compiled: Compiled, report: Report): string =>
  `<section class="chart" id="chart" tabindex="0" aria-label="What was at work when">\n${drawSvgChart(ganttOf(compiled, report), { width: CHART_WIDTH })}</section>`;

/** Sections that somebody reads first are open. */
const OPEN: ReadonlySet<string> = new Set(['failures', 'questions', 'tasks']);

function writeSection({ id, title, gist, blocks }: Section, { counts }: Report): string {
  const filter = id === 'tasks' ? writeFilter(counts) : '';
  return [
    `<details id="${id}"${OPEN.has(id) ? ' open' : ''}>`,
    `<summary><h2>${escapeHtml(title)}</h2><span class="gist">${escapeHtml(gist)}</span></summary>`,
    filter,
    ...blocks.map(writeBlock),
    '</details>',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Shown by the script only: without it there is nothing that could filter. */
function writeFilter(counts: Report['counts']): string {
  const boxes = TASK_STATES.filter((state) => counts[state] > 0).map(
    (state) => `<label><input type="checkbox" value="${state}" checked> ${state} (${counts[state]})</label>`,
  );
  const search = '<input type="search" placeholder="Filter tasks" aria-label="Filter tasks">';
  return `<div class="filter" hidden>${search}${boxes.join('')}<span class="found" role="status"></span></div>`;
}

function writeBlock(block: Block): string {
  switch (block.type) {
    case 'facts':
      return `<dl>${block.facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`;
    case 'table':
      return writeTable(block.columns, block.rows);
    case 'list':
      return `<ol>${block.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ol>`;
    case 'text':
      return `<p>${escapeHtml(block.text)}</p>`;
    case 'output':
      return `<figure><figcaption>${escapeHtml(block.of)}</figcaption><pre>${escapeLines(block.text)}</pre></figure>`;
  }
}

/** Columns in which nothing stands are left out. */
function writeTable(columns: readonly Column[], rows: readonly Row[]): string {
  const used = columns
    .map((column, at) => ({ column, at, look: lookOf(column) }))
    .filter(({ at }) => rows.some(({ cells }) => (cells[at] ?? '') !== ''));
  const head = used.map(({ column, look }) => `<th scope="col"${look}>${escapeHtml(column.title)}</th>`).join('');
  const body = rows.map(({ cells, state }) => {
    const written = used.map(({ at, look }) => `<td${look}>${escapeHtml(cells[at] ?? '')}</td>`).join('');
    return `<tr${state === undefined ? '' : ` class="${state}" data-state="${state}"`}>${written}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table></div>`;
}

const LOOKS: Readonly<Record<string, string>> = {
  State: ' class="state"',
  Task: ' class="first"',
  Commit: ' class="code"',
  Merge: ' class="code"',
  Why: ' class="words"',
  Subject: ' class="words"',
  Question: ' class="words"',
};

const lookOf = ({ title, isNumber }: Column): string => (isNumber === true ? ' class="number"' : (LOOKS[title] ?? ''));
