// The plan of runs whose machines are struck, and what must hold of each of them whatever was struck.
//
// struck-run/N1. Each step holds a lock in the kernel for as long as any process of it lives, and notes which are held when it
//     begins: whatever Heddle believes, the notes say what ran at once.
// struck-run/N2. The content of the last file follows from the plan alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Line } from '../world/project.given.ts';

const POOL = 2;
const CEILING_USD = 12;
const TURN_USD = 0.1;
const TURNS = 2;

/** How long the steps in the pool last, in seconds. */
export type PoolSeconds = Readonly<Record<'c' | 'd' | 'e' | 'f', number>>;

export const SHORT: PoolSeconds = { c: 2, d: 1, e: 2, f: 0.5 };
/** Beyond the lease of hosts: a step that its host goes on with meets its next attempt. */
export const LONG: PoolSeconds = { c: 35, d: 35, e: 35, f: 35 };

/** What each task needs; all but those with a prompt are commands. A script that was cut off has no rest to go on with. */
const PLAN = (sh: string, pool: PoolSeconds): string => `heddle: 1
name: world
max_parallel: 6
hosts: { max_parallel: 6 }
attempts: 20
budget: { usd: ${CEILING_USD} }
pools: { ci: ${POOL} }
agents: { ai: { use: scripted, pool: ci, reserve: { usd: 0.2, tokens: 100 } } }
agent: ai
sandbox: { isolation: none }
tasks:
  a: { run: ${sh} 0.4 free a }
  b: { run: ${sh} 3 free b }
  c: { pool: ci, run: ${sh} ${pool.c} ci c }
  d: { pool: ci, needs: [a], run: ${sh} ${pool.d} ci d a }
  e: { needs: [a], prompt: "@forget\\n@spend usd=${TURN_USD} tokens=10\\n@run ${sh} ${pool.e} ci e a\\n@say e" }
  f: { needs: [c], prompt: "@forget\\n@spend usd=${TURN_USD} tokens=10\\n@run ${sh} ${pool.f} ci f c\\n@say f" }
  g: { needs: [b, d, e], run: ${sh} 0.5 free g b d e }
  h: { needs: [f, g], run: ${sh} 0.2 free h f g }
`;
const TASKS = 8;
const WHOLE = 'h(f(c()),g(b(),d(a()),e(a())))';

const STEP = `seconds=$1 kind=$2 name=$3
shift 3
here=$(dirname "$0")
claim="$name $HEDDLE_ATTEMPT"
lock="$here/at-work/$kind.$name.$HEDDLE_ATTEMPT.$$"
exec 9>"$lock"
flock -x 9
held=
for file in "$here"/at-work/ci.*; do
  [ -e "$file" ] || continue
  flock -s -n "$file" true || held="$held $(basename "$file")"
done
echo "start $claim$held" >>"$here/notes"
sleep "$seconds"
inner=
for need; do inner="$inner,$(cat "$need.txt")"; done
echo "$name(\${inner#,})" >"$name.txt"
rm -f "$lock"
echo "end $claim" >>"$here/notes"
`;

export interface StruckPlan {
  readonly file: string;
  readonly folder: string;
}

export function makeStruckPlan(folder: string, seconds: PoolSeconds): StruckPlan {
  mkdirSync(join(folder, 'at-work'), { recursive: true });
  writeFileSync(join(folder, 'step.sh'), STEP);
  writeFileSync(join(folder, 'notes'), '');
  const file = join(folder, 'plan.yaml');
  writeFileSync(file, PLAN(`sh ${join(folder, 'step.sh')}`, seconds));
  return { file, folder };
}

export const isOver = (log: readonly Line[]): boolean => log.at(-1)?.type === 'run.ended';

export interface Evidence {
  readonly folder: string;
  readonly log: readonly Line[];
  /** Calls git in the repository that all share. */
  readonly git: (...words: readonly string[]) => string;
  readonly run: string;
  /** What a step had finished may be gone: its machine died, or was silent for longer than its lease. */
  readonly mayLose: boolean;
}

export interface Found {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly overspent: readonly string[];
  readonly overrun: readonly string[];
  readonly wrong: readonly string[];
  /** Steps that took the last slot of the pool: it was full. */
  readonly full: number;
}

interface Note {
  readonly type: string;
  readonly task: string;
  readonly attempt: number;
  /** The steps in the pool whose locks were held. */
  readonly held: readonly { readonly task: string; readonly attempt: number }[];
}

export function judgeStruck(evidence: Evidence): Found {
  const { folder, log } = evidence;
  const notes = readNotes(folder);
  const starts = notes.filter(({ type }) => type === 'start');
  const inPool = starts.map((start) => ({ name: nameOf(start), alive: start.held.length }));
  return {
    lost: [...lostFiles(evidence), ...(evidence.mayLose ? [] : lostEnds(log, notes))],
    doubled: [...startedTwice(starts), ...mergedTwice(evidence)],
    overspent: overspent(log, notes),
    overrun: inPool.flatMap(({ name, alive }) => (alive > POOL ? [`${name} made ${alive} in the pool`] : [])),
    wrong: wrongEnds(log),
    full: inPool.filter(({ alive }) => alive === POOL).length,
  };
}

function readNotes(folder: string): readonly Note[] {
  const lines = readFileSync(join(folder, 'notes'), 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [type = '', task = '', attempt, ...held] = line.split(' ');
    return { type, task, attempt: Number(attempt), held: held.map(lockOf) };
  });
}

function lockOf(name: string): { readonly task: string; readonly attempt: number } {
  const [, task = '', attempt] = name.split('.');
  return { task, attempt: Number(attempt) };
}

const isDone = ({ type, ending }: Line): boolean => type === 'claim.ended' && ending === 'done';

function lostFiles({ git, run }: Evidence): readonly string[] {
  const content = git('show', `refs/heads/heddle/${run}:h.txt`);
  return content === WHOLE ? [] : [`the last file says ${content}`];
}

/** The claims that began, `task#attempt`, in order. */
export const notedStarts = (folder: string): readonly string[] =>
  readNotes(folder)
    .filter(({ type }) => type === 'start')
    .map(nameOf);

/** Every step that came to its end counts as done. */
function lostEnds(log: readonly Line[], notes: readonly Note[]): readonly string[] {
  const done = new Set(log.filter((line) => isDone(line) && line.work === 'step').map(nameOf));
  return notes
    .filter((note) => note.type === 'end' && !done.has(nameOf(note)))
    .map((note) => `${nameOf(note)} came to its end, and the log does not say so: ${endOf(log, note)}`);
}

const nameOf = ({ task = '', attempt = 0 }: { readonly task?: string; readonly attempt?: number }): string =>
  `${task}#${attempt}`;

function endOf(log: readonly Line[], { task, attempt }: Note): string {
  const ends = log.filter(
    (line) => line.task === task && line.attempt === attempt && /^claim.(returned|ended)/.test(line.type),
  );
  return ends
    .map(({ type, reason, cause, result }) => `${type} ${reason ?? ''} ${cause ?? ''} ${result?.response ?? ''}`)
    .join('; ');
}

const startedTwice = (starts: readonly Note[]): readonly string[] =>
  starts
    .filter((note, at) => starts.findIndex((one) => nameOf(one) === nameOf(note)) < at)
    .map((note) => `${nameOf(note)} was started twice`);

function mergedTwice({ git, run, log }: Evidence): readonly string[] {
  const merges = Number(git('rev-list', '--count', '--first-parent', `main..refs/heads/heddle/${run}`));
  const logged = log.filter((line) => isDone(line) && line.work === 'merge').map(({ task }) => task);
  return [
    ...(merges === TASKS ? [] : [`${merges} merges on the branch and not ${TASKS}`]),
    ...(logged.length === TASKS && new Set(logged).size === TASKS
      ? []
      : [`the log has the merges ${logged.join(' ')}`]),
  ];
}

/** Every turn that began has spent, and an unknown cost counts as what was reserved. */
function overspent(log: readonly Line[], notes: readonly Note[]): readonly string[] {
  const turns = notes.filter(({ type, task }) => type === 'start' && (task === 'e' || task === 'f'));
  const spent = turns.length * TURN_USD;
  const reserved = new Map(
    log
      .filter(({ type, work }) => type === 'claim.made' && work === 'step')
      .map((line) => [nameOf(line), line.reserve?.usd ?? 0]),
  );
  const known = log
    .filter(({ type, work }) => (type === 'claim.ended' || type === 'claim.returned') && work === 'step')
    .filter(({ task }) => task === 'e' || task === 'f')
    .reduce((sum, line) => sum + (line.spend?.usd ?? reserved.get(nameOf(line)) ?? 0), 0);
  return [
    ...(turns.length >= TURNS ? [] : [`only ${turns.length} turns began`]),
    ...(known > spent - 1e-9 ? [] : [`${spent} dollars were spent, and the log knows of ${known}: ${turnsIn(log)}`]),
    ...(known <= CEILING_USD + 1e-9 ? [] : [`${known} dollars were spent of ${CEILING_USD}`]),
  ];
}

const turnsIn = (log: readonly Line[]): string =>
  JSON.stringify(
    log.filter(
      ({ task, type, work }) => (task === 'e' || task === 'f') && type.startsWith('claim.') && work === 'step',
    ),
  );

function wrongEnds(log: readonly Line[]): readonly string[] {
  const ends = log.filter(({ type }) => type === 'task.ended');
  return ends.flatMap(({ task, ending }) => (ending === 'done' ? [] : [`${task} ended as ${ending}`]));
}
