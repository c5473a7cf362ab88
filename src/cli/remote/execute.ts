// `heddle execute`: carries out one command line for a person at another machine. The call comes as the first line of
// standard input, answers as further lines; what is printed leaves as frames.
//
// execute/E1. When nobody is at the other end any more, the process ends.
import { createInterface } from 'node:readline';
import { takeSentFiles } from '../../app/plan/read-file.ts';
import { onWarning } from '../../app/warnings.ts';
import { answerOf, grantedIn, type CommandFrame } from '../../core/protocol/remote-command.ts';
import { storeWarningText } from '../../core/view/text/store-failure-text.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import type { CommandRole } from '../../core/protocol/remote-command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { openFarTerminal } from './far-terminal.ts';

/** Runs one command line, within the rights of a role. */
export type RunWords = (terminal: Terminal, words: readonly string[], role: CommandRole) => Promise<ExitCode>;

const send = (frame: CommandFrame): void => void process.stdout.write(`${JSON.stringify(frame)}\n`);

export async function execute(runWords: RunWords): Promise<ExitCode> {
  const reader = createInterface({ input: process.stdin, crlfDelay: Infinity });
  const first = Promise.withResolvers<string>();
  let receive = (line: string): void => first.resolve(line);
  reader.on('line', (line) => receive(line));
  const leave = (): void => process.exit(EXIT.interrupted);
  reader.once('close', leave);
  const call = grantedIn(await first.promise);
  if (call === undefined) throw new CommandFailure('heddle execute is called by heddle serve alone.');
  const { terminal, receive: take } = openFarTerminal(call, send);
  receive = (line) => {
    const answer = answerOf(line);
    if (answer !== undefined) take(answer);
  };
  onWarning((warning) => terminal.err(storeWarningText(warning)));
  takeSentFiles(new Map(call.files.map(({ name, base64 }) => [name, Buffer.from(base64, 'base64')])));
  const code = await runWords(terminal, call.words, call.role);
  send({ type: 'exit', code });
  reader.off('close', leave);
  reader.close();
  process.stdin.destroy();
  return code;
}
