// Every turn, command and join of a task, from the log and from the files of its workers.
//
// turns-of/T1. Unknown values are null: a running attempt has no response yet, and a killed one left no record.
import { isObject, type Fields } from '../../core/plan/json-fields.ts';
import { isInside, type CompiledTask } from '../../core/compile/compiled.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import type { WorkType } from '../../core/protocol/assignment.ts';
import type { Result, Usage } from '../../core/protocol/result.ts';
import { followProgress } from '../../core/view/run/progress.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { foldRun, taskOf, type FoldedRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { artifactsIn, workerOf } from '../local-parts.ts';
import { recordOf } from './output-reader.ts';

/** One line of `heddle turns --json`; times are milliseconds since the epoch. */
export interface TurnLine {
  readonly run: string;
  readonly task: string;
  /** Of a task that is a join, `join`. */
  readonly step: string;
  readonly attempt: number;
  readonly type: 'prompt' | 'run' | 'join';
  readonly agent: string | null;
  readonly model: string | null;
  /** Of a command, the command. */
  readonly prompt: string | null;
  readonly response: string | null;
  readonly launched_at: number;
  readonly completed_at: number | null;
  /** Entries of one group overlapped in a chain. */
  readonly group: number | null;
  readonly usage: Usage | null;
  readonly usd: number | null;
  /** `done`, a reason, or null while it is running. */
  readonly verdict: string | null;
  /** The conversation at its end, and the conversation that it continued. */
  readonly conversation: string | null;
  readonly from: { readonly id: string; readonly mode: string } | null;
}

/** Every turn, command and join of a task, from the store alone. */
export function readTurns({ store, project }: OpenProject, record: RunRecord, task: string): readonly TurnLine[] {
  const folded = foldRun(store, record);
  return turnsOf({ home: project.home, folded, wanted: [taskOf(folded, task)] });
}

/** The same of a task and of all tasks inside it, or of a whole run; one task after the other. */
export function readTurnsInside(
  { store, project }: OpenProject,
  record: RunRecord,
  task?: string,
): readonly TurnLine[] {
  const folded = foldRun(store, record);
  const { compiled } = folded;
  const named = task === undefined ? undefined : new Set([taskOf(folded, task).index]);
  const wanted = compiled.tasks.filter(({ index }) => named === undefined || isInside(compiled, named, index));
  return turnsOf({ home: project.home, folded, wanted });
}

interface Looking {
  readonly home: string;
  readonly folded: FoldedRun;
  readonly wanted: readonly CompiledTask[];
}

type Draft = { -readonly [Key in keyof TurnLine]: TurnLine[Key] };

function turnsOf({ home, folded, wanted }: Looking): readonly TurnLine[] {
  const { run } = folded.record;
  const tell = followProgress(run, folded.started);
  const linesOf = new Map(wanted.map(({ task }): [string, Draft[]] => [task.path, []]));
  const joins = new Set(wanted.flatMap(({ task }) => (task.type === 'join' ? [task.path] : [])));
  const atWork = new Map<string, Draft>();
  for (const event of folded.events) {
    const { group } = tell(event);
    const joined = joinIn(event, joins);
    if (joined !== undefined) linesOf.get(joined.task)?.push(joinLine(run, joined));
    const lines = 'work' in event ? linesOf.get(event.task) : undefined;
    if (lines === undefined || !('work' in event) || event.step === undefined) continue;
    const { work, task, step, attempt } = event;
    const key = `${work} ${task} ${step}`;
    if (event.type === 'claim.made') {
      const about = { run, task, step, attempt, launched_at: event.at, group: group ?? null };
      const line = begun(home, work, about);
      lines.push(line);
      atWork.set(key, line);
    } else if (isEnd(event)) {
      const line = atWork.get(key);
      atWork.delete(key);
      if (line !== undefined) finish(line, event);
    }
  }
  return [...linesOf.values()].flat();
}

interface Joined extends Pick<TurnLine, 'task' | 'step'> {
  readonly at: number;
  readonly result: Result;
  readonly ending: string;
  readonly reason: string | undefined;
}

/** A join of steps, or a task that is a join. */
function joinIn(event: RunEvent, joins: ReadonlySet<string>): Joined | undefined {
  if (event.type === 'step.joined') return event;
  if (event.type !== 'task.ended' || event.result === undefined || !joins.has(event.task)) return undefined;
  return { ...event, step: 'join', result: event.result };
}

const joinLine = (run: string, { task, step, at: when, result, ending, reason }: Joined): Draft => ({
  run,
  task,
  step,
  attempt: 1,
  type: 'join',
  agent: null,
  model: null,
  prompt: null,
  response: result.response ?? null,
  launched_at: when,
  completed_at: when,
  group: null,
  usage: null,
  usd: null,
  verdict: ending === 'done' ? 'done' : (reason ?? ending),
  conversation: null,
  from: null,
});

type End = Extract<RunEvent, { type: 'claim.ended' | 'claim.returned' | 'claim.asked' }>;

const isEnd = (event: RunEvent): event is End =>
  event.type === 'claim.ended' || event.type === 'claim.returned' || event.type === 'claim.asked';

function begun(
  home: string,
  type: WorkType,
  about: Pick<TurnLine, 'run' | 'task' | 'step' | 'attempt' | 'launched_at' | 'group'>,
): Draft {
  const { run, task, step, attempt } = about;
  const claim = { work: type, task, step, attempt };
  const note = recordOf({ artifacts: artifactsIn({ home }), run, claim }, 'turn') ?? NOTHING;
  const worker = workerOf({ home }, run, claim);
  const work = worker.type === 'attempt' ? at({ given: worker.attempt.assignment }, 'given', 'work') : NOTHING;
  const isTurn = work['type'] === 'turn' || note['prompt'] !== undefined;
  const agent = note['agent'] === undefined ? at(work, 'agent') : at(note, 'agent');
  const from = at(note['prompt'] === undefined ? work : note, note['prompt'] === undefined ? 'conversation' : 'from');
  return {
    ...about,
    type: isTurn ? 'prompt' : 'run',
    agent: isTurn ? textOf(agent['name']) : null,
    model: isTurn ? textOf(agent['model']) : null,
    prompt: textOf(note['prompt'] ?? work['prompt'] ?? work['command']),
    response: textOf(at(note, 'verdict', 'result')['response'] ?? at(note, 'verdict')['message']),
    launched_at: numberOf(note['launchedAt']) ?? about.launched_at,
    completed_at: numberOf(note['completedAt']),
    usage: usageIn(at(note, 'usage')),
    usd: null,
    verdict: null,
    conversation: textOf(at(note, 'conversation')['id']),
    from: typeof from['id'] === 'string' ? { id: from['id'], mode: String(from['mode']) } : null,
  };
}

function finish(line: Draft, event: End): void {
  line.completed_at ??= event.at;
  line.usd = event.spend.usd ?? null;
  if ('result' in event) line.response = event.result?.response ?? line.response;
  line.conversation = event.conversation?.id ?? line.conversation;
  line.verdict = verdictOf(event);
}

function verdictOf(event: End): string {
  if (event.type === 'claim.asked' && event.work === 'step') return event.question === undefined ? 'gate' : 'asked';
  if ('ending' in event && event.ending === 'done') return 'done';
  return event.reason ?? 'failed';
}

const NOTHING: Fields = {};

function at(fields: Fields, ...way: readonly string[]): Fields {
  let here = fields;
  for (const name of way) {
    const next = here[name];
    here = isObject(next) ? next : NOTHING;
  }
  return here;
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

function usageIn({ input, cached, output, usd }: Fields): Usage | null {
  if (typeof input !== 'number' || typeof output !== 'number') return null;
  return {
    input,
    cached: typeof cached === 'number' ? cached : 0,
    output,
    usd: typeof usd === 'number' ? usd : undefined,
  };
}
