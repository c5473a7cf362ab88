// The prompt of an agent's turn on a conflict.
import { assert } from '../../assert.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Agent } from '../../plan/plan.ts';
import { factsOf, taskAt } from '../facts.ts';
import type { Given } from '../scope.ts';
import type { Claim, State } from '../state.ts';
import type { Work } from '../../protocol/assignment.ts';
import { takenUp } from './taken-up.ts';
import { permittedIn } from './turn-permissions.ts';
import { intentOf } from './intent.ts';

/** Maximum number of listed files, and of listed tasks on the other side; more are only counted. */
const PATHS_MAX = 100;
const OTHERS_MAX = 10;

export function resolveWork(state: State, task: CompiledTask, { claim, given }: { claim: Claim; given: Given }): Work {
  const step = task.steps[task.resolver ?? -1];
  assert(step !== undefined, 'A task whose conflicts an agent resolves has a step with that agent.');
  const conversation = takenUp(state, step, claim);
  const permitted = permittedIn(state, step, claim);
  return {
    type: 'turn',
    agent: agentOf(state, claim),
    prompt: promptFor(state, task, given),
    conversation,
    ...permitted,
  };
}

export function agentOf({ compiled }: State, claim: Pick<Claim, 'agent'>): Agent {
  const agent = compiled.plan.agents.find(({ name }) => name === claim.agent);
  assert(agent !== undefined, 'A checked plan names only agents that it has.');
  return agent;
}

function promptFor(state: State, task: CompiledTask, given: Given): string {
  const { conflict, tip } = factsOf(state, task.index);
  assert(conflict !== undefined, 'A turn on a conflict is claimed when there is one.');
  const { path } = task.task;
  const check = task.task.type === 'work' ? task.task.check : undefined;
  const others = conflict.with.flatMap((name) => state.compiled.indexOf.get(name) ?? []);
  return [
    `The work of the task ${path} does not fit together with what has been merged before it${
      conflict.with.length === 0 ? '' : ` from ${conflict.with.join(', ')}`
    }. Make it fit: the files of this folder hold both sides, with conflict markers where they differ, and between the markers also what both began with. What markers cannot show is told in HEDDLE-CONFLICTS.md, if that is there: decide what it lists, then delete it.`,
    [
      `Where both began: ${state.run.base ?? 'unknown'}`,
      `This task's side: ${tip ?? 'unknown'}`,
      `The other side: ${conflict.onto ?? 'unknown'}`,
    ].join('\n'),
    `Files in conflict:\n${few(conflict.paths, PATHS_MAX)
      .map((each) => `- ${each}`)
      .join('\n')}`,
    `What ${path} was to do:\n\n${intentOf(state, task, given)}`,
    ...others.slice(0, OTHERS_MAX).map((index) => {
      const other = taskAt(state, index);
      return `What ${other.task.path} was to do:\n\n${intentOf(state, other, given)}`;
    }),
    'Keep what both sides were to do; never settle it by dropping one of them. Leave no conflict marker behind.',
    ...(conflict.refused === undefined ? [] : [`It was tried before and not taken:\n\n${conflict.refused}`]),
    ...(check === undefined ? [] : [`It is done when this passes: ${check}`]),
  ].join('\n\n');
}

function few(names: readonly string[], limit: number): readonly string[] {
  return names.length <= limit ? names : [...names.slice(0, limit), `and ${names.length - limit} more`];
}
