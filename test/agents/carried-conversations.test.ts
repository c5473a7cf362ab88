// A conversation that goes on with the real program on another machine: a server, two hosts with homes of their own, real git,
// stand-in models.
import { mkdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startFarHost } from '../e2e/hosts/far-host.given.ts';
import { givenServed } from '../e2e/hosts/serve.given.ts';
import { need } from '../needs.given.ts';
import { startModels } from '../models/start-models.ts';
import { CLAUDE, CODEX } from './kinds.given.ts';
import { fetched, pathWithAgents } from './programs.given.ts';

const planOf = (use: string, isolation: string): string => `heddle: 1
name: carried
sandbox: { isolation: ${isolation} }
tasks:
  a:
    agent: ${use}
    on: [left]
    prompt: |
      Begin.
      @write a.txt one
      @say One.
  b:
    needs: [a]
    agent: ${use}
    on: [right]
    resume: { fork: tasks.a }
    prompt: |
      Go on.
      @run cat a.txt > b.txt
      @count
`;

test.for([CLAUDE, CODEX].flatMap((kind) => ['none', 'auto'].map((isolation) => ({ ...kind, isolation }))))(
  'a turn of $use goes on on another machine with what was said on the first, with isolation: $isolation',
  { timeout: 600_000 },
  async ({ isolation, ...kind }, context) => {
    need(context, fetched(kind.program));
    const models = await startModels();
    onTestFinished(() => models.close());
    const served = givenServed(planOf(kind.use, isolation));
    const server = await served.serve('--width', '0');
    const environment = (folder: string): Readonly<Record<string, string>> => {
      mkdirSync(folder, { recursive: true });
      return { PATH: pathWithAgents(), ...kind.settle({ home: folder, url: models.url }) };
    };
    for (const side of ['left', 'right'])
      startFarHost(server, { token: served.token(side), words: ['--label', side], environment });
    const run = served.begin('run', 'plan.yaml', '--plain');
    expect(await run.ended, `${run.printed()}${server.printed()}`).toBe(0);
    const events = served.events('carried-1');
    const placed = events.filter(({ type, work }) => type === 'claim.placed' && work === 'step');
    expect(placed).toMatchObject([{ host: 'left' }, { host: 'right', conversation: 'carried' }]);
    const spent = events.filter(({ type, work }) => type === 'claim.ended' && work === 'step');
    expect(spent).toMatchObject([{ spend: { tokens: 2 * 110 } }, { spend: { tokens: 2 * 110 } }]);
    const turns = served.heddle('turns', 'carried-1', '--json').out.trim().split('\n');
    const [first, second] = turns.map((line): unknown => JSON.parse(line));
    expect(first).toMatchObject({ task: 'a', response: 'One.' });
    expect(second).toMatchObject({ task: 'b', response: 'I was asked 2 times.', from: { mode: 'fork' } });
  },
);
