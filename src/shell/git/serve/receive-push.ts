// Takes a push of one ref over HTTP into our repository, after all of its content was examined.
//
// receive-push/R1. What is pushed goes into a scratch repository and is examined there: every object is valid, no link
//     leaves the tree, no repository is in it. Only then is it imported, with the same checks (import-from/C1–C3).
// receive-push/R2. The sender hears that its ref was updated only when it was, and is on the disk.
// receive-push/R3. The sender may push one ref, which it is never shown: a repeated push, whose first answer was lost, is the
//     same as the first. It is shown the ids of commits that we have, so that it sends only what is missing.
import type { Readable } from 'node:stream';
import type { PipedProcess } from '../../exec/piped-process.ts';
import type { TransferFailure } from '../../../core/protocol/transfer-failure.ts';
import { gitAt } from '../run/git.ts';
import type { Repository } from '../repository.ts';
import { unsafeContentIn } from '../store/import-from.ts';
import { objectsIn } from '../store/objects.ts';
import { readRef, type Ref } from '../store/refs.ts';
import { advertisementOf, startGitProgram, type GitProgram } from './git-program.ts';
import { feedProgram } from './feed-program.ts';
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
  inScratch(receiver, target, async ({ gitDir }) => advertisementOf(programFor(gitDir, target)));

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
  inScratch(receiver, target, async ({ gitDir, present }) => {
    const { answer, bytes } = await converse(startGitProgram(programFor(gitDir, target), call.signal), call, target);
    if (answer === undefined) return undefined;
    if (bytes > target.bytesMax) return refusal(answer, target, { code: 'too-large', bytesMax: target.bytesMax });
    const failure = await judge(receiver, target, { gitDir, present, isTold: answer.includes('ok refs/') });
    return failure === undefined ? answer : refusal(answer, target, failure);
  });

interface Conversed {
  readonly answer: Buffer | undefined;
  readonly bytes: number;
}

/** Input that breaks off ends the program. */
async function converse(program: PipedProcess, { input }: PushCall, { bytesMax }: PushTarget): Promise<Conversed> {
  try {
    const [answer, bytes] = await Promise.all([
      collect(program.stdout),
      feedProgram(program, input, bytesMax + COMMANDS_BYTES_MAX),
    ]);
    const end = await program.ended;
    return { answer: end.type === 'exited' ? answer : undefined, bytes };
  } catch (cause) {
    program.kill();
    await program.ended;
    throw cause;
  }
}

/** A scratch repository that git has written to, and the commit that our ref had before. */
interface Scratch {
  readonly gitDir: string;
  readonly present: string | undefined;
}

interface Pushed extends Scratch {
  /** Git reports that it did what it was asked for. */
  readonly isTold: boolean;
}

/** Undefined when the ref of ours names what was pushed, and when git itself has refused the push. */
async function judge(
  receiver: Receiver,
  target: PushTarget,
  { gitDir, present, isTold }: Pushed,
): Promise<TransferFailure | undefined> {
  const { ref, commit, base } = target;
  const scratch = gitAt(gitDir);
  const arrived = await readRef(scratch, visible(ref));
  if (arrived === undefined && isTold)
    return { code: 'objects-refused', ref, said: 'nothing else can be pushed here, and nothing deleted' };
  if (arrived === undefined || arrived === present) return undefined;
  if (commit !== undefined && commit !== arrived)
    return { code: 'objects-refused', ref, said: `it is for ${commit} alone` };
  const kind = await scratch.line(['cat-file', '-t', arrived]);
  if (kind !== 'commit') return { code: 'unsafe-content', failure: { code: 'import-not-a-commit', ref, kind } };
  const unsafe = base === undefined ? undefined : await unsafeContentIn(objectsIn(scratch), base, arrived);
  return unsafe === undefined ? take(receiver, target, gitDir) : { code: 'unsafe-content', failure: unsafe };
}

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
  work: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  const { gitDir, objectFolders, user } = repository;
  const present = await repository.read(ref);
  const commits = new Set([...known, ...(present === undefined ? [] : [present])]);
  const refs: readonly Ref[] = [...commits].map((commit, index) => ({ ref: `refs/heddle/known/${index}`, commit }));
  const options = { home, gitDir, objectFolders, objectFormat: user.objectFormat, refs };
  return withScratch(options, async (scratch) => work({ gitDir: scratch, present }));
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
