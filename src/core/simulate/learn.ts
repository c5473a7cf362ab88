// Durations of steps and checks, learnt from earlier runs of a plan.
import type { Compiled } from '../compile/compiled.ts';
import type { RunEvent } from '../engine/event.ts';
import { NOTHING_LEARNT, type Learnt } from './estimate.ts';
import { workSpansOf } from './work-spans.ts';

/** Medians over all attempts that succeeded; a step counts for itself and for its agent. */
export function learn({ tasks }: Compiled, histories: readonly (readonly RunEvent[])[]): Learnt {
  const spells = histories.flatMap(workSpansOf);
  if (spells.length === 0) return NOTHING_LEARNT;
  const agentOf = new Map(
    tasks.flatMap(({ task, steps }) =>
      steps.map(({ step }) => [nameOf(task.path, step.id), step.type === 'prompt' ? step.agent : undefined] as const),
    ),
  );
  const steps = new Map<string, number[]>();
  const agents = new Map<string, number[]>();
  const checks = new Map<string, number[]>();
  for (const { type, task, step, startMs, endMs, ending } of spells) {
    if (ending !== 'done') continue;
    if (type === 'check') note(checks, task, endMs - startMs);
    if (step === undefined) continue;
    const name = nameOf(task, step);
    note(steps, name, endMs - startMs);
    const agent = agentOf.get(name);
    if (agent !== undefined) note(agents, agent, endMs - startMs);
  }
  const all = [...checks.values()].flat();
  const anyCheckMs = all.length === 0 ? undefined : median(all);
  return { steps: medians(steps), agents: medians(agents), checks: medians(checks), anyCheckMs };
}

const nameOf = (task: string, step: string): string => `${task}/${step}`;

function note(times: Map<string, number[]>, name: string, ms: number): void {
  const known = times.get(name);
  if (known === undefined) times.set(name, [ms]);
  else known.push(ms);
}

const medians = (times: ReadonlyMap<string, readonly number[]>): ReadonlyMap<string, number> =>
  new Map([...times].map(([name, all]) => [name, median(all)]));

function median(all: readonly number[]): number {
  const sorted = all.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}
