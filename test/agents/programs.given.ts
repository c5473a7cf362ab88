// The real agent programs, where they are: those that `npm run agents:fetch` brought, in the versions that we know.
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Need } from '../needs.given.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'tools', 'agents');
const FETCHED = join(FOLDER, 'node_modules', '.bin');

export const programAt = (program: string): string => join(FETCHED, program);

export const pathWithAgents = (): string => [FETCHED, process.env['PATH'] ?? ''].join(delimiter);

export function fetched(program: string): Need {
  const isDefault = isFetchedByDefault(program);
  const command = `npm run agents:fetch${isDefault ? '' : ' -- --include=dev'}`;
  const isThere = existsSync(programAt(program));
  return {
    name: isDefault ? 'agents' : 'other',
    missing: isThere ? undefined : `the program ${program} is not here: ${command} brings it`,
  };
}

/** Whole runs take minutes, so they are shown only where somebody asks for them. */
export const wholeRuns = (): Need => ({
  name: 'other',
  missing:
    process.env['HEDDLE_AGENTS'] === 'runs'
      ? undefined
      : 'whole runs of real agents take minutes: HEDDLE_AGENTS=runs asks for them',
});

/** By the names of their packages, which begin with those of the programs. */
function isFetchedByDefault(program: string): boolean {
  // It is ours, beside this file.
  const { dependencies } = JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  return Object.keys(dependencies).some((name) => name.slice(name.indexOf('/') + 1).startsWith(program));
}
