// A plan of ten thousand steps: whether it finishes, what memory its coordinator takes, and how soon a run of it goes
// on after its coordinator was killed in the middle.
import { readFileSync } from 'node:fs';
import { makeProject, planOf, processorMsOf, startHeddle, until, type Line } from './heddle.ts';

export interface LargeFigure {
  readonly steps: number;
  /** Ended before the kill and after it; together every step once. */
  readonly endedBefore: number;
  readonly endedAfter: number;
  readonly wallMs: number;
  readonly peakMb: number;
  readonly peakAfterMb: number;
  /** From the start of the process that resumes to the end of the first step that it claimed itself. */
  readonly resumedMs: number;
  /** Processor time of that process until its first claim, which a busy machine does not change. */
  readonly resumedProcessorMs: number;
}

const STEPS = 10_000;
const CAP = 8;

export async function benchLarge(): Promise<LargeFigure> {
  const cwd = makeProject(
    planOf(
      CAP,
      Array.from({ length: STEPS }, () => 'true'),
    ),
  );
  const first = await carry(cwd, ['run', '--no-git', '--json'], STEPS / 2);
  const second = await carry(cwd, ['resume', '--json'], Infinity);
  const claimed = new Set(
    second.lines.filter(({ type, work }) => work === 'step' && type === 'claim.made').map(({ task }) => task),
  );
  const next = second.lines.find(
    ({ type, work, task }) => work === 'step' && type === 'claim.ended' && claimed.has(task),
  );
  return {
    steps: STEPS,
    endedBefore: count(first.lines),
    endedAfter: count(second.lines),
    wallMs: first.wallMs + second.wallMs,
    peakMb: first.peakMb,
    peakAfterMb: second.peakMb,
    resumedMs: (next?.at ?? Number.NaN) - second.startedAt,
    resumedProcessorMs: second.firstClaimProcessorMs,
  };
}

const count = (lines: readonly Line[]): number =>
  lines.filter(({ type, work }) => work === 'step' && type === 'claim.ended').length;

interface Carried {
  readonly lines: readonly Line[];
  readonly wallMs: number;
  readonly startedAt: number;
  readonly peakMb: number;
  readonly firstClaimProcessorMs: number;
}

/** Carries the run on until so many steps have ended, then kills the coordinator; or to its end. */
async function carry(cwd: string, words: readonly string[], killAfter: number): Promise<Carried> {
  let isOver = false;
  let endedSteps = 0;
  let peakMb = 0;
  let firstClaimProcessorMs = Number.NaN;
  const { child, pid, ended } = startHeddle({
    words,
    cwd,
    onLine: ({ type, work }) => {
      if (work === 'step' && type === 'claim.made' && Number.isNaN(firstClaimProcessorMs))
        firstClaimProcessorMs = processorMsOf(pid);
      endedSteps += work === 'step' && type === 'claim.ended' ? 1 : 0;
      if (endedSteps >= killAfter && child.exitCode === null) child.kill('SIGKILL');
      if (endedSteps % LOOK_EVERY === 0) peakMb = peakOf(pid) ?? peakMb;
    },
  });
  void ended.finally(() => (isOver = true)).catch(() => undefined);
  await until(() => {
    peakMb = peakOf(pid) ?? peakMb;
    return isOver;
  }, 'the run is over');
  return { ...(await ended), peakMb, firstClaimProcessorMs };
}

const LOOK_EVERY = 500;

/** The peak of resident memory; undefined for a dead process. */
function peakOf(pid: number): number | undefined {
  try {
    const kb = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kb === undefined ? undefined : Number(kb) / 1024;
  } catch {
    return undefined;
  }
}

export function printLarge(figure: LargeFigure): void {
  const { steps, endedBefore, endedAfter, wallMs, peakMb, peakAfterMb, resumedMs, resumedProcessorMs } = figure;
  console.log(
    `\n${steps} steps, killed after ${endedBefore} and resumed for ${endedAfter}: ${(wallMs / 1000).toFixed(1)} s; ` +
      `peak memory of the coordinator ${peakMb.toFixed(0)} MB and ${peakAfterMb.toFixed(0)} MB (below 400); the first ` +
      `step after the kill had ended ${(resumedMs / 1000).toFixed(2)} s after the start of the process (below 2), of which ` +
      `${(resumedProcessorMs / 1000).toFixed(2)} s of processor time went before its first claim.`,
  );
}
