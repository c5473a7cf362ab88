// Gives a command line to a server, and shows what comes back as if the command ran here.
//
// run-there/T1. The server writes no file here but those that the command line names as outputs.
// run-there/T2. What a server sends steers no terminal: it is made safe like any foreign text.
import { closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { programVersion } from '../../app/package-root.ts';
import {
  COMMAND_PROTOCOL,
  frameIn,
  type CommandAnswer,
  type CommandFrame,
  type RemoteCommand,
} from '../../core/protocol/remote-command.ts';
import type { AnyCommand } from '../argv/command-tree.ts';
import { canAsk, lineTyped } from '../terminal/ask.ts';
import { EXIT, Failure, type ExitCode } from '../terminal/exit-code.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import { textStream } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callServer } from './call-server.ts';
import type { Server } from './choose-server.ts';
import { filesToSend, namedFiles } from './named-files.ts';

export interface There {
  readonly server: Server;
  readonly command: AnyCommand;
  readonly words: readonly string[];
}

/** Below the address of a server. */
export const EXEC = 'api/exec';

/** Servers take no larger calls. */
const CALL_BYTES_MAX = 16 * 1024 * 1024;

/** A server gives a sign of life more often. */
const SILENT_MAX_MS = 90_000;

export async function runThere(terminal: Terminal, { server, command, words }: There): Promise<ExitCode> {
  const { inputs, outputs } = namedFiles(command);
  const body = JSON.stringify(callOf(terminal, { words, outputs, files: await filesToSend(inputs) }));
  if (Buffer.byteLength(body) > CALL_BYTES_MAX)
    throw new Failure(
      'The files of this command are larger than a server takes. Put them on its machine, and call it there.',
    );
  const leaving = new AbortController();
  const shown = openShown(terminal, { server, outputs, isRaw: command.opts()['raw'] === true });
  const stop = listenForInterrupts(() => leaving.abort());
  try {
    return await followed(shown, server, { body, signal: leaving.signal });
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
}

export function callOf(terminal: Terminal, { words, outputs, files }: Calling): RemoteCommand {
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
    checkout: undefined,
  };
}

interface Call {
  readonly body: string;
  readonly signal: AbortSignal;
}

async function followed(shown: Shown, server: Server, { body, signal }: Call): Promise<ExitCode> {
  const response = await callServer(server, { path: EXEC, body, signal });
  response.setTimeout(SILENT_MAX_MS, () => response.destroy());
  // An error of the stream ends its lines; whether that was the end, the last frame says.
  response.on('error', () => undefined);
  const lines = createInterface({ input: response, crlfDelay: Infinity });
  for await (const line of lines) {
    const frame = frameIn(line);
    const exit = frame === undefined ? undefined : shown.show(frame);
    if (exit !== undefined) return exit;
  }
  if (signal.aborted) return shown.leave();
  return shown.breakOff();
}

interface Shown {
  /** The exit code, at the end. */
  readonly show: (frame: CommandFrame) => ExitCode | undefined;
  /** The person leaves. */
  readonly leave: () => ExitCode;
  /** The server has gone. */
  readonly breakOff: () => ExitCode;
  readonly close: () => void;
}

interface Showing {
  readonly server: Server;
  readonly outputs: readonly string[];
  readonly isRaw: boolean;
}

function openShown(terminal: Terminal, { server, outputs, isRaw }: Showing): Shown {
  const { host, origin } = server.url;
  const files = openOutputs(outputs);
  const bytes = terminal.isTty && !isRaw ? textStream({ colour: terminal.colour }) : undefined;
  let id = '';
  let run: string | undefined;
  const ask = async (number: number, prompt: string): Promise<void> => {
    const answer: CommandAnswer = { number, line: canAsk(terminal) ? await lineTyped(terminal, prompt) : undefined };
    const response = await callServer(server, { path: `${EXEC}/${id}`, body: JSON.stringify(answer) });
    response.resume();
  };
  const goesOn = (): readonly string[] =>
    run === undefined ? [] : [`${run} goes on there; heddle watch ${run} --on ${origin} shows it again.`];
  return {
    show: (frame) => {
      switch (frame.type) {
        case 'started':
          ({ id } = frame);
          break;
        case 'out':
          terminal.write(frame.text);
          break;
        case 'bytes': {
          const content = Buffer.from(frame.base64, 'base64');
          if (bytes === undefined) terminal.writeBytes(content);
          else terminal.write(bytes.write(content));
          break;
        }
        case 'err':
          terminal.err(frame.text);
          break;
        case 'question':
          // A command that is over by the time of the answer does not wait for it.
          void ask(frame.number, frame.prompt).catch(() => undefined);
          break;
        case 'file':
          files.write(frame);
          break;
        case 'following':
          ({ run } = frame);
          break;
        case 'overdue':
          terminal.err(`heddle: ${host} ended the command, because it took longer than ${frame.afterMs / 1000} s.`);
          break;
        case 'unlimited':
        case 'beat':
          break;
        case 'exit':
          return exitOf(frame.code);
      }
      return undefined;
    },
    leave: () => {
      for (const line of goesOn()) terminal.err(line);
      return EXIT.interrupted;
    },
    breakOff: () => {
      terminal.err(['heddle: The connection to', `${host} broke off.`, ...goesOn()].join(' '));
      return EXIT.waiting;
    },
    close: files.close,
  };
}

/** A code of another version counts as its bug. */
const exitOf = (code: number): ExitCode => Object.values(EXIT).find((each) => each === code) ?? EXIT.bug;

interface Outputs {
  readonly write: (piece: Extract<CommandFrame, { type: 'file' }>) => void;
  readonly close: () => void;
}

function openOutputs(allowed: readonly string[]): Outputs {
  const open = new Map<string, number>();
  return {
    write: ({ name, text, isFirst }) => {
      if (!allowed.includes(name)) throw new Failure(`The server sent a file that nobody asked for, ${name}.`);
      try {
        if (isFirst && !open.has(name)) open.set(name, openSync(name, 'w'));
        const file = open.get(name);
        if (file !== undefined) writeSync(file, text);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new Failure(`${name} could not be written: ${message}. Choose another place.`, { cause });
      }
    },
    close: () => {
      for (const file of open.values()) closeSync(file);
    },
  };
}
