// A run that grows, for tests: a survey, a subplan that grows, and a task that needs it.
import { evaluatorOf } from '../engine/evaluator.ts';
import { given, type Run, type Word } from '../engine/run.given.ts';
import { judgeFragment } from './judge-fragment.ts';

/** The evaluator of a run, with the judge. */
export const EVALUATOR = evaluatorOf({
  inputs: {},
  env: {},
  judge: (state, draft, written) => judgeFragment(state, draft, { written }),
});

export const GROWING_PLAN = `pools: { db: 2 }
agents: { ai: { use: scripted }, strong: { use: scripted } }
agent: ai
env: []
permissions: deny
merge: { check: make test }`;

export const growingTasks = (grow: string): string => `survey: { run: look }
migrate:
  needs: [survey]
  files: [src/**]
  budget: { usd: 20, tokens: 20M }
  grow: ${grow}
ship: { needs: [migrate], run: ship }`;

/** A run whose draft is claimed. */
export const growing = (grow = '{ prompt: One task per module., max_tasks: 12 }', plan = GROWING_PLAN): Run => {
  const run = given(growingTasks(grow), { evaluator: EVALUATOR, plan });
  run.says('survey', 'done');
  return run;
};

export const answerWord = (response: string): Word => ({ said: { response } });
