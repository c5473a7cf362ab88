// The output and the files of this host's claims, on their way to the machine that has the log: live with each message, at once
// when a reader asks, and as a whole when the claim is over.
//
// host-output/Y1. An upload is tried again until it succeeds, is refused, or the run is over; nothing waits for it longer
//     than it says.
// host-output/Y2. Of one claim one upload is under way at a time, and what was asked for meanwhile follows it.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import {
  artifactPath,
  bytesMaxOf,
  isGrowing,
  writeArtifactBody,
  type ArtifactBody,
  type ArtifactName,
} from '../../../core/protocol/artifact-message.ts';
import { claimKey, type ClaimRef } from '../../../core/protocol/assignment.ts';
import type { HostAsk, HostTail } from '../../../core/protocol/host-message.ts';
import type { ArtifactUpload } from '../../ports/artifact-upload.ts';
import type { LocalArtifacts } from '../../ports/artifacts.ts';
import { ATTEMPT_FILES, attemptFolder } from '../attempt-folder.ts';
import { openOutputTails, type ClaimOfRun, type OutputTails } from './output-tails.ts';
import { placeOutput } from './output-range.ts';

/** Sends one file. `refused`: the server will never take it; `away`: it may later. */
export type PostFile = (path: string, body: Uint8Array, signal: AbortSignal) => Promise<'taken' | 'refused' | 'away'>;

export interface HostOutputOptions {
  /** The folder of the store of this host. */
  readonly home: string;
  readonly artifacts: LocalArtifacts;
  readonly post: PostFile;
  /** Between two tries, at first. */
  readonly retryMs?: number;
}

export interface HostOutput extends ArtifactUpload {
  /** Live output for the message with this number. */
  readonly tails: (number: number, claims: readonly ClaimOfRun[]) => readonly HostTail[];
  /** Whether one of these claims has printed something since the latest message. */
  readonly hasNews: (claims: readonly ClaimOfRun[]) => boolean;
  /** The message with this number was answered; readers ask for these files. */
  readonly answered: (number: number, asks: readonly HostAsk[]) => void;
  /** The run is over. */
  readonly forget: (run: string) => void;
  readonly close: () => void;
}

const RETRY_MS = 1_000;
const RETRY_MS_MAX = 30_000;

interface State extends HostOutputOptions {
  readonly sentTails: OutputTails;
  /** By run: ends its uploads. */
  readonly runs: Map<string, AbortController>;
  /** By claim: its uploads, one after the other. */
  readonly lanes: Map<string, Promise<void>>;
  /** Claims whose attempt file is there, or on its way. */
  readonly begun: Set<string>;
  /** Asks that are not answered yet. */
  readonly asked: Set<string>;
  /** Claims whose files are on their way as a whole. */
  readonly over: Set<string>;
}

export function openHostOutput(options: HostOutputOptions): HostOutput {
  const state: State = {
    ...options,
    sentTails: openOutputTails(options.artifacts),
    runs: new Map(),
    lanes: new Map(),
    begun: new Set(),
    asked: new Set(),
    over: new Set(),
  };
  const running = (claims: readonly ClaimOfRun[]): readonly ClaimOfRun[] =>
    claims.filter((of) => !state.over.has(keyOf(of)));
  return {
    tails: (number, claims) => {
      for (const of of running(claims)) sendBegun(state, of);
      return state.sentTails.next(number, running(claims));
    },
    hasNews: (claims) => state.sentTails.hasNews(running(claims)),
    answered: (number, asks) => {
      state.sentTails.answered(number);
      for (const ask of asks) answer(state, ask);
    },
    upload: async (run, claim, signal) =>
      await within(
        signal,
        inLane(state, { run, claim }, () => sendAll(state, { run, claim })),
      ),
    forget: (run) => {
      state.runs.get(run)?.abort();
      state.runs.delete(run);
      for (const key of state.over) if (key.startsWith(`${run} `)) state.over.delete(key);
    },
    close: () => {
      for (const run of state.runs.values()) run.abort();
      state.runs.clear();
    },
  };
}

const keyOf = ({ run, claim }: ClaimOfRun): string => `${run} ${claimKey(claim)}`;

/** The uploads of a claim go on when their caller does not wait for them any more. */
async function within(signal: AbortSignal, work: Promise<void>): Promise<void> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await Promise.race([work, aborted]);
}

async function inLane(state: State, of: ClaimOfRun, work: () => Promise<void>): Promise<void> {
  const key = keyOf(of);
  const mine = (state.lanes.get(key) ?? Promise.resolve()).then(work);
  state.lanes.set(key, mine);
  await mine;
  if (state.lanes.get(key) === mine) state.lanes.delete(key);
}

/** What the claim is given to do is known there as soon as it is begun. */
function sendBegun(state: State, of: ClaimOfRun): void {
  const key = keyOf(of);
  if (state.begun.has(key) || readRecord(state, of, 'attempt') === undefined) return;
  state.begun.add(key);
  void inLane(state, of, () => sendOne(state, of, 'attempt'));
}

function answer(state: State, { run, claim, name }: HostAsk): void {
  const of = { run, claim };
  const key = `${keyOf(of)} ${name}`;
  if (state.asked.has(key)) return;
  state.asked.add(key);
  void inLane(state, of, () => (name === 'output' ? sendUnsent(state, of) : sendOne(state, of, name))).finally(() =>
    state.asked.delete(key),
  );
}

const AT_THE_END = ['attempt', 'turn', 'output', 'conversation', 'transcript'] as const;

async function sendAll(state: State, of: ClaimOfRun): Promise<void> {
  state.over.add(keyOf(of));
  await Promise.all(AT_THE_END.map((name) => sendOne(state, of, name)));
  state.sentTails.forget(of);
  state.begun.delete(keyOf(of));
}

async function sendOne(state: State, of: ClaimOfRun, name: ArtifactName): Promise<void> {
  const body = isGrowing(name) ? endOf(state, of, name) : readRecord(state, of, name);
  if (body !== undefined) await send(state, of, { name, body });
}

/** What live output left out. */
async function sendUnsent(state: State, of: ClaimOfRun): Promise<void> {
  const { from, bytes } = state.sentTails.unsent(of, bytesMaxOf('output'));
  if (bytes.length === 0) return;
  const isSent = await send(state, of, { name: 'output', body: { from, isEnd: false, bytes } });
  if (isSent) state.sentTails.sent(of, from + bytes.length);
}

function endOf(
  { artifacts }: State,
  { run, claim }: ClaimOfRun,
  name: 'output' | 'transcript',
): ArtifactBody | undefined {
  const { first, end, read } = placeOutput(artifacts, { run, claim, name });
  if (end === 0) return undefined;
  const from = Math.max(first, end - bytesMaxOf(name));
  return { from, isEnd: true, bytes: read(from) };
}

/** Undefined when there is none, or one so long that it is none of ours. */
function readRecord({ home }: State, { run, claim }: ClaimOfRun, name: ArtifactName): ArtifactBody | undefined {
  const file = join(attemptFolder(home, run, claim), ATTEMPT_FILES[name]);
  try {
    const status = statSync(file);
    if (!status.isFile() || status.size > bytesMaxOf(name)) return undefined;
    return { from: 0, isEnd: true, bytes: readFileSync(file) };
  } catch {
    // A claim that was not begun has left nothing, and a command has no turn.
    return undefined;
  }
}

interface Sending {
  readonly name: ArtifactName;
  readonly body: ArtifactBody;
}

/** Whether the server took it. */
async function send(state: State, { run, claim }: ClaimOfRun, { name, body }: Sending): Promise<boolean> {
  const path = artifactPath({ run, ...placeIn(claim), name });
  const { signal } = controllerOf(state, run);
  const bytes = writeArtifactBody(body);
  const { retryMs = RETRY_MS } = state;
  for (let waitMs = retryMs; !signal.aborted; waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)) {
    const sent = await state.post(path, bytes, signal);
    if (sent !== 'away') return sent === 'taken';
    await setTimeout(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return false;
}

const placeIn = ({ task, step, attempt }: ClaimRef): Pick<ClaimRef, 'task' | 'step' | 'attempt'> => ({
  task,
  step,
  attempt,
});

function controllerOf({ runs }: State, run: string): AbortController {
  const known = runs.get(run) ?? new AbortController();
  runs.set(run, known);
  return known;
}
