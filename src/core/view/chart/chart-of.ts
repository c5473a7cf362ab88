// A Gantt chart of a simulated or real run: one row per task, in the order of the plan.
import type { Compiled } from '../../compile/compiled.ts';
import type { WorkSpan } from '../../simulate/work-spans.ts';
import type { CriticalStep } from '../../simulate/critical-path.ts';
import type { Bar, BarKind, Chart } from './chart.ts';

export interface Charted {
  readonly spells: readonly WorkSpan[];
  readonly critical: readonly CriticalStep[];
  readonly makespanMs: number;
}

export function chartOf(compiled: Compiled, { spells, critical, makespanMs }: Charted): Chart {
  const isCritical = new Set(critical.map((part) => keyOf(part)));
  const byTask = Map.groupBy(spells, ({ task }) => task);
  const rows = compiled.tasks.flatMap(({ task }) => {
    const ofTask = byTask.get(task.path);
    if (ofTask === undefined) return [];
    return [{ label: task.path, bars: ofTask.map((spell) => barOf(spell, isCritical.has(keyOf(spell)))) }];
  });
  return { title: compiled.plan.name, rows, lanes: 'task', endMs: makespanMs };
}

const keyOf = ({ type, task, step }: { type: string; task: string; step: string | undefined }): string =>
  `${type} ${task} ${step ?? ''}`;

function barOf({ type, step, startMs, endMs, ending }: WorkSpan, critical: boolean): Bar {
  return { startMs, endMs, kind: ending === 'done' ? KINDS[type] : ending, label: step ?? type, critical };
}

const KINDS: Readonly<Record<WorkSpan['type'], BarKind>> = {
  step: 'work',
  check: 'check',
  merge: 'merge',
  resolve: 'work',
};
