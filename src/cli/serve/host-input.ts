// Standard input of a host program: the token; then, where another program has started it, words that steer it.
import { createInterface } from 'node:readline';
import { tokenIn } from '../../app/hosts/read-token.ts';
import { STEERED_SILENCE_MS } from '../../app/hosts/steered-input.ts';
import type { HostProgram } from '../../app/hosts/run-host.ts';

export interface HostInput {
  readonly token: string;
  /** Where it is steered: from here on `drain` and `end` on a line of their own are heard. At the end of the input nobody is there any more. */
  readonly steer: (program: HostProgram) => void;
  readonly close: () => void;
}

export async function openHostInput({ isSteered }: { readonly isSteered: boolean }): Promise<HostInput> {
  const lines = createInterface({ input: process.stdin });
  const kept: string[] = [];
  let program: HostProgram | undefined;
  let hasEnded = false;
  const first = Promise.withResolvers<string>();
  let hasToken = false;
  const silence = isSteered ? setTimeout(() => lines.close(), STEERED_SILENCE_MS) : undefined;
  lines.on('line', (line) => {
    silence?.refresh();
    if (!hasToken) first.resolve(line);
    else if (program === undefined) kept.push(line);
    else obey(program, line);
    hasToken = true;
  });
  lines.on('close', () => {
    clearTimeout(silence);
    first.resolve('');
    hasEnded = true;
    program?.abandon();
  });
  return {
    token: tokenIn('Standard input', await first.promise),
    steer: (started) => {
      if (!isSteered) return;
      program = started;
      for (const line of kept) obey(started, line);
      if (hasEnded) started.abandon();
    },
    close: () => {
      program = undefined;
      lines.close();
      process.stdin.destroy();
    },
  };
}

function obey(program: HostProgram, line: string): void {
  if (line === 'drain') program.drain();
  if (line === 'end') program.end();
}
