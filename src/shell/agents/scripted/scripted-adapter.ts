// The scripted agent: free of cost, it follows its prompt exactly. It drives the demo and tests.
//
// scripted-adapter/G1. A turn is finished only when the program's last line says so and it exits with 0.
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Json } from '../../../core/plan/plan.ts';
import type { Spend } from '../../../core/protocol/result.ts';
import type { Adapter, TurnEnding, TurnEvent, TurnReader, Verdict } from '../../ports/agents.ts';
import { namedEnvironment } from '../turn/agent-environment.ts';
import { objectAt, oneLine } from '../turn/fields.ts';
import { permissionIn, questionFor, rulesOf } from '../turn/permission.ts';
import { isRejection } from '../turn/provider-error.ts';
import { NO_TOTAL, UNKNOWN_TOTAL } from '../turn/turn-reader.ts';
import { FAIL_REASONS, type ScriptedMessage } from './scripted-message.ts';

export const scriptedAdapter: Adapter = {
  launch: (request) => {
    const { prompt, agent, environment, conversation } = request;
    const rules = JSON.stringify(rulesOf(request));
    const named = namedEnvironment(agent.env, environment);
    return {
      program: process.execPath,
      args: [programFile(), rules, ...(conversation === undefined ? [] : [conversation.mode, conversation.id])],
      input: prompt,
      environment: { ...environment, ...(named.type === 'named' ? named.environment : {}) },
    };
  },
  reader: readTurn,
  conversations: { forks: true, folder: 'any' },
};

/** Beside this file and of its kind: TypeScript in the repository, JavaScript in the build. */
function programFile(): string {
  const here = fileURLToPath(import.meta.url);
  return fileURLToPath(new URL(`scripted-program${extname(here)}`, import.meta.url));
}

type End = Extract<ScriptedMessage, { type: 'result' | 'limited' | 'asked' }>;

function readTurn(): TurnReader {
  let end: End | undefined;
  let conversation: string | undefined;
  let spend: Spend = UNKNOWN_TOTAL.spend;
  let hasWorked = false;
  let isRejected = false;
  return {
    line: (line) => {
      const message = messageIn(line);
      if (message?.type === 'spent') spend = { usd: message.usd, tokens: message.tokens };
      if (message?.type === 'using' || message?.type === 'text') hasWorked = true;
      if (message?.type === 'result' || message?.type === 'limited' || message?.type === 'asked') end = message;
      if (message?.type === 'conversation') conversation = message.id;
      return message === undefined ? [{ type: 'text', text: line }] : turnEvents(message);
    },
    stderr: () => [],
    verdict: (ending) => {
      const verdict = verdictOf(ending, end);
      // The rest of a script that crashed is unknown, so its conversation is not continued.
      if (verdict.type === 'failed' && verdict.reason === 'crashed') conversation = undefined;
      isRejected = isRejection(verdict) && !hasWorked && spend === UNKNOWN_TOTAL.spend;
      return verdict;
    },
    total: () => (isRejected ? NO_TOTAL : { spend, usage: undefined, isPartial: false }),
    conversation: () => (conversation === undefined ? undefined : { id: conversation, reading: undefined }),
  };
}

function turnEvents(message: ScriptedMessage): readonly TurnEvent[] {
  switch (message.type) {
    case 'text':
      return [{ type: 'text', text: message.text }];
    case 'spent':
      return [{ type: 'spent', spend: { usd: message.usd, tokens: message.tokens }, usage: undefined }];
    case 'using':
      return [
        { type: 'text', text: `$ ${message.command}` },
        { type: 'tool.called', id: message.command, tool: 'run', about: message.command },
      ];
    case 'tool':
      return [{ type: 'tool.ended', id: message.command, ok: message.exitCode === 0 }];
    case 'conversation':
      return [{ type: 'conversation', id: message.id }];
    case 'asked':
      return [{ type: 'asked', question: message.question, permission: message.permission }];
    case 'permission':
      return [message];
    case 'result':
    case 'limited':
      return [];
  }
}

function verdictOf({ exit, hasChanges }: TurnEnding, end: End | undefined): Verdict {
  const { code, signal } = exit;
  const lost = { type: 'failed', isFinal: false } as const;
  if (signal !== undefined) return { ...lost, reason: 'crashed', message: `The agent was ended by ${signal}.` };
  if (end?.type === 'limited')
    return { type: 'limited', by: end.by, until: end.until, message: 'The account may not ask more.' };
  if (end?.type === 'asked') return { ...lost, reason: 'asked', message: `The agent asks: ${end.question}` };
  if (end?.ok === false) {
    const { reason, message, isFinal } = end;
    return { type: 'failed', reason, isFinal, message: message === '' ? 'The agent said that it failed.' : message };
  }
  if (code !== 0) return { ...lost, reason: 'failed', message: `The agent exited with ${code ?? 'no code'}.` };
  if (end === undefined)
    return { ...lost, reason: 'crashed', message: 'The agent stopped before it said how its turn ended.' };
  const { response, output } = end;
  const result = { ok: true, response, output, exitCode: code, commit: undefined };
  return { type: 'finished', result, hasChanges };
}

/** Parses a line of the program; a tool may have printed anything in between. */
function messageIn(line: string): ScriptedMessage | undefined {
  const object = objectIn(line);
  const text = (name: string): string => (typeof object?.[name] === 'string' ? object[name] : '');
  const amount = (name: string): number | undefined => (isAmount(object?.[name]) ? object[name] : undefined);
  switch (object?.['type']) {
    case 'text':
      return { type: 'text', text: text('text') };
    case 'using':
      return { type: 'using', command: text('command') };
    case 'tool':
      return { type: 'tool', command: text('command'), exitCode: amount('exitCode') };
    case 'spent':
      return { type: 'spent', usd: amount('usd'), tokens: amount('tokens') };
    case 'limited':
      return { type: 'limited', until: amount('until'), by: object['by'] === 'rate_limit' ? 'rate_limit' : 'quota' };
    case 'conversation':
      return { type: 'conversation', id: text('id') };
    case 'asked': {
      const permission = permissionIn(objectAt(object, 'permission'));
      const question = permission === undefined ? text('question') : questionFor(permission);
      return { type: 'asked', question, permission };
    }
    case 'permission':
      return { type: 'permission', tool: oneLine(text('tool')), isAllowed: object['isAllowed'] === true };
    case 'result': {
      // A value read as JSON is JSON.
      const output = object['output'] as Json | undefined;
      if (object['ok'] === true) return { type: 'result', ok: true, response: text('response'), output };
      const reason = FAIL_REASONS.find((each) => each === object['reason']) ?? 'failed';
      return { type: 'result', ok: false, reason, message: text('message'), isFinal: object['isFinal'] === true };
    }
    default:
      return undefined;
  }
}

const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

function objectIn(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    // A text that begins with a brace and is JSON is an object.
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
