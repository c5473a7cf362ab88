// What is wrong with the tasks of a draft for this repository: files, checks, sizes, agents.
import type { Plan, Task, WorkTask } from '../plan/plan.ts';
import { IDLE_CHECK_HINT, IDLE_CHECK_TEXT, idleCheckOf } from '../plan/check/idle-check.ts';
import { leavesRoot, mayOverlap, readGlob, type Glob } from '../plan/check/glob-overlap.ts';
import { keysAt, sourcePathOf, type DraftFinding, type DraftSource } from './draft-finding.ts';
import { isReadOnly } from '../plan/result-step.ts';
import type { ProjectFacts } from './project-facts.ts';

/** What one agent can read and change in one turn. */
const TURN_TOKENS_MAX = 150_000;
const TURN_MS_MAX = 60 * 60_000;

export interface TaskJudging {
  readonly plan: Plan;
  readonly draft: DraftSource;
  readonly facts: ProjectFacts;
}

export function taskFindings(judging: TaskJudging): readonly DraftFinding[] {
  const tasks = workIn(judging.plan.tasks);
  return [
    ...elsewhere(judging, tasks),
    ...tasks.flatMap((task) => [
      ...outside(judging, task),
      ...unnamed(judging, task, tasks.length),
      ...unchecked(judging, task),
      ...missingScripts(judging, task),
      ...tooLarge(judging, task),
    ]),
    ...missingAgents(judging, tasks),
  ];
}

/** The tasks that work, of a `for_each` the inner one. */
export function workIn(tasks: readonly Task[]): readonly WorkTask[] {
  return tasks.flatMap((task): readonly WorkTask[] => {
    switch (task.type) {
      case 'work':
        return [task];
      case 'subplan':
        return workIn(task.tasks);
      case 'for_each':
        return workIn([task.task]);
      case 'join':
      case 'gate':
        return [];
    }
  });
}

/** Whether an agent changes code in it. The draft of a subplan that grows changes nothing, and no turn that is read-only. */
export const hasPrompt = ({ steps, drafts }: WorkTask): boolean =>
  drafts === undefined && steps.some((step) => step.type === 'prompt' && !isReadOnly(step));

type OfTask = Pick<DraftFinding, 'code' | 'severity' | 'message' | 'hint'> & { readonly key?: string };

function about({ draft }: TaskJudging, { path }: WorkTask, { key, ...finding }: OfTask): readonly DraftFinding[] {
  const place = sourcePathOf(path);
  return [{ ...finding, position: draft.positionOf(key === undefined ? place : [...place, key]), task: path }];
}

function outside(judging: TaskJudging, task: WorkTask): readonly DraftFinding[] {
  const wrong = task.files.find(leavesRoot);
  if (wrong === undefined) return [];
  return about(judging, task, {
    code: 'files-outside',
    severity: 'error',
    key: 'files',
    message: `${task.path} means to write ${wrong}, which lies outside the files of the repository.`,
    hint: 'Write globs from the root of the repository, such as src/api/**.',
  });
}

function unnamed(judging: TaskJudging, task: WorkTask, count: number): readonly DraftFinding[] {
  if (count === 1 || task.files.length > 0 || !hasPrompt(task)) return [];
  return about(judging, task, {
    code: 'files-missing',
    severity: 'advice',
    message: `${task.path} does not say which files it writes, so nobody knows whether it collides with another task.`,
    hint: 'Add files: with globs from the root.',
  });
}

function unchecked(judging: TaskJudging, task: WorkTask): readonly DraftFinding[] {
  if (!hasPrompt(task)) return [];
  const { check } = task;
  const judges = check ?? task.settings.merge.check;
  const idle = judges === undefined ? undefined : idleCheckOf(judges);
  const hasCommand = task.steps.some(({ type }) => type === 'run');
  if (idle !== undefined ? hasCommand && check === undefined : hasCommand || judges !== undefined) return [];
  const project = judging.facts.check;
  const add =
    project === undefined
      ? 'Add a check: to the task, a command that fails when its work is wrong.'
      : `Add a check: to the task, or merge: { check: ${project.run} } to the plan.`;
  return about(judging, task, {
    code: 'task-unchecked',
    severity: 'advice',
    ...(check === undefined ? {} : { key: 'check' }),
    message: `Nothing judges the work of ${task.path}${idle === undefined ? '' : `: \`${judges}\` ${IDLE_CHECK_TEXT[idle]}`}.`,
    hint: idle === undefined ? add : IDLE_CHECK_HINT,
  });
}

const SCRIPT = /\b(?:npm|pnpm|yarn|bun)\s+run\s+(?:-s\s+|--silent\s+)?([\w:.-]+)/gu;

/** Only where no task could add the script: one that may write package.json may. */
function missingScripts(judging: TaskJudging, task: WorkTask): readonly DraftFinding[] {
  const { facts, plan } = judging;
  const { scripts } = facts;
  if (scripts === undefined || task.check === undefined || mayAddScripts(plan)) return [];
  const known = new Set(scripts.map(({ name }) => name));
  const missing = [...task.check.matchAll(SCRIPT)].map(([, name = '']) => name).find((name) => !known.has(name));
  if (missing === undefined) return [];
  const names = [...known].slice(0, 12).join(', ');
  return about(judging, task, {
    code: 'check-missing',
    severity: 'advice',
    key: 'check',
    message: `The check of ${task.path} calls the script ${missing}, which no package.json here has.`,
    hint: names === '' ? 'Call the test program itself.' : `Call one of ${names}.`,
  });
}

const mayAddScripts = (plan: Plan): boolean =>
  workIn(plan.tasks).some(({ files }) => files.length === 0 || files.some((glob) => glob.endsWith('package.json')));

function tooLarge(judging: TaskJudging, task: WorkTask): readonly DraftFinding[] {
  if (!hasPrompt(task)) return [];
  const finding = { code: 'task-too-large', severity: 'advice' } as const;
  const hint = 'Divide it into tasks for single folders or parts that can run at the same time.';
  if ((task.estimateMs ?? 0) > TURN_MS_MAX)
    return about(judging, task, {
      ...finding,
      key: 'estimate',
      message: `${task.path} is estimated at more than an hour, which is more than one turn of an agent does well.`,
      hint,
    });
  const globs = globsOf(task.files);
  const files = judging.facts.files.filter(({ path }) => isAmong(path, globs));
  const tokens = files.reduce((sum, file) => sum + file.tokens, 0);
  if (tokens <= TURN_TOKENS_MAX) return [];
  return about(judging, task, {
    ...finding,
    key: 'files',
    message: `${task.path} may write ${files.length} files of about ${Math.round(tokens / 1000)}k tokens, which is more than an agent can read in one turn.`,
    hint: 'Name only the files or folders that it changes. When these are so many, divide it into tasks for single folders or parts.',
  });
}

const globsOf = (files: readonly string[]): readonly Glob[] => files.flatMap((file) => readGlob(file) ?? []);

function isAmong(path: string, globs: readonly Glob[]): boolean {
  const own = readGlob(path);
  return own !== undefined && globs.some((glob) => mayOverlap(glob, own));
}

/** The share of places that are not of this repository from which on the plan must be for another. */
const FOREIGN_SHARE = 0.6;
const PLACES_MIN = 3;

const NO_CODE = /^(?:\.|docs?$)/iu;

/** A plan may add folders; one whose tasks write nearly nowhere else is for another repository. */
function elsewhere({ facts, draft }: TaskJudging, tasks: readonly WorkTask[]): readonly DraftFinding[] {
  const known = new Set(facts.files.flatMap(({ path }) => (path.includes('/') ? [topOf(path)] : [])));
  // A repository that has only a specification so far gets its first folders by the plan.
  if ([...known].every((folder) => NO_CODE.test(folder))) return [];
  const places = new Set(
    tasks.flatMap(({ files }) =>
      files
        .filter((glob) => glob.includes('/') && !leavesRoot(glob))
        .map((glob) => topOf(glob.replace(/^(?:\.\/+)+/u, ''))),
    ),
  );
  const foreign = [...places].filter((place) => !known.has(place) && !/[*?[{]/u.test(place));
  if (foreign.length < PLACES_MIN || foreign.length / places.size < FOREIGN_SHARE) return [];
  return [
    {
      code: 'other-repository',
      severity: 'error',
      message: `The tasks write in ${foreign.slice(0, 5).join(', ')}, and this repository has none of these folders.`,
      hint: `Plan for this repository; its folders are ${[...known].slice(0, 12).join(', ')}.`,
      position: draft.positionOf(['tasks']),
      task: undefined,
    },
  ];
}

const topOf = (path: string): string => path.slice(0, path.indexOf('/'));

function missingAgents({ plan, facts, draft }: TaskJudging, tasks: readonly WorkTask[]): readonly DraftFinding[] {
  const used = new Set(
    tasks.flatMap(({ steps }) =>
      steps.flatMap((step) =>
        step.type === 'prompt' ? [step.agent, ...step.fallbacks.map(({ agent }) => agent)] : [],
      ),
    ),
  );
  return plan.agents
    .filter(({ name, use }) => used.has(name) && !facts.agents.includes(use))
    .map(({ name, use }) => ({
      code: 'agent-missing',
      severity: 'error',
      message: `The plan names the agent ${name}${name === use ? '' : ` (${use})`}, which is not installed here.`,
      hint: facts.agents.length === 0 ? 'Leave agent: out.' : `Use ${facts.agents.join(' or ')}, or leave agent: out.`,
      position: draft.positionOf(keysAt(draft, ['agents']).includes(name) ? ['agents', name] : ['agent']),
      task: undefined,
    }));
}
