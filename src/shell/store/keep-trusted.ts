// Of what was gathered, keeps what the checksums prove, in a store that is whole.
import { checkTie, rootOf, type End, type TiedLink } from './chain.ts';
import type { Connection } from './connection.ts';
import type { FoundRun, Gathered } from './gather.ts';

export interface KeptRun {
  readonly run: string;
  readonly kept: number;
  /** Events behind the break that are still there. */
  readonly beyond: number;
  /** Without its record nothing of a run can be trusted. */
  readonly hasRecord: boolean;
}

/** Inside the transaction of the caller. */
export function keepTrusted(into: Connection, gathered: Gathered): readonly KeptRun[] {
  const kept = gathered.runs.map((found) => keepRun(into, gathered, found));
  const lost = [...gathered.events].filter(([run]) => !kept.some((one) => one.run === run));
  keepCommands(into, gathered);
  keepOwners(into, gathered);
  return [...kept, ...lost.map(([run, events]) => ({ run, kept: 0, beyond: events.size, hasRecord: false }))];
}

function keepRun(into: Connection, gathered: Gathered, found: FoundRun): KeptRun {
  const { run, slug, number, record } = found;
  const events = gathered.events.get(run) ?? new Map<number, TiedLink>();
  const chain = chainOf(events, found);
  into.change('INSERT INTO runs (run, slug, number, record) VALUES (?, ?, ?, ?)', run, slug, number, record);
  for (const { position, type, json, checksum } of chain) {
    into.change(INSERT_EVENT, run, position, type, json, checksum);
  }
  const kept = chain.length;
  return { run, kept, hasRecord: true, beyond: [...events.keys()].filter((position) => position >= kept).length };
}

const INSERT_EVENT = 'INSERT INTO events (run, position, type, json, checksum) VALUES (?, ?, ?, ?, ?)';

function chainOf(events: ReadonlyMap<number, TiedLink>, { run, record }: FoundRun): readonly TiedLink[] {
  const chain: TiedLink[] = [];
  let end: End = { position: 0, checksum: rootOf(run, record) };
  for (;;) {
    const next = events.get(end.position);
    if (next === undefined || checkTie(next, end) !== undefined) return chain;
    chain.push(next);
    end = { position: next.position + 1, checksum: next.checksum };
  }
}

function keepCommands(into: Connection, { commands }: Gathered): void {
  for (const { id, run, json, at, answer } of commands) {
    into.change('INSERT INTO commands (id, run, json, at, answer) VALUES (?, ?, ?, ?, ?)', id, run, json, at, answer);
  }
}

function keepOwners(into: Connection, { owners }: Gathered): void {
  for (const { run, epoch, pid, startedAt, host, since, isGone } of owners) {
    into.change(
      'INSERT INTO owners (run, epoch, pid, started_at, host, since, is_gone) VALUES (?, ?, ?, ?, ?, ?, ?)',
      run,
      epoch,
      pid,
      startedAt,
      host,
      since,
      isGone,
    );
  }
}
