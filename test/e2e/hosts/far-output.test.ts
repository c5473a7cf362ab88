// The output of claims on another machine, from a real host to a real server and its readers.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { eventually, startFarHost, type FarHost } from './far-host.given.ts';
import { givenServed, type ServedHere } from './serve.given.ts';

/** All work is for the other machine. A step waits until the gate is open. */
async function givenFar(plan: (gate: string) => string): Promise<{
  readonly here: ServedHere;
  readonly far: FarHost;
  readonly open: () => void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-gate-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const gate = join(folder, 'gate');
  const here = givenServed(`heddle: 1\nname: far\nsandbox: { isolation: none }\ntasks:\n${plan(gate)}`);
  const server = await here.serve('--width', '0');
  const far = startFarHost(server, { token: here.token('far') });
  return { here, far, open: () => writeFileSync(gate, '') };
}

const waiting = (gate: string): string => `until test -e ${gate}; do sleep 0.2; done`;
const LINES = Array.from({ length: 3_000 }, (_, index) => `${index + 1}\n`).join('');

test('output of another machine is shown while it comes, all of it to a reader who asks, and all of it in the end', async () => {
  const { here, far, open } = await givenFar(
    (gate) => `  a:\n    run: "echo begun; seq 3000; ${waiting(gate)}; echo over"\n    check: echo looked at\n`,
  );
  here.begin('run', 'plan.yaml', '--detach');
  await eventually(() => expect(here.heddle('logs', 'a').out, far.printed()).toContain('\n3000\n'));
  // Live output was its end alone; that somebody reads it is enough for the rest to come.
  await eventually(() => expect(here.heddle('logs', 'a').out).toContain(`begun\n${LINES}`));
  const status: unknown = JSON.parse(here.heddle('status', '--json').out);
  expect(status).toMatchObject({ workers: [{ task: 'a', is: 'elsewhere', host: 'far' }] });
  open();
  await eventually(() => expect(here.events('far-1').at(-1)?.type).toBe('run.ended'));
  const { out } = here.heddle('logs', 'a');
  expect(out).toContain(`begun\n${LINES}over\n`);
  expect(out).toContain('looked at');
  const copy = join(here.project.folder, '.heddle', 'runs', 'far-1', 'a.main.1', 'output.log');
  expect(readFileSync(copy, 'utf8')).toBe(`begun\n${LINES}over\n`);
  const [turn] = here.heddle('turns', 'far-1', '--json').out.trim().split('\n');
  expect(JSON.parse(turn ?? '')).toMatchObject({ task: 'a', type: 'run', verdict: 'done' });
});

test('a machine that dies takes no more with it than its live output', async () => {
  const { here, far, open } = await givenFar((gate) => `  a: { run: "echo begun; ${waiting(gate)}" }\n`);
  here.begin('run', 'plan.yaml', '--detach');
  await eventually(() => expect(here.heddle('logs', 'a').out, far.printed()).toContain('begun'));
  far.child.kill('SIGKILL');
  await once(far.child, 'exit');
  expect(here.heddle('logs', 'a').out).toContain('begun');
  // Its worker goes on until it is over, as that of any host that died.
  open();
  const attempt = join(far.home, 'runs', 'far-1', 'a.main.1', 'attempt.json');
  await eventually(() => expect(readFileSync(attempt, 'utf8')).toContain('"outcome":{'));
});
