// The real agent programs, where they are: those that `npm run agents:fetch` brought, in the versions that we know.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const FETCHED = join(import.meta.dirname, '..', '..', 'tools', 'agents', 'node_modules', '.bin');

export const isFetched = (program: string): boolean => existsSync(join(FETCHED, program));

export const pathWithAgents = (): string => [FETCHED, process.env['PATH'] ?? ''].join(delimiter);

export const sayMissing = (program: string): void =>
  console.log(`Not shown with the real ${program}, which is not here: npm run agents:fetch brings it.`);
