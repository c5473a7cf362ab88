// The output of a task's steps, as it arrives.
import { setTimeout } from 'node:timers/promises';
import { apply } from '../../core/engine/apply/apply.ts';
import { factsOf } from '../../core/engine/facts.ts';
import type { RunRecord } from '../../shell/ports/log.ts';
import { eventsFrom, foldRun, taskOf, type FoldedRun } from '../fold-run.ts';
import type { OpenProject } from '../open-project.ts';
import { expectCoordinator } from '../run/expect-coordinator.ts';
import { artifactsIn, wantOutput } from '../local-parts.ts';
import { isBegun, outputReader } from './output-reader.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { RunEvent } from '../../core/engine/event.ts';

export interface ReadOutputRequest {
  readonly task: string;
  /** Undefined is every step; `check` is the check. */
  readonly step: string | undefined;
  /** Undefined is the latest of each step. */
  readonly attempt: number | undefined;
  /** Follows until the task is over. */
  readonly follows: boolean;
}

/** A part of the output of a task: where an attempt begins, bytes of it, or why there are none. */
export type OutputPart =
  | { readonly type: 'attempt'; readonly step: string; readonly attempt: number }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  | { readonly type: 'nothing'; readonly why: NoOutput };

/** Why there is no output of a task. */
export type NoOutput =
  /** A subplan: its tasks print. */
  | { readonly code: 'of-children'; readonly child: string }
  | { readonly code: 'prints-nothing'; readonly type: string }
  | { readonly code: 'not-begun' | 'never-ran' | 'deleted' }
  | {
      readonly code: 'no-such-attempt';
      readonly attempts: readonly { readonly step: string; readonly attempt: number }[];
    };

const LOOK_EVERY_MS = 200;

export async function* readOutput(
  open: OpenProject,
  record: RunRecord,
  request: ReadOutputRequest,
): AsyncGenerator<OutputPart, void> {
  const folded = foldRun(open.store, record);
  taskOf(folded, request.task);
  const readers = new Map<string, ReturnType<typeof outputReader>>();
  const artifacts = artifactsIn(open.project);
  const isCoordinated = expectCoordinator(open, record);
  let { position } = folded;
  const events = [...folded.events];
  for (;;) {
    const isLast = !request.follows || isOver(folded, request.task) || !isCoordinated();
    for (const attempt of wanted(attemptsOf(events, request.task), request)) {
      wantOutput(open.project, record.run, attempt.claim);
      const of = { artifacts, run: record.run, claim: attempt.claim };
      yield* partsOf({ of, attempt, readers });
    }
    if (isLast) break;
    await setTimeout(LOOK_EVERY_MS);
    const more = eventsFrom(open.store, record.run, position);
    ({ position } = more);
    for (const event of more.events) {
      apply(folded.state, event);
      events.push(event);
    }
  }
  if (readers.size === 0) yield { type: 'nothing', why: whyNothing(folded, request, attemptsOf(events, request.task)) };
}

interface Reading {
  readonly of: Parameters<typeof outputReader>[0];
  readonly attempt: Attempt;
  readonly readers: Map<string, ReturnType<typeof outputReader>>;
}

function* partsOf({ of, attempt, readers }: Reading): Generator<OutputPart, void> {
  if (!isBegun(of)) return;
  const key = `${attempt.claim.step ?? ''} ${attempt.claim.attempt}`;
  const known = readers.get(key);
  const reader = known ?? outputReader(of);
  readers.set(key, reader);
  if (known === undefined) yield { type: 'attempt', ...nameOf(attempt) };
  for (const bytes of reader()) yield { type: 'bytes', bytes };
}

const nameOf = ({ claim }: Attempt): { readonly step: string; readonly attempt: number } => ({
  step: claim.step ?? 'check',
  attempt: claim.attempt,
});

function isOver({ state, compiled }: FoldedRun, task: string): boolean {
  const index = compiled.indexOf.get(task);
  const isEnded = index !== undefined && state.tasks[index]?.ended !== undefined;
  return isEnded || state.run.stage === 'ended';
}

/** Of each step the latest attempt, unless one is asked for. */
function wanted(attempts: readonly Attempt[], { step, attempt }: ReadOutputRequest): readonly Attempt[] {
  const ofStep = attempts.filter((each) => step === undefined || nameOf(each).step === step);
  if (attempt !== undefined) return ofStep.filter(({ claim }) => claim.attempt === attempt);
  const latest = new Map(ofStep.map((each) => [each.claim.step, each]));
  return [...latest.values()];
}

function whyNothing(
  folded: FoldedRun,
  { task, step, attempt }: ReadOutputRequest,
  attempts: readonly Attempt[],
): NoOutput {
  const compiled = taskOf(folded, task);
  const [child] = compiled.children.map((index) => folded.compiled.tasks[index]?.task.path ?? '');
  if (child !== undefined) return { code: 'of-children', child };
  if (compiled.task.type !== 'work') return { code: 'prints-nothing', type: compiled.task.type };
  if (attempts.length > 0 && (step !== undefined || attempt !== undefined))
    return { code: 'no-such-attempt', attempts: attempts.map(nameOf) };
  if (attempts.length > 0) return { code: 'deleted' };
  return { code: factsOf(folded.state, compiled.index).ended === undefined ? 'not-begun' : 'never-ran' };
}

export interface Attempt {
  readonly claim: ClaimRef;
  readonly at: number;
}

/** Every attempt that was made on a task's steps and on its check, in the order of the claims. */
export function attemptsOf(events: readonly RunEvent[], task: string): readonly Attempt[] {
  return events.flatMap((event): Attempt[] => {
    if (!('task' in event) || event.task !== task) return [];
    if (event.type !== 'claim.made' || event.work === 'merge') return [];
    const { work, step, attempt, at } = event;
    return [{ claim: { work, task, step, attempt }, at }];
  });
}
