// `heddle host`: joins a server as one of its hosts, here or on a machine that SSH reaches, until it is told to leave.
import type { HostNote } from '../../app/hosts/host-note.ts';
import { joinServer } from '../../app/hosts/join-server.ts';
import { readTokenFile, tokenFileFor } from '../../app/hosts/read-token.ts';
import { serverAddress } from '../../app/hosts/server-address.ts';
import { startSshHost } from '../../app/hosts/ssh-host.ts';
import { trustedBy } from '../../app/hosts/trusted-by.ts';
import { mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { EXIT, CommandFailure, type ExitCode } from '../terminal/exit-code.ts';
import { onInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { hostText } from '../text/host-text.ts';
import { openHostInput } from './host-input.ts';

export interface HostFlags {
  readonly join: string | undefined;
  readonly ssh: string | undefined;
  readonly sshOption: readonly string[];
  readonly sshProgram: string;
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
  if (flags.join === undefined)
    throw new CommandFailure('Name the server to join: heddle host --join https://machine:4400.');
  const urls = flags.join.split(',').map((word) => serverAddress(word.trim(), { isInsecure: flags.insecure }));
  if (flags.ssh !== undefined) return await serveThroughSsh(terminal, flags, { urls, machine: flags.ssh });
  const file = tokenFileFor(flags.tokenFile);
  const input = file === STANDARD_INPUT ? await openHostInput({ isSteered: flags.steered }) : undefined;
  const program = await joinServer({
    urls,
    token: input?.token ?? readTokenFile(file),
    authorities: flags.tlsCa,
    home: flags.home,
    width: flags.width,
    labels: flags.label,
    onNote: noteWriter(terminal, flags),
  });
  input?.steer(program);
  const stop = onInterrupts({ onFirst: program.drain, onSecond: program.end, onTerminate: program.end });
  try {
    await program.ended;
    return EXIT.done;
  } finally {
    stop();
    input?.close();
  }
}

interface Through {
  readonly urls: readonly URL[];
  readonly machine: string;
}

async function serveThroughSsh(terminal: Terminal, flags: HostFlags, { urls, machine }: Through): Promise<ExitCode> {
  const [url, ...others] = urls;
  if (url === undefined || others.length > 0)
    throw new CommandFailure('With --ssh a host joins one server: name one address.');
  // ssh would take it for an option.
  if (machine === '' || machine.startsWith('-')) throw new Refused({ code: 'ssh-malformed', machine });
  const tell = noteWriter(terminal, flags);
  const file = tokenFileFor(flags.tokenFile);
  const labels = flags.label.length === 0 ? [] : ['--label', flags.label.join(',')];
  const home = flags.home === undefined ? [] : ['--home', flags.home];
  const input = file === STANDARD_INPUT ? await openHostInput({ isSteered: false }) : undefined;
  const host = await startSshHost({
    url,
    machine,
    token: input?.token ?? readTokenFile(file),
    authorities: trustedBy(flags.tlsCa),
    options: flags.sshOption,
    program: flags.sshProgram.split(' '),
    flags: ['--width', String(flags.width), ...labels, ...home],
    onLine: (line) => tellLine(terminal, flags, line),
    onError: terminal.err,
    onNote: tell,
  });
  const stop = onInterrupts({ onFirst: host.drain, onSecond: host.end, onTerminate: host.end });
  try {
    return (await host.ended) === EXIT.done ? EXIT.done : EXIT.wrong;
  } finally {
    stop();
    input?.close();
  }
}

const noteWriter =
  (terminal: Terminal, { json }: Pick<HostFlags, 'json'>) =>
  (note: HostNote): void =>
    json ? terminal.out(JSON.stringify(note)) : sayNote(terminal, note);

/** Where nobody looks on, only what a log should have: claims come and go too often for one. */
function sayNote(terminal: Terminal, note: HostNote): void {
  if (note.code === 'claims' && !terminal.isInteractive) return;
  terminal.err(hostText(note));
}

/** A note of the host on the other machine. */
function tellLine(terminal: Terminal, { json }: HostFlags, line: string): void {
  if (json) {
    terminal.out(line);
    return;
  }
  try {
    // Another version there may have notes that this one has no words for.
    sayNote(terminal, JSON.parse(line) as HostNote);
  } catch {
    terminal.err(line);
  }
}
