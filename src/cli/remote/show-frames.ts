// What comes back of a command at a server, as if the command ran here.
//
// show-frames/F1. What a server sends steers no terminal: it is made safe like any foreign text.
import type { CommandAnswer, CommandFrame } from '../../core/protocol/remote-command.ts';
import type { Sending } from '../../app/git/callers-repository.ts';
import { canAsk, lineTyped } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { textStream } from '../terminal/terminal-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { callServer, EXEC_PATH } from './call-server.ts';
import type { Server } from './choose-server.ts';
import { openFarOutputs } from './far-outputs.ts';

export interface FrameView {
  /** The exit code, at the end. */
  readonly show: (frame: CommandFrame) => ExitCode | undefined;
  /** The run that the command follows, once it does. */
  readonly run: () => string | undefined;
  /** The person leaves. */
  readonly leave: () => ExitCode;
  /** The server has gone. */
  readonly breakOff: () => ExitCode;
  readonly close: () => void;
}

export interface Showing {
  readonly server: Server;
  readonly outputs: readonly string[];
  readonly isRaw: boolean;
  /** Sends a commit of the repository here to the server. */
  readonly sendCommit: (sending: Sending) => Promise<string | undefined>;
}

export function openShown(terminal: Terminal, { server, outputs, isRaw, sendCommit }: Showing): FrameView {
  const { host, origin } = server.url;
  const files = openFarOutputs(outputs);
  const bytes = terminal.isTty && !isRaw ? textStream({ colour: terminal.colour }) : undefined;
  let id = '';
  let run: string | undefined;
  const reply = async (number: number, line: Promise<string | undefined>): Promise<void> => {
    const answer: CommandAnswer = { number, line: await line };
    // A command that is over by the time of the answer does not wait for it.
    const response = await callServer(server, { path: `${EXEC_PATH}/${id}`, body: JSON.stringify(answer) }).catch(
      () => undefined,
    );
    response?.resume();
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
          void reply(frame.number, canAsk(terminal) ? lineTyped(terminal, frame.prompt) : Promise.resolve(undefined));
          break;
        case 'wanted':
          void reply(frame.number, sendCommit(frame));
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
    run: () => run,
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
