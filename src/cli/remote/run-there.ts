// Gives a command line to a server, and shows what comes back as if the command ran here.
import { existsSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { programVersion } from '../../app/package-root.ts';
import { COMMAND_PROTOCOL, frameIn, type FarCheckout, type RemoteCommand } from '../../core/protocol/remote-command.ts';
import type { AnyCommand } from '../argv/command-tree.ts';
import { canAsk } from '../terminal/ask.ts';
import { CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callServer, EXEC_PATH } from './call-server.ts';
import { openCallersSide } from './callers-side.ts';
import type { Server } from './choose-server.ts';
import { filesToSend, namedFiles } from './named-files.ts';
import { openShown, type FrameView } from './show-frames.ts';

export interface There {
  readonly server: Server;
  readonly command: AnyCommand;
  readonly words: readonly string[];
}

/** Servers take no larger calls. */
const CALL_BYTES_MAX = 16 * 1024 * 1024;

/** A server gives a sign of life more often. */
const SILENT_MAX_MS = 90_000;

export async function runThere(terminal: Terminal, { server, command, words }: There): Promise<ExitCode> {
  const { inputs, outputs } = namedFiles(command);
  const side = await openCallersSide(terminal, server, command);
  const files = await filesToSend(inputs);
  const body = JSON.stringify(callOf(terminal, { words, outputs, files, checkout: side.checkout }));
  if (Buffer.byteLength(body) > CALL_BYTES_MAX)
    throw new CommandFailure(
      'The files of this command are larger than a server takes. Put them on its machine, and call it there.',
    );
  const leaving = new AbortController();
  const isRaw = command.opts()['raw'] === true;
  const shown = openShown(terminal, { server, outputs, isRaw, sendCommit: side.sendCommit });
  const stop = listenForInterrupts(() => leaving.abort());
  try {
    const exit = await followed(shown, server, { body, signal: leaving.signal });
    await side.bringBranch(shown.run());
    return exit;
  } catch (cause) {
    if (!leaving.signal.aborted) throw cause;
    return shown.leave();
  } finally {
    stop();
    shown.close();
  }
}

interface Calling {
  readonly words: readonly string[];
  readonly outputs: readonly string[];
  readonly files: RemoteCommand['files'];
  readonly checkout?: FarCheckout | undefined;
}

export function callOf(terminal: Terminal, { words, outputs, files, checkout }: Calling): RemoteCommand {
  const { width, colour, unicode, isTty, isInteractive } = terminal;
  const screen = {
    width,
    height: terminal.size().height,
    colour,
    unicode,
    isTty,
    isInteractive,
    canAsk: canAsk(terminal),
  };
  const taken = outputs.filter((file) => existsSync(file));
  return {
    protocol: COMMAND_PROTOCOL,
    version: programVersion(),
    words,
    files,
    taken,
    screen,
    checkout,
  };
}

interface Call {
  readonly body: string;
  readonly signal: AbortSignal;
}

async function followed(shown: FrameView, server: Server, { body, signal }: Call): Promise<ExitCode> {
  const response = await callServer(server, { path: EXEC_PATH, body, signal });
  response.setTimeout(SILENT_MAX_MS, () => response.destroy());
  try {
    for await (const line of linesOf(response)) {
      const frame = frameIn(line);
      const exit = frame === undefined ? undefined : shown.show(frame);
      if (exit !== undefined) return exit;
    }
    return signal.aborted ? shown.leave() : shown.breakOff();
  } finally {
    response.destroy();
  }
}

/** Up to the end of the stream, however it comes: whether the command was over, its last line says. */
async function* linesOf(response: IncomingMessage): AsyncGenerator<string> {
  let rest = '';
  try {
    for await (const part of response.setEncoding('utf8')) {
      // With an encoding a response gives text.
      const lines = (rest + (part as string)).split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
  } catch {
    return;
  }
}
