import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { given, type Run } from '../../engine/run.given.ts';
import { columnsOf } from '../draw/text-width.ts';
import { documentOf } from './document-of.ts';
import { redacted } from '../report/redacted.ts';
import type { GitKept } from '../report/kept.ts';
import type { Report } from '../report/run-report.ts';
import { reported } from '../report/report.given.ts';
import { PAGE_SCRIPT, PAGE_SCRIPT_HASH, writeHtml } from './write-html.ts';
import { cleanText } from '../draw/label.ts';
import { writeMarkdown } from './write-markdown.ts';
import { writeText } from './write-text.ts';

const EVIL = [
  '<script>alert(1)</script><img src=x onerror=alert(2)>',
  '| # not a heading | [link](https://evil.example) ![](https://evil.example/x.png)',
  '\u001B[31mred\u001B[0m\u001B]0;title\u0007 \u202Edesrever',
  '```',
  '</pre></details><style>*{display:none}</style> "quoted" & \'single\'',
].join('\n');

const GIT: GitKept = {
  branch: 'heddle/given-1',
  tip: 'a'.repeat(40),
  target: 'main',
  commits: [{ task: 'a', commit: 'b'.repeat(40), tip: 'c'.repeat(40), subject: EVIL, isLanded: true }],
};

/** Everything that an agent or a program may say, said by one who means harm. */
function evilRun(): Run {
  const run = given('a: { run: x, attempts: 1 }\nb: { prompt: y }\nok: { gate: Go? }', {
    plan: 'pools: { ci: 1 }\nbudget: { usd: 5 }\n',
  });
  run.waits(1_500);
  run.says('a', { said: { ok: false, response: EVIL, exitCode: 2 } });
  run.hears({
    type: 'asked',
    work: 'step',
    task: 'b',
    step: 'main',
    attempt: 1,
    question: EVIL,
    result: { ok: true, response: EVIL, output: undefined, exitCode: undefined, commit: undefined },
    spend: { usd: 0.1, tokens: 10 },
  });
  return run;
}

const evilReport = (): Report => reported(evilRun(), { git: GIT, owners: 2 });

describe('a page of HTML', () => {
  const page = writeHtml(evilRun().compiled, evilReport());

  test('contains no foreign text as markup', () => {
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<(?:img|iframe|link|object|embed|base|form)/g)).toBeNull();
    expect(page.match(/<\/pre>/g)).toHaveLength(page.match(/<pre>/g)?.length ?? 0);
    expect(page).not.toMatch(/<style>\*/);
    const tags = page.match(/<[a-z][^>]*>/g) ?? [];
    expect(tags.filter((tag) => /\s(?:on\w+|style)=/.test(tag))).toEqual([]);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).not.toContain('\u001B');
    expect(page).not.toContain('[31m');
    expect(page).not.toContain('\u202E');
  });

  test('loads nothing, as its content security policy says', () => {
    expect(page.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/(?:src|href|url)\s*[=(]\s*["']?https?:/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain(`script-src 'sha256-${PAGE_SCRIPT_HASH}'`);
  });

  test('runs the one script whose hash its policy names', () => {
    expect(createHash('sha256').update(PAGE_SCRIPT).digest('base64')).toBe(PAGE_SCRIPT_HASH);
    expect(page).toContain(`<script>${PAGE_SCRIPT}</script>`);
  });

  test('has the chart, the tasks with their states, and less important sections folded', () => {
    expect(page).toContain('class="heddle-chart"');
    expect(page).toContain('<tr class="failed" data-state="failed">');
    expect(page).toContain('<details id="failures" open>');
    expect(page).toContain('<details id="commits">');
  });

  test('of a run without claims has no chart', () => {
    const run = given('ok: { gate: Go? }');
    expect(writeHtml(run.compiled, reported(run))).not.toContain('<svg');
  });
});

describe('Markdown', () => {
  const text = writeMarkdown(documentOf(evilReport()));

  test('takes foreign text as text: no heading, link, image or HTML', () => {
    const outside = text.replaceAll(/^(`{3,})text\n[^]*?\n\1$/gm, '');
    expect(outside).not.toMatch(/(?<!\\)[<>]/);
    expect(outside).not.toMatch(/(?<!\\)!?\[[^\]]*\]\(/);
    expect(outside).not.toMatch(/https:\/\//);
    expect(outside.match(/^#+ .*$/gm)).toEqual([
      '# Run given-1',
      ...documentOf(evilReport()).sections.map(({ title }) => `## ${title}`),
    ]);
  });

  test('keeps tables whole, and a quotation inside its fence', () => {
    const rows = text.split('\n').filter((line) => line.startsWith('|'));
    const cellsOf = (row: string): number => row.replaceAll('\\|', '').split('|').length;
    const tables = text.split(/\n\n/).filter((part) => part.startsWith('|'));
    for (const table of tables) expect(new Set(table.split('\n').map(cellsOf)).size).toBe(1);
    expect(rows.length).toBeGreaterThan(5);
    expect(text).toContain('````text\n');
  });
});

describe('text for a terminal', () => {
  const plain = { rowsMax: 60, chart: '', heading: (text: string) => text, quiet: (text: string) => text };

  test.each([60, 80, 200])('is no wider than %i columns and steers nothing', (width) => {
    const text = writeText(documentOf(evilReport()), { ...plain, width });
    expect(Math.max(...text.split('\n').map(columnsOf))).toBeLessThanOrEqual(width);
    expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F\u202E]/);
  });

  test('drops less important columns before it cuts important ones', () => {
    const run = given('a: { run: x, attempts: 1 }\nb: { needs: a, run: y }');
    run.waits(90_000);
    run.says('a', 'failed');
    const titles = (width: number): string | undefined =>
      writeText(documentOf(reported(run)), { ...plain, width })
        .split('\n')
        .findLast((line) => line.startsWith('  Task  State'));
    expect(titles(100)?.trim().split(/ +/)).toEqual(['Task', 'State', 'Attempts', 'Began', 'Took', 'Why']);
    expect(titles(50)?.trim().split(/ +/)).toEqual(['Task', 'State', 'Took', 'Why']);
  });

  test('has the chart after the facts, where there is one', () => {
    const text = writeText(documentOf(evilReport()), { ...plain, width: 80, chart: 'the chart\n' });
    expect(text.indexOf('the chart')).toBeGreaterThan(text.indexOf('Began'));
    expect(text.indexOf('the chart')).toBeLessThan(text.indexOf('What failed'));
  });

  test('counts the rows that it does not show', () => {
    const run = given(Array.from({ length: 9 }, (_, index) => `t${index}: { run: x }`).join('\n'));
    const text = writeText(documentOf(reported(run)), { ...plain, width: 80, rowsMax: 4 });
    expect(text).toContain('  t3 ');
    expect(text).not.toContain('  t4 ');
    expect(text).toContain('… and 5 more');
  });
});

test('terminal control sequences are removed, lines and their indents stay', () => {
  expect(cleanText('  a\u001B[1;31mb\u001B[0m\r\n\tc\u001B]8;;http://x\u0007d\u001B]8;;\u0007')).toBe('  ab\n  cd');
});

test('secrets are redacted at any depth, and nothing else is', () => {
  const value = { a: ['x s3cret-value y'], b: { c: 's3cret-values3cret-value', d: 1, e: undefined, f: null } };
  expect(redacted(value, ['s3cret-value'])).toEqual({
    a: ['x [redacted] y'],
    b: { c: '[redacted][redacted]', d: 1, e: undefined, f: null },
  });
  expect(redacted(value, [])).toBe(value);
});

test('the lead of a report is one sentence on the result', () => {
  const done = given('a: { prompt: x }');
  done.waits(65_000);
  done.says('a', { said: { ok: true }, spend: { usd: 1.5, tokens: 9 } });
  expect(documentOf(reported(done)).lead).toBe('given: 1 of 1 task done in 1m 05s for $1.50.');
  expect(documentOf(reported(done)).mood).toBe('good');
  expect(documentOf(evilReport()).lead).toBe(
    'given: not over after 1.5s; 0 of 3 tasks done, 2 running, 1 failed for $0.10.',
  );
  expect(documentOf(evilReport()).mood).toBe('bad');
  const paused = given('a: { run: x }');
  paused.pause();
  expect(documentOf(reported(paused)).lead).toContain('given: paused after 0s; 0 of 1 task done');
});

test('the reason why git failed replaces the commits', () => {
  const run = given('a: { prompt: x }', { tree: 'auto', base: 'base' });
  const text = writeMarkdown(documentOf(reported(run, { gitSays: 'There is no git.' })));
  expect(text).toContain('## Commits\n\nThere is no git.');
});
