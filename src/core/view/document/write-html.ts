// A report as one self-contained HTML page: no network, no fonts, no other file.
//
// write-html/M1. The content security policy allows the one script of the page and no loads, whatever its texts contain.
// write-html/M2. The script filters the table of tasks and opens all folded sections before printing. It creates no HTML
//   and sends no requests, and the page is complete without it.
import type { Compiled } from '../../compile/compiled.ts';
import { drawSvgChart } from '../chart/svg-chart.ts';
import { TASK_STATES } from '../run/stage.ts';
import type { Block, Column, Document, Row, Section } from './document.ts';
import { documentOf } from './document-of.ts';
import { ganttOf } from '../report/gantt.ts';
import type { Report } from '../report/run-report.ts';
import { escapeXml, FONT } from '../draw/svg-theme.ts';
import { cleanText, plainLine } from '../draw/label.ts';

export const PAGE_SCRIPT = [
  "'use strict';",
  "const bar=document.querySelector('.filter');",
  "const table=document.querySelector('#tasks table');",
  'if(bar&&table){',
  "const search=bar.querySelector('input[type=search]');",
  "const boxes=[...bar.querySelectorAll('input[type=checkbox]')];",
  "const found=bar.querySelector('.found');",
  'const rows=[...table.tBodies[0].rows].map((row)=>({row,text:row.textContent.toLowerCase()}));',
  'const apply=()=>{',
  "const words=search.value.toLowerCase().split(' ').filter((word)=>word!=='');",
  'const states=new Set(boxes.filter((box)=>box.checked).map((box)=>box.value));',
  'let shown=0;',
  'for(const{row,text}of rows){',
  'row.hidden=!(states.has(row.dataset.state)&&words.every((word)=>text.includes(word)));',
  'if(!row.hidden)shown+=1;',
  '}',
  "found.textContent=shown===rows.length?'':shown+' of '+rows.length;",
  '};',
  "search.addEventListener('input',apply);",
  "for(const box of boxes)box.addEventListener('change',apply);",
  'bar.hidden=false;',
  'apply();',
  '}',
  "addEventListener('beforeprint',()=>{for(const part of document.querySelectorAll('details'))part.open=true;});",
].join('\n');

/** The base64 SHA-256 of the script, for the content security policy; a test compares the two. */
export const PAGE_SCRIPT_HASH = 'z1Iqh6W19+r+4ZKcSyzHXELWrQRUpYiPrvrhQ1TIg+M=';

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
    ...(report.spans.length === 0 ? [] : [writeChart(compiled, report)]),
    ...sections.map((section) => writeSection(section, report)),
    `<footer>${escapeHtml(footOf(document, report))}</footer>`,
    '</main>',
    `<script>${PAGE_SCRIPT}</script>`,
    '</body>',
    '</html>',
  ].join('\n')}\n`;
}

const footOf = ({ title }: Document, { version }: Report): string =>
  `${title}, by Heddle, from its log. Format ${version} of the report.`;

const writeChart = (compiled: Compiled, report: Report): string =>
  `<section class="chart" id="chart" tabindex="0" aria-label="Timeline of the run">\n${drawSvgChart(ganttOf(compiled, report), { width: CHART_WIDTH })}</section>`;

/** Sections that most people read first are open. */
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

/** Hidden until the script shows it: without the script there is no filter. */
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

/** Empty columns are left out. */
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

/** Escapes one line of text, for element content and quoted attributes. */
const escapeHtml = (text: string): string => escapeXml(plainLine(text));

/** Escapes several lines of text and keeps their line breaks. */
const escapeLines = (text: string): string => cleanText(text).split('\n').map(keepIndent).join('\n');

const keepIndent = (line: string): string => {
  const indent = /^ */u.exec(line)?.[0] ?? '';
  return `${indent}${escapeXml(line)}`;
};

const LIGHT =
  '--paper:#fff;--card:#f6f8fa;--text:#1d2530;--quiet:#5d6876;--line:#dfe4ea;--good:#1a7f37;--bad:#c2352b;--open:#9a6700;--link:#2f63c0;--stripe:#fafbfc';
const DARK =
  '--paper:#12161c;--card:#1a2028;--text:#e4e9ef;--quiet:#9ba7b5;--line:#2d3642;--good:#57ab5a;--bad:#f0716a;--open:#d4a72c;--link:#8ab4f8;--stripe:#161b22';

const PAGE_STYLE = [
  `:root{color-scheme:light dark;${LIGHT}}`,
  `@media (prefers-color-scheme:dark){:root{${DARK}}}`,
  '*{box-sizing:border-box}',
  `body{margin:0;background:var(--paper);color:var(--text);font:15px/1.5 ${FONT};-webkit-text-size-adjust:100%}`,
  'main{max-width:76rem;margin:0 auto;padding:1.5rem 1.25rem 4rem}',
  'h1{font-size:1.6rem;line-height:1.25;margin:0;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:0;display:inline}',
  'header{border-left:.3rem solid var(--open);padding:.1rem 0 .1rem 1rem;margin:.5rem 0 1.5rem}',
  'header.good{border-color:var(--good)}header.bad{border-color:var(--bad)}',
  '.lead{margin:.35rem 0 0;font-size:1.05rem;overflow-wrap:anywhere}',
  'dl{display:grid;grid-template-columns:max-content 1fr;gap:.3rem 1.25rem;margin:0}',
  'dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}',
  '.facts{background:var(--card);border:1px solid var(--line);border-radius:.6rem;padding:.9rem 1.1rem;margin-bottom:1.5rem}',
  'details{border-top:1px solid var(--line);padding:.75rem 0}',
  'summary{cursor:pointer;list-style-position:outside;margin-left:1.1rem}',
  'summary::marker{color:var(--quiet)}summary .gist{color:var(--quiet);margin-left:.5rem}',
  'details[open]>summary{margin-bottom:.75rem}',
  '.wide{overflow-x:auto;-webkit-overflow-scrolling:touch}',
  'table{border-collapse:collapse;width:100%;font-size:.92rem}',
  'th{text-align:left;font-weight:600;color:var(--quiet);white-space:nowrap;border-bottom:1px solid var(--line)}',
  'th,td{padding:.32rem 1.1rem .32rem 0;vertical-align:top}td{border-bottom:1px solid var(--line);overflow-wrap:break-word}',
  'td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}',
  'td.first{font-weight:500;min-width:8rem}td.words{min-width:12rem}tbody tr:hover{background:var(--stripe)}',
  'tr.completed td.state{color:var(--good)}tr.failed td.state{color:var(--bad);font-weight:600}',
  'tr.running td.state,tr.pending td.state{color:var(--open)}tr.cancelled td.state,tr.skipped td.state{color:var(--quiet)}',
  'td.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.85em;line-height:1.75;white-space:nowrap}',
  'pre{background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.7rem .9rem;margin:.3rem 0 1rem;overflow-x:auto;font:12.5px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;max-height:24rem}',
  'figure{margin:.75rem 0 0}figcaption{font-weight:500;overflow-wrap:anywhere}',
  '.chart{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;margin-bottom:1.5rem}',
  '.chart svg{display:block;min-width:44rem;width:100%;height:auto}',
  '.filter{display:flex;flex-wrap:wrap;gap:.5rem 1rem;align-items:center;margin-bottom:.75rem}',
  '.filter input[type=search]{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--line);border-radius:.4rem;padding:.3rem .6rem;min-width:14rem;flex:0 1 22rem}',
  '.filter label{white-space:nowrap;color:var(--quiet)}.filter .found{color:var(--quiet)}',
  '[hidden]{display:none!important}',
  'footer{color:var(--quiet);font-size:.85rem;border-top:1px solid var(--line);padding-top:.75rem}',
  '@media (max-width:40rem){main{padding:1rem .8rem 3rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.5rem}.filter input[type=search]{flex:1 1 100%}}',
  '@media print{:root{color-scheme:light}html{font-size:11px}body{font-size:1rem}main{max-width:none;padding:0}.filter{display:none}.wide,.chart{overflow:visible}.chart svg{min-width:0}pre{max-height:none}tr,figure{break-inside:avoid}details{break-inside:auto}}',
].join('\n');
