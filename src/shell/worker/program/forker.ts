// Forks for this worker. A fork of Node copies the page tables of all that Node holds, which takes longer than most short
// commands do; a fork of a small program does not. So there is one, in Perl, since that is on every machine that has git
// by a package; it is given what to start, says when it has and how that ended, and never sees what is printed.
//
// K1. It starts one program at a time, each in a group of its own.
// K2. What it starts has the environment, the folder and the streams that were asked for, and nothing of the forker's own.
// K3. Whoever it cannot start anything for is told so before anything was started, and forks by himself. Whoever cannot
//     know whether it has started something is told that.
// K4. When this worker is gone it ends, after what is at work then.
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { constants } from 'node:os';

export interface Forking {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Pipes to print into, by names that another process can open. */
  readonly stdout: string;
  readonly stderr: string;
}

export type Forked =
  | { readonly type: 'forked'; readonly pid: number; readonly exit: Promise<ForkEnd> }
  /** Nothing was started, and it must be forked otherwise. */
  | { readonly type: 'unable' }
  /** The forker is gone, and what was asked for may have been started. */
  | { readonly type: 'vanished' };

export interface ForkEnd {
  readonly how:
    | { readonly type: 'exited'; readonly code: number }
    | { readonly type: 'killed'; readonly signal: string }
    /** What was forked could not become the program; `code` as Node names it. */
    | { readonly type: 'refused'; readonly code: string };
  /** Whether nothing else of its group was left. */
  readonly isLast: boolean;
}

/**
 * A request is its length and then its words, set apart by zeros, which neither names nor values can hold. Of the
 * environment it has what differs from the one before. A child that cannot become the program says so itself; what it
 * becomes has neither handle, because Perl closes all but the first three.
 */
const SOURCE = String.raw`
$0 = 'heddle-forker';
%ENV = ();
open my $requests, '<&=', 3;
open my $answers, '>&=', 4;
my $WRITE_ONLY = 1;
sub answer { syswrite $answers, "@_\n" }
answer 'ready';
while (defined(my $size = readline $requests)) {
  read($requests, my $request, $size) == $size or last;
  my ($stdout, $stderr, $cwd, $gone, $set, @argv) = split /\0/, $request, -1;
  delete @ENV{splice @argv, 0, $gone};
  while ($set-- > 0) { my $name = shift @argv; $ENV{$name} = shift @argv }
  my $isReady = sysopen(STDOUT, $stdout, $WRITE_ONLY) && sysopen(STDERR, $stderr, $WRITE_ONLY) && chdir $cwd;
  my $pid = $isReady ? fork : undef;
  if (defined $pid && $pid == 0) {
    setpgrp;
    exec { $argv[0] } @argv;
    answer 'refused', $! + 0;
    exit 127;
  }
  setpgrp $pid, $pid if $pid;
  close STDOUT;
  close STDERR;
  unless ($pid) { answer 'unable'; next }
  answer 'forked', $pid;
  waitpid $pid, 0;
  answer 'ended', $?, kill 0, -$pid;
}
`;

interface AtWork {
  readonly forked: (forked: Forked) => void;
  readonly ended: PromiseWithResolvers<ForkEnd>;
  refusal?: string;
}

interface Forker {
  readonly requests: Socket;
  readonly answers: Socket;
  /** The environment that it has. */
  known: Readonly<Record<string, string>>;
  atWork: AtWork | undefined;
  /** It says so before it looks at anything that it is asked for. */
  isReady: boolean;
}

let forker: Forker | undefined;
let isPossible = process.platform === 'linux';

export function fork(forking: Forking): Promise<Forked> {
  forker ??= isPossible ? openForker() : undefined;
  const { promise, resolve } = Promise.withResolvers<Forked>();
  if (forker === undefined || forker.atWork !== undefined) return Promise.resolve({ type: 'unable' });
  forker.atWork = { forked: resolve, ended: Promise.withResolvers() };
  forker.answers.ref();
  forker.requests.write(requestOf(forking, forker.known));
  forker.known = forking.environment;
  return promise;
}

function requestOf({ argv, environment, cwd, stdout, stderr }: Forking, known: Forker['known']): Buffer {
  const gone = Object.keys(known).filter((name) => environment[name] === undefined);
  const set = Object.keys(environment).filter((name) => known[name] !== environment[name]);
  const values = set.flatMap((name) => [name, environment[name] ?? '']);
  const words = [stdout, stderr, cwd, gone.length, set.length, ...gone, ...values, ...argv].join('\0');
  return Buffer.from(`${Buffer.byteLength(words)}\n${words}`);
}

function openForker(): Forker | undefined {
  const child = spawn('perl', ['-e', SOURCE], {
    // Nothing that would change how Perl itself works.
    env: {},
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [, , , requests, answers] = child.stdio;
  child.unref();
  if (!(requests instanceof Socket && answers instanceof Socket)) return undefined;
  const opened: Forker = { requests, answers, known: {}, atWork: undefined, isReady: false };
  const close = (): void => {
    if (forker === opened) forker = undefined;
    const { atWork } = opened;
    opened.atWork = undefined;
    // One that could not be started, or not even begin, would not do better another time.
    isPossible &&= opened.isReady;
    atWork?.forked({ type: opened.isReady ? 'vanished' : 'unable' });
    atWork?.ended.resolve({ how: { type: 'killed', signal: 'SIGKILL' }, isLast: false });
  };
  child.on('error', close);
  requests.on('error', close).unref();
  answers.setEncoding('latin1').on('error', close).on('close', close).unref();
  let rest = '';
  answers.on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) hear(opened, line);
  });
  return opened;
}

function hear(heard: Forker, line: string): void {
  const { atWork } = heard;
  const [word, number, left] = line.split(' ');
  if (word === 'ready') heard.isReady = true;
  if (word === 'ready' || atWork === undefined) return;
  if (word === 'forked') atWork.forked({ type: 'forked', pid: Number(number), exit: atWork.ended.promise });
  else if (word === 'refused') atWork.refusal = nameOf(constants.errno, Number(number));
  else {
    heard.atWork = undefined;
    heard.answers.unref();
    if (word === 'unable') atWork.forked({ type: 'unable' });
    else atWork.ended.resolve({ how: howOf(Number(number), atWork.refusal), isLast: left === '0' });
  }
}

/** From the status as the system gives it. */
function howOf(status: number, refusal: string | undefined): ForkEnd['how'] {
  if (refusal !== undefined) return { type: 'refused', code: refusal };
  const signal = status & 0x7f;
  return signal === 0
    ? { type: 'exited', code: status >> 8 }
    : { type: 'killed', signal: nameOf(constants.signals, signal) };
}

const nameOf = (names: Readonly<Record<string, number>>, number: number): string =>
  Object.entries(names).find(([, each]) => each === number)?.[0] ?? String(number);
