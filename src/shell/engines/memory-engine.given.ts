// An engine in memory, for tests of what the store makes of any engine. It can lose answers and be away.
import type { Batch, BatchResult, Engine, EngineCommand, Head, Holder, RunCreation } from '../ports/engine.ts';
import { EngineError } from './engine-error.ts';

interface RunInMemory extends RunCreation {
  readonly events: string[];
  holder: Holder | undefined;
  ownKey: string | undefined;
  lastAppend: string | undefined;
  changed: number;
}

interface CommandInMemory extends EngineCommand {
  readonly run: string;
  readonly key: string;
  answer: string | undefined;
}

export interface EngineMemory {
  readonly runs: Map<string, RunInMemory>;
  readonly commands: CommandInMemory[];
  belongsTo: string | undefined;
  /** The answers of this many writes are lost, after they are done. */
  lost: number;
  isAway: boolean;
  /** The answer to a look at heads is on its way until then. */
  held: Promise<undefined> | undefined;
}

export const emptyEngine = (): EngineMemory => ({
  runs: new Map(),
  commands: [],
  belongsTo: undefined,
  lost: 0,
  isAway: false,
  held: undefined,
});

export function memoryEngine(memory: EngineMemory): Engine {
  const { runs, commands } = memory;
  const call = async <Value>(act: () => Value): Promise<Value> => {
    await Promise.resolve();
    if (memory.isAway) throw new EngineError('away', 'connection refused');
    return act();
  };
  const write = async <Value>(act: () => Value): Promise<Value> => {
    const value = await call(act);
    if (memory.lost === 0) return value;
    memory.lost -= 1;
    throw new EngineError('away', 'connection reset');
  };
  return {
    address: 'memory',
    records: () => call(() => [...runs.values()].map(({ record }) => record)),
    record: (run) => call(() => runs.get(run)?.record),
    heads: async () => {
      const { held } = memory;
      const heads = await call(() => [...runs.values()].map(headOf));
      await held;
      return heads;
    },
    head: (run) => call(() => [runs.get(run)].flatMap((found) => (found === undefined ? [] : [headOf(found)]))[0]),
    create: (creating) =>
      write(() => {
        const { run, key, started } = creating;
        const before = runs.get(run);
        if (before !== undefined) return before.key === key;
        const nobody = { holder: undefined, ownKey: undefined, lastAppend: undefined };
        runs.set(run, { ...creating, ...nobody, events: [started], changed: 1 });
        return true;
      }),
    read: (run, position, max) => call(() => runs.get(run)?.events.slice(position, position + max) ?? []),
    post: (run, { key, json, at }) =>
      write(() => {
        const found = runs.get(run);
        if (found === undefined) return undefined;
        const before = commands.find((one) => one.key === key);
        if (before !== undefined) return before.id;
        found.changed += 1;
        return commands.push({ id: commands.length + 1, run, key, json, at, answer: undefined });
      }),
    replyTo: (id) => call(() => commands[id - 1]?.answer),
    commands: (run) => call(() => commands.filter((one) => one.run === run && one.answer === undefined)),
    claim: (run, { key, who, leaseMs, replaces }) =>
      write(() => {
        const found = runs.get(run);
        if (found === undefined) return undefined;
        const { epoch, beats } = found.holder ?? { epoch: 0, beats: 0 };
        if (found.ownKey === key) return epoch;
        if (replaces !== undefined && (replaces.epoch !== epoch || replaces.beats !== beats)) return undefined;
        found.ownKey = key;
        found.changed += 1;
        found.holder = { epoch: epoch + 1, beats: beats + 1, leaseMs, who, isGone: false };
        return epoch + 1;
      }),
    beat: (run, epoch) => write(() => isBeating(runs.get(run), epoch)),
    release: (run, epoch) =>
      write(() => {
        const found = runs.get(run);
        if (found?.holder?.epoch !== epoch) return;
        found.changed += 1;
        found.holder = { ...found.holder, isGone: true };
      }),
    append: (run, batch) => write(() => append(memory, run, batch)),
    belongsTo: (words) => write(() => (memory.belongsTo ??= words)),
    close: () => Promise.resolve(),
  };
}

const headOf = ({ run, events, changed, holder }: RunInMemory): Head => ({ run, end: events.length, changed, holder });

function isBeating(found: RunInMemory | undefined, epoch: number): boolean {
  if (found?.holder === undefined || found.holder.epoch !== epoch || found.holder.isGone) return false;
  found.holder = { ...found.holder, beats: found.holder.beats + 1 };
  return true;
}

function append(memory: EngineMemory, run: string, batch: Batch): BatchResult {
  const found = memory.runs.get(run);
  const holder = found?.holder;
  if (found === undefined || holder === undefined || !isBeating(found, batch.epoch))
    return { type: 'fenced', by: holder?.isGone === true ? undefined : holder };
  if (found.lastAppend === batch.key) return { type: 'appended' };
  if (found.events.length !== batch.position) return { type: 'moved', end: found.events.length };
  found.lastAppend = batch.key;
  found.changed += 1;
  found.events.push(...batch.events);
  for (const { id, json } of batch.answers) {
    const posted = memory.commands[id - 1];
    if (posted !== undefined) posted.answer ??= json;
  }
  return { type: 'appended' };
}
