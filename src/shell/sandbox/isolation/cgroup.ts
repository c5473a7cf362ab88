// A control group for the programs of one sandbox, by which the kernel itself keeps them within memory and processes, however
// quick they are. There is one where this user may make it: as root, or where a part of the tree is delegated.
//
// cgroup/G1. Nothing depends on it: where it cannot be made or entered, the resource monitor counts alone.
// cgroup/G2. It is removed when its programs have ended; one that a killed process left, by the next that is made.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { asideName, isLeftOver } from '../disk/files.ts';

export interface CgroupLimits {
  /** Bytes. */
  readonly memory: number;
  readonly processes: number;
}

export interface Cgroup {
  readonly enter: (argv: readonly string[]) => readonly string[];
  /** The limit at which the kernel had to stop a program. */
  readonly exceeded: () => keyof CgroupLimits | undefined;
  readonly remove: () => Promise<void>;
}

/** Undefined where none can be made. */
export function makeCgroup(limits: CgroupLimits): Cgroup | undefined {
  const layout = layoutHere();
  if (layout === undefined) return undefined;
  const name = `${PREFIX}${asideName()}`;
  const memory = join(layout.memory.parent, name);
  const processes = join(layout.processes.parent, name);
  const folders = [...new Set([memory, processes])];
  try {
    for (const folder of folders) {
      removeLeftOvers(dirname(folder));
      mkdirSync(folder);
    }
    writeFileSync(join(memory, layout.memory.limit), String(limits.memory));
    writeFileSync(join(processes, layout.processes.limit), String(limits.processes));
    // Of programs that work together none is left alone, where the kernel can do that.
    const together = join(memory, 'memory.oom.group');
    if (existsSync(together)) writeFileSync(together, '1');
  } catch {
    // This user may not, or the machine has no such control.
    for (const folder of folders) isGone(folder);
    return undefined;
  }
  return {
    enter: (argv) => ['sh', '-c', ENTER, 'heddle', memory, processes, ...argv],
    exceeded: () => {
      if (countIn(join(memory, layout.memory.events), 'oom_kill') > 0) return 'memory';
      return countIn(join(processes, layout.processes.events), 'max') > 0 ? 'processes' : undefined;
    },
    remove: async () => {
      for (let tries = 0; tries < REMOVE_TRIES && !folders.map(isGone).every(Boolean); tries += 1)
        await setTimeout(REMOVE_PAUSE_MS);
    },
  };
}

const PREFIX = 'heddle-';
/** A process that has ended is in its group for a moment longer. */
const REMOVE_TRIES = 20;
const REMOVE_PAUSE_MS = 25;

const ENTER = `for folder in "$1" "$2"; do echo $$ > "$folder/cgroup.procs"; done 2> /dev/null
shift 2
exec "$@"`;

interface Control {
  readonly parent: string;
  readonly limit: string;
  readonly events: string;
}

interface Layout {
  readonly memory: Control;
  readonly processes: Control;
}

const ROOT = '/sys/fs/cgroup';

/** Version 2 has one tree, version 1 one for each control; undefined where the system has neither. */
function layoutHere(): Layout | undefined {
  const own = ownPaths();
  return own === undefined ? undefined : layoutIn(ROOT, own);
}

/** `own` are the groups of this process, by the control. */
export function layoutIn(root: string, own: ReadonlyMap<string, string>): Layout | undefined {
  const processes = { limit: 'pids.max', events: 'pids.events' };
  if (existsSync(join(root, 'cgroup.controllers'))) {
    // A group with processes of its own can have no controlled groups below it, so ours is beside and not below.
    const parent = join(root, dirname(own.get('') ?? '/'));
    const memory = { parent, limit: 'memory.max', events: 'memory.events' };
    return { memory, processes: { parent, ...processes } };
  }
  const [ofMemory, ofProcesses] = [own.get('memory'), own.get('pids')];
  if (ofMemory === undefined || ofProcesses === undefined) return undefined;
  return {
    memory: { parent: join(root, 'memory', ofMemory), limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
    processes: { parent: join(root, 'pids', ofProcesses), ...processes },
  };
}

/** By the control; that of version 2 has no name. */
function ownPaths(): ReadonlyMap<string, string> | undefined {
  try {
    const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n');
    const rows = lines.flatMap((line) => {
      const [, controls = '', ...path] = line.split(':');
      return controls.split(',').map((control) => [control, path.join(':')] as const);
    });
    return new Map(rows);
  } catch {
    // The system has no such file.
    return undefined;
  }
}

/** The number behind a word; 0 where the kernel does not count it. */
function countIn(file: string, word: string): number {
  try {
    return Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function removeLeftOvers(parent: string): void {
  const left = readdirSync(parent).filter((name) => name.startsWith(PREFIX) && isLeftOver(name.slice(PREFIX.length)));
  for (const name of left) isGone(join(parent, name));
}

function isGone(folder: string): boolean {
  try {
    if (existsSync(folder)) rmdirSync(folder);
    return true;
  } catch {
    // Something is still in it.
    return false;
  }
}
