// Steps that wait for the test: each says that it is there and goes on when it is let go. So nothing depends on time.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { seeAttempt } from '../../../src/shell/host/attempt-folder.given.ts';
import { until, type Project } from './project.given.ts';

/** For `run:` in a plan. The file `NAME.here` says that it has begun, and holds the number of its process. */
export const HOLD = 'echo $$ > $HEDDLE_TASK.here; until [ -e $HEDDLE_TASK.go ]; do sleep 0.02; done; echo $HEDDLE_TASK';

/** Waits until a task holds, and says which process it is. */
export async function holds(project: Project, task: string): Promise<number> {
  const file = project.file(`${task}.here`);
  return await until(
    () => existsSync(file) && Number(readFileSync(file, 'utf8')) > 0 && Number(readFileSync(file, 'utf8')),
  );
}

export function letGo(project: Project, ...tasks: readonly string[]): void {
  for (const task of tasks) writeFileSync(project.file(`${task}.go`), '');
}

/** Whether the worker of a task's first attempt has left its outcome. */
export const hasOutcome = (project: Pick<Project, 'attempt'>, task: string): boolean =>
  seeAttempt(project.attempt({ work: 'step', task, step: 'main', attempt: 1 }))?.outcome !== undefined;
