// Which hosts there are on other machines, and what a plan asks of them. One of them has all labels and every agent, so that
// nothing waits for ever.
import { dump, load } from 'js-yaml';
import type { Chance } from '../../src/core/schedule/chance.ts';
import { BASE } from '../world/simulated-repository.ts';

export interface FarHost {
  readonly name: string;
  readonly width: number;
  readonly labels: readonly string[];
  readonly agents: readonly string[] | undefined;
  readonly warm: readonly string[];
}

const LABELS = ['gpu', 'linux'];
const FLEET_MAX = 4;

/** None in every second world. */
export function drawFleet(random: Chance): readonly FarHost[] {
  if (random.happens(0.5)) return [];
  return Array.from({ length: 1 + random.below(FLEET_MAX) }, (_, at): FarHost => {
    const draws = { width: 1 + random.below(3), isWarm: random.happens(0.5), label: random.below(3) };
    const agents = random.happens(0.3) ? ['scripted'] : undefined;
    return {
      name: `far ${at + 1}`,
      width: draws.width,
      labels: at === 0 ? LABELS : LABELS.slice(0, draws.label),
      agents: at === 0 ? undefined : agents,
      warm: draws.isWarm ? [BASE] : [],
    };
  });
}

type Tree = { [key: string]: unknown };

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some tasks and steps ask for labels, and the run has a cap over all machines; not where the work is done in place. */
export function withLabels(text: string, random: Chance): string {
  const plan = load(text);
  if (!isTree(plan)) return text;
  if (random.happens(0.7)) plan['hosts'] = { max_parallel: 2 + random.below(9) };
  const isInPlace = isTree(plan['sandbox']) && plan['sandbox']['tree'] === 'none';
  if (!isInPlace) labelTasks(plan['tasks'], random);
  return dump(plan);
}

const WORK = ['prompt', 'run', 'steps', 'tasks', 'for_each', 'grow'];

function labelTasks(tasks: unknown, random: Chance): void {
  if (!isTree(tasks)) return;
  for (const task of Object.values(tasks)) {
    if (!isTree(task)) continue;
    if (WORK.some((kind) => kind in task) && random.happens(0.2)) task['on'] = pick(random);
    const steps: readonly unknown[] = Array.isArray(task['steps']) ? task['steps'] : [];
    for (const step of steps) if (isTree(step) && !('action' in step) && random.happens(0.1)) step['on'] = pick(random);
    labelTasks(task['tasks'], random);
  }
}

const pick = (random: Chance): readonly string[] =>
  random.happens(0.3) ? LABELS : [LABELS[random.below(LABELS.length)] ?? 'gpu'];
