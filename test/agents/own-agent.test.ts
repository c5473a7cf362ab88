// The agent of examples/programs, behind its own adapter, by the contract that holds for every adapter of Heddle.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect } from 'vitest';
import { carriedOut, testInWorld } from '../../src/shell/host/worker/worker.given.ts';
import { CHILDREN } from '../../tools/coverage.ts';
import { agentContract } from './contract.given.ts';
import { KEY, type GivenKind } from './kinds.given.ts';

const OWN: GivenKind = {
  use: 'module',
  program: 'own-agent',
  isOurs: true,
  agent: { command: new URL('../../examples/programs/own-adapter.ts', import.meta.url).pathname, model: 'stand-in' },
  moves: true,
  permissions: 'settings',
  isPriced: false,
  settle: ({ url }) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY }),
};

agentContract(OWN);

describe('an adapter that cannot be used', () => {
  // No test of the shell loads adapters, so what these workers run is counted.
  beforeAll(() => {
    process.env['NODE_V8_COVERAGE'] = CHILDREN;
  });

  testInWorld.for([
    ['is not there', undefined, 'cannot be loaded'],
    ['is no program', 'export const adapter = {', 'cannot be loaded'],
    ['fails when it is loaded', 'throw new Error("out of order")', 'cannot be loaded: out of order'],
    ['is none', 'export const adapter = { launch: 1 }', 'exports no `adapter` with launch, reader and conversations'],
  ] as const)('and %s has its turns refused with the reason', async ([, text, reason], { world }) => {
    const cwd = join(world.home, 'project');
    mkdirSync(cwd);
    if (text !== undefined) writeFileSync(join(cwd, 'mine.mjs'), text);
    const { outcome } = await carriedOut(world, { prompt: 'Try.', use: 'module', agent: { command: 'mine.mjs' }, cwd });
    expect(outcome).toMatchObject({ type: 'failed', reason: 'refused', isFinal: true });
    expect(JSON.stringify(outcome)).toContain(reason);
  });

  testInWorld('and keeps to no permissions is not started with some', async ({ world }) => {
    const cwd = join(world.home, 'project');
    mkdirSync(cwd);
    const text =
      'export const adapter = { launch: () => ({ program: "touch", args: ["ran"] }), reader: () => ({}), conversations: { forks: false } };';
    writeFileSync(join(cwd, 'mine.mjs'), text);
    const permissions = { policy: 'deny', granted: [], refused: [] } as const;
    const given = { prompt: 'Try.', use: 'module', agent: { command: 'mine.mjs' }, cwd, permissions };
    const { outcome } = await carriedOut(world, given);
    expect(JSON.stringify(outcome)).toContain('does what it likes without asking');
  });
});
