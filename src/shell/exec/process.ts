// Identity of processes of this machine, by pid and start time, and signals to process groups.
import { readdirSync, readFileSync } from 'node:fs';
import type { Process } from '../ports/log.ts';
import { captureNow } from './capture-now.ts';

export const thisProcess = (): Process => ({ pid: process.pid, startedAt: startTimeOf(process.pid) ?? 'unknown' });

/** Whether the process is alive: the same pid, the same start time, and not a zombie. */
export const isAlive = ({ pid, startedAt }: Process): boolean => startTimeOf(pid) === startedAt;

/** When a process started, in the system's own form; undefined when it does not exist or has exited. */
export function startTimeOf(pid: number, platform: string = process.platform): string | undefined {
  return platform === 'linux' ? fromFiles(pid) : fromListing(pid);
}

function fromFiles(pid: number): string | undefined {
  const fields = fieldsOf(pid);
  const ticks = fields?.[STARTED_AT];
  return fields === undefined || isDead(fields) || ticks === undefined ? undefined : `${bootId()} ${ticks}`;
}

/** The fields of `/proc/PID/stat` after the name of the process; undefined when there is no such process. */
function fieldsOf(pid: number | string): readonly string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain anything, so the fields begin after the last one.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** Whether a process was stopped, by SIGSTOP or by its terminal. Limit: known on Linux alone. */
export const isFrozen = (pid: number): boolean => fieldsOf(pid)?.[0] === 'T';

const isDead = ([state]: readonly string[]): boolean => state === 'Z' || state === 'X';

/** Whether the group had any member. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch (cause) {
    // Members that this user may not signal exist all the same.
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}

/**
 * The system still counts zombies as members, so each member is examined. Limit: elsewhere than on Linux zombies count
 * as alive, and are waited for as long as killed processes.
 */
export function hasLivingMember(group: number): boolean {
  if (process.platform !== 'linux') return true;
  return readdirSync('/proc').some((name) => /^\d/.test(name) && isLivingMember(name, group));
}

/** The process that started a process, or that took it over; undefined when there is none. Limit: known on Linux alone. */
export function parentOf(pid: number): number | undefined {
  const parent = Number(fieldsOf(pid)?.[PARENT]);
  return parent > 0 ? parent : undefined;
}

/** The process that began the session of a process, which may have ended. Limit: known on Linux alone. */
export function sessionOf(pid: number): number | undefined {
  const session = Number(fieldsOf(pid)?.[SESSION]);
  return session > 0 ? session : undefined;
}

/** The process group of a process; undefined when the process does not exist or has none. */
export function processGroupOf(pid: number): number | undefined {
  const group = Number(fieldsOf(pid)?.[GROUP]);
  return group > 1 ? group : undefined;
}

function isLivingMember(pid: string, group: number): boolean {
  const fields = fieldsOf(pid);
  return fields !== undefined && fields[GROUP] === String(group) && !isDead(fields);
}

/** Field 4 of the file, counted after the name. */
const PARENT = 1;
/** Field 5 of the file, counted after the name. */
const GROUP = 2;
/** Field 6 of the file, counted after the name. */
const SESSION = 3;
/** Field 22 of the file, counted after the name. */
const STARTED_AT = 19;

let boot: string | undefined;
/** Start times are ticks since boot, so they are only comparable within one boot. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}

function fromListing(pid: number): string | undefined {
  const listed = captureNow(['ps', '-o', 'stat=,lstart=', '-p', String(pid)]).stdout.trim();
  return listed === '' || listed.startsWith('Z') ? undefined : listed.slice(listed.indexOf(' ') + 1).trim();
}
