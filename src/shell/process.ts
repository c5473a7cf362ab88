// Processes of this machine, told apart from later ones with the same number.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Process } from './ports.ts';

export const thisProcess = (): Process => ({ pid: process.pid, startedAt: startTimeOf(process.pid) ?? 'unknown' });

/** Whether it is still there: the same number, started at the same moment, and not merely waiting to be reaped. */
export const isAlive = ({ pid, startedAt }: Process): boolean => startTimeOf(pid) === startedAt;

/** When a process started, in whatever form the system has; undefined when there is none or it has exited. */
export function startTimeOf(pid: number, platform: string = process.platform): string | undefined {
  return platform === 'linux' ? fromFiles(pid) : fromListing(pid);
}

function fromFiles(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name stands in parentheses and may hold anything, so fields are counted from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const ticks = fields[STARTED_AT];
  return state === 'Z' || state === 'X' || ticks === undefined ? undefined : `${bootId()} ${ticks}`;
}

/** Field 22 of the file, counted after the name. */
const STARTED_AT = 19;

let boot: string | undefined;
/** Ticks count from the start of the machine, so they mean nothing after the next one. */
function bootId(): string {
  boot ??= readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return boot;
}

function fromListing(pid: number): string | undefined {
  try {
    const said = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    return said === '' || said.startsWith('Z') ? undefined : said.slice(said.indexOf(' ') + 1).trim();
  } catch {
    return undefined;
  }
}
