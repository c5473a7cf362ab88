import { mkdtempSync, readFileSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { artifactPath, writeArtifactBody, type ArtifactName } from '../../core/protocol/artifact-message.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import type { HostAsk } from '../../core/protocol/host-message.ts';
import type { RunEvent } from '../../core/engine/event.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { openHostOutput, type HostOutput, type PostFile } from '../../shell/host/copies/host-output.ts';
import { localArtifacts } from '../../shell/host/local-artifacts.ts';
import { keepAttempts } from '../read/keep-attempts.ts';
import { listOutputs, readRange } from '../read/output-parts.ts';
import { readOutput } from '../read/read-output.ts';
import { readReport } from '../read/read-report.ts';
import { readStatus } from '../read/read-status.ts';
import { readTask } from '../read/read-task.ts';
import { readTurns } from '../read/turns-of.ts';
import { eventsOf, givenRun, ownGivenRun, projectOnDisk } from '../web/served-project.given.ts';
import { openHostFiles, type UploadTaken } from './host-files.ts';
import { PATIENCE_MS } from '../../../test/patience.given.ts';

const A: ClaimRef = { work: 'step', task: 'a', step: 'main', attempt: 1 };
const B: ClaimRef = { ...A, task: 'b' };
const placed = (claim: ClaimRef, host: string, conversation?: 'carried'): RunEvent => ({
  type: 'claim.placed',
  at: 1_700_000_000_000,
  ...claim,
  host,
  why: 'only',
  conversation,
});

/** A server whose log places `a` on the host far and `b` on the host other. */
function givenServer() {
  const given = projectOnDisk();
  const log = eventsOf('a: { agent: one, prompt: Do it. }\nb: { run: x }', {
    plan: 'agents: { one: { use: claude } }',
  });
  const record = givenRun(given, log);
  ownGivenRun(given, record).append([...log.slice(1), placed(A, 'far'), placed(B, 'other')], []);
  const asked: HostAsk[] = [];
  const project = { root: given.root, home: join(given.root, '.heddle') };
  const open = { project, store: given.store };
  const files = openHostFiles({ ...open, ask: (_, ask) => asked.push(ask) > 0 });
  onTestFinished(() => files.close());
  const { run } = record;
  const take = (
    host: string,
    claim: ClaimRef,
    more: { name?: ArtifactName; text?: string; from?: number; run?: string } = {},
  ): UploadTaken => {
    const { name = 'output', text = 'x', from = 0 } = more;
    const path = artifactPath({ run: more.run ?? run, ...claim, name });
    return files.take(host, `/${path}`, writeArtifactBody({ from, isEnd: true, bytes: Buffer.from(text) }));
  };
  const copyOf = (claim: ClaimRef, name: ArtifactName): string =>
    readFileSync(join(attemptFolder(project.home, run, claim), ATTEMPT_FILES[name]), 'utf8');
  return { open, record, run, files, take, copyOf, asked };
}

/** A host with the files that a worker of `a` would leave. */
function givenHost(
  run: string,
  post: PostFile,
): { readonly output: HostOutput; readonly write: (name: ArtifactName, text: string) => void } {
  const home = mkdtempSync(join(tmpdir(), 'heddle-far-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = attemptFolder(home, run, A);
  mkdirSync(folder, { recursive: true });
  const output = openHostOutput({ home, artifacts: localArtifacts(home), post, retryMs: 1 });
  onTestFinished(() => output.close());
  return { output, write: (name, text) => writeFileSync(join(folder, ATTEMPT_FILES[name]), text, { flag: 'a' }) };
}

const TURN = {
  agent: { name: 'one', use: 'claude', model: 'opus' },
  prompt: 'Do it.',
  launchedAt: 1,
  completedAt: 2,
  usage: { input: 3, cached: 0, output: 4 },
  verdict: { type: 'done', result: { ok: true, response: 'Done, far away.' } },
};

describe('an attempt on another machine', () => {
  test('is read like one of this machine once its files are here', async () => {
    const { open, record, run, files } = givenServer();
    const { output, write } = givenHost(run, async (path, body) => taken(files.take('far', `/${path}`, body)));
    write('attempt', JSON.stringify({ pid: process.pid, startedAt: 'never', claim: A, at: 1 }));
    write('turn', JSON.stringify(TURN));
    write('output', 'It works.\n');
    write('transcript', '{"type":"result"}\n');
    await output.upload(run, A, AbortSignal.timeout(PATIENCE_MS));
    const texts: string[] = [];
    for await (const part of readOutput(open, record, {
      task: 'a',
      step: undefined,
      attempt: undefined,
      follows: false,
    }))
      texts.push(part.type === 'bytes' ? Buffer.from(part.bytes).toString() : part.type);
    expect(texts).toEqual(['attempt', 'It works.\n']);
    expect(readTurns(open, record, 'a')).toMatchObject([
      { prompt: 'Do it.', response: 'Done, far away.', model: 'opus' },
    ]);
    expect((await readTask(open, record, { task: 'a', tailBytes: 100 })).tail).toBe('It works.\n');
    const kept = keepAttempts();
    const [claim] = listOutputs(open, record, { task: 'a', kept }).claims;
    const range = { part: claim?.parts[0]?.id ?? '', from: 3, length: 5 };
    expect(Buffer.from(readRange(open, record, { claim: A, range, kept }) ?? []).toString()).toBe('works');
    const { report } = await readReport(open, record);
    expect(JSON.stringify(report)).toContain('opus');
  });

  test('is said to run elsewhere, whatever process here has the pid of its worker', () => {
    const { open, record, run, take } = givenServer();
    const attempt = { pid: process.pid, startedAt: 'x', claim: A, at: 1 };
    expect(take('far', A, { name: 'attempt', text: JSON.stringify(attempt), run })).toBe('taken');
    const { workers } = readStatus(open, record);
    expect(workers.find(({ task }) => task === 'a')).toMatchObject({ is: 'elsewhere', host: 'far', pid: undefined });
  });

  test('shows its output while it runs, and all of it when a reader asks', async () => {
    const { open, record, run, files, copyOf, asked } = givenServer();
    const { output, write } = givenHost(run, async (path, body) => taken(files.take('far', `/${path}`, body)));
    const of = [{ run, claim: A }];
    write('output', 'begun\n');
    files.receiveTails('far', output.tails(1, of));
    output.answered(1, []);
    expect(copyOf(A, 'output')).toBe('begun\n');
    const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index}\n`).join('');
    write('output', lines);
    files.receiveTails('far', output.tails(2, of));
    expect(copyOf(A, 'output')).toContain('bytes of this output are on far alone');
    const reading = readOutput(open, record, { task: 'a', step: undefined, attempt: undefined, follows: false });
    for await (const _ of reading);
    await vi.waitFor(() => expect(asked[0]).toEqual({ run, claim: A, name: 'output' }), PATIENCE_MS);
    output.answered(2, asked);
    await vi.waitFor(() => expect(copyOf(A, 'output')).toBe(`begun\n${lines}`), PATIENCE_MS);
  });
});

const taken = (result: UploadTaken): 'taken' | 'refused' => (result === 'taken' ? 'taken' : 'refused');

describe('an upload', () => {
  test('is tried again while the server is away, and holds nobody up for longer than its caller says', async () => {
    const { run, files, copyOf } = givenServer();
    let isAway = true;
    const { output, write } = givenHost(run, async (path, body) =>
      isAway ? 'away' : taken(files.take('far', `/${path}`, body)),
    );
    write('output', 'It works.\n');
    const late = new AbortController();
    const uploaded = output.upload(run, A, late.signal);
    late.abort();
    await uploaded;
    isAway = false;
    await vi.waitFor(() => expect(copyOf(A, 'output')).toBe('It works.\n'), PATIENCE_MS);
  });

  test('of a run that is over ends', async () => {
    const { run } = givenServer();
    let tries = 0;
    const { output, write } = givenHost(run, async () => {
      tries += 1;
      return 'away';
    });
    write('output', 'It works.\n');
    const uploaded = output.upload(run, A, AbortSignal.timeout(PATIENCE_MS));
    await vi.waitFor(() => expect(tries).toBeGreaterThan(1), PATIENCE_MS);
    output.forget(run);
    await uploaded;
  });

  test('is of a claim that the log places on the host, and of one of our files, or is refused (host-files/J1)', () => {
    const { take, files, run } = givenServer();
    expect(take('far', A)).toBe('taken');
    expect(take('far', B)).toBe('not-held');
    expect(take('other', A)).toBe('not-held');
    expect(take('far', { ...A, attempt: 2 })).toBe('not-held');
    expect(take('far', A, { run: 'given-9' })).toBe('not-held');
    expect(take('far', { ...A, task: '../../b' })).toBe('not-held');
    const body = writeArtifactBody({ from: 0, isEnd: true, bytes: Buffer.from('x') });
    for (const path of [`/hosts/artifacts/${run}/a/main/1/../../x`, `/hosts/artifacts/${run}/a/main/1/store.db`, ''])
      expect(files.take('far', path, body)).toBe('malformed');
    expect(files.take('far', `/${artifactPath({ run, ...A, name: 'turn' })}`, Buffer.from('no head'))).toBe(
      'malformed',
    );
  });

  test('of live output counts for the host of the claim alone', () => {
    const { files, run, copyOf } = givenServer();
    files.receiveTails('other', [{ run, claim: A, from: 0, text: 'lies\n' }]);
    files.receiveTails('far', [{ run, claim: A, from: 0, text: 'true\n' }]);
    expect(copyOf(A, 'output')).toBe('true\n');
  });
});

describe('a conversation', () => {
  const outcome = {
    type: 'finished',
    ...A,
    spend: { usd: 0, tokens: 0 },
    result: { ok: true, response: 'x', output: undefined, exitCode: undefined, commit: undefined },
    conversation: { id: 'c-0123456789', reading: undefined },
  } as const;

  test('is kept when the server has its files, and not because a host says so (host-files/J2)', () => {
    const { files, run, take } = givenServer();
    const said = [{ run, done: [outcome], held: [], warm: [] }];
    expect(files.marked('far', said)[0]?.done[0]?.conversation).toEqual(outcome.conversation);
    take('far', A, { name: 'conversation', text: '{}' });
    expect(files.marked('far', said)[0]?.done[0]?.conversation).toEqual({ ...outcome.conversation, isKept: true });
    expect(files.marked('other', said)[0]?.done[0]?.conversation).toEqual(outcome.conversation);
  });

  const MORE: ClaimRef = { ...A, step: 'more' };

  /** Two turns of one conversation: the first on that machine, the second on the host other. */
  function givenMoved(first: string | undefined) {
    const given = projectOnDisk();
    const steps = '[ { id: main, prompt: Plan it. }, { id: more, prompt: Do it., resume: true } ]';
    const log = eventsOf(`a: { agent: one, steps: ${steps} }`, { plan: 'agents: { one: { use: claude } }' });
    const record = givenRun(given, log);
    const next = log.find((event) => event.type === 'claim.made');
    if (next?.type !== 'claim.made') throw new Error('The first step is claimed.');
    const conversation = { ...outcome.conversation, agent: 'one', isKept: first === undefined ? undefined : true };
    const { result, spend } = outcome;
    const at = 1_700_000_000_000;
    const why = { ending: 'done', reason: undefined, cause: undefined } as const;
    const ended = { type: 'claim.ended', at, ...A, ...why, result, spend, conversation } as const;
    const events: readonly RunEvent[] = [
      ...(first === undefined ? [] : [placed(A, first)]),
      ended,
      { ...next, ...MORE, at },
      placed(MORE, 'other', 'carried'),
    ];
    ownGivenRun(given, record).append([...log.slice(1), ...events], []);
    const home = join(given.root, '.heddle');
    const files = openHostFiles({ project: { root: given.root, home }, store: given.store, ask: () => true });
    onTestFinished(() => files.close());
    return { files, run: record.run, home };
  }

  test('goes to the machine of the claim that continues it, and to no other', async () => {
    const { files, run } = givenMoved('far');
    const body = writeArtifactBody({ from: 0, isEnd: true, bytes: Buffer.from('{"said":1}') });
    expect(files.take('far', `/${artifactPath({ run, ...A, name: 'conversation' })}`, body)).toBe('taken');
    expect(await files.conversationFor('other', run, MORE)).toBe('{"said":1}');
    expect(await files.conversationFor('far', run, MORE)).toBeUndefined();
    expect(await files.conversationFor('other', run, A)).toBeUndefined();
    expect(await files.conversationFor('other', 'given-9', MORE)).toBeUndefined();
  });

  test('of the coordinator’s own machine is in the sandbox of its task there', async () => {
    const { files, run, home } = givenMoved(undefined);
    const folder = join(home, 'sandboxes', run, 'a', 'home', 'of claude', '.claude', 'projects', '-x');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${outcome.conversation.id}.jsonl`), 'said');
    const packed = await files.conversationFor('other', run, MORE);
    expect(JSON.parse(packed ?? '')).toMatchObject({
      use: 'claude',
      id: outcome.conversation.id,
      files: [{ path: `projects/-x/${outcome.conversation.id}.jsonl` }],
    });
    expect(await files.conversationFor('far', run, MORE)).toBeUndefined();
  });
});
