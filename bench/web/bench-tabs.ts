// What the dashboard costs others: how much slower a run is that ten tabs look at, and how much more memory the server takes than
// the coordinator of the same run. The tabs are readers of the stream: a browser on the same machine would be measured instead.
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { makeProject, median, planHead, planOf, processorMsOf, startHeddle, until } from '../run/heddle.ts';

export interface TabsFigure {
  /** Medians of the clock and of the coordinator's processor. */
  readonly alone: RunCost;
  readonly watched: RunCost;
  readonly rounds: number;
}

interface RunCost {
  readonly wallMs: number;
  readonly coordinatorMs: number;
}

const TABS = 10;
const ROUNDS = 5;
const STEPS = 96;
const CAP = 8;
const STEP_SECONDS = 0.4;

/** In turn, so that a busy machine disturbs both alike. */
export async function benchTabs(): Promise<TabsFigure> {
  const alone: RunCost[] = [];
  const watched: RunCost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await runWith(0));
    watched.push(await runWith(TABS));
  }
  return { alone: medianOf(alone), watched: medianOf(watched), rounds: ROUNDS };
}

const medianOf = (costs: readonly RunCost[]): RunCost => ({
  wallMs: median(costs.map(({ wallMs }) => wallMs)),
  coordinatorMs: median(costs.map(({ coordinatorMs }) => coordinatorMs)),
});

/** The time counts from the first event, when all tabs are open, to the end of the run. */
async function runWith(tabs: number): Promise<RunCost> {
  const commands = Array.from({ length: STEPS }, () => `sleep ${STEP_SECONDS}`);
  const plan = planOf(CAP, commands)
    .replace('tasks:\n', 'tasks:\n  begin: { gate: Begin? }\n')
    .replaceAll('{ run:', '{ needs: [begin], run:');
  let isOpen = false;
  const going = startHeddle({
    words: ['run', '--no-git', '--json', '--web', '--wait', '10m'],
    cwd: makeProject(plan),
    onLine: ({ type }) => (isOpen ||= type === 'task.opened'),
  });
  let errors = '';
  going.child.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  await until(() => isOpen && errors.includes('#token='), 'the dashboard is there and the gate is open');
  const [, base = '', token = '', project = '', run = ''] =
    /(http:\/\/[^/]+)\/#token=([\w-]+)&to=\/p\/([^/]+)\/r\/([\w-]+)/.exec(errors) ?? [];
  const authorization = `Bearer ${token}`;
  const streams = Array.from({ length: tabs }, () =>
    request(`${base}/api/stream?project=${project}&run=${run}&from=0`, {
      headers: { authorization, 'accept-encoding': 'gzip' },
    })
      .on('response', (response) => response.resume())
      .on('error', () => undefined)
      .end(),
  );
  const approved = await fetch(`${base}/api/p/${project}/r/${run}/commands`, {
    method: 'POST',
    headers: { authorization },
    body: JSON.stringify({ type: 'approve', task: 'begin' }),
  });
  await approved.text();
  const { pid } = going;
  const before = processorMsOf(pid);
  let coordinatorMs = 0;
  const timer = setInterval(() => (coordinatorMs = used(pid) - before || coordinatorMs), SAMPLE_MS);
  const { lines } = await going.ended;
  clearInterval(timer);
  for (const stream of streams) stream.destroy();
  const began = lines.find(({ type, task }) => type === 'task.ended' && task === 'begin')?.at ?? 0;
  return { wallMs: (lines.at(-1)?.at ?? 0) - began, coordinatorMs };
}

const SAMPLE_MS = 50;

/** NaN once the process has ended. */
function used(pid: number): number {
  try {
    return processorMsOf(pid);
  } catch {
    return Number.NaN;
  }
}

/**
 * The resident memory of a coordinator that has run so many tasks and waits at a gate: like the server, it holds the state of
 * a long log.
 */
export async function coordinatorMb(tasks: number): Promise<number> {
  const names = Array.from({ length: tasks }, (_, index) => `      task-${index}: { run: "true" }\n`);
  const plan = `${planHead(CAP)}  all:\n    tasks:\n${names.join('')}  end: { needs: [all], gate: End? }\n`;
  let isAtGate = false;
  const going = startHeddle({
    words: ['run', '--no-git', '--json', '--wait', '10m'],
    cwd: makeProject(plan),
    onLine: ({ type, task }) => (isAtGate ||= type === 'task.opened' && task === 'end'),
  });
  await until(() => isAtGate, 'the run waits at its gate');
  await new Promise((resolve) => setTimeout(resolve, SETTLES_MS));
  const residentMb = residentMbOf(going.pid);
  going.child.kill('SIGKILL');
  await going.ended;
  return residentMb;
}

const SETTLES_MS = 3_000;

const residentMbOf = (pid: number): number => memoryMbOf(pid, 'VmRSS');

/** The most that was resident at once. */
export const peakMbOf = (pid: number): number => memoryMbOf(pid, 'VmHWM');

const memoryMbOf = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

export function printTabs({ alone, watched, rounds }: TabsFigure): void {
  const more = (one: number, other: number): string => `${((other / one - 1) * 100).toFixed(1)} %`;
  console.log(
    `\nA run of ${STEPS} steps with ${TABS} tabs, median of ${rounds}: ${Math.round(watched.wallMs)} ms instead of ` +
      `${Math.round(alone.wallMs)} ms (${more(alone.wallMs, watched.wallMs)} more by the clock, at most 2 %); processor of the ` +
      `coordinator ${Math.round(watched.coordinatorMs)} ms instead of ${Math.round(alone.coordinatorMs)} ms ` +
      `(${more(alone.coordinatorMs, watched.coordinatorMs)}).`,
  );
}
