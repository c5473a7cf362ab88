// The output of one claim, read by range: its end first, what comes later as it grows, and what was before on demand. So a
// file of any size opens at once.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OutputsReply } from '../../src/core/protocol/web.ts';
import { outputPath, outputsPath, type ClaimOutput, type TaskAddress } from '../client/run-files.ts';
import type { ApiAnswer, ServerApi } from '../client/server-api.ts';
import { apiErrorText } from '../client/api-error-text.ts';
import { appendText, NO_OUTPUT, prependText, type OutputText } from '../model/output-text.ts';

const PIECE_BYTES = 256 * 1024;
const LOOK_EVERY_MS = 1000;

export interface LiveOutput {
  readonly text: OutputText;
  /** Bytes before the first that is shown. */
  readonly bytesBefore: number;
  readonly isReady: boolean;
  /** Why the latest call brought nothing; a sentence. */
  readonly trouble: string | undefined;
  readonly loadBefore: () => void;
}

interface Reading {
  readonly api: ServerApi;
  readonly of: TaskAddress;
  readonly claim: ClaimOutput | undefined;
  /** Whether the claim may print more. */
  readonly isGrowing: boolean;
}

/** What is held of the output; only this file changes it. */
interface Held {
  /** The newest part, which grows. */
  part: string;
  /** The part that the first byte is in, and its place there. */
  firstPart: string;
  from: number;
  to: number;
  text: OutputText;
  isBusy: boolean;
  isReady: boolean;
  trouble: string | undefined;
  decoder: TextDecoder;
}

const fresh = (part: string, bytes: number): Held => ({
  part,
  firstPart: part,
  from: Math.max(0, bytes - PIECE_BYTES),
  to: Math.max(0, bytes - PIECE_BYTES),
  text: NO_OUTPUT,
  isBusy: false,
  isReady: false,
  trouble: undefined,
  decoder: new TextDecoder(),
});

export function useOutput({ api, of, claim, isGrowing }: Reading): LiveOutput {
  const { project, run, task } = of;
  const [, show] = useState(0);
  const key = claim === undefined ? '' : `${claim.work} ${claim.step ?? ''} ${claim.attempt}`;
  const last = claim?.parts.at(-1);
  const held = useRef<{ readonly key: string; readonly value: Held }>(undefined);
  const wanted = `${task} ${key} ${last?.id ?? ''}`;
  if (held.current?.key !== wanted) held.current = { key: wanted, value: fresh(last?.id ?? '', last?.bytes ?? 0) };
  const { value } = held.current;

  const read = useCallback(
    async (where: 'after' | 'before'): Promise<void> => {
      if (claim === undefined || value.isBusy) return;
      value.isBusy = true;
      const changed = await readPiece({ api, of: { project, run, task }, claim, held: value, where });
      value.isBusy = false;
      if (changed) show((count) => count + 1);
    },
    [api, project, run, task, claim, value],
  );
  useEffect(() => {
    void read('after');
    const timer = isGrowing ? setInterval(() => void read('after'), LOOK_EVERY_MS) : undefined;
    return () => clearInterval(timer);
  }, [read, isGrowing]);
  return {
    text: value.text,
    bytesBefore: value.from + bytesBeforePart(claim, value.firstPart),
    isReady: value.isReady || last === undefined,
    trouble: value.trouble,
    loadBefore: useCallback(() => {
      if (value.from > 0 || bytesBeforePart(claim, value.firstPart) > 0) void read('before');
    }, [value, claim, read]),
  };
}

interface Piece extends Omit<Reading, 'isGrowing' | 'claim'> {
  readonly claim: ClaimOutput;
  readonly held: Held;
  readonly where: 'after' | 'before';
}

const partsBefore = (claim: ClaimOutput | undefined, part: string): ClaimOutput['parts'] =>
  claim?.parts.slice(
    0,
    claim.parts.findIndex(({ id }) => id === part),
  ) ?? [];

const bytesBeforePart = (claim: ClaimOutput | undefined, part: string): number =>
  partsBefore(claim, part).reduce((sum, { bytes }) => sum + bytes, 0);

/** Returns whether there is something else to show. */
async function readPiece({ api, of, claim, held, where }: Piece): Promise<boolean> {
  const earlier = where === 'before' && held.from === 0 ? partsBefore(claim, held.firstPart).at(-1) : undefined;
  if (earlier !== undefined) [held.firstPart, held.from] = [earlier.id, earlier.bytes];
  const from = where === 'after' ? held.to : Math.max(0, held.from - PIECE_BYTES);
  const length = where === 'after' ? PIECE_BYTES : held.from - from;
  const part = where === 'after' ? held.part : held.firstPart;
  const answer = await api.getBytes(outputPath(of, { of: claim, part, from, length }));
  const before = held.trouble;
  held.trouble = answer.type === 'ok' ? undefined : apiErrorText(answer);
  if (answer.type !== 'ok') return held.trouble !== before;
  const bytes = answer.value;
  const isFirst = !held.isReady;
  held.isReady = true;
  // A piece may begin inside of a character, whose bytes come with the piece before.
  const cut = from === 0 ? 0 : continuedBytes(bytes);
  if (where === 'before') {
    held.text = prependText(held.text, new TextDecoder().decode(bytes.subarray(cut)));
    held.from = from + cut;
  } else {
    if (isFirst) held.from = from + cut;
    held.text = appendText(held.text, held.decoder.decode(isFirst ? bytes.subarray(cut) : bytes, { stream: true }));
    held.to += bytes.length;
    if (bytes.length === PIECE_BYTES) await readPiece({ api, of, claim, held, where });
  }
  return isFirst || bytes.length > 0 || before !== undefined;
}

/** How many bytes at the start belong to a character of UTF-8 that began before them. */
function continuedBytes(bytes: Uint8Array): number {
  const first = bytes.findIndex((byte) => byte < 0x80 || byte > 0xbf);
  return first > 3 || first < 0 ? 0 : first;
}

/** All claims of the task that have printed something; looked for again while the task runs. */
export async function loadOutputs(api: ServerApi, of: TaskAddress): Promise<ApiAnswer<readonly ClaimOutput[]>> {
  const answer = await api.get<OutputsReply>(outputsPath(of));
  if (answer.type !== 'ok') return answer;
  return { type: 'ok', value: answer.value.claims.filter(({ parts }) => parts.length > 0) };
}
