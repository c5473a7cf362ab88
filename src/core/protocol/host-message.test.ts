import { describe, expect, test } from 'vitest';
import { isObject } from '../plan/json-fields.ts';
import type { Agent, SandboxPlan } from '../plan/plan.ts';
import type { Assignment, ClaimRef, SandboxSource } from './assignment.ts';
import {
  HOST_BYTES_MAX,
  HOST_PROTOCOL,
  readHostMessage,
  readHostMessageReply,
  readHostRefusal,
  TAIL_BYTES_MAX,
  withTimes,
  type HostMessage,
  type HostMessageReply,
  type HostRefusal,
} from './host-message.ts';
import { JSON_DEPTH_MAX } from './json-depth.ts';
import type { WorkOutcome } from './work-outcome.ts';

const claim: ClaimRef = { work: 'step', task: 'web.api', step: 'main', attempt: 2 };
const check: ClaimRef = { work: 'check', task: 'web.api', step: undefined, attempt: 1 };
const spend = { usd: 0.5, tokens: undefined };
const BASE = 'a'.repeat(40);
const result = { ok: true, response: 'fine', output: { list: [1] }, exitCode: 0, commit: BASE };

const message: HostMessage = {
  protocol: HOST_PROTOCOL,
  version: '1.2.3',
  instance: 'b4c1',
  number: 7,
  labels: ['gpu'],
  agents: ['claude'],
  width: 8,
  isDraining: false,
  isLeaving: false,
  room: { diskBytes: 1, memoryBytes: 2 },
  at: 3,
  runs: [
    {
      run: 'checkout-flow-3',
      done: [{ type: 'finished', ...check, spend, isPartial: undefined, conversation: undefined, result }],
      held: [{ claim, spend }],
      warm: [BASE],
    },
  ],
  tails: [{ run: 'checkout-flow-3', claim, from: 10, text: 'ok\n' }],
};

const agent: Agent = {
  name: 'coder',
  use: 'claude',
  model: undefined,
  pool: undefined,
  args: [],
  command: undefined,
  env: [{ name: 'KEY', value: undefined }],
  reserve: { usd: 1, tokens: undefined },
};
const settings: SandboxPlan = {
  include: [],
  setup: undefined,
  link: [],
  ports: 0,
  tree: 'auto',
  isolation: 'none',
  network: ['*.example.com'],
  limits: { disk: 1, memory: undefined, processes: 2 },
};
const sandbox: SandboxSource = {
  base: BASE,
  needs: [BASE],
  from: undefined,
  onto: BASE,
  settings,
  isClean: true,
  take: [{ files: '*.md', side: 'union' }],
  life: 1,
  at: 4,
};
const assignment: Assignment = {
  claim,
  work: {
    type: 'turn',
    agent,
    prompt: 'Write it.',
    conversation: { id: 'c', mode: 'fork', task: 'other', reading: { input: 1, cached: 2, output: 3, usd: undefined } },
    allow: ['Bash'],
    permissions: { policy: 'gate', granted: ['k'], refused: [] },
    ceilingUsd: 2,
    isReadOnly: true,
  },
  limits: { timeoutMs: 1, idleTimeoutMs: 2 },
  output: { type: 'object' },
  sandbox,
  traceParent: `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`,
};
const command: Assignment = {
  claim: check,
  work: { type: 'command', command: 'make', environment: { NAME: 'value' } },
  limits: assignment.limits,
  output: undefined,
  sandbox: undefined,
};
const reply: HostMessageReply = {
  protocol: HOST_PROTOCOL,
  number: 7,
  runs: [{ run: 'checkout-flow-3', reply: { number: 7, start: [assignment, command], cancel: [claim] } }],
  heard: [{ run: 'checkout-flow-3', uncertainMs: 40 }],
  over: ['docs-1'],
  asks: [{ run: 'checkout-flow-3', claim, name: 'output' }],
};

const written = (value: unknown): string => JSON.stringify(value);

/** The value with one field of it changed, wherever that is. */
const changed = (value: unknown, [name, ...path]: readonly string[], to: unknown): unknown => {
  if (name === undefined) return to;
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === name ? changed(each, path, to) : each));
  return isObject(value) ? { ...value, [name]: changed(value[name], path, to) } : value;
};

describe('a message of a host', () => {
  test('comes over the wire as it was', () => {
    expect(readHostMessage(written(message))).toEqual({ type: 'message', message });
    const unknown = { ...message, agents: undefined, runs: [], tails: [] };
    expect(readHostMessage(written(unknown))).toEqual({ type: 'message', message: unknown });
  });

  test('of another protocol is told from one that is malformed, whatever else is in it (host-message/M1)', () => {
    const later = { protocol: HOST_PROTOCOL + 1, claims: 'in another form' };
    expect(readHostMessage(written(later))).toEqual({ type: 'protocol', protocol: HOST_PROTOCOL + 1 });
    expect(readHostMessage('{}')).toEqual({ type: 'protocol', protocol: undefined });
    expect(readHostMessage('{"protocol":"1"}')).toEqual({ type: 'protocol', protocol: undefined });
  });

  test('is refused whole when a part of it is wrong (host-message/M2)', () => {
    const wrong: readonly (readonly [readonly string[], unknown])[] = [
      [['number'], -1],
      [['number'], 1.5],
      [['width'], '8'],
      [['isDraining'], undefined],
      [['instance'], 'a\nb'],
      [['labels'], ['a'.repeat(65)]],
      [['labels'], ['gpu;rm']],
      [['agents'], ['a'.repeat(201)]],
      [['labels'], Array.from({ length: 17 }, () => 'a')],
      [['room', 'diskBytes'], null],
      [['runs'], {}],
      [['runs', '0', 'run'], '../other'],
      [['runs', '0', 'warm'], ['HEAD']],
      [['runs', '0', 'held', '0', 'claim', 'task'], '../../etc'],
      [['runs', '0', 'held', '0', 'claim', 'attempt'], 0.5],
      [['runs', '0', 'held', '0', 'spend'], { usd: -1 }],
      [['runs', '0', 'done', '0', 'type'], 'conflict'],
      [['runs', '0', 'done', '0', 'step'], 'a/b'],
      [['runs', '0', 'done', '0', 'result'], undefined],
      [['tails', '0', 'text'], 'a'.repeat(TAIL_BYTES_MAX + 1)],
      [['tails', '0', 'from'], -1],
    ];
    for (const [path, to] of wrong)
      expect(readHostMessage(written(changed(message, path, to))), path.join('.')).toEqual({ type: 'malformed' });
    const deep = `{"protocol":${HOST_PROTOCOL},"runs":${'['.repeat(JSON_DEPTH_MAX + 1)}${']'.repeat(JSON_DEPTH_MAX + 1)}}`;
    for (const text of ['', 'null', '[]', '{"protocol":1', deep])
      expect(readHostMessage(text), text.slice(0, 20)).toEqual({ type: 'malformed' });
  });

  test('is refused unread when it is larger than any', () => {
    expect(readHostMessage(' '.repeat(HOST_BYTES_MAX + 1))).toEqual({ type: 'too-large', bytesMax: HOST_BYTES_MAX });
  });
});

describe('a reply of the server', () => {
  test('comes over the wire as it was, with every field of its assignments', () => {
    expect(readHostMessageReply(written(reply))).toEqual({ type: 'message', message: reply });
  });

  test('of another protocol is not read (host-message/M1)', () => {
    expect(readHostMessageReply(written({ ...reply, protocol: 9 }))).toEqual({ type: 'protocol', protocol: 9 });
  });

  test('cannot lead a host out of its folders (assignment/A1)', () => {
    const names = ['..', '.', '.git', '/tmp', 'a/b', 'a\\b', 'a\0b', 'a..b', '', 'a'.repeat(1_001)];
    const ofRun = (run: string): unknown => changed(reply, ['runs', '0', 'run'], run);
    const ofTask = (task: string): unknown =>
      changed(reply, ['runs', '0', 'reply', 'start', '0', 'claim', 'task'], task);
    const ofStep = (step: string): unknown => changed(reply, ['runs', '0', 'reply', 'cancel', '0', 'step'], step);
    const wrong = [...names.flatMap((name) => [ofRun(name), ofTask(name), ofStep(name)]), { ...reply, over: ['..'] }];
    for (const value of wrong)
      expect(readHostMessageReply(written(value)), written(value)).toEqual({ type: 'malformed' });
  });

  test('gives no merge to another machine, and no commit that is not one', () => {
    const start = ['runs', '0', 'reply', 'start', '0'];
    const merge = { type: 'merge', tip: BASE, base: BASE, at: 1, intent: '', answer: '', agents: [], take: [] };
    const wrong = [
      changed(reply, [...start, 'work'], { ...merge, checks: [], checksOfDone: {}, hasConflicted: false }),
      changed(reply, [...start, 'sandbox', 'base'], '--upload-pack=touch'),
      changed(reply, [...start, 'sandbox', 'from'], 'main'),
      changed(reply, [...start, 'traceParent'], '00-1-2-01'),
      changed(reply, [...start.slice(0, -1), '1', 'work', 'environment'], { NAME: 1 }),
      changed(reply, [...start.slice(0, -1), '1', 'work', 'environment'], []),
    ];
    for (const value of wrong) expect(readHostMessageReply(written(value))).toEqual({ type: 'malformed' });
  });
});

test('a refusal comes over the wire as it was, and the error of another program is none', () => {
  const refusals: readonly HostRefusal[] = [
    { type: 'token', why: 'expired' },
    { type: 'protocol', protocol: 2, version: '2.0.0' },
    { type: 'name-taken', host: 'gpu-1' },
    { type: 'malformed' },
    { type: 'too-large', bytesMax: 1 },
    { type: 'not-held' },
  ];
  for (const refusal of refusals) expect(readHostRefusal(written(refusal))).toEqual(refusal);
  for (const text of ['<html>', '{}', '{"type":"token","why":"mood"}']) expect(readHostRefusal(text)).toBeUndefined();
});

test('the end of a limit counts by a clock that is about right, and not by one that is an hour off', () => {
  const of = { work: 'step', task: 'a', step: 'main', attempt: 1, spend: { usd: 0, tokens: 0 } } as const;
  const limited: WorkOutcome = { type: 'limited', ...of, pool: undefined, until: 7_200_000 };
  const untilBy = (aheadMs: number): unknown =>
    withTimes([{ run: 'r', done: [limited], held: [], warm: [] }], aheadMs)[0]?.done;
  expect(untilBy(60_000)).toEqual([limited]);
  for (const hour of [3_600_000, -3_600_000]) expect(untilBy(hour)).toEqual([{ ...limited, until: undefined }]);
});
