// The checks and the verdict of the verifier, for a plan or for any net.
import { placeCount, transitionCount } from '../../core/net/net.ts';
import type { Verification } from '../../core/verify/verify.ts';
import { verdictRows, type ProvedNet } from '../../core/view/text/verdict-rows.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { helpOn } from './diagnostic-text.ts';
import { painted } from './rows.ts';

/** The verdict in one to three lines. */
export const verdictLines = (terminal: Terminal, proof: ProvedNet): readonly string[] =>
  verdictRows(proof).map((row) => painted(terminal, row));

const SIGNS = { holds: ['good', 'yes'], fails: ['bad', 'no'], unknown: ['warn', '?'] } as const;

/** One line per check, in order. */
export function checkLines(terminal: Terminal, { checks }: Verification): readonly string[] {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks.map(({ title, result, sentence }) => {
    const [style, sign] = SIGNS[result];
    return `  ${paint(terminal, style, sign.padEnd(3))}  ${title.padEnd(width)}  ${paint(terminal, 'quiet', sentence)}`;
  });
}

/** The verification for programs, with the trace to a fault in names too. */
export function proofAsData({ net, verification }: ProvedNet): object {
  const verdict = verification.type === 'workflow' ? verification.verdict : undefined;
  const finding = verdict?.type === 'unsound' ? verdict.finding : undefined;
  return {
    places: placeCount(net),
    transitions: transitionCount(net),
    ...verification,
    trace: finding?.trace?.map((transition) => net.transitions[transition]?.id),
    help: finding === undefined ? undefined : helpOn(finding.code),
  };
}
