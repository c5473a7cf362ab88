// Checks price tables before anything is spent: reports each error with its place and remedy.
import { checkPrices, type UnknownPrice } from '../../core/plan/settings/model-prices.ts';
import { readPriceFiles } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';

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

export function arePricesRight(terminal: Terminal): boolean {
  const tables = readPriceFiles();
  const wrong = tables.flatMap(checkPrices);
  printDiagnostics(terminal, wrong, new Map(tables.map(({ file, text }) => [file, text])));
  return wrong.length === 0;
}
