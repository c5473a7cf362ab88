// A terminal that keeps what is written to it.
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';

export function keepingTerminal(width: number): { readonly terminal: Terminal; readonly said: () => string } {
  const lines: string[] = [];
  const keep = (text: string): void => void lines.push(text);
  const terminal: Terminal = {
    out: keep,
    write: keep,
    writeBytes: () => undefined,
    err: keep,
    width,
    size: () => ({ width, height: 24 }),
    isTty: false,
    isInteractive: false,
    colour: false,
    unicode: true,
    far: undefined,
  };
  return { terminal, said: () => lines.join('\n') };
}

export const silentTerminal = (): Terminal => keepingTerminal(80).terminal;
