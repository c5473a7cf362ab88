// Checks the commit to land in a disposable tree, by all checks of the tasks that it contains.
import type { Limits } from '../../core/protocol/assignment.ts';
import { stepEnvironment } from '../local-parts.ts';
import { checkerFor, type Ground } from '../git-parts.ts';

export interface RecheckOrder {
  readonly run: string;
  /** Commands that must all pass. */
  readonly checks: readonly string[];
  readonly limits: Limits;
  readonly home: string;
  readonly ground: Ground;
  readonly commit: string;
  /** Called before each check that is really made. */
  readonly onCheck: (command: string) => void;
}

export type Rechecked =
  | { readonly type: 'passed' }
  | { readonly type: 'check failed'; readonly command: string; readonly tail: string }
  | { readonly type: 'failed'; readonly message: string };

export async function recheck(order: RecheckOrder): Promise<Rechecked> {
  const { run, checks, limits, home, ground, commit, onCheck } = order;
  const tree = await ground.repository.treeOf(commit);
  const { remembered, start } = checkerFor({ run, home, ground, environment: stepEnvironment() });
  for (const command of checks) {
    if (remembered.of({ tree, command }, Infinity)?.type === 'passed') continue;
    onCheck(command);
    const checked = await start({ commit, command, limits }).ended;
    if (checked.type === 'error') return { type: 'failed', message: checked.message };
    if (checked.type === 'stopped') return { type: 'failed', message: `The check \`${command}\` was stopped.` };
    if (checked.type === 'failed') return { type: 'check failed', command, tail: checked.tail };
    remembered.passed({ tree, command });
  }
  return { type: 'passed' };
}
