// Steps in a pool that say what is alive: each holds a lock in the kernel for as long as any process of it lives, and notes which
// others are held when it begins. Whatever Heddle believes, the notes say what ran at once.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../git-project.given.ts';

/** A step that is asked to end goes on: only killing it ends it. */
const STEP = `name=$1 here=$(dirname "$0")
trap '' TERM
exec 9>"$here/alive/$name.$HEDDLE_ATTEMPT.$$"
flock -x 9
held=
for file in "$here"/alive/*; do
  flock -s -n "$file" true || held="$held $(basename "$file")"
done
echo "$name#$HEDDLE_ATTEMPT$held" >>"$here/notes"
while [ ! -e "$here/gate" ]; do sleep 0.1; done
echo "$name" >"$name.txt"
`;

export interface PoolUsers {
  /** The command of a task. */
  readonly command: (name: string) => string;
  /** Lets all steps end. */
  readonly open: () => void;
  /** The names of the attempts that began, in their order. */
  readonly begun: () => readonly string[];
  /** By beginning, how many were alive then, this one among them. */
  readonly alive: () => readonly number[];
  /** How many are alive at this moment. */
  readonly stillAlive: () => number;
}

export function poolUsers(): PoolUsers {
  const folder = temporaryFolder();
  const file = (name: string): string => join(folder, name);
  mkdirSync(file('alive'));
  writeFileSync(file('step.sh'), STEP);
  const notes = (): readonly (readonly string[])[] =>
    existsSync(file('notes'))
      ? readFileSync(file('notes'), 'utf8')
          .split('\n')
          .filter(Boolean)
          .map((line) => line.split(' '))
      : [];
  return {
    command: (name) => `sh ${file('step.sh')} ${name}`,
    open: () => writeFileSync(file('gate'), ''),
    begun: () => notes().map(([name = '']) => name),
    alive: () => notes().map(([, ...held]) => held.length),
    stillAlive: () => readdirSync(file('alive')).filter((name) => isHeld(file(join('alive', name)))).length,
  };
}

const isHeld = (lock: string): boolean => spawnSync('sh', ['-c', 'flock -s -n "$1" true', 'sh', lock]).status === 1;
