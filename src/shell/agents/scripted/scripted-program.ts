// The scripted agent's program: reads a prompt from standard input and executes its directives in request. It stays in
// its working folder, and its tools are children in its own process group.
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Spend } from '../../../core/protocol/result.ts';
import type { Json } from '../../../core/plan/plan.ts';
import { runInForeground, type ForegroundEnd } from '../../exec/run-in-foreground.ts';
import { permissionFor, ruleOn, type PermissionRules } from '../turn/permission.ts';
import { FINAL_REASONS, type ScriptedMessage } from './scripted-message.ts';
import { readScript, type Directive } from './script.ts';

// The adapter has written it.
const rules = JSON.parse(process.argv[2] ?? '') as PermissionRules;

/** The turn so far. */
interface Turn {
  response: string;
  output: Json | undefined;
  spend: Spend;
}

/** Undefined continues with the next directive; any other value ends the turn. */
type End = Extract<ScriptedMessage, { type: 'result' | 'limited' | 'asked' }> | undefined;

async function main(): Promise<void> {
  const script = readScript(await text(process.stdin));
  if (script.type === 'mistake') {
    return finish({ type: 'result', ok: false, reason: 'refused', message: script.message, isFinal: true });
  }
  if (!script.directives.some(({ type }) => type === 'forget'))
    await say({ type: 'conversation', id: conversationId() });
  const turn: Turn = { response: 'Done.', output: undefined, spend: { usd: undefined, tokens: undefined } };
  for (const directive of script.directives) {
    const end = await attempt(turn, directive);
    if (end !== undefined) return finish(end);
  }
  return finish({ type: 'result', ok: true, response: turn.response, output: turn.output });
}

async function finish(end: Exclude<End, undefined>): Promise<void> {
  await say(end);
  process.exitCode = end.type === 'result' && end.ok ? 0 : 1;
}

/** Waits for a slow reader before it prints more. */
async function say(message: ScriptedMessage): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(message)}\n`)) await once(process.stdout, 'drain');
}

const failed = (message: string): End => ({ type: 'result', ok: false, reason: 'failed', message, isFinal: false });

/** A folder that is not writable, or a missing program, ends the turn, as it would any agent's. */
async function attempt(turn: Turn, directive: Directive): Promise<End> {
  try {
    return await carryOut(turn, directive);
  } catch (error) {
    return failed(`@${directive.type} could not be done: ${error instanceof Error ? error.message : String(error)}.`);
  }
}

async function carryOut(turn: Turn, directive: Directive): Promise<End> {
  switch (directive.type) {
    case 'write':
    case 'append':
      mkdirSync(dirname(directive.path), { recursive: true });
      if (directive.type === 'write') writeFileSync(directive.path, directive.text);
      else appendFileSync(directive.path, directive.text);
      return undefined;
    case 'delete':
      rmSync(directive.path, { recursive: true, force: true });
      return undefined;
    case 'say':
      turn.response = directive.text;
      await say({ type: 'text', text: directive.text });
      return undefined;
    case 'next':
      turn.response = nextAnswer(directive.path);
      await say({ type: 'text', text: turn.response });
      return undefined;
    case 'output':
      turn.output = directive.output;
      return undefined;
    case 'spend':
      turn.spend = { usd: summed(turn.spend.usd, directive.usd), tokens: summed(turn.spend.tokens, directive.tokens) };
      await say({ type: 'spent', ...turn.spend });
      return undefined;
    case 'sleep':
      await setTimeout(directive.ms);
      return undefined;
    case 'run':
      return run(directive.command);
    case 'use':
      return use(directive.command);
    case 'fork':
      await fork(directive.command);
      return undefined;
    case 'print':
      for (let line = 1; line <= directive.lines; line += 1) await say({ type: 'text', text: `line ${line}` });
      return undefined;
    case 'once':
      return isFirst(directive.path) ? carryOut(turn, directive.directive) : undefined;
    case 'fail':
    case 'exit':
    case 'signal':
    case 'hang':
    case 'ignore':
    case 'quota':
    case 'limit':
    case 'ask':
      return misbehave(directive);
    case 'forget':
      return undefined;
  }
}

type Misbehaviour = Extract<
  Directive,
  { type: 'fail' | 'exit' | 'signal' | 'hang' | 'ignore' | 'quota' | 'limit' | 'ask' }
>;

async function misbehave(directive: Misbehaviour): Promise<End> {
  switch (directive.type) {
    case 'fail': {
      const { reason, message } = directive;
      return { type: 'result', ok: false, reason, message, isFinal: FINAL_REASONS.has(reason) };
    }
    case 'exit':
      return process.exit(directive.code);
    case 'signal':
      process.kill(process.pid, directive.signal);
      await setImmediate();
      return undefined;
    case 'hang':
      for (;;) await setTimeout(LONG_MS);
    case 'ignore':
      process.on(directive.signal, () => undefined);
      return undefined;
    case 'quota':
    case 'limit': {
      const until = directive.ms === undefined ? undefined : Date.now() + directive.ms;
      return { type: 'limited', until, by: directive.type === 'quota' ? 'quota' : 'rate_limit' };
    }
    case 'ask':
      return { type: 'asked', question: directive.question, permission: undefined };
  }
}

/** At most this many turns of a conversation are named. */
const TURNS_NAMED_MAX = 20;

/**
 * The id spells out the history of the conversation for tests: `api/tests#1` began it, ` + code#1` continued it, ` /
 * docs#1` forked it.
 */
function conversationId(): string {
  const [, , , mode, before = ''] = process.argv;
  const { HEDDLE_TASK: task = '', HEDDLE_STEP: step = '', HEDDLE_ATTEMPT: attempt = '' } = process.env;
  const own = `${step}#${attempt}`;
  if (mode === undefined) return `${task}/${own}`;
  const way = `${before} ${mode === 'fork' ? '/' : '+'} ${own}`.split(' ');
  return way.slice(-2 * TURNS_NAMED_MAX).join(' ');
}

const NEXT = /^@@@.*\r?\n/mu;

/** The answer for this turn of the conversation, from a file with one after the other; the last one is repeated. */
function nextAnswer(path: string): string {
  const answers = readFileSync(path, 'utf8').split(NEXT);
  const turn = conversationId()
    .split(' ')
    .filter((word) => word.includes('#')).length;
  return answers[Math.min(turn, answers.length) - 1] ?? '';
}

const LONG_MS = 3_600_000;

const EXACT_TO = 1e9;

/** Sums of decimal fractions drift in binary; a billionth of a dollar is near enough. */
const summed = (spent: number | undefined, more: number | undefined): number | undefined =>
  more === undefined ? spent : Math.round(((spent ?? 0) + more) * EXACT_TO) / EXACT_TO;

/** Tools print to standard error, so that standard output stays one object per line; the worker keeps both. */
const start = (...script: readonly string[]): Promise<ForegroundEnd> =>
  runInForeground(['sh', '-c', ...script], { isOnStderr: true });

async function run(command: string): Promise<End> {
  await say({ type: 'using', command });
  const end = await start(command);
  const exitCode = end.type === 'exited' ? end.code : undefined;
  await say({ type: 'tool', command, exitCode });
  return exitCode === 0 ? undefined : failed(`The command \`${command}\` ${howEnded(end)}.`);
}

/** Asks before it uses a tool, as other agents do, and continues without the tool when refused. */
async function use(command: string): Promise<End> {
  const wanted = { tool: 'run', kind: 'execute', about: command };
  const permission = permissionFor(wanted);
  const { type } = ruleOn(rules, wanted);
  if (type === 'ask') return { type: 'asked', question: '', permission };
  await say({ type: 'permission', tool: `run: ${permission.about}`, isAllowed: type === 'allow' });
  return type === 'allow' ? run(command) : undefined;
}

function howEnded(end: ForegroundEnd): string {
  switch (end.type) {
    case 'exited':
      return `ended with ${end.code}`;
    case 'killed':
      return `was ended by ${end.signal}`;
    case 'unstarted':
      return `could not be started: ${end.message}`;
  }
}

/** Keeps standard error open, as a background program does. */
async function fork(command: string): Promise<void> {
  await start('sh -c "$0" &', command);
}

/** Whether the file was missing; creates it, even when the rest of the directive never returns. */
function isFirst(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

await main();
