// The files of attempts that hosts on other machines carry out, as the server has them: live output, uploads, conversations.
//
// host-files/J1. A host writes files of claims that the log has placed on it, and no others; it reads the conversation that a
//     claim of its own goes on with, and nothing else.
// host-files/J2. Whether a conversation is kept for other machines is said by the server, which has the file or has it not.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  readArtifactBody,
  readArtifactPath,
  isGrowing,
  type ArtifactPath,
} from '../../core/protocol/artifact-message.ts';
import { claimKey, type ClaimRef } from '../../core/protocol/assignment.ts';
import type { HostAsk, HostRun, HostTail } from '../../core/protocol/host-message.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';
import { carriedTo } from '../../core/engine/owed/moved-conversation.ts';
import { claimNamed } from '../../core/engine/facts.ts';
import { openAttemptCopies, type AttemptCopies, type Copied } from '../../shell/host/copies/attempt-copies.ts';
import { hasGaps, isWanted } from '../../shell/host/copies/copied-from.ts';
import { ATTEMPT_FILES, attemptFolder } from '../../shell/host/attempt-folder.ts';
import { foldRun } from '../fold-run.ts';
import { CLOCK } from '../local-parts.ts';
import type { OpenProject } from '../open-project.ts';
import { openPlacedClaims, type PlacedClaims } from './placed-claims.ts';
import { packLocalConversation } from './pack-local-conversation.ts';

export type UploadTaken = 'taken' | 'malformed' | 'not-held' | 'full' | 'failed';

export interface HostFiles {
  readonly receiveTails: (host: string, tails: readonly HostTail[]) => void;
  /** The body of an upload, as it was before it was compressed. */
  readonly take: (host: string, path: string, body: Uint8Array) => UploadTaken;
  /** The conversation that a running claim of the host goes on with; undefined when there is none for it. */
  readonly conversationFor: (host: string, run: string, claim: ClaimRef) => Promise<string | undefined>;
  /** The outcomes of a host, with what only the server can say of them. */
  readonly marked: (host: string, runs: readonly HostRun[]) => readonly HostRun[];
  readonly close: () => void;
}

export interface HostFilesOptions extends OpenProject {
  /** Asks the host for a file; false when it does not listen. */
  readonly ask: (host: string, ask: HostAsk) => boolean;
}

interface Live {
  readonly host: string;
  readonly run: string;
  readonly claim: ClaimRef;
}

interface State extends HostFilesOptions {
  readonly copies: AttemptCopies;
  readonly placed: PlacedClaims;
  /** Claims whose output is not all here. */
  readonly behind: Map<string, Live>;
}

/** A reader who follows output says so several times in this time. */
const WANTED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 1_000;
const BEHIND_MAX = 2_000;

export function openHostFiles(options: HostFilesOptions): HostFiles {
  const { project, store } = options;
  const copies = openAttemptCopies(project.home);
  const state: State = { ...options, copies, placed: openPlacedClaims(store), behind: new Map() };
  const looking = setInterval(() => askForWanted(state), LOOK_EVERY_MS).unref();
  return {
    receiveTails: (host, tails) => {
      for (const tail of tails) receiveTail(state, host, tail);
    },
    take: (host, path, body) => take(state, { host, path, body }),
    conversationFor: async (host, run, claim) => await conversationFor(state, { host, run, claim }),
    marked: (host, runs) =>
      runs.map((each) => ({
        ...each,
        done: each.done.map((outcome) => mark(state, { host, run: each.run }, outcome)),
      })),
    close: () => clearInterval(looking),
  };
}

function receiveTail(state: State, host: string, { run, claim, from, text }: HostTail): void {
  const known = state.placed.find(run, host, claim);
  if (known === undefined) return;
  const bytes = Buffer.from(text, 'latin1');
  state.copies.join({ run, claim: known, host }, { name: 'output', from, bytes, isEnd: false });
  noteGaps(state, { run, claim: known, host });
}

function noteGaps({ project, behind }: State, live: Live): void {
  const key = `${live.run} ${claimKey(live.claim)}`;
  behind.delete(key);
  if (hasGaps(attemptFolder(project.home, live.run, live.claim), 'output')) behind.set(key, live);
  for (const oldest of [...behind.keys()].slice(0, -BEHIND_MAX)) behind.delete(oldest);
}

/** Readers of this machine say that they want all of a claim's output by a file in its folder, whatever process they are. */
function askForWanted({ project, behind, ask }: State): void {
  const now = CLOCK.now();
  for (const { host, run, claim } of behind.values())
    if (isWanted(attemptFolder(project.home, run, claim), { now, withinMs: WANTED_WITHIN_MS }))
      ask(host, { run, claim, name: 'output' });
}

interface Upload {
  readonly host: string;
  readonly path: string;
  readonly body: Uint8Array;
}

function take(state: State, { host, path, body }: Upload): UploadTaken {
  const named = readArtifactPath(path);
  const read = readArtifactBody(body);
  if (named === undefined || read === undefined) return 'malformed';
  const claim = state.placed.find(named.run, host, named);
  if (claim === undefined) return 'not-held';
  const copied = put(state, { host, named, claim, read });
  if (named.name === 'output') noteGaps(state, { host, run: named.run, claim });
  return copied.type === 'copied' ? 'taken' : copied.type;
}

interface Putting {
  readonly host: string;
  readonly named: ArtifactPath;
  readonly claim: ClaimRef;
  readonly read: NonNullable<ReturnType<typeof readArtifactBody>>;
}

function put({ copies }: State, { host, named: { run, name }, claim, read }: Putting): Copied {
  const of = { run, claim, host };
  return isGrowing(name) ? copies.join(of, { name, ...read }) : copies.replace(of, name, read.bytes);
}

interface Asking {
  readonly host: string;
  readonly run: string;
  readonly claim: ClaimRef;
}

async function conversationFor({ project, store }: State, { host, run, claim }: Asking): Promise<string | undefined> {
  const record = store.find(run);
  if (record === undefined) return undefined;
  const { state } = foldRun(store, record);
  const carried = claimNamed(state, claim)?.host === host ? carriedTo(state, claim) : undefined;
  if (carried === undefined) return undefined;
  if (carried.host === undefined) return await packLocalConversation(project, run, carried);
  return readText(join(attemptFolder(project.home, run, carried.by), ATTEMPT_FILES.conversation));
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // It was deleted: the program of the turn says that it has no such conversation.
    return undefined;
  }
}

function mark(
  { project, placed }: State,
  { host, run }: Pick<Live, 'host' | 'run'>,
  outcome: WorkOutcome,
): WorkOutcome {
  if (outcome.conversation === undefined || placed.find(run, host, outcome) === undefined) return outcome;
  const isKept = existsSync(join(attemptFolder(project.home, run, outcome), ATTEMPT_FILES.conversation));
  return isKept ? { ...outcome, conversation: { ...outcome.conversation, isKept } } : outcome;
}
