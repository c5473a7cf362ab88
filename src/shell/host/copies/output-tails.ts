// What the claims of this host have newly printed, for the machine that has the log.
//
// output-tails/W1. A piece is at most TAIL_BYTES_MAX long, the newest output when there was more, and says from which byte on
//     it is. What is left out is remembered, for a reader who asks for it.
// output-tails/W2. A piece whose message was not answered is sent again; one that arrives twice has no effect.
import { claimKey, type ClaimRef } from '../../../core/protocol/assignment.ts';
import { TAIL_BYTES_MAX, type HostTail } from '../../../core/protocol/host-message.ts';
import { wholeIn } from '../../../core/protocol/output-copy.ts';
import type { LocalArtifacts } from '../../ports/artifacts.ts';
import { latin1, placeOutput, type OutputRange, type PlacedOutput } from './output-range.ts';

export interface ClaimOfRun {
  readonly run: string;
  readonly claim: ClaimRef;
}

export interface OutputTails {
  /** The new pieces of these claims, for the message with this number; they count as sent from here on. */
  readonly next: (number: number, claims: readonly ClaimOfRun[]) => readonly HostTail[];
  /** Whether there is something to send of these claims. */
  readonly hasNews: (claims: readonly ClaimOfRun[]) => boolean;
  /** The message with this number was answered. */
  readonly answered: (number: number) => void;
  /** From the first byte that was left out, or not sent, to the end: at most so many bytes, of which the end is kept. */
  readonly unsent: (of: ClaimOfRun, bytesMax: number) => OutputRange;
  /** All up to this byte is there. */
  readonly sent: (of: ClaimOfRun, to: number) => void;
  /** The claim is over, and its files are there. */
  readonly forget: (of: ClaimOfRun) => void;
}

interface Followed {
  /** By part of the output, how many bytes came before it. */
  starts: ReadonlyMap<string, number>;
  sentTo: number;
  /** What was there when a piece was made; it may end with a character that is not whole. */
  seenTo: number;
  deliveredTo: number;
  /** The first byte that was left out. */
  missingFrom: number | undefined;
}

export function openOutputTails(artifacts: LocalArtifacts): OutputTails {
  const followed = new Map<string, Followed>();
  const follow = (of: ClaimOfRun): Followed => {
    const key = keyOf(of);
    const known = followed.get(key) ?? {
      starts: new Map(),
      sentTo: 0,
      seenTo: 0,
      deliveredTo: 0,
      missingFrom: undefined,
    };
    followed.set(key, known);
    return known;
  };
  /** By the number of a message that was not answered yet, its pieces. */
  const open = new Map<number, readonly HostTail[]>();
  return {
    next: (number, claims) => {
      // The server answers a message as soon as it has the next one.
      if ([...open.keys()].some((each) => each < number - 1)) {
        open.clear();
        for (const known of followed.values()) known.sentTo = known.deliveredTo;
      }
      const tails = claims.flatMap((of) => tailOf(artifacts, of, follow(of)) ?? []);
      if (tails.length > 0) open.set(number, tails);
      return tails;
    },
    hasNews: (claims) => claims.some((of) => placed(artifacts, of, follow(of)).end > follow(of).seenTo),
    answered: (number) => {
      for (const tail of open.get(number) ?? []) {
        const known = followed.get(keyOf(tail));
        if (known !== undefined) known.deliveredTo = Math.max(known.deliveredTo, tail.from + tail.text.length);
      }
      open.delete(number);
    },
    unsent: (of, bytesMax) => {
      const known = follow(of);
      const { first, end, read } = placed(artifacts, of, known);
      const from = Math.max(known.missingFrom ?? known.deliveredTo, end - bytesMax, first);
      return { from, bytes: read(from) };
    },
    sent: (of, to) => {
      const known = follow(of);
      Object.assign(known, { sentTo: Math.max(known.sentTo, to), deliveredTo: Math.max(known.deliveredTo, to) });
      known.missingFrom = undefined;
    },
    forget: (of) => void followed.delete(keyOf(of)),
  };
}

const keyOf = ({ run, claim }: ClaimOfRun): string => `${run} ${claimKey(claim)}`;

function placed(artifacts: LocalArtifacts, of: ClaimOfRun, known: Followed): PlacedOutput {
  const output = placeOutput(artifacts, { run: of.run, claim: of.claim, name: 'output' }, known.starts);
  known.starts = output.starts;
  return output;
}

function tailOf(artifacts: LocalArtifacts, of: ClaimOfRun, known: Followed): HostTail | undefined {
  const { first, end, read } = placed(artifacts, of, known);
  known.seenTo = end;
  if (end <= known.sentTo) return undefined;
  const from = Math.max(known.sentTo, end - TAIL_BYTES_MAX, first);
  const bytes = read(from);
  const isCut = from > known.sentTo;
  const whole = wholeIn(bytes, isCut);
  if (whole.end <= whole.start) return undefined;
  if (isCut) known.missingFrom ??= known.sentTo;
  known.sentTo = from + whole.end;
  const { run, claim } = of;
  return { run, claim, from: from + whole.start, text: latin1(bytes.subarray(whole.start, whole.end)) };
}
