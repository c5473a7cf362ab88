// `npm run bench -- draft`: judges the drafts for each goal and scores them. With `--agent` a real program drafts, at its
// usual cost, and `--record` keeps what it answered.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { surveyProject } from '../../src/app/draft/survey-project.ts';
import { LANGUAGE_GUIDE } from '../../src/core/draft/language-guide.ts';
import { ANSWERS, readGoals, withCode, type RecordedGoal } from './recorded-goals.ts';
import { scoreDrafts, type DraftScore } from './score-drafts.ts';

export const DRAFT_FLAGS = {
  agent: { type: 'string' },
  record: { type: 'boolean' },
  goal: { type: 'string' },
} as const;

export interface DraftBench {
  /** Undefined scores the answers of the files. */
  readonly agent: string | undefined;
  /** Writes the answers of the agent over those of the files. */
  readonly records: boolean;
  /** The name of one goal; undefined is all. */
  readonly goal: string | undefined;
}

export function benchDrafts({ agent, records, goal: only }: DraftBench): readonly DraftScore[] {
  const goals = readGoals().filter(({ name }) => name === (only ?? name));
  return goals.map((goal) =>
    withCode(goal.code, (folder) => {
      const answered = agent === undefined ? goal : { ...goal, by: agent, answers: askAgent(folder, goal, agent) };
      if (records && agent !== undefined) keep(answered);
      const { facts } = surveyProject(folder, ['claude', 'codex', 'opencode']);
      return scoreDrafts(answered, facts);
    }),
  );
}

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'heddle.js');
/** One commit of the code base, in a folder of its own. */
const COMMIT = 'git init -q && git add -A && git -c user.name=bench -c user.email=bench@localhost commit -qm start';

function askAgent(code: string, { goal, withinMs }: RecordedGoal, agent: string): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-bench-draft-'));
  try {
    const isKept = (path: string): boolean =>
      !/\/(?:node_modules|\.git|\.heddle|dist)(?:\/|$)/u.test(path.slice(code.length));
    cpSync(code, folder, { recursive: true, dereference: true, filter: isKept });
    spawnSync('sh', ['-c', COMMIT], { cwd: folder });
    const within = withinMs === undefined ? [] : ['--within', `${Math.round(withinMs / 1000)}s`];
    const heddle = (...words: readonly string[]): string =>
      spawnSync(process.execPath, [PROGRAM, ...words], { cwd: folder, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout;
    heddle('plan', goal, '--agent', agent, '--no-tests', '--json', ...within);
    return heddle('turns', 'draft-1', '--json').trim().split('\n').flatMap(responseIn);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function responseIn(line: string): readonly string[] {
  if (line === '') return [];
  // The lines of `heddle turns --json` have a text or null there.
  const { response } = JSON.parse(line) as { readonly response: string | null };
  return response === null ? [] : [`${response.trimEnd()}\n`];
}

function keep({ name, code, goal, by, withinMs, answers }: RecordedGoal): void {
  const within = withinMs === undefined ? '' : `within: ${Math.round(withinMs / 1000)}s\n`;
  const head = `code: ${code}\ngoal: ${goal}\nby: ${by}\n${within}`;
  writeFileSync(join(ANSWERS, `${name}.txt`), [head, ...answers].join('@@@\n'));
}

export const meanOf = (scores: readonly DraftScore[]): number =>
  scores.reduce((sum, { score }) => sum + score, 0) / Math.max(1, scores.length);

export function printDrafts(scores: readonly DraftScore[], { agent }: DraftBench): void {
  const source = agent === undefined ? 'recorded answers, see bench/plan/answers/README.md' : `answers of ${agent}`;
  console.log(`\nDrafts: ${scores.length} goals; ${source}`);
  console.log(`${'goal'.padEnd(26)}${'by'.padEnd(10)}tasks checked width/bound overlaps first rounds score  went back`);
  for (const { name, by, tasks, checked, width, bound, overlaps, isSoundAtFirst, rounds, score, codes } of scores)
    console.log(
      [
        name.padEnd(25),
        by.padEnd(9),
        String(tasks).padStart(5),
        `${Math.round(checked * 100)} %`.padStart(7),
        `${width.toFixed(1)}/${bound.toFixed(1)}`.padStart(11),
        String(overlaps).padStart(8),
        (isSoundAtFirst ? 'yes' : 'no').padStart(5),
        String(rounds ?? '–').padStart(6),
        score.toFixed(0).padStart(5),
        ` ${codes.join(', ')}`,
      ].join(' '),
    );
  const sound = scores.filter(({ isSoundAtFirst }) => isSoundAtFirst).length;
  const lines = LANGUAGE_GUIDE.trimEnd().split('\n').length;
  console.log(
    `mean score ${meanOf(scores).toFixed(0)}; right at first ${sound} of ${scores.length}; the guide has ${lines} lines, ${LANGUAGE_GUIDE.length} characters`,
  );
}
