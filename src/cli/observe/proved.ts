// Whether a plan can finish, said before anything starts.
import type { Compiled } from '../../core/compile/compiled.ts';
import { verify } from '../../core/verify/verify.ts';
import { verdictLines } from '../text/proof-text.ts';
import type { Terminal } from '../terminal.ts';

/** Says what is wrong with it when it cannot. */
export function isProved(terminal: Terminal, { net }: Compiled): boolean {
  const from = performance.now();
  const verification = verify(net);
  if (verification.type !== 'workflow' || verification.verdict.type !== 'unsound') return true;
  for (const line of verdictLines(terminal, { net, verification, ms: performance.now() - from })) terminal.err(line);
  return false;
}
