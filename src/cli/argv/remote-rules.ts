// Which commands a person at another machine may give, who may give them, and how long they may take.
//
// remote-rules/R1. Every command is here; a test compares the two.
import { Option, type Command } from '@commander-js/extra-typings';
import type { CommandRole } from '../../core/protocol/remote-command.ts';
import { commandsOf, commandPath, type AnyCommand } from './command-tree.ts';

export interface RemoteRule {
  /** The least role; `nobody` for a command of which another machine makes no sense. */
  readonly for: CommandRole | 'nobody';
  /** It is for `nobody` because it calls the server itself. */
  readonly calls?: true;
  /** It follows something, or waits for somebody, for as long as that takes. */
  readonly isLong?: true;
  /** Long names of options that take more than reading. */
  readonly operatorOptions?: readonly string[];
  /** Long names of options that make no sense from another machine. */
  readonly nobodyOptions?: readonly string[];
}

const READS: RemoteRule = { for: 'reader' };
const FOLLOWS: RemoteRule = { for: 'reader', isLong: true };
const CHANGES: RemoteRule = { for: 'operator' };
const RUNS: RemoteRule = { for: 'operator', isLong: true };
const HERE: RemoteRule = { for: 'nobody' };

export const REMOTE_RULES: Readonly<Record<string, RemoteRule>> = {
  demo: HERE,
  init: HERE,
  plan: HERE,
  'plan print': READS,
  check: READS,
  simulate: READS,
  graph: READS,
  split: { ...RUNS },
  import: READS,
  config: READS,
  schema: HERE,
  net: HERE,
  'net check': READS,
  run: { ...RUNS, nobodyOptions: ['--web', '--web-port', '--public-url'] },
  watch: FOLLOWS,
  web: HERE,
  mcp: HERE,
  'mcp install': HERE,
  'mcp uninstall': HERE,
  status: READS,
  runs: READS,
  explain: READS,
  logs: FOLLOWS,
  turns: READS,
  events: FOLLOWS,
  amend: RUNS,
  approve: RUNS,
  reject: RUNS,
  answer: CHANGES,
  pause: RUNS,
  resume: RUNS,
  stop: RUNS,
  cancel: RUNS,
  skip: RUNS,
  retry: RUNS,
  rollback: RUNS,
  report: READS,
  trace: { ...READS, operatorOptions: ['--otlp'] },
  land: RUNS,
  conflicts: READS,
  open: HERE,
  merge: RUNS,
  recover: { ...READS, operatorOptions: ['--to'], nobodyOptions: ['--into'] },
  agents: { ...READS, operatorOptions: ['--try'] },
  doctor: { ...READS, operatorOptions: ['--fix'] },
  fetch: { for: 'nobody', calls: true },
  host: HERE,
  serve: HERE,
  hosts: READS,
  token: HERE,
  'token add': CHANGES,
  'token list': CHANGES,
  'token revoke': CHANGES,
  login: HERE,
  cluster: HERE,
  'cluster up': HERE,
  'cluster status': HERE,
  'cluster down': HERE,
  completion: HERE,
  help: HERE,
};

/** Whether a command can be given to another machine, or calls one itself. */
export function isForServers(command: AnyCommand): boolean {
  const rule = REMOTE_RULES[commandPath(command).join(' ')];
  return rule !== undefined && (rule.for !== 'nobody' || rule.calls === true);
}

/** Options whose file is written, and not read. */
export const OUTPUT_OPTIONS: ReadonlySet<string> = new Set(['--out', '--svg']);

/** Options that have the files written that are read. */
export const WRITE_BACK_OPTIONS: ReadonlySet<string> = new Set(['--write-back']);

/** Options that say which server is meant and who calls; they concern the person's machine alone. */
export const SERVER_OPTIONS: ReadonlySet<string> = new Set(['--on', '--token-file', '--tls-ca', '--insecure']);

/** Arguments that name files of the project, which is where the server is. */
export const OF_REPOSITORY: ReadonlySet<string> = new Set(['place']);

/** What goes with `--on`, at every command that may be for another machine. Help leaves them to a page of their own. */
export function addServerOptions(program: Command): void {
  for (const { path, command } of commandsOf(program)) {
    if (REMOTE_RULES[path.join(' ')]?.for === 'nobody') continue;
    command
      .addOption(new Option('--token-file <file>', 'with --on: a file with your token').hideHelp())
      .addOption(
        new Option('--tls-ca <file>', 'with --on: the certificate of who signed that of the server').hideHelp(),
      )
      .addOption(new Option('--insecure', 'with --on: go without encryption').hideHelp());
  }
}
