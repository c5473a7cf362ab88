// Takes a push of one ref over HTTP into our repository, after all of its content was examined.
//
// receive-push/R1. What is pushed goes into a scratch repository, and from there, as everything that is imported, into
//     ours: every object is checked, no link leaves the tree, no repository is in it (import-from/C1–C3).
// receive-push/R2. The sender hears that its ref was updated only when it was, and is on the disk.
// receive-push/R3. The sender sees one ref, and the ids of commits that we have, so that it sends only what is missing.
import type { Readable, Writable } from 'node:stream';
import type { PipedProcess } from '../../exec/piped-process.ts';
import type { TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import { gitAt } from '../run/git.ts';
import type { Repository } from '../repository.ts';
import { readRef, type Ref } from '../store/refs.ts';
import { advertisementOf, startGitProgram, type GitProgram } from './git-program.ts';
import { refusedReport } from './push-report.ts';
import { withScratch } from './scratch-repository.ts';

export interface PushTarget {
  /** The one ref that may be pushed. */
  readonly ref: string;
  /** The commit that the work started from: additions to it are examined. Undefined trusts the content of the sender. */
  readonly base: string | undefined;
  /** The one commit that may be pushed, where only one may. */
  readonly commit?: string;
  /** Commits that the sender may have as well. */
  readonly known: readonly string[];
  readonly bytesMax: number;
}

export interface Receiver {
  readonly home: string;
  readonly repository: Repository;
}

/** The commands of a push come before its objects. */
const COMMANDS_BYTES_MAX = 65_536;

/** Refs outside of this namespace are shown as ids alone. */
const NAMESPACE = 'push';
const visible = (ref: string): string => `refs/namespaces/${NAMESPACE}/${ref}`;

export const advertisePush = async (receiver: Receiver, target: PushTarget): Promise<Buffer> =>
  inScratch(receiver, target, async (gitDir) => advertisementOf(programFor(gitDir, target)));

export interface PushCall {
  /** Not compressed. */
  readonly input: Readable;
  readonly signal: AbortSignal;
}

/** The answer for the sender; undefined when there is none, because the receiving git was ended. */
export const receivePush = async (
  receiver: Receiver,
  target: PushTarget,
  call: PushCall,
): Promise<Buffer | undefined> =>
  inScratch(receiver, target, async (gitDir) => {
    const { answer, bytes } = await converse(startGitProgram(programFor(gitDir, target), call.signal), call, target);
    if (answer === undefined) return undefined;
    if (bytes > target.bytesMax) return refusal(answer, target, { code: 'too-large', bytesMax: target.bytesMax });
    const arrived = await readRef(gitAt(gitDir), visible(target.ref));
    if (arrived === undefined) return answer;
    const failure = isOther(target, arrived)
      ? ({ code: 'objects-refused', ref: target.ref, said: `it is for ${target.commit} alone` } as const)
      : await take(receiver, target, gitDir);
    return failure === undefined ? answer : refusal(answer, target, failure);
  });

interface Conversed {
  readonly answer: Buffer | undefined;
  readonly bytes: number;
}

/** Input that breaks off ends the program. */
async function converse(program: PipedProcess, { input }: PushCall, { bytesMax }: PushTarget): Promise<Conversed> {
  try {
    const [answer, bytes] = await Promise.all([collect(program.stdout), feed(input, program.stdin, bytesMax)]);
    const end = await program.ended;
    return { answer: end.type === 'exited' ? answer : undefined, bytes };
  } catch (cause) {
    program.kill();
    await program.ended;
    throw cause;
  }
}

const isOther = ({ commit }: PushTarget, arrived: string): boolean => commit !== undefined && commit !== arrived;

/** The reason is JSON, which the sender reads. */
const refusal = (own: Buffer, { ref }: PushTarget, failure: TransferFailure): Buffer =>
  refusedReport(own, ref, JSON.stringify(failure));

async function take(
  { repository }: Receiver,
  { ref, base }: PushTarget,
  gitDir: string,
): Promise<TransferFailure | undefined> {
  const refs = [{ source: visible(ref), target: ref }];
  const imported = await repository.importFrom({ gitDir, refs, base, uploadPack: ['git-upload-pack'] });
  switch (imported.type) {
    case 'imported':
      return undefined;
    case 'refused':
      return { code: 'unsafe-content', failure: imported.failure };
    case 'failed':
      return { code: 'not-stored', failure: imported.failure };
  }
}

async function inScratch<Result>(
  { home, repository }: Receiver,
  { ref, known }: PushTarget,
  work: (gitDir: string) => Promise<Result>,
): Promise<Result> {
  const { gitDir, objectFolders, user } = repository;
  const present = await repository.read(ref);
  const refs: readonly Ref[] = [
    ...[...new Set(known)].map((commit, index) => ({ ref: `refs/heddle/known/${index}`, commit })),
    ...(present === undefined ? [] : [{ ref: visible(ref), commit: present }]),
  ];
  return withScratch({ home, gitDir, objectFolders, objectFormat: user.objectFormat, refs }, work);
}

const programFor = (gitDir: string, { ref, bytesMax }: PushTarget): GitProgram => ({
  command: 'git-receive-pack',
  gitDir,
  settings: [
    'receive.hideRefs=refs',
    `receive.hideRefs=!${ref}`,
    `receive.maxInputSize=${bytesMax}`,
    'receive.fsckObjects=true',
    'receive.denyDeletes=true',
    'receive.denyNonFastForwards=true',
    'receive.autogc=false',
  ],
  environment: { GIT_NAMESPACE: NAMESPACE },
});

async function collect(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of stream) {
    // A stream without an encoding gives buffers.
    parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

/**
 * All of the input is read, even when git has refused it after the first bytes: a sender that cannot write to the end
 * reports a broken link and not the reason. Gives the number of bytes.
 */
async function feed(input: Readable, stdin: Writable, bytesMax: number): Promise<number> {
  let bytes = 0;
  for await (const part of input) {
    // A stream without an encoding gives buffers.
    const piece = part as Buffer;
    bytes += piece.length;
    if (stdin.writable && bytes <= bytesMax + COMMANDS_BYTES_MAX && !stdin.write(piece)) await drained(stdin);
  }
  stdin.end();
  return bytes;
}

const drained = async (stdin: Writable): Promise<unknown> =>
  new Promise((resolve) => {
    stdin.once('drain', resolve);
    stdin.once('close', resolve);
  });
