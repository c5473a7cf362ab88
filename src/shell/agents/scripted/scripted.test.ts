import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { isAlive, startTimeOf } from '../../exec/process.ts';
import { beginTurn, emptyFolder, scriptedVerdictOn } from './scripted-turn.given.ts';
import { PATIENCE_MS } from '../../../../test/patience.given.ts';

const PATIENT = { timeout: PATIENCE_MS, interval: 20 };

describe('a turn that goes well', () => {
  test('of prose alone does nothing and is done', async () => {
    expect(await scriptedVerdictOn('Please be nice.\n  @write is prose when it does not begin the line')).toEqual({
      type: 'finished',
      result: { ok: true, response: 'Done.', output: undefined, exitCode: 0, commit: undefined },
    });
  });

  test('writes, appends and deletes files in the request of its lines', async () => {
    const folder = emptyFolder();
    await scriptedVerdictOn(
      '@write deep/in/a.txt one\\ntwo\n@append deep/in/a.txt \\nC:\\\\new\n@write b x\n@delete b',
      folder,
    );
    expect(readFileSync(join(folder, 'deep/in/a.txt'), 'utf8')).toBe('one\ntwo\nC:\\new');
    expect(existsSync(join(folder, 'b'))).toBe(false);
  });

  test('answers from a file, turn by turn of its conversation, and repeats the last', async () => {
    const folder = emptyFolder();
    writeFileSync(join(folder, 'answers.txt'), 'one\n@@@\ntwo\n');
    const answerAfter = async (id: string | undefined): Promise<unknown> => {
      const conversation = id === undefined ? undefined : ({ id, mode: 'continue', reading: undefined } as const);
      const verdict = await beginTurn('@next answers.txt and some words', folder, { conversation }).verdict;
      return verdict.type === 'finished' ? verdict.result.response : verdict;
    };
    expect(await answerAfter(undefined)).toBe('one\n');
    expect(await answerAfter('a/b#1')).toBe('two\n');
    expect(await answerAfter('a/b#1 + b#2')).toBe('two\n');
    expect(await scriptedVerdictOn('@next nowhere.txt')).toMatchObject({ type: 'failed', reason: 'failed' });
    expect(await scriptedVerdictOn('@next')).toMatchObject({ type: 'failed', reason: 'refused' });
  });

  test('says its last response and its structured output', async () => {
    const turn = beginTurn('@say first\n@say It is\\ndone.\n@output {"files": ["a", null]}');
    expect(await turn.verdict).toMatchObject({
      type: 'finished',
      result: { response: 'It is\ndone.', output: { files: ['a', null] } },
    });
    expect(turn.events).toContainEqual({ type: 'text', text: 'first' });
  });

  test('says at once what it has spent in all, and nothing of a part it never mentioned', async () => {
    const turn = beginTurn('@spend usd=0.10\n@spend usd=0.20 tokens=500\n@hang');
    await vi.waitFor(() => expect(turn.events).toHaveLength(2), PATIENT);
    expect(turn.events).toEqual([
      { type: 'spent', spend: { usd: 0.1, tokens: undefined } },
      { type: 'spent', spend: { usd: 0.3, tokens: 500 } },
    ]);
  });

  test('prints as many lines as it is told to', async () => {
    const turn = beginTurn('@print 20000');
    expect(await turn.verdict).toMatchObject({ type: 'finished' });
    expect(turn.events).toHaveLength(20_000);
    expect(turn.events.at(-1)).toEqual({ type: 'text', text: 'line 20000' });
  });

  test('sleeps and goes on', async () => {
    expect(await scriptedVerdictOn('@sleep 1ms\n@say awake')).toMatchObject({ result: { response: 'awake' } });
  });
});

describe('tools of a turn', () => {
  test('run in its folder and print beside its output', async () => {
    const folder = emptyFolder();
    const turn = beginTurn('@run echo "from a tool"; echo "{" ; pwd > where', folder);
    expect(await turn.verdict).toMatchObject({ type: 'finished' });
    expect(turn.errors()).toBe('from a tool\n{\n');
    expect(existsSync(join(folder, 'where'))).toBe(true);
  });

  test('that fail end the turn with a sentence', async () => {
    expect(await scriptedVerdictOn('@run exit 3\n@say never')).toEqual({
      type: 'failed',
      reason: 'failed',
      isFinal: false,
      message: 'The command `exit 3` ended with 3.',
    });
  });

  test('stay behind when forked, in the same process group', async () => {
    const folder = emptyFolder();
    const turn = beginTurn('@fork echo $$ > pid; ps -o pgid= -p $$ > group; touch ready; exec sleep 600', folder);
    expect(await turn.verdict).toMatchObject({ type: 'finished' });
    await vi.waitFor(() => expect(existsSync(join(folder, 'ready'))).toBe(true), PATIENT);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(startTimeOf(pid)).toBeDefined();
    expect(Number(readFileSync(join(folder, 'group'), 'utf8'))).toBe(turn.child.pid);
  });
});

describe('a command that it asks leave for', () => {
  const GATE = { policy: 'gate', granted: [], refused: [] } as const;
  const begun = (more: Parameters<typeof beginTurn>[2], folder: string) =>
    beginTurn('@use touch made\n@say after', folder, more);

  test('is run where nobody has a say in it, and where the plan lists it', async () => {
    for (const more of [{}, { permissions: GATE, allow: ['Bash(touch *)'] }]) {
      const folder = emptyFolder();
      const turn = begun(more, folder);
      expect(await turn.verdict).toMatchObject({ result: { response: 'after' } });
      expect(turn.events[0]).toEqual({ type: 'permission', tool: 'run: touch made', isAllowed: true });
      expect(existsSync(join(folder, 'made'))).toBe(true);
    }
  });

  test('is left out where the plan denies it, and the turn goes on', async () => {
    const folder = emptyFolder();
    const turn = begun({ permissions: { ...GATE, policy: 'deny' } }, folder);
    expect(await turn.verdict).toMatchObject({ result: { response: 'after' } });
    expect(turn.events[0]).toEqual({ type: 'permission', tool: 'run: touch made', isAllowed: false });
    expect(existsSync(join(folder, 'made'))).toBe(false);
  });

  test('ends the turn where a person decides, and is run once they have granted it', async () => {
    const folder = emptyFolder();
    const turn = begun({ permissions: GATE }, folder);
    expect(await turn.verdict).toMatchObject({ reason: 'asked', message: expect.stringContaining('run: touch made?') });
    const [asked] = turn.events;
    const key = asked?.type === 'asked' ? (asked.permission?.key ?? '') : '';
    expect(existsSync(join(folder, 'made'))).toBe(false);
    await begun({ permissions: { ...GATE, granted: [key] } }, folder).verdict;
    expect(existsSync(join(folder, 'made'))).toBe(true);
  });
});

describe('a turn that goes wrong', () => {
  test.each([
    ['@fail No idea.', { reason: 'failed', isFinal: false, message: 'No idea.' }],
    ['@fail asked Which one?', { reason: 'asked', isFinal: false, message: 'Which one?' }],
    ['@fail refused', { reason: 'refused', isFinal: true, message: 'The agent said that it failed.' }],
    ['@exit 7', { reason: 'failed', isFinal: false, message: 'The agent exited with 7.' }],
    ['@exit 0', { reason: 'crashed', message: 'The agent stopped before it said how its turn ended.' }],
    ['@signal SIGKILL', { reason: 'crashed', message: 'The agent was ended by SIGKILL.' }],
    ['@signal SIGTERM', { reason: 'crashed', message: 'The agent was ended by SIGTERM.' }],
    ['@write /dev/null/a x', { reason: 'failed', message: expect.stringContaining('@write could not be done:') }],
  ])('by `%s` has failed', async (prompt, verdict) => {
    expect(await scriptedVerdictOn(`@say before\n${prompt}\n@say after`)).toMatchObject({ type: 'failed', ...verdict });
  });

  test('by its quota is limited until then', async () => {
    const before = Date.now();
    const verdict = await scriptedVerdictOn('@quota 2s');
    expect(verdict).toMatchObject({ type: 'limited', by: 'quota' });
    const until = verdict.type === 'limited' ? (verdict.until ?? 0) : 0;
    expect(until >= before + 2000 && until <= Date.now() + 2000).toBe(true);
  });

  test('once only fails the first time', async () => {
    const folder = emptyFolder();
    const prompt = '@once state/failed @signal SIGKILL\n@once state/other say twice';
    expect(await scriptedVerdictOn(prompt, folder)).toMatchObject({ type: 'failed', reason: 'crashed' });
    expect(await scriptedVerdictOn(prompt, folder)).toMatchObject({ result: { response: 'twice' } });
    expect(await scriptedVerdictOn(prompt, folder)).toMatchObject({ result: { response: 'Done.' } });
  });

  test('by hanging is silent until it is killed, and can ignore being asked', async () => {
    const turn = beginTurn('@ignore SIGTERM\n@say deaf\n@hang');
    await vi.waitFor(() => expect(turn.events).toEqual([{ type: 'text', text: 'deaf' }]), PATIENT);
    const { pid } = turn.child;
    const startedAt = pid === undefined ? undefined : startTimeOf(pid);
    if (pid === undefined || startedAt === undefined) throw new Error('It has not started.');
    process.kill(pid, 'SIGTERM');
    process.kill(pid, 'SIGTERM');
    expect(isAlive({ pid, startedAt })).toBe(true);
    process.kill(pid, 'SIGKILL');
    expect(await turn.verdict).toMatchObject({ reason: 'crashed', message: 'The agent was ended by SIGKILL.' });
  });

  test('by a mistake in its script does none of it and says where', async () => {
    const folder = emptyFolder();
    const verdict = await scriptedVerdictOn('Prose.\n@write a x\n@wriet b y', folder);
    expect(verdict).toMatchObject({ type: 'failed', reason: 'refused', isFinal: true });
    expect(verdict).toMatchObject({
      message: expect.stringMatching(
        /^Line 3 of the prompt, `@wriet b y`, is no directive .*@write PATH TEXT, @append/u,
      ),
    });
    expect(existsSync(join(folder, 'a'))).toBe(false);
  });
});
