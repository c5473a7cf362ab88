// Runs the programs that judge the tree, quietly when they are content and in full when they are not.
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  /** Programs of this repository, one after the other; the first that fails ends the step. */
  readonly commands: readonly (readonly [program: string, ...args: string[]])[];
}

export interface Outcome {
  readonly name: string;
  readonly isGood: boolean;
  readonly tookMs: number;
}

/** Judge the form of the code without running it, but for `tidy`, which is a test. */
export const formSteps: readonly Step[] = [
  {
    name: 'types',
    commands: [
      ['tsc', '-p', 'src/core', '--noEmit'],
      ['tsc', '-p', '.'],
      ['tsc', '-p', 'web'],
      ['tsc', '-p', 'tools/site/browser'],
    ],
  },
  { name: 'lint', commands: [['oxlint', '--type-aware', '--deny-warnings']] },
  { name: 'format', commands: [['oxfmt', '--check']] },
  { name: 'dead code', commands: [['knip']] },
  // What is published changes only where a change of its report is part of the change.
  { name: 'surface', commands: [['node', 'tools/write-reference.ts', '--check']] },
];

/** Tests from end to end start the program as it is built. */
export const buildStep: Step = { name: 'build', commands: [['node', 'tools/build.ts']] };

export const tidyStep: Step = { name: 'tidy', commands: [['vitest', 'run', '--project', 'tidy']] };

interface Ending {
  readonly isGood: boolean;
  readonly output: string;
}

const runProgram = (program: string, args: readonly string[]): Promise<Ending> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // Windows finds the programs of node_modules/.bin only through its shell.
      shell: process.platform === 'win32',
    });
    const parts: string[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part.toString()));
    child.stderr.on('data', (part: Buffer) => parts.push(part.toString()));
    child.on('error', (error) => resolve({ isGood: false, output: `Could not start ${program}: ${error.message}\n` }));
    child.on('close', (code) => resolve({ isGood: code === 0, output: parts.join('') }));
  });

const runCommands = async (step: Step): Promise<Ending> => {
  for (const [program, ...args] of step.commands) {
    const ending = await runProgram(program, args);
    if (!ending.isGood) return ending;
  }
  return { isGood: true, output: '' };
};

export const showTime = (tookMs: number): string => `${(tookMs / 1000).toFixed(1)} s`;

/** Runs a step and prints one line, or the output of the failing program. */
async function runStep(step: Step): Promise<Outcome> {
  const from = performance.now();
  const ending = await runCommands(step);
  const tookMs = performance.now() - from;
  console.log(`${step.name.padEnd(10)} ${ending.isGood ? 'ok    ' : 'FAILED'} ${showTime(tookMs)}`);
  if (!ending.isGood) console.log(`${ending.output.trimEnd()}\n`);
  return { name: step.name, isGood: ending.isGood, tookMs };
}

/** Runs steps one after the other, so that their output stays separate, and continues after a failure. */
export async function runSteps(steps: readonly Step[]): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await runStep(step));
  return outcomes;
}

export const failedNames = (outcomes: readonly Outcome[]): readonly string[] =>
  outcomes.filter((outcome) => !outcome.isGood).map((outcome) => outcome.name);
