// What every draft is told: what a fragment looks like, its limits, and what was wrong with the one before.
import type { CompiledTask } from '../../compile/compiled.ts';
import { isDraft } from '../../plan/grown-plan.ts';
import type { Growth } from '../../plan/growth.ts';
import type { StepFacts } from '../step-facts.ts';

/** Empty for a task that drafts nothing. */
export const draftGuide = ({ task }: CompiledTask): string => (isDraft(task) ? `\n\n${guideFor(task.drafts)}` : '');

/** A command has no conversation: its next attempt reads what was wrong with the fragment from its environment. */
export function draftEnvironment(
  { task }: CompiledTask,
  { goesOn }: Pick<StepFacts, 'goesOn'>,
): Readonly<Record<string, string>> {
  return isDraft(task) && goesOn !== undefined ? { HEDDLE_FINDINGS: goesOn.says.slice(0, FINDINGS_MAX) } : {};
}

/** The kernel takes at most 128 KiB as one variable, in bytes and with its name. */
const FINDINGS_MAX = 30_000;

function guideFor({ tasksMax, depthMax, agents, pools, files }: Growth): string {
  const lines = [
    'Do not do the work itself and change no files: write the tasks that others will do, each in a checkout of its own.',
    'Answer with YAML that begins with "tasks:" and with nothing else, like this:',
    '',
    'tasks:',
    '  parser:',
    `    prompt: Replace the old client in src/parser. Everything that the task needs to know stands here.`,
    `    files: [${files.length === 0 ? 'src/parser/**' : (files[0] ?? '')}]`,
    '    check: npm test -- parser',
    '  docs:',
    '    needs: [parser]',
    '    prompt: Describe the new client in docs/client.md.',
    `    files: [${files.length === 0 ? 'docs/client.md' : (files[0] ?? '')}]`,
    '',
    'Rules:',
    `- At most ${tasksMax} ${tasksMax === 1 ? 'task' : 'tasks'}; ids are letters, digits, _ and -. "tasks: {}" says that there is nothing to do.`,
    '- needs names other tasks of your answer, and only those whose work a task builds on: all others run at the same time.',
    '- files are globs from the top of the repository; two tasks that may run together should not write the same files.',
    '- check is a command that fails when the work is wrong, so without || true and without a pipe at its end; leave it out where none exists.',
    files.length === 0 ? undefined : `- Every task has files, and all of them lie within ${files.join(', ')}.`,
    agents.length === 0
      ? '- Tasks have run: with a shell command; no agents are available to them.'
      : `- Leave agent out, or name ${agents.join(' or ')}.`,
    pools.length === 0
      ? undefined
      : `- A task that needs one of these to itself says hold: [name]: ${pools.join(', ')}.`,
    depthMax === 1
      ? undefined
      : `- A task may have grow: like the one you answer, with depth: ${depthMax - 1} at most.`,
  ];
  return lines.filter((line) => line !== undefined).join('\n');
}
