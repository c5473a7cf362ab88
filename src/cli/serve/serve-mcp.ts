// `heddle mcp`: serves the Model Context Protocol until the client has gone.
import { findProject } from '../../app/project.ts';
import { serveOnStdio } from '../../mcp/stdio.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';

export async function serveMcp({ err }: Terminal, { readOnly }: { readonly readOnly: boolean }): Promise<ExitCode> {
  if (process.stdin.isTTY)
    err(
      'heddle mcp speaks with a program, such as Claude Code, on standard input. Ctrl-D ends it; heddle mcp install CLIENT sets one up.',
    );
  await serveOnStdio({
    project: findProject(),
    isReadOnly: readOnly,
    onError: (message) => err(`heddle mcp: ${shortened(message)}`),
  });
  return EXIT.done;
}

const SHOWN_MAX = 300;

/** Of a message of the client that cannot be read, the library lists every way to read it. */
const shortened = (message: string): string => message.replaceAll(/\s+/g, ' ').slice(0, SHOWN_MAX);
