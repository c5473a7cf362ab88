// `heddle host`: joins a server as one of its hosts, until it is told to leave.
import { mustNotBeNested } from '../../app/project.ts';
import type { HostNote } from '../../app/hosts/host-note.ts';
import { joinServer } from '../../app/hosts/join-server.ts';
import { readTokenFile, tokenFileFor } from '../../app/hosts/read-token.ts';
import type { HostProgram } from '../../app/hosts/run-host.ts';
import { serverAddress } from '../../app/hosts/server-address.ts';
import { EXIT, Failure, type ExitCode } from '../terminal/exit-code.ts';
import { onInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { hostText } from '../text/host-text.ts';
import { openHostInput } from './host-input.ts';

export interface HostFlags {
  readonly join: string | undefined;
  readonly tokenFile: string | undefined;
  readonly width: number;
  readonly label: readonly string[];
  readonly home: string | undefined;
  readonly tlsCa: string | undefined;
  readonly insecure: boolean;
  readonly json: boolean;
  /** Another program has started this one, and steers it through standard input. */
  readonly steered: boolean;
}

const STANDARD_INPUT = '-';

export async function serveAsHost(terminal: Terminal, flags: HostFlags): Promise<ExitCode> {
  mustNotBeNested();
  if (flags.join === undefined) throw new Failure('Name the server to join: heddle host --join https://machine:4400.');
  const urls = flags.join.split(',').map((word) => serverAddress(word.trim(), { isInsecure: flags.insecure }));
  const file = tokenFileFor(flags.tokenFile);
  const input = file === STANDARD_INPUT ? await openHostInput({ isSteered: flags.steered }) : undefined;
  const program = await joinServer({
    urls,
    token: input?.token ?? readTokenFile(file),
    authorities: flags.tlsCa,
    home: flags.home,
    width: flags.width,
    labels: flags.label,
    onNote: flags.json ? (note) => terminal.out(JSON.stringify(note)) : (note) => sayNote(terminal, note),
  });
  input?.steer(program);
  const stop = listen(program);
  try {
    await program.ended;
    return EXIT.done;
  } finally {
    stop();
    input?.close();
  }
}

const listen = (program: HostProgram): (() => void) =>
  onInterrupts({ onFirst: program.drain, onSecond: program.end, onTerminate: program.end });

/** Where nobody looks on, only what a log should have: claims come and go too often for one. */
function sayNote(terminal: Terminal, note: HostNote): void {
  if (note.code === 'claims' && !terminal.isInteractive) return;
  terminal.err(hostText(note));
}
