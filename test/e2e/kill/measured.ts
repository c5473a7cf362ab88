// What the steps say of themselves.
import { readFileSync } from 'node:fs';
import type { Project } from '../world/project.given.ts';

/** A line that a step wrote when it began or came to its end. */
export interface Measured {
  readonly type: 'start' | 'end' | 'failed';
  /** `task.step`, or `task.check`. */
  readonly name: string;
  readonly attempt: number;
  readonly pid: number;
  /** How many steps ran when it began, itself included: of all, and of those in the pool. */
  readonly atWork: number;
  readonly inPool: number;
}

export function readMeasured(project: Project): readonly Measured[] {
  return readFileSync(project.file('measured'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Measured => {
      const [type, name = '', attempt, pid, atWork, inPool] = line.split(' ');
      return {
        type: type === 'start' || type === 'end' ? type : 'failed',
        name,
        attempt: Number(attempt),
        pid: Number(pid),
        atWork: Number(atWork ?? 0),
        inPool: Number(inPool ?? 0),
      };
    });
}
