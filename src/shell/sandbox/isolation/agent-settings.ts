// Where the settings of an agent are outside, and where it finds them inside: in the home folder that stands in for the
// user's own, whether they were there or where the environment says.
//
// agent-settings/E1. What the environment or the plan names is shown to be read and not to be changed; nothing else of
//     its folder is seen.
// agent-settings/E2. Who is logged in as somebody else has another home folder.
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Brought } from './isolation.ts';
import { AGENT_NEEDS, type AgentAtWork } from './agent-needs.ts';

/** A part of the home folder that a name of the environment puts elsewhere. */
interface Move {
  readonly variable: string;
  /** Below the home folder. */
  readonly path: string;
  /** Below the folder that the variable names. */
  readonly at: string;
}

const MOVES: readonly Move[] = [
  { variable: 'CLAUDE_CONFIG_DIR', path: '.claude', at: '' },
  { variable: 'CLAUDE_CONFIG_DIR', path: '.claude.json', at: '.claude.json' },
  { variable: 'CODEX_HOME', path: '.codex', at: '' },
  { variable: 'GEMINI_CLI_HOME', path: '.gemini', at: '.gemini' },
  { variable: 'PI_CODING_AGENT_DIR', path: '.pi/agent', at: '' },
  { variable: 'XDG_CONFIG_HOME', path: '.config', at: '' },
  { variable: 'XDG_DATA_HOME', path: '.local/share', at: '' },
  { variable: 'XDG_STATE_HOME', path: '.local/state', at: '' },
  { variable: 'XDG_CACHE_HOME', path: '.cache', at: '' },
];

/** Names that hold where a file or a folder is which an agent reads. */
const PATHS: readonly string[] = [
  'OPENCODE_CONFIG',
  'OPENCODE_CONFIG_DIR',
  'GEMINI_CLI_SYSTEM_SETTINGS_PATH',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'AWS_CONFIG_FILE',
  'AWS_SHARED_CREDENTIALS_FILE',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CODEX_CA_CERTIFICATE',
];

export interface AgentSettings {
  readonly brought: readonly Brought[];
  /** Of those, what the agent renews by itself. */
  readonly renewed: readonly Brought[];
  /** Found inside where it is outside. */
  readonly readable: readonly string[];
  /** Names that lead to where nothing is inside. */
  readonly unset: readonly string[];
  /** Tells the home folder of one who is logged in as somebody from that of another. */
  readonly name: string;
}

const NO_SETTINGS: AgentSettings = { brought: [], renewed: [], readable: [], unset: [], name: 'plain' };

/** Of no agent, or of one whose needs nobody knows, nothing is brought. */
export function settingsOf(agent: AgentAtWork | undefined): AgentSettings {
  const needs = agent === undefined ? undefined : AGENT_NEEDS.get(agent.kind);
  if (agent === undefined || needs === undefined) return NO_SETTINGS;
  const { environment, kind } = agent;
  const moves = MOVES.filter(({ variable }) => isAbsolute(environment[variable] ?? ''));
  const moved = new Map(moves.map(({ variable }) => [variable, environment[variable] ?? '']));
  const home = environment['HOME'] ?? homedir();
  const brought = (path: string): Brought => ({ from: sourceOf(path, { moves, moved, home }), to: path });
  const elsewhere = [...moved].map(([variable, folder]) => `${variable}=${folder}`);
  return {
    brought: needs.logIn.map(brought),
    renewed: needs.renews.map(brought),
    readable: readableFor(agent),
    unset: [...moved.keys()],
    name: nameOf(kind, home === homedir() ? elsewhere : [home, ...elsewhere]),
  };
}

interface Places {
  readonly moves: readonly Move[];
  readonly moved: ReadonlyMap<string, string>;
  readonly home: string;
}

function sourceOf(path: string, { moves, moved, home }: Places): string {
  const move = moves.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (move === undefined) return join(home, path);
  return join(moved.get(move.variable) ?? '', move.at, path.slice(move.path.length));
}

const nameOf = (kind: string, elsewhere: readonly string[]): string =>
  elsewhere.length === 0 ? `of ${kind}` : `of ${kind} ${digestOf(elsewhere.join('\n'))}`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** What names of the environment lead to, and files that the plan names in the call. */
function readableFor({ environment, args }: AgentAtWork): readonly string[] {
  const named = PATHS.flatMap((name) => environment[name] ?? []).filter((path) => isAbsolute(path));
  const written = args.map((word) => word.slice(word.indexOf('=') + 1)).filter(isFile);
  return [...new Set([...named, ...written])];
}

const isFile = (path: string): boolean =>
  isAbsolute(path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
