// Which git processes are at work on a repository: those of ours name it on their command line.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { Process } from '../../ports.ts';
import { startTimeOf } from '../../process.ts';

/** Limit: processes of another process namespace are not seen. When parts of one home run in several, lock otherwise. */
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
    // It has ended while we looked.
    return '';
  }
}

function fromPs(name: string): readonly number[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,command='], { encoding: 'utf8' }).split('\n');
  return lines
    .filter((line) => line.includes(name) && /^\s*\d+\s+(\S*\/)?git(-[\w-]+)? /.test(line))
    .map((line) => Number.parseInt(line, 10));
}
