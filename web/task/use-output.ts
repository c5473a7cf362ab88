// The output of one claim, read by range: its end first, what comes later as it grows, and what was before on demand. So a
// file of any size opens at once.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OutputsReply } from '../../src/core/protocol/web.ts';
import { outputPath, outputsPath, type ClaimOutput, type OfTask } from '../client/run-files.ts';
import type { Answer, ServerApi } from '../client/server-api.ts';
import { troubleText } from '../client/trouble-text.ts';
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
  readonly of: OfTask;
  readonly claim: ClaimOutput | undefined;
  /** Whether the claim may print more. */
  readonly isGrowing: boolean;
}

/** What is held of the newest part; only this file changes it. */
interface Held {
  part: string;
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
    bytesBefore: value.from,
    isReady: value.isReady || last === undefined,
    trouble: value.trouble,
    loadBefore: useCallback(() => {
      if (value.from > 0) void read('before');
    }, [value, read]),
  };
}

interface Piece extends Omit<Reading, 'isGrowing' | 'claim'> {
  readonly claim: ClaimOutput;
  readonly held: Held;
  readonly where: 'after' | 'before';
}

/** Returns whether there is something else to show. */
async function readPiece({ api, of, claim, held, where }: Piece): Promise<boolean> {
  const from = where === 'after' ? held.to : Math.max(0, held.from - PIECE_BYTES);
  const length = where === 'after' ? PIECE_BYTES : held.from - from;
  const answer = await api.getBytes(outputPath(of, { of: claim, part: held.part, from, length }));
  const before = held.trouble;
  held.trouble = answer.type === 'ok' ? undefined : troubleText(answer);
  if (answer.type !== 'ok') return held.trouble !== before;
  const bytes = answer.value;
  const isFirst = !held.isReady;
  held.isReady = true;
  if (where === 'before') {
    held.text = prependText(held.text, new TextDecoder().decode(bytes));
    held.from = from;
  } else {
    held.text = appendText(held.text, held.decoder.decode(bytes, { stream: true }));
    held.to += bytes.length;
    if (bytes.length === PIECE_BYTES) await readPiece({ api, of, claim, held, where });
  }
  return isFirst || bytes.length > 0 || before !== undefined;
}

/** All claims of the task that have printed something; looked for again while the task runs. */
export async function loadOutputs(api: ServerApi, of: OfTask): Promise<Answer<readonly ClaimOutput[]>> {
  const answer = await api.get<OutputsReply>(outputsPath(of));
  if (answer.type !== 'ok') return answer;
  return { type: 'ok', value: answer.value.claims.filter(({ parts }) => parts.length > 0) };
}
