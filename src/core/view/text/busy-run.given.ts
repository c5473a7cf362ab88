// A run with a little of everything in it, for tests of text and screens.
import { given, type Run } from '../../engine/run.given.ts';
import { statusOf, type Status } from '../run/run-status.ts';

export const GIVEN = { inputs: {}, env: {} };

export const statusAt = (run: Run): Status => statusOf(run.state(), { now: run.now(), given: GIVEN });

const TASKS = `
api:
  max_parallel: 2
  tasks:
    design: { prompt: x, estimate: 10m }
    build:
      needs: [design]
      steps:
        - { id: code, prompt: x }
        - { id: tests, run: x, estimate: 4m }
    docs: { prompt: x }
lint: { run: x }
ship: { needs: [api, lint], gate: "Ship it?" }
ask: { gate: "Which licence?" }
`;

/** One task done, one running, one failed for good, one with an open question. */
export function busyRun(): Run {
  const run = given(TASKS.trim(), {
    plan: 'pools: { ai: 3 }\nbudget: { usd: 20 }\nattempts: 2\nagents: { ai: { use: scripted, pool: ai, reserve: { usd: 2 } } }\nagent: ai',
  });
  run.waits(60_000);
  run.says('lint', { said: { ok: false, response: 'lint: 3 problems\n' } });
  run.waits(5_000);
  run.says('lint', { said: { ok: false, response: 'lint: 2 problems\n' } });
  run.waits(235_000);
  run.says('api.design', { said: {}, spend: { usd: 1.25, tokens: 1000 } });
  run.waits(30_000);
  run.says('api.build/code', { said: {}, spend: { usd: 0.5, tokens: 1000 } });
  run.waits(65_000);
  return run;
}
