// Goals on real code bases, each with answers for every round: files of `answers`, whose README says what they are.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { durationMs } from '../../src/core/plan/language/literals.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const ANSWERS = join(import.meta.dirname, 'answers');

export interface RecordedGoal {
  readonly name: string;
  /** A package of `node_modules`, or `heddle` for this repository. */
  readonly code: string;
  readonly goal: string;
  /** The model or the program that gave the answers. */
  readonly by: string;
  readonly withinMs: number | undefined;
  readonly answers: readonly string[];
}

export const readGoals = (): readonly RecordedGoal[] =>
  readdirSync(ANSWERS)
    .filter((file) => file.endsWith('.txt'))
    .toSorted()
    .map((file) => readGoal(file));

function readGoal(file: string): RecordedGoal {
  const [head = '', ...answers] = readFileSync(join(ANSWERS, file), 'utf8').split(/^@@@\n/mu);
  const fieldOf = (name: string): string => new RegExp(`^${name}: (.*)$`, 'mu').exec(head)?.[1] ?? '';
  return {
    name: file.slice(0, -'.txt'.length),
    code: fieldOf('code'),
    goal: fieldOf('goal'),
    by: fieldOf('by'),
    withinMs: durationMs(fieldOf('within')),
    answers,
  };
}

/** A copy of a package outside every repository, because a survey leaves out what git ignores; this repository as it is. */
export function withCode<Result>(code: string, use: (folder: string) => Result): Result {
  if (code === 'heddle') return use(ROOT);
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-plan-'));
  try {
    cpSync(join(ROOT, 'node_modules', code), folder, { recursive: true, dereference: true });
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
