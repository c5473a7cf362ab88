// Diagnostics for people: place, message, the line itself with a mark under it, and the remedy.
import type { Diagnostic } from '../../core/plan/diagnostic.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { checkPrices, type UnknownPrice } from '../../core/plan/settings/model-prices.ts';
import { missingServerText } from '../../core/protocol/missing-server.ts';
import { readPriceFiles } from '../../app/plan/load-plan.ts';
import type { AgentServers } from '../../app/plan/isolated-servers.ts';

const SHOWN_MAX = 50;
const LINE_WIDTH_MAX = 160;

export function printDiagnostics(
  terminal: Terminal,
  diagnostics: readonly Diagnostic[],
  texts: ReadonlyMap<string, string>,
): void {
  if (diagnostics.length === 0) return;
  const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n')]));
  for (const diagnostic of diagnostics.slice(0, SHOWN_MAX)) {
    terminal.err(diagnosticText(terminal, diagnostic, lines.get(diagnostic.file)));
  }
  const hidden = diagnostics.length - SHOWN_MAX;
  if (hidden > 0) terminal.err(`… and ${hidden} more; --json lists them all.\n`);
  terminal.err(`${countText(diagnostics)} ${paint(terminal, 'quiet', moreText(diagnostics))}`);
}

function diagnosticText(terminal: Terminal, diagnostic: Diagnostic, lines: readonly string[] | undefined): string {
  const { severity, code, message, hint, file, position } = diagnostic;
  const style = severity === 'error' ? 'bad' : 'warn';
  const head = `${file}:${position.line}:${position.column} ${paint(terminal, style, `${severity} ${code}`)}`;
  const excerpt = excerptText(terminal, lines?.[position.line - 1], position);
  return [head, `  ${message}`, ...excerpt, `  ${paint(terminal, 'quiet', 'hint:')} ${hint}`, ''].join('\n');
}

function excerptText(
  terminal: Terminal,
  line: string | undefined,
  { line: number, column }: Diagnostic['position'],
): readonly string[] {
  if (line === undefined || line.length > LINE_WIDTH_MAX) return [];
  const gutter = String(number);
  const shown = line.replaceAll('\t', ' ').trimEnd();
  return [
    paint(terminal, 'quiet', `  ${gutter} | `) + shown,
    `${paint(terminal, 'quiet', `  ${' '.repeat(gutter.length)} | `)}${' '.repeat(Math.min(column - 1, shown.length))}${paint(terminal, 'strong', '^')}`,
  ];
}

/** Every code has its part of the documents that come with the program. */
function moreText(diagnostics: readonly Diagnostic[]): string {
  const [first = '', ...others] = new Set(diagnostics.map(({ code }) => code));
  return others.length === 0 ? `${helpOn(first)} says more.` : `heddle help CODE says more, as ${helpOn(first)}.`;
}

/** The command that explains a code. */
export const helpOn = (code: string): string => `heddle help ${code}`;

function countText(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  return [counted(errors, 'error'), counted(warnings, 'warning')]
    .filter((part) => part !== '')
    .join(', ')
    .concat('.');
}

const counted = (count: number, word: string): string =>
  count === 0 ? '' : `${count} ${word}${count === 1 ? '' : 's'}`;

/** A line for each MCP server of an agent that its turns will not have. */
export const missingServerLines = (terminal: Terminal, servers: readonly AgentServers[]): readonly string[] =>
  servers.flatMap(({ agent, missing }) =>
    missing.map((each) => paint(terminal, 'warn', `${agent}: ${missingServerText(each)}`)),
  );

/** A line for each agent whose turns are charged at their reservation. */
export const unpricedLines = (terminal: Terminal, unpriced: readonly UnknownPrice[]): readonly string[] =>
  unpriced.map((each) => paint(terminal, 'warn', unpricedText(each)));

function unpricedText({ agent, code, model = '' }: UnknownPrice): string {
  const counts = `each turn of ${agent} counts as its reservation`;
  switch (code) {
    case 'uncounted':
      return `Price unknown: ${counts}, because its program reports no tokens. Set reserve: to what a turn may cost at most.`;
    case 'unnamed':
      return `Price unknown: ${counts}, because the plan names no model for it. Add model: to the agent.`;
    case 'unlisted':
      return `Price unknown: ${counts}, because ${model} is in no table of prices. Add it to .heddle/prices.json.`;
  }
}

/** Checks price tables before anything is spent: prints each error with its place and remedy. */
export function arePricesRight(terminal: Terminal): boolean {
  const tables = readPriceFiles();
  const wrong = tables.flatMap(checkPrices);
  printDiagnostics(terminal, wrong, new Map(tables.map(({ file, text }) => [file, text])));
  return wrong.length === 0;
}
