// The virtual object of a run on Restate: one writer at a time, kept and replicated by the engine.
//
// restate-object/O1. What a write changes becomes valid with the key `head`, which is set last: a write that was cut off
//     before it has changed nothing that a reader sees.
import { handlers, object, type ObjectContext, type ObjectSharedContext } from '@restatedev/restate-sdk';
import type { Batch, BatchResult, Claiming, EngineCommand, Head, Holder, RunCreation } from '../ports/engine.ts';

/** State with a higher number belongs to a later Heddle. */
export const RESTATE_FORMAT = 1;

export const RUN_OBJECT = 'HeddleRun';
/** One object per project: the format of the state, and the numbers of runs and commands. */
export const INBOX_OBJECT = 'HeddleDesk';

/** What is valid of a run. */
export interface RunHead extends Head {
  readonly creationKey: string;
  readonly claimKey: string | undefined;
  readonly appendKey: string | undefined;
  /** Unanswered commands, oldest first. */
  readonly open: readonly EngineCommand[];
}

/** A page is written again by every append that reaches it. */
const PAGE_EVENTS = 64;

const pageKey = (page: number): string => `events:${page}`;
const answerKey = (id: number): string => `answer:${id}`;

/** Journals are not kept: the events are the history. */
const SETTINGS = { enableLazyState: true, journalRetention: 0 } as const;

const headIn = async (context: ObjectSharedContext): Promise<RunHead | undefined> =>
  (await context.get<RunHead>('head')) ?? undefined;

async function pageIn(context: ObjectSharedContext, page: number): Promise<readonly string[]> {
  return (await context.get<readonly string[]>(pageKey(page))) ?? [];
}

/** Objects have no order of their own. */
export interface NumberedRecord {
  readonly number: number;
  readonly text: string;
}

interface NumberedCreation extends RunCreation {
  readonly number: number;
}

async function create(context: ObjectContext, creating: NumberedCreation): Promise<boolean> {
  const { run, key, number: ordinal, record, started } = creating;
  const head = await headIn(context);
  if (head !== undefined) return head.creationKey === key;
  context.set<NumberedRecord>('record', { number: ordinal, text: record });
  context.set(pageKey(0), [started]);
  const nobody = { holder: undefined, claimKey: undefined, appendKey: undefined };
  context.set<RunHead>('head', { run, end: 1, changed: 1, creationKey: key, open: [], ...nobody });
  return true;
}

async function post(context: ObjectContext, { id, json, at }: EngineCommand): Promise<boolean> {
  const head = await headIn(context);
  if (head === undefined) return false;
  if (isOpen(head, id) || (await context.get<string>(answerKey(id))) !== null) return true;
  context.set<RunHead>('head', { ...head, changed: head.changed + 1, open: [...head.open, { id, json, at }] });
  return true;
}

const isOpen = ({ open }: RunHead, id: number): boolean => open.some((command) => command.id === id);

async function claim(context: ObjectContext, { key, who, leaseMs, replaces }: Claiming): Promise<number | undefined> {
  const head = await headIn(context);
  if (head === undefined) return undefined;
  const { epoch, beats } = head.holder ?? { epoch: 0, beats: 0 };
  if (head.claimKey === key) return epoch;
  if (replaces !== undefined && (replaces.epoch !== epoch || replaces.beats !== beats)) return undefined;
  const holder: Holder = { epoch: epoch + 1, beats: beats + 1, leaseMs, who, isGone: false };
  context.set<RunHead>('head', { ...head, holder, claimKey: key, changed: head.changed + 1 });
  return holder.epoch;
}

async function beat(context: ObjectContext, epoch: number): Promise<boolean> {
  const head = await headIn(context);
  const holder = head === undefined ? undefined : heldBy(head, epoch);
  if (head === undefined || holder === undefined) return false;
  context.set<RunHead>('head', { ...head, holder: { ...holder, beats: holder.beats + 1 } });
  return true;
}

const heldBy = ({ holder }: RunHead, epoch: number): Holder | undefined =>
  holder !== undefined && holder.epoch === epoch && !holder.isGone ? holder : undefined;

async function release(context: ObjectContext, epoch: number): Promise<void> {
  const head = await headIn(context);
  const holder = head === undefined ? undefined : heldBy(head, epoch);
  if (head === undefined || holder === undefined) return;
  context.set<RunHead>('head', { ...head, holder: { ...holder, isGone: true }, changed: head.changed + 1 });
}

async function append(context: ObjectContext, batch: Batch): Promise<BatchResult> {
  const { key, epoch, position, events, answers } = batch;
  const head = await headIn(context);
  const holder = head === undefined ? undefined : heldBy(head, epoch);
  if (head === undefined || holder === undefined) {
    const by = head?.holder;
    return { type: 'fenced', by: by?.isGone === true ? undefined : by };
  }
  // The same batch once more, because the answer to the first was lost.
  if (head.appendKey === key) return { type: 'appended' };
  if (head.end !== position) return { type: 'moved', end: head.end };
  await addEvents(context, position, events);
  for (const { id, json } of answers) if (isOpen(head, id)) context.set(answerKey(id), json);
  const answered = new Set(answers.map(({ id }) => id));
  context.set<RunHead>('head', {
    ...head,
    holder: { ...holder, beats: holder.beats + 1 },
    appendKey: key,
    end: position + events.length,
    changed: head.changed + (events.length + answers.length > 0 ? 1 : 0),
    open: head.open.filter(({ id }) => !answered.has(id)),
  });
  return { type: 'appended' };
}

/** What stands in a page beyond the end was left by a write that was cut off. */
async function addEvents(context: ObjectContext, position: number, events: readonly string[]): Promise<void> {
  const first = Math.floor(position / PAGE_EVENTS);
  const kept = position % PAGE_EVENTS;
  const before = kept === 0 ? [] : (await pageIn(context, first)).slice(0, kept);
  const all = [...before, ...events];
  for (let from = 0; from < all.length; from += PAGE_EVENTS)
    context.set(pageKey(first + from / PAGE_EVENTS), all.slice(from, from + PAGE_EVENTS));
}

interface Reading {
  readonly position: number;
  readonly max: number;
}

async function read(context: ObjectSharedContext, { position, max }: Reading): Promise<readonly string[]> {
  const end = Math.min((await headIn(context))?.end ?? 0, position + max);
  const found: string[] = [];
  while (position + found.length < end) {
    const at = position + found.length;
    const page = await pageIn(context, Math.floor(at / PAGE_EVENTS));
    const from = at % PAGE_EVENTS;
    found.push(...page.slice(from, from + end - at));
    if (page.length <= from) break;
  }
  return found;
}

const answer = async (context: ObjectSharedContext, id: number): Promise<string | undefined> => {
  const head = await headIn(context);
  if (head === undefined || isOpen(head, id)) return undefined;
  return (await context.get<string>(answerKey(id))) ?? undefined;
};

export const runObject = object({
  name: RUN_OBJECT,
  handlers: {
    create: handlers.object.exclusive(create),
    post: handlers.object.exclusive(post),
    claim: handlers.object.exclusive(claim),
    beat: handlers.object.exclusive(beat),
    release: handlers.object.exclusive(release),
    append: handlers.object.exclusive(append),
    head: handlers.object.shared(async (context: ObjectSharedContext) => await headIn(context)),
    record: handlers.object.shared(
      async (context: ObjectSharedContext) => (await context.get<NumberedRecord>('record'))?.text,
    ),
    read: handlers.object.shared(read),
    answer: handlers.object.shared(answer),
  },
  options: SETTINGS,
});

interface NumberedFor {
  readonly key: string;
  readonly run: string;
}

async function number(context: ObjectContext, { key, run }: NumberedFor): Promise<number> {
  const before = await context.get<number>(`key:${key}`);
  if (before !== null) return before;
  const id = ((await context.get<number>('last')) ?? 0) + 1;
  context.set('last', id);
  context.set(`run:${id}`, run);
  context.set(`key:${key}`, id);
  return id;
}

async function belongsTo(context: ObjectContext, words: string): Promise<string> {
  const known = await context.get<string>('belongsTo');
  if (known === null) context.set('belongsTo', words);
  return known ?? words;
}

/** The format of the state, which the first call fixes. */
async function format(context: ObjectContext): Promise<number> {
  const known = await context.get<number>('format');
  if (known === null) context.set('format', RESTATE_FORMAT);
  return known ?? RESTATE_FORMAT;
}

export const deskObject = object({
  name: INBOX_OBJECT,
  handlers: {
    number: handlers.object.exclusive(number),
    format: handlers.object.exclusive(format),
    belongsTo: handlers.object.exclusive(belongsTo),
    runOf: handlers.object.shared(
      async (context: ObjectSharedContext, id: number) => (await context.get<string>(`run:${id}`)) ?? undefined,
    ),
  },
  options: SETTINGS,
});
