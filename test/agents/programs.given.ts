// The real agent programs, where they are: those that `npm run agents:fetch` brought, in the versions that we know.
//
// `HEDDLE_AGENTS=contract` is for where the contract has to be shown and time is short: programs that are fetched by default
// must be here, and whole runs of them, which take minutes, are left to where nobody waits.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FOLDER = join(import.meta.dirname, '..', '..', 'tools', 'agents');
const FETCHED = join(FOLDER, 'node_modules', '.bin');
const IS_CONTRACT = process.env['HEDDLE_AGENTS'] === 'contract';

export const programAt = (program: string): string => join(FETCHED, program);

export const isFetched = (program: string): boolean => existsSync(programAt(program));

export const pathWithAgents = (): string => [FETCHED, process.env['PATH'] ?? ''].join(delimiter);

export function sayMissing(program: string): void {
  const sentence = `Not shown with the real ${program}, which is not here: npm run agents:fetch brings it.`;
  if (IS_CONTRACT && isFetchedByDefault(program)) throw new Error(sentence);
  console.log(sentence);
}

/** Whether whole runs are to be shown; says so where they are not. */
export function areRunsWanted(): boolean {
  if (IS_CONTRACT) console.log('Whole runs of real programs are not shown where HEDDLE_AGENTS=contract.');
  return !IS_CONTRACT;
}

/** By the names of their packages, which begin with those of the programs. */
function isFetchedByDefault(program: string): boolean {
  // It is ours, beside this file.
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies).some((name) => name.slice(name.indexOf('/') + 1).startsWith(program));
}
