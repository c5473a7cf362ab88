// Tables of prices before anything is spent: what is wrong with them is said, with where and what to do.
import { checkPrices } from '../../core/plan/settings/model-prices.ts';
import { readPriceFiles } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import type { Terminal } from '../terminal/terminal.ts';

export function arePricesRight(terminal: Terminal): boolean {
  const tables = readPriceFiles();
  const wrong = tables.flatMap(checkPrices);
  printDiagnostics(terminal, wrong, new Map(tables.map(({ file, text }) => [file, text])));
  return wrong.length === 0;
}
