// What holds for every kind of agent, through the real worker, with the real program, against the stand-in models.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Conversation } from '../../src/core/protocol/assignment.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { CARRIED_KINDS } from '../../src/core/protocol/placement.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../src/shell/host/attempt-folder.ts';
import { skipUnless, type Need } from '../needs.given.ts';
import {
  carriedOut,
  outcomeIn,
  outputIn,
  testInWorld,
  type GivenWork,
  type World,
} from '../../src/shell/host/worker/worker.given.ts';
import { until } from '../../src/shell/host/host.given.ts';
import { USAGE } from '../models/dialects/dialect.ts';
import { startModels, type Models } from '../models/start-models.ts';
import { KEY, type GivenKind } from './kinds.given.ts';
import { fetched, pathWithAgents } from './programs.given.ts';

/** Of one request and its answer; what came from the cache is counted apart. */
const PER_ANSWER = USAGE.input + USAGE.output;
const LONG_ANSWER = 10_000_000;
const SECRET = 'nobody-shall-read-this-42';

export function agentContract(kind: GivenKind, ...needs: readonly Need[]): void {
  const name = kind.use === kind.program ? kind.use : `${kind.program} by ${kind.use}`;
  // Most of the time is spent waiting for programs that wait.
  describe.concurrent(name, () => {
    skipUnless(...needs, ...(kind.isOurs === true ? [] : [fetched(kind.program)]));
    const ground = openGround(kind);
    worksAndRemembers(ground);
    movesWithConversations(ground);
    carriesConversations(ground);
    asksPeople(ground);
    keepsToShapes(ground);
    tellsTroublesApart(ground);
    endsAndHides(ground);
    keepsPermissions(ground);
  });
}

interface Ground {
  readonly kind: GivenKind;
  readonly given: (prompt: string, more?: Partial<GivenWork>) => GivenWork;
  readonly take: (world: World, prompt: string, more?: Partial<GivenWork>) => ReturnType<typeof carriedOut>;
  readonly tokens: (answers: number) => { readonly tokens?: number };
  readonly models: () => Models;
  /** The environment of the program where it has this home folder. */
  readonly settledIn: (home: string) => Readonly<Record<string, string>>;
}

/** The stand-in models and a home folder for all tests of a kind, and how a turn is taken there. */
function openGround(kind: GivenKind): Ground {
  let models: Models;
  let home: string;
  let surroundings: Readonly<Record<string, string>>;
  const settledIn = (folder: string): Readonly<Record<string, string>> => ({
    PATH: pathWithAgents(),
    HOME: folder,
    // Some unpack libraries there at every start, and leave them.
    TMPDIR: folder,
    LANG: 'C.UTF-8',
    OTHER_SECRET: SECRET,
    ...kind.settle({ home: folder, url: models.url }),
  });
  beforeAll(async () => {
    models = await startModels();
    home = mkdtempSync(join(tmpdir(), `heddle-agent-${kind.use}-`));
    surroundings = settledIn(home);
  });
  afterAll(async () => {
    await models.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const given = (prompt: string, more: Partial<GivenWork> = {}): GivenWork => ({
    prompt,
    use: kind.use,
    agent: kind.agent ?? {},
    surroundings,
    // Some ask their provider again for long before they say that it was cut off.
    timeoutMs: 85_000,
    ...more,
  });
  // Some make their home ready at their first turn, and cannot make it ready twice at once.
  let first: Promise<unknown> | undefined;
  const take = async (world: World, prompt: string, more: Partial<GivenWork> = {}) => {
    const cwd = join(world.home, 'project');
    mkdirSync(cwd, { recursive: true });
    if (first !== undefined) await first.catch(() => undefined);
    const taken = carriedOut(world, given(prompt, { cwd, ...more }));
    first ??= taken;
    return taken;
  };
  const tokens = (answers: number) => (kind.countsTokens === false ? {} : { tokens: answers * PER_ANSWER });
  return { kind, given, take, tokens, models: () => models, settledIn };
}

function worksAndRemembers({ kind, take, tokens }: Ground): void {
  testInWorld('edits, runs, answers and says what it used', async ({ world }) => {
    const { outcome, folder } = await take(world, 'Do it.\n@write a.txt hello\n@run cat a.txt > b.txt\n@say All done.');
    expect(outcome, outputIn(folder).toString()).toMatchObject({
      type: 'finished',
      work: 'step',
      result: { ok: true, response: 'All done.' },
      spend: tokens(3),
    });
    expect(readFileSync(join(world.home, 'project', 'b.txt'), 'utf8')).toBe('hello\n');
    expect(usdOf(outcome) !== undefined).toBe(kind.isPriced);
    expect(outputIn(folder).toString()).toContain('All done.');
  });

  testInWorld('gives an answer of megabytes, of which the end is kept', async ({ world }) => {
    const { outcome } = await take(world, `Tell me all.\n@long ${kind.longAnswer ?? LONG_ANSWER}`);
    expect(outcome).toMatchObject({ type: 'finished', result: { response: expect.stringMatching(/ \d+\.$/) } });
    expect('result' in outcome ? outcome.result?.response?.length : 0).toBe(100_000);
  });

  testInWorld(
    'branches off a conversation where it can, goes on with it, and counts each turn alone',
    async ({ world }) => {
      const first = await take(world, 'Begin.\n@say One.');
      const begun = conversationIn(first.folder);
      const answer = (times: number) => ({
        type: 'finished',
        work: 'step',
        result: { response: `I was asked ${times} times.` },
      });
      const fork = await take(world, 'Branch off.\n@count', { conversation: { ...begun, mode: 'fork' } });
      expect(fork.outcome).toMatchObject(answer(kind.forks === false ? 1 : 2));
      if (kind.forks !== false) {
        expect(fork.outcome).toMatchObject({ spend: tokens(1) });
        expect(conversationIn(fork.folder).id).not.toBe(begun.id);
        expect(usdOf(fork.outcome)).toBe(usdOf(first.outcome));
      }
      // What a branch has added is not in the conversation that it has left.
      const second = await take(world, 'Go on.\n@count', { conversation: { ...begun, mode: 'continue' } });
      if (kind.mayForget === true && second.outcome.type === 'failed') {
        expect(second.outcome).toMatchObject({ reason: 'failed' });
        return;
      }
      expect(second.outcome).toMatchObject({ ...answer(2), spend: tokens(1) });
      expect(usdOf(second.outcome)).toBe(usdOf(first.outcome));
    },
  );
}

function movesWithConversations({ kind, take, tokens }: Ground): void {
  if (kind.moves !== true) return;
  testInWorld(
    'in another folder it branches off and goes on with a conversation, as later tasks do',
    async ({ world }) => {
      const first = await take(world, 'Begin.\n@write here.txt one\n@say One.');
      const begun = conversationIn(first.folder);
      for (const mode of ['fork', 'continue'] as const) {
        const cwd = join(world.home, mode);
        mkdirSync(cwd);
        const conversation = { ...begun, mode };
        const second = await take(world, 'Go on.\n@run touch there.txt\n@count', { conversation, cwd });
        expect(second.outcome, outputIn(second.folder).toString()).toMatchObject({
          type: 'finished',
          result: { response: 'I was asked 2 times.' },
          spend: tokens(2),
        });
        const there = [mode, 'project'].map((name) => existsSync(join(world.home, name, 'there.txt')));
        expect(there).toEqual([true, false]);
      }
    },
  );
}

function carriesConversations({ kind, take, tokens, settledIn }: Ground): void {
  testInWorld(
    'on another machine it goes on with and branches off a conversation that was carried there',
    async ({ world }) => {
      const first = await take(world, `Begin.\n@run echo ${KEY} > said.txt\n@say One.`, { isForOthers: true });
      const kept = join(first.folder, ATTEMPT_FILES.conversation);
      expect(existsSync(kept)).toBe(CARRIED_KINDS.includes(kind.use));
      if (!existsSync(kept)) return;
      expect(carriedIn(kept)).not.toContain(KEY);
      // The other machine has the files of the attempt and, each time, a home of its own, in which the program has never run.
      const carried = first.assign.assignment.claim;
      const folder = attemptFolder(world.home, first.assign.run, carried);
      mkdirSync(folder, { recursive: true });
      copyFileSync(kept, join(folder, ATTEMPT_FILES.conversation));
      for (const mode of ['continue', 'fork'] as const) {
        const cwd = join(world.home, mode, 'other');
        const home = join(world.home, mode, 'other-home');
        for (const each of [cwd, home]) mkdirSync(each, { recursive: true });
        const second = await take(world, 'Go on.\n@run touch there.txt\n@count', {
          conversation: { ...conversationIn(first.folder), mode, carried },
          surroundings: settledIn(home),
          cwd,
        });
        expect(second.outcome, outputIn(second.folder).toString()).toMatchObject({
          type: 'finished',
          result: { response: 'I was asked 2 times.' },
          spend: tokens(2),
        });
        expect(existsSync(join(cwd, 'there.txt'))).toBe(true);
      }
    },
  );
}

/** All that is said in the files of a conversation. */
function carriedIn(file: string): string {
  // The worker has written it, in its own form.
  const { files } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly files: readonly { readonly base64: string }[];
  };
  return files.map(({ base64 }) => Buffer.from(base64, 'base64').toString()).join('\n');
}

const COLOUR = { label: 'red', description: 'like a rose' };
const BLUE = { label: 'blue', description: 'like the sea' };
const QUESTION = { question: 'Which colour?', header: 'Colour', multiSelect: false, options: [COLOUR, BLUE] };

function asksPeople({ kind, take }: Ground): void {
  if (kind.asksBy === undefined) return;
  testInWorld('asks a question whatever it is permitted, and goes on with the answer', async ({ world }) => {
    const call = `@call ${kind.asksBy} ${JSON.stringify({ questions: [QUESTION] })}`;
    const first = await take(world, `Paint it.\n${call}\n@say Never.`);
    expect(first.outcome, outputIn(first.folder).toString()).toMatchObject({
      type: 'asked',
      question: 'Which colour? (red, blue)',
    });
    const conversation = { ...conversationIn(first.folder), mode: 'continue' } as const;
    const second = await take(world, 'Red.\n@say Done.', { conversation });
    expect(second.outcome).toMatchObject({ type: 'finished', result: { response: 'Done.' } });
  });
}

const SHAPE = {
  type: 'object',
  properties: { n: { type: 'integer' } },
  required: ['n'],
  additionalProperties: false,
};

function keepsToShapes({ kind, take, models }: Ground): void {
  testInWorld('answers with a value of the shape that is declared', async ({ world }) => {
    const { outcome } = await take(world, 'Think of a number.\n@value {"n":42}', { output: SHAPE });
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { output: { n: 42 } } });
    // What an agent asks besides, for a title say, goes without tools.
    const asked = models().requests.find(({ text, tools }) => tools.length > 0 && text.includes('Think of a number.'));
    expect(asked).toBeDefined();
    const isHeld = asked?.tools.includes('StructuredOutput') === true || asked?.text.includes('"json_schema"') === true;
    expect(isHeld).toBe(kind.holdsToShapes === true);
  });

  testInWorld('that answers with a value of another shape is told apart from one that failed', async ({ world }) => {
    const { outcome } = await take(world, 'Think of a word.\n@value {"n":"word"}\n@say No.', { output: SHAPE });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'output' });
  });
}

function tellsTroublesApart({ kind, take, given, models }: Ground): void {
  testInWorld.for([
    ['error 400', 'bad_request', true],
    ['error 400 context', 'context', true],
    ['error 401', 'authentication', true],
    ['error 500', 'overloaded', false],
    ['error 529', 'overloaded', false],
    ['overload', 'overloaded', false],
    ['cut', 'cut_off', false],
    ['refuse', 'refused', undefined],
    ['error 429', 'limited', undefined],
    ['error 429 quota reset=3600', 'limited', undefined],
  ] as const)('tells `%s` of its provider apart: %s', async ([trouble, reason, isFinal], { world }) => {
    const expected = [kind.differs?.[trouble] ?? reason].flat();
    const times = expected.includes('finished') ? ' times=1' : '';
    const { outcome } = await take(world, `Try.\n@${trouble}${times}\n@say ok`);
    const told = outcome.type === 'failed' ? outcome.reason : outcome.type;
    expect(expected, JSON.stringify(outcome)).toContain(told);
    if (told === reason && isFinal !== undefined) expect(outcome).toMatchObject({ isFinal });
    const isFree = trouble.startsWith('error') && !(kind.shortens === true && trouble.includes('context'));
    if (isFree && told === reason) expect(outcome).toMatchObject({ spend: { usd: 0, tokens: 0 } });
    // The whole cost of an answer that broke off is unknown.
    if (trouble === 'cut' && told === reason) expect(isKnown(outcome), JSON.stringify(outcome)).toBe(false);
  });

  testInWorld('that is ended in the middle of an answer does not say that it cost less', async ({ world }) => {
    const worker = world.worker();
    const cwd = join(world.home, 'project');
    mkdirSync(cwd);
    const asked = models().requests.length;
    const assign = world.assign(given('Do it.\n@stall mid', { cwd, graceMs: 5_000 }));
    worker.give(assign);
    await until('the request', () =>
      models()
        .requests.slice(asked)
        .some(({ text }) => text.includes('@stall mid')),
    );
    // What was answered by then takes a moment to be read.
    await setTimeout(SETTLING_MS);
    worker.stop(assign.assignment.claim, 5_000);
    const outcome = await worker.done(assign);
    expect(outcome).toMatchObject({ type: 'stopped' });
    expect(isKnown(outcome), JSON.stringify(outcome)).toBe(false);
  });
}

const SETTLING_MS = 500;

/** Whether the outcome says all that the turn cost. */
const isKnown = (outcome: WorkOutcome): boolean =>
  usdOf(outcome) !== undefined && 'isPartial' in outcome && outcome.isPartial !== true;

function endsAndHides({ take, given }: Ground): void {
  testInWorld('asks again by itself when its provider fails for a moment', async ({ world }) => {
    const { outcome } = await take(world, 'Try.\n@error 500 times=1\n@say ok');
    expect(outcome).toMatchObject({ type: 'finished', work: 'step', result: { response: 'ok' } });
  });

  testInWorld('that hears nothing of its provider is silent, and is ended', async ({ world }) => {
    const { outcome } = await take(world, 'Try.\n@stall', { idleTimeoutMs: 8_000 });
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'idle' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('ends with all that its tools have started', async ({ world }) => {
    const worker = world.worker();
    const cwd = join(world.home, 'project');
    mkdirSync(cwd);
    const tool = 'touch begun; setsid sleep 300 & sleep 300';
    const assign = world.assign(given(`Do it.\n@run ${tool}\n@say ok`, { cwd, graceMs: 2_000 }));
    worker.give(assign);
    await until('the tool', () => existsSync(join(cwd, 'begun')));
    worker.stop(assign.assignment.claim, 2_000);
    expect(await worker.done(assign)).toMatchObject({ type: 'stopped', work: 'step' });
    expect(world.living()).toEqual([]);
  });

  testInWorld('sees what it may of the environment, and what it prints of its key is not kept', async ({ world }) => {
    const { outcome, folder } = await take(world, 'Look.\n@run env > seen.txt; env\n@say ok');
    expect(outcome).toMatchObject({ type: 'finished', work: 'step' });
    const seen = readFileSync(join(world.home, 'project', 'seen.txt'), 'utf8');
    expect(seen).toContain(`HEDDLE_HOME=${world.home}`);
    expect(seen).not.toContain(SECRET);
    for (const name of ['output.log', 'transcript.log', 'turn.json'])
      expect(outputIn(folder, name).toString()).not.toContain(KEY);
    expect(JSON.stringify(outcomeIn(folder))).not.toContain(KEY);
  });
}

const NOBODY_DECIDED = { granted: [], refused: [] } as const;

function keepsPermissions({ kind, take }: Ground): void {
  const ran = (world: World): boolean => existsSync(join(world.home, 'project', 'ran.txt'));
  const DENY = { policy: 'deny', ...NOBODY_DECIDED } as const;
  const outside = '../outside.txt';

  testInWorld('is refused what the plan denies, or not started', async ({ world }) => {
    // A sandbox lets it work in its own folder, and nowhere else.
    const command = kind.permissions === 'sandbox' ? `touch ${outside}` : 'touch ran.txt';
    const { outcome } = await take(world, `Try.\n@run ${command}\n@say ok`, { permissions: DENY });
    expect([ran(world), existsSync(join(world.home, 'outside.txt'))]).toEqual([false, false]);
    if (kind.permissions !== 'none') return;
    expect(outcome).toMatchObject({ type: 'failed', work: 'step', reason: 'refused', isFinal: true });
  });

  if (kind.permissions === 'none' || kind.permissions === 'sandbox') return;
  testInWorld('may use what the plan lists', async ({ world }) => {
    const allow = ['Bash(touch *)'];
    const { outcome, folder } = await take(world, 'Try.\n@run touch ran.txt\n@say ok', { permissions: DENY, allow });
    expect(outcome, outputIn(folder).toString()).toMatchObject({ type: 'finished', work: 'step' });
    expect(ran(world)).toBe(true);
  });

  if (kind.permissions !== 'asks') return;
  testInWorld('asks a person, and does what is granted in the same conversation', async ({ world }) => {
    const gate = { policy: 'gate', ...NOBODY_DECIDED } as const;
    const first = await take(world, 'Try.\n@run touch ran.txt\n@say ok', { permissions: gate });
    expect(first.outcome, outputIn(first.folder).toString()).toMatchObject({
      type: 'asked',
      work: 'step',
      question: expect.stringMatching(/^Permission to use .*touch ran\.txt.*\?$/u),
      permission: { about: expect.stringContaining('touch ran.txt') },
    });
    expect(ran(world)).toBe(false);
    const key = first.outcome.type === 'asked' ? (first.outcome.permission?.key ?? '') : '';
    const conversation = { ...conversationIn(first.folder), mode: 'continue' } as const;
    const again = 'That is allowed.\n@run touch ran.txt\n@say Done.';
    const second = await take(world, again, { permissions: { ...gate, granted: [key] }, conversation });
    if (kind.mayForget === true && second.outcome.type === 'failed') return;
    const response = expect.stringMatching(kind.mayMerge === true ? /^(Done\.|ok)$/ : /^Done\.$/);
    expect(second.outcome, outputIn(second.folder).toString()).toMatchObject({ result: { response } });
    expect(ran(world)).toBe(true);
  });
}

const usdOf = (outcome: WorkOutcome): number | undefined => ('spend' in outcome ? outcome.spend.usd : undefined);

function conversationIn(folder: string): Omit<Conversation, 'mode'> {
  // The worker has written it, in its own form.
  const note = JSON.parse(outputIn(folder, 'turn.json').toString()) as { conversation?: Omit<Conversation, 'mode'> };
  if (note.conversation === undefined) throw new Error('The turn has named no conversation.');
  return note.conversation;
}
