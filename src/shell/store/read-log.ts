// Reads a run's log and holds it against all that is known of it: the chain, the record of the run and the witness.
import type { RunEvent } from '../../core/engine/event.ts';
import { readLinks, rootOf, type End, type Fault } from './chain.ts';
import { numberIn, textIn, type Connection } from './connection.ts';
import type { OpenedStore } from './opened-store.ts';
import { recordText } from './records.ts';
import { readWitness, witnessText, type Witness } from './high-water-mark.ts';
import { StoreTrouble } from './store-error.ts';

export interface LogRead {
  readonly events: readonly RunEvent[];
  readonly end: End;
  /** What is wrong behind those events. */
  readonly trouble: StoreTrouble | undefined;
}

export function readLog({ home, connection }: OpenedStore, run: string, position: number): LogRead {
  // The witness is read first: the coordinator may append meanwhile, and then it would be ahead of what we saw.
  const witness = trusted(connection, run, readWitness(home, run));
  const from = endAt(connection, run, position);
  if (from === undefined) return { events: [], end: { position, checksum: '' }, trouble: shortened(run, witness) };
  const { events, end, fault, passed } = readLinks(connection, { run, from, passing: witness?.position });
  if (fault !== undefined) return { events, end, trouble: troubleWith(run, fault) };
  const isWhole =
    witness === undefined || (end.position >= witness.position && (passed ?? witness.checksum) === witness.checksum);
  return { events, end, trouble: isWhole ? undefined : shortened(run, witness) };
}

/** Where the chain stands before a position; undefined when it does not reach that far. */
function endAt(connection: Connection, run: string, position: number): End | undefined {
  if (position === 0) {
    const record = recordText(connection, run);
    return record === undefined ? undefined : { position, checksum: rootOf(run, record) };
  }
  const row = connection.row('SELECT checksum FROM events WHERE run = ? AND position = ?', run, position - 1);
  return row === undefined ? undefined : { position, checksum: textIn(row, 'checksum') };
}

/** Where the chain stands, without reading it. */
export function lastEnd(connection: Connection, run: string): End {
  const row = connection.row('SELECT position, checksum FROM events WHERE run = ? ORDER BY position DESC LIMIT 1', run);
  return { position: numberIn(row, 'position') + 1, checksum: textIn(row, 'checksum') };
}

/** A log that was salvaged is shorter than what was witnessed, and whoever put it in place was told so. */
function trusted(connection: Connection, run: string, witness: Witness | undefined): Witness | undefined {
  if (witness === undefined) return undefined;
  const text = witnessText(witness);
  const salvaged = connection.row('SELECT 1 AS known FROM salvages WHERE run = ? AND witness = ?', run, text);
  return salvaged === undefined ? witness : undefined;
}

const shortened = (run: string, witness: Witness | undefined): StoreTrouble =>
  new StoreTrouble(
    'damaged',
    witness === undefined
      ? `The log of the run ${run} is shorter than it was.`
      : `The log of the run ${run} had ${witness.position} events and was shortened or replaced since.`,
  );

function troubleWith(run: string, fault: Fault): StoreTrouble {
  switch (fault.type) {
    case 'missing':
      return new StoreTrouble('damaged', `The log of the run ${run} is broken: event ${fault.position} is missing.`);
    case 'changed':
      return new StoreTrouble('damaged', `The log of the run ${run} is broken: event ${fault.position} was changed.`);
    case 'unknown':
      return new StoreTrouble('refused', `Event ${fault.position} of the run ${run} cannot be read: ${fault.message}.`);
  }
}
