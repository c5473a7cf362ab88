// Finds the running git processes of a repository: Heddle's name it on their command line.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { sep } from 'node:path';
import type { Process } from '../../ports/log.ts';
import { captureNow } from '../../exec/capture-now.ts';
import { startTimeOf } from '../../exec/process.ts';

/**
 * Limit: processes of another process namespace are not seen. When parts of one home run in several, lock otherwise.
 */
export function processesAtWorkOn(name: string): readonly Process[] {
  const listed = process.platform === 'linux' ? fromSystemFiles(name) : fromPs(name);
  return listed.flatMap((pid) => {
    const startedAt = startTimeOf(pid);
    return startedAt === undefined ? [] : [{ pid, startedAt }];
  });
}

const fromSystemFiles = (name: string): readonly number[] =>
  readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((pid) => isGitOn(commandOf(pid), name))
    .map(Number);

const isGitOn = (command: string, name: string): boolean =>
  /^([^\0]*\/)?git(-[\w-]+)?\0/.test(command) && command.includes(name);

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process ended during the scan.
    return '';
  }
}

function fromPs(name: string): readonly number[] {
  const lines = captureNow(['ps', '-axo', 'pid=,command=']).stdout.split('\n');
  return lines
    .filter((line) => line.includes(name) && /^\s*\d+\s+(\S*\/)?git(-[\w-]+)? /.test(line))
    .map((line) => Number.parseInt(line, 10));
}

/**
 * Git processes that a person started in a folder or below; Heddle's name their repository. Limit: only Linux shows the
 * working folder of a process. When other systems matter, ask `lsof`.
 */
export function gitProcessesIn(folder: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry) && isOfPerson(commandOf(entry)))
    .filter((pid) => `${cwdOf(pid)}${sep}`.startsWith(`${folder}${sep}`))
    .map(Number);
}

const isOfPerson = (command: string): boolean => isGitOn(command, '') && !command.includes('\0--git-dir=');

/** The working folder of a process; empty when unknown. */
export function cwdOf(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
