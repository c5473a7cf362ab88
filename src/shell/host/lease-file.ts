// The file by which a host program tells its workers when it was last heard: they outlive it, and it may stand still.
//
// lease-file/F1. Times are of one machine since its start. What a file says of a time that is yet to come is of before a restart.
// lease-file/F2. It is not synced to the disk: no worker outlives the machine.
import { renameSync, writeFileSync } from 'node:fs';
import { isAmount, isObject } from '../../core/plan/json-fields.ts';
import { readJson } from './read-json.ts';

export interface LeasePlace {
  readonly file: string;
  /** The program that gives the claim to its worker. */
  readonly instance: string;
}

export interface LeaseRecord {
  /** The program that has the host's home. */
  readonly instance: string;
  /** By run, when the message was sent that a server of the run answered last. */
  readonly heardAt: ReadonlyMap<string, number>;
}

/** Undefined for a file that is not there, or that is none of ours. */
export function readLeases(file: string, now: number): LeaseRecord | undefined {
  const read = readJson(file);
  if (read.type !== 'value' || !isObject(read.value)) return undefined;
  const { instance, heardAt } = read.value;
  if (typeof instance !== 'string' || !isObject(heardAt)) return undefined;
  const known = Object.entries(heardAt).flatMap(([run, at]) => (isAmount(at) && at <= now ? [[run, at] as const] : []));
  return { instance, heardAt: new Map(known) };
}

/** False when the disk refuses it: leases then end as if nobody had answered. */
export function writeLeases(file: string, { instance, heardAt }: LeaseRecord): boolean {
  const partial = `${file}.${process.pid}`;
  try {
    writeFileSync(partial, JSON.stringify({ instance, heardAt: Object.fromEntries(heardAt) }));
    renameSync(partial, file);
    return true;
  } catch {
    return false;
  }
}
