// Core runs in a browser as it is: it is bundled for one, packages included, and evaluated where nothing of Node exists.
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { expect, test } from 'vitest';
import { root } from './source-tree.ts';

const PLAN = `
heddle: 1
name: small
agents: { writer: { use: scripted } }
agent: writer
tasks:
  build: { prompt: 'Build {{ inputs.what }}', check: npm test, estimate: 10m }
  review: { needs: [build], run: 'echo {{ tasks.build.response }}', estimate: 5m, when: tasks.build.ok }
inputs: { what: { type: string, default: it } }
`;

const PROGRAM = `
  const { plan, diagnostics } = core.parsePlan(text, { file: 'small.yaml' });
  if (plan === undefined) throw new Error(diagnostics.map(({ message }) => message).join(' '));
  const compiled = core.compile(plan);
  const history = core.NO_HISTORY;
  const prepared = core.prepare(compiled, { history, seed: 1 });
  const run = core.simulate(compiled, prepared.order, {
    seed: 1, history, spread: 0, failureShare: 0, endsWell: false,
  });
  JSON.stringify({
    sound: core.verify(compiled.net).verdict.type,
    printed: core.parsePlan(core.printPlan(plan), { file: 'small.yaml' }).plan !== undefined,
    wrong: core.parsePlan('tasks: { a: { needs: [b] } }', { file: 'wrong.yaml' }).diagnostics.length > 0,
    makespanMs: run.makespanMs,
    stage: core.fold(run.events).run.stage,
    status: core.statusOf(run.state, { now: run.makespanMs, given: {} }).stage,
    svg: core.drawSvg(core.pictureOfPlan(plan)).slice(0, 4),
  });
`;

test('core bundles for a browser and runs without Node', async () => {
  const asked: string[] = [];
  const bundle = await rolldown({
    input: join(root, 'src/core.ts'),
    platform: 'browser',
    external: (id) => {
      if (isBuiltin(id)) asked.push(id);
      return isBuiltin(id);
    },
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'core' });
  await bundle.close();
  expect(asked, 'modules of Node that the bundle asks for').toEqual([]);
  // A bare context has the language and nothing else: no process, no require, no console, no timers. The two
  // that every browser has are what the package for expressions asks for while it loads.
  const context = createContext({ text: PLAN, TextEncoder, TextDecoder });
  runInContext(output[0].code, context);
  expect(JSON.parse(String(runInContext(PROGRAM, context)))).toMatchInlineSnapshot(`
    {
      "makespanMs": 934000,
      "printed": true,
      "sound": "sound",
      "stage": "ended",
      "status": "ended",
      "svg": "<svg",
      "wrong": true,
    }
  `);
});
