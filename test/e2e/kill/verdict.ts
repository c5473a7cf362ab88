// What must hold of a run that was killed, read from its log, from its steps' own measures, from its files and from the
// processes that are left.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ATTEMPT_FILES } from '../../../src/shell/host/attempt-folder.ts';
import { seeAttempt } from '../../../src/shell/host/attempt-folder.given.ts';
import { leftRunning } from '../world/processes.given.ts';
import type { Cost, Line, Project } from '../world/project.given.ts';
import { readMeasured, type Measured } from './measured.ts';
import { CAP, FAILS_ONCE, POOL, SPEND_USD } from './kill-plan.ts';
import type { Played } from './scenario.ts';

/** How a run came out, in a form that two runs can be compared in. */
export interface Result {
  readonly ends: Readonly<Record<string, string>>;
  readonly files: Readonly<Record<string, string>>;
}

export interface Verdict {
  readonly played: Played;
  /** Finished work that was not used, or spend that was forgotten. */
  readonly lost: readonly string[];
  /** Steps that were started and should not have been. */
  readonly doubled: readonly string[];
  readonly leftRunning: readonly string[];
  /** Everything else that should not be. */
  readonly wrong: readonly string[];
  readonly peak: number;
  readonly poolPeak: number;
  readonly lines: number;
}

export async function judge(played: Played, expected: Result | undefined): Promise<Verdict> {
  const { project } = played;
  const left = await leftRunning(project.folder);
  const events = await project.events();
  const measured = readMeasured(project);
  const starts = measured.filter(({ type }) => type === 'start');
  return {
    played,
    lost: [...lostOutcomes(project, events), ...lostEnds(played, events, measured), ...forgotten(project, events)],
    doubled: [...doubledAttempts(starts), ...begunAfterEnd(events), ...startedTwice(played, starts)],
    leftRunning: left.map(({ type, pid, command }) => `${type} ${pid}: ${command}`),
    wrong: [
      ...unnoted(project, events, starts),
      ...tooMany(starts),
      ...unclaimed(starts, events),
      ...grownOnce(events),
      ...otherwise(played, resultOf(project, events), expected),
    ],
    peak: Math.max(0, ...starts.map(({ atWork }) => atWork)),
    poolPeak: Math.max(0, ...starts.map(({ inPool }) => inPool)),
    lines: events.length,
  };
}

export const isGood = ({ lost, doubled, leftRunning: left, wrong }: Verdict): boolean =>
  lost.length + doubled.length + left.length + wrong.length === 0;

export function resultOf(project: Project, events: readonly Line[]): Result {
  const ends = events
    .filter(({ type }) => type === 'task.ended' || type === 'task.skipped')
    .map(({ task, ending }): [string, string] => [task ?? '', ending ?? '']);
  const files = readdirSync(project.file('out')).map((name): [string, string] => [
    name,
    readFileSync(project.file(join('out', name)), 'utf8'),
  ]);
  return { ends: sorted(ends), files: sorted(files) };
}

const sorted = (entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));

/** One claim as the log tells it: when it was made, and the event that ended it. */
interface Span {
  readonly task: string;
  readonly step: string;
  readonly attempt: number;
  readonly claim: Line;
  readonly end: Line | undefined;
}

function spansOf(events: readonly Line[]): readonly Span[] {
  const spans: Span[] = [];
  const open = new Map<string, number>();
  for (const event of events) {
    const { type, work, task = '', step = 'check', attempt = 0 } = event;
    const name = `${task}.${step}`;
    if (work === 'merge') continue;
    if (type === 'claim.made') {
      open.set(name, spans.length);
      spans.push({ task, step, attempt, claim: event, end: undefined });
    }
    const at = ENDS.has(type) ? open.get(name) : undefined;
    const span = at === undefined ? undefined : spans[at];
    if (at === undefined || span === undefined) continue;
    spans[at] = { ...span, end: event };
    open.delete(name);
  }
  return spans;
}

const ENDS = new Set(['claim.ended', 'claim.returned', 'claim.asked']);

const nameOf = ({ task, step, attempt }: Span): string => `${task}.${step}#${attempt}`;

const folderOf = (project: Project, { task, step, attempt }: Span): string =>
  project.attempt(
    step === 'check' ? { work: 'check', task, step: undefined, attempt } : { work: 'step', task, step, attempt },
  );

/** The fragment is in the log once, whatever was killed between the end of its command and the event. */
function grownOnce(events: readonly Line[]): readonly string[] {
  const count = events.filter(({ type }) => type === 'plan.grown').length;
  return count === 1 ? [] : [`the plan has grown ${count} times`];
}

/** Were the notes somewhere else, nothing below would find fault with them. */
function unnoted(project: Project, events: readonly Line[], starts: readonly Measured[]): readonly string[] {
  const started = new Set(starts.map(({ name, attempt }) => `${name}#${attempt}`));
  return spansOf(events)
    .filter((span) => started.has(nameOf(span)))
    .filter((span) => seeAttempt(folderOf(project, span))?.worker === undefined)
    .map((span) => `${nameOf(span)} was started, and no worker has noted it`);
}

/** An outcome that a worker has written is a fact, whichever process was killed afterwards. */
function lostOutcomes(project: Project, events: readonly Line[]): readonly string[] {
  return spansOf(events).flatMap((span) => {
    // Workers write nothing else into this line.
    const outcome = seeAttempt(folderOf(project, span))?.outcome as Left | undefined;
    if (outcome === undefined || isOfOutcome(outcome, span.end)) return [];
    return [`${nameOf(span)} left ${JSON.stringify(outcome)}, and the log says ${JSON.stringify(span.end)}`];
  });
}

/** What a worker left in a note: an outcome, or what it has spent so far. */
interface Left {
  readonly type?: string;
  readonly work?: string;
  readonly spend?: Cost;
  readonly result?: { readonly ok: boolean };
}

function noteIn(file: string): Left | undefined {
  // Workers write nothing else into these files, and they appear whole.
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Left) : undefined;
}

function isOfOutcome({ type, work, result }: Left, end: Line | undefined): boolean {
  if (type !== 'finished') return end !== undefined;
  if (result?.ok === true) return end?.type === 'claim.ended' && end.ending === 'done';
  return work === 'step' ? end?.type === 'claim.returned' && end.reason === 'failed' : end !== undefined;
}

/** While only coordinators are killed, every finished attempt counts. */
function lostEnds({ scenario }: Played, events: readonly Line[], measured: readonly Measured[]): readonly string[] {
  if (scenario.victim !== 'coordinator') return [];
  const done = new Set(
    spansOf(events)
      .filter(({ end }) => end !== undefined && end.ending === 'done')
      .map(nameOf),
  );
  return measured
    .filter(({ type, name, attempt }) => type === 'end' && !done.has(`${name}#${attempt}`))
    .map(({ name, attempt }) => `${name}#${attempt} came to its end, and the log does not say so`);
}

/** All spend is in the log, attempt by attempt, and unknown spend counts as the reservation. */
function forgotten(project: Project, events: readonly Line[]): readonly string[] {
  const spans = spansOf(events);
  const spent = spans.reduce((sum, { claim, end }) => sum + usdOf(end?.spend, claim.reserve), 0);
  const inAll =
    spent > SPEND_USD - 1e-9 ? [] : [`the log knows of ${spent} dollars, and ${SPEND_USD} were spent at least`];
  return [
    ...inAll,
    ...spans.flatMap((span) => {
      const live = noteIn(join(folderOf(project, span), ATTEMPT_FILES.live))?.spend?.usd ?? 0;
      const known = usdOf(span.end?.spend, span.claim.reserve);
      return known > live - 1e-9 ? [] : [`${nameOf(span)} had spent ${live} dollars, and the log knows of ${known}`];
    }),
  ];
}

const usdOf = (spend: Cost | undefined, reserve: Cost | undefined): number => spend?.usd ?? reserve?.usd ?? 0;

const doubledAttempts = (starts: readonly Measured[]): readonly string[] =>
  starts
    .filter(({ name, attempt }, at) => starts.findIndex((one) => one.name === name && one.attempt === attempt) < at)
    .map(({ name, attempt }) => `${name}#${attempt} was started twice`);

/** What the log says is done is never claimed again. */
function begunAfterEnd(events: readonly Line[]): readonly string[] {
  const spans = spansOf(events);
  return spans.flatMap(({ task, step, attempt }, at) => {
    const earlier = spans
      .slice(0, at)
      .find((one) => one.task === task && one.step === step && one.end?.ending === 'done');
    return earlier === undefined
      ? []
      : [`${task}.${step}#${attempt} was claimed though attempt ${earlier.attempt} was done`];
  });
}

/** Only the coordinator was killed, so no step had a reason to be started once more. */
function startedTwice({ scenario }: Played, starts: readonly Measured[]): readonly string[] {
  if (scenario.victim !== 'coordinator') return [];
  return [...new Set(starts.map(({ name }) => name))].flatMap((name) => {
    const count = starts.filter((one) => one.name === name).length;
    return count <= (name === FAILS_ONCE ? 2 : 1) ? [] : [`${name} was started ${count} times`];
  });
}

const tooMany = (starts: readonly Measured[]): readonly string[] =>
  starts
    .filter(({ atWork, inPool }) => atWork > CAP || inPool > POOL)
    .map(({ name, attempt, atWork, inPool }) => `${name}#${attempt} met ${atWork} at work, ${inPool} in the pool`);

/** A fact is durable before the action that it permits begins. */
function unclaimed(starts: readonly Measured[], events: readonly Line[]): readonly string[] {
  const claimed = new Set(spansOf(events).map(nameOf));
  return starts
    .filter(({ name, attempt }) => !claimed.has(`${name}#${attempt}`))
    .map(({ name, attempt }) => `${name}#${attempt} was started and never claimed`);
}

function otherwise({ code, said }: Played, result: Result, expected: Result | undefined): readonly string[] {
  const exit = code === 0 ? [] : [`it exited with ${code}: ${said.trim()}`];
  if (expected === undefined) return exit;
  return [
    ...exit,
    ...(same(result.ends, expected.ends) ? [] : [`tasks ended otherwise: ${JSON.stringify(result.ends)}`]),
    ...(same(result.files, expected.files) ? [] : [`files differ: ${JSON.stringify(result.files)}`]),
  ];
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
