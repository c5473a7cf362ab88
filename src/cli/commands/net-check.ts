import { readPnml } from '../../core/net/pnml/read-pnml.ts';
import { verify, type Verification } from '../../core/verify/verify.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { readText } from '../../app/plan/read-file.ts';
import { checkLines, proofAsData, verdictLines, type Proof } from '../text/proof-text.ts';
import { paint, type Terminal } from '../terminal.ts';

export interface NetCheckFlags {
  readonly json: boolean;
  readonly markings: number | undefined;
}

/** `heddle net check`: proves things of a P/T net read from PNML. */
export function netCheck(terminal: Terminal, file: string, { json, markings }: NetCheckFlags): ExitCode {
  const { net, problems } = readPnml(readText(file));
  if (net === undefined) {
    if (json) terminal.out(JSON.stringify({ file, problems }, undefined, 2));
    else
      for (const { message, line, column } of problems)
        terminal.err(`${file}:${line}:${column} ${paint(terminal, 'bad', 'error')} ${message}`);
    return EXIT.wrong;
  }
  const start = performance.now();
  const verification = verify(net, markings === undefined ? {} : { limits: { markingsMax: markings } });
  const proof: Proof = { net, verification, ms: performance.now() - start };
  if (json) terminal.out(JSON.stringify({ file, ...proofAsData(proof) }, undefined, 2));
  else terminal.out([...verdictLines(terminal, proof), ...checkLines(terminal, verification)].join('\n'));
  return exitOf(verification);
}

/** A question that a limit left open is told apart from one that was answered. */
function exitOf(verification: Verification): ExitCode {
  if (verification.type === 'general') {
    return verification.checks.some(({ result }) => result === 'unknown') ? EXIT.ceiling : EXIT.done;
  }
  switch (verification.verdict.type) {
    case 'sound':
      return EXIT.done;
    case 'unsound':
      return EXIT.wrong;
    case 'unknown':
      return EXIT.ceiling;
  }
}
