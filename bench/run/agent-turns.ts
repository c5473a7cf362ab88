// What turns of agents cost us over the bare program: 32 at once, each printing a stream as Claude Code does. The program is
// a stand-in that prints and sleeps, so its own cost is next to nothing, and what is measured is ours.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeProject, planHead, processorMsOf, runProgram, startHeddle, until } from './heddle.ts';

export interface TurnsFigure {
  readonly turns: number;
  readonly seconds: number;
  readonly linesPerSecond: number;
  readonly bytesPerSecond: number;
  /** Of one core. */
  readonly workersShare: number;
  readonly coordinatorShare: number;
  /** Memory of one worker that shares nothing with others, and of the coordinator. */
  readonly workerBytes: number;
  readonly coordinatorBytes: number;
  /** From the claim to the end of a short turn that is alone, and the same program by itself. */
  readonly turnMs: number;
  readonly bareMs: number;
}

const TURNS = 32;
const WATCHED_MS = 15_000;
/** Time for the start-up, such as compiling hot code. */
const SETTLING_MS = 4_000;
/** A working agent prints twice a second: a word, a call, a result. */
const PAUSE_SECONDS = 0.5;

const message = (content: object): string =>
  JSON.stringify({
    type: 'assistant',
    message: {
      id: 'msg_1',
      model: 'some-model',
      role: 'assistant',
      content: [content],
      usage: { input_tokens: 1200, cache_read_input_tokens: 40_000, output_tokens: 300 },
    },
    session_id: 'conversation-1',
  });
const WORDS = message({
  type: 'text',
  text: 'I look at the next part of it, and then change what is left to change. '.repeat(8),
});
const CALL = message({ type: 'tool_use', id: 'call_1', name: 'Bash', input: { command: 'npm test -- --run' } });
const FOUND = JSON.stringify({
  type: 'user',
  message: {
    content: [{ type: 'tool_result', tool_use_id: 'call_1', content: 'a line of what a test says\n'.repeat(150) }],
  },
  session_id: 'conversation-1',
});
const RESULT = JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', usage: {} });
const LINES = [WORDS, CALL, FOUND];

/** A program that is called claude; `rounds` of the lines, then the last one. */
function programFor(rounds: number, pause: number): string {
  const quoted = LINES.map((line) => `'${line.replaceAll("'", '')}'`).join(',\n');
  return `#!/usr/bin/env perl
$| = 1;
my @lines = (${quoted});
for my $round (1 .. ${rounds}) { for (@lines) { my $line = $_; $line =~ s/msg_1/msg_$round/; print "$line\\n"; select(undef, undef, undef, ${pause}); } }
print '${RESULT}' . "\\n";
`;
}

/** A project whose agent is that program, and the path on which it is found. */
function makeTurns(program: string, tasks: number) {
  const plan = Array.from({ length: tasks }, (_, index) => `  task-${index}: { agent: claude, prompt: Work. }\n`);
  const project = makeProject(`${planHead(TURNS)}${plan.join('')}`);
  const file = join(project, 'claude');
  writeFileSync(file, program, { mode: 0o755 });
  return { project, file, environment: { PATH: `${project}:${process.env['PATH'] ?? ''}` } };
}

export async function benchTurns(): Promise<TurnsFigure> {
  return { ...(await measureStreams()), ...(await measureOne()) };
}

async function measureStreams() {
  const { project, environment } = makeTurns(programFor(1000, PAUSE_SECONDS), TURNS);
  let claimed = 0;
  const { child, pid, ended } = startHeddle({
    words: ['run', '--no-git', '--json'],
    cwd: project,
    environment,
    onLine: ({ type, work }) => (claimed += work === 'step' && type === 'claim.made' ? 1 : 0),
  });
  try {
    await until(() => claimed === TURNS && childrenOf(pid).flatMap(childrenOf).length === TURNS, 'all are at work');
    await sleep(SETTLING_MS);
    const workers = childrenOf(pid);
    const ours = (): number => workers.map(processorMsOf).reduce((total, ms) => total + ms, 0);
    const [before, coordinatorBefore, begin] = [ours(), processorMsOf(pid), performance.now()];
    await sleep(WATCHED_MS);
    const passedMs = performance.now() - begin;
    const workersShare = (ours() - before) / passedMs;
    const coordinatorShare = (processorMsOf(pid) - coordinatorBefore) / passedMs;
    const linesPerSecond = TURNS / PAUSE_SECONDS;
    const bytes = LINES.reduce((total, line) => total + line.length, 0) / LINES.length;
    return {
      turns: TURNS,
      seconds: passedMs / 1000,
      linesPerSecond,
      bytesPerSecond: linesPerSecond * bytes,
      workersShare,
      coordinatorShare,
      workerBytes: workers.map(ownBytes).reduce((total, size) => total + size, 0) / workers.length,
      coordinatorBytes: ownBytes(pid),
    };
  } finally {
    child.kill('SIGINT');
    await ended.catch(() => undefined);
  }
}

const ONES = 5;

async function measureOne() {
  const { project, file, environment } = makeTurns(programFor(1, 0), 1);
  const { wallMs: bareMs } = await runProgram(file, [], project);
  const times: number[] = [];
  for (let run = 0; run < ONES; run += 1) {
    const { lines } = await startHeddle({ words: ['run', '--no-git', '--json'], cwd: project, environment }).ended;
    const at = (type: string): number => lines.find((line) => line.type === type)?.at ?? Number.NaN;
    times.push(at('claim.ended') - at('claim.made'));
  }
  return { turnMs: times.toSorted((one, other) => one - other)[Math.floor(ONES / 2)] ?? Number.NaN, bareMs };
}

/** Memory that the process alone uses, without shared pages. */
function ownBytes(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kilobytes = (name: string): number =>
    Number(new RegExp(String.raw`^${name}:\s+(\d+)`, 'm').exec(text)?.[1] ?? 0);
  return 1024 * (kilobytes('Private_Clean') + kilobytes('Private_Dirty'));
}

const childrenOf = (pid: number): readonly number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function printTurns(figure: TurnsFigure): void {
  const { turns, seconds, linesPerSecond, bytesPerSecond, workerBytes, coordinatorBytes } = figure;
  const { workersShare, coordinatorShare } = figure;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`;
  console.log(
    `\n${turns} turns at once over ${seconds.toFixed(0)} s, ${linesPerSecond} lines and ` +
      `${(bytesPerSecond / 1024).toFixed(0)} KB a second: ${percent(workersShare + coordinatorShare)} of one core (at most ` +
      `5 %), of that the coordinator ${percent(coordinatorShare)}; ` +
      `${megabytes(workerBytes)} for each turn besides its program, ${megabytes(coordinatorBytes)} for all of them.`,
  );
  console.log(
    `A turn that is alone takes ${figure.turnMs.toFixed(0)} ms from its claim to its end; its program by itself ` +
      `${figure.bareMs.toFixed(0)} ms.`,
  );
}
