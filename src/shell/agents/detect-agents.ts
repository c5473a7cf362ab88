// Detects the agents on this machine: the program, its version, and signs of a log-in.
//
// Limit: only signs are checked, a variable or a file; only a turn shows whether the provider accepts them.
import { capture } from '../exec/capture.ts';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Agent } from '../../core/plan/plan.ts';
import { ADAPTERS } from './adapters.ts';

export type AgentSurroundings = Readonly<Record<string, string>>;

export interface FoundAgent {
  /** The name in plans. */
  readonly use: string;
  readonly program: string | undefined;
  /** Path of the program; undefined when it is not installed. */
  readonly path: string | undefined;
  readonly version: string | undefined;
  readonly login: Login;
  /** The command line of a turn, without the prompt. */
  readonly call: readonly string[];
  readonly hint: string | undefined;
}

export type Login =
  | { readonly type: 'sign'; readonly by: string }
  | { readonly type: 'none' }
  /** No log-in is needed. */
  | { readonly type: 'needless' };

interface Signs {
  readonly program: string;
  readonly names: readonly string[];
  /** Below the home folder. */
  readonly files: readonly string[];
  readonly install: string;
  readonly logIn: string;
}

const ANY_PROVIDER = ['ANTHROPIC_API_KEY', 'OPENAI_API_KEY', 'GEMINI_API_KEY', 'OPENROUTER_API_KEY'];

const SIGNS: ReadonlyMap<string, Signs> = new Map([
  [
    'claude',
    {
      program: 'claude',
      names: [
        'ANTHROPIC_API_KEY',
        'ANTHROPIC_AUTH_TOKEN',
        'CLAUDE_CODE_OAUTH_TOKEN',
        'CLAUDE_CODE_USE_BEDROCK',
        'CLAUDE_CODE_USE_VERTEX',
      ],
      files: ['.claude/.credentials.json'],
      install: 'npm install --global @anthropic-ai/claude-code',
      logIn: 'Start claude once and log in, or set ANTHROPIC_API_KEY.',
    },
  ],
  [
    'codex',
    {
      program: 'codex',
      names: ['OPENAI_API_KEY', 'CODEX_API_KEY'],
      files: ['.codex/auth.json'],
      install: 'npm install --global @openai/codex',
      logIn: 'Run codex login, or set OPENAI_API_KEY.',
    },
  ],
  [
    'opencode',
    {
      program: 'opencode',
      names: ['OPENCODE_CONFIG', 'OPENCODE_API_KEY', ...ANY_PROVIDER],
      files: ['.local/share/opencode/auth.json', '.config/opencode/opencode.json'],
      install: 'npm install --global opencode-ai',
      logIn: 'Run opencode auth login, or set the key of a provider.',
    },
  ],
  [
    'gemini',
    {
      program: 'gemini',
      names: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENAI_USE_VERTEXAI'],
      files: ['.gemini/oauth_creds.json'],
      install: 'npm install --global @google/gemini-cli',
      logIn: 'Start gemini once and log in, or set GEMINI_API_KEY.',
    },
  ],
  [
    'pi',
    {
      program: 'pi',
      names: ANY_PROVIDER,
      files: ['.pi/agent/auth.json', '.pi/agent/models.json'],
      install: 'npm install --global @earendil-works/pi-coding-agent',
      logIn: 'Start pi once and log in, or set the key of a provider.',
    },
  ],
]);

/** All agents that a plan can name without further settings. */
export const detectAgents = (surroundings: AgentSurroundings): Promise<readonly FoundAgent[]> =>
  Promise.all([...SIGNS.keys(), 'scripted'].map((use) => detectAgent(use, surroundings)));

async function detectAgent(use: string, surroundings: AgentSurroundings): Promise<FoundAgent> {
  const call = callOf(use, surroundings);
  const signs = SIGNS.get(use);
  if (signs === undefined)
    return {
      use,
      program: undefined,
      path: undefined,
      version: undefined,
      login: { type: 'needless' },
      call,
      hint: undefined,
    };
  const { program } = signs;
  const path = findAgentProgram(program, surroundings);
  const login = loginOf(signs, surroundings);
  if (path === undefined)
    return { use, program, path, version: undefined, login, call, hint: `It is not installed: ${signs.install}` };
  const version = await versionOf(path, surroundings);
  return { use, program, path, version, login, call, hint: login.type === 'none' ? signs.logIn : undefined };
}

/** The path of a program, found along PATH. */
export function findAgentProgram(program: string, surroundings: AgentSurroundings): string | undefined {
  const folders = (surroundings['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const VERSION_MS = 20_000;

async function versionOf(path: string, surroundings: AgentSurroundings): Promise<string | undefined> {
  const options = { cwd: '.', environment: surroundings, timeoutMs: VERSION_MS };
  const { end, stdout } = await capture([path, '--version'], options);
  return end.type === 'exited' && end.code === 0 ? /\d+\.\d+[\w.-]*/.exec(stdout.toString('utf8'))?.[0] : undefined;
}

function loginOf({ names, files }: Signs, surroundings: AgentSurroundings): Login {
  const name = names.find((each) => (surroundings[each] ?? '') !== '');
  if (name !== undefined) return { type: 'sign', by: name };
  const file = files.find((each) => isFilled(join(surroundings['HOME'] ?? '', each)));
  return file === undefined ? { type: 'none' } : { type: 'sign', by: `~/${file}` };
}

/** Some programs create an empty file. */
const isFilled = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > EMPTY_MAX;
const EMPTY_MAX = 4;

function callOf(use: string, environment: AgentSurroundings): readonly string[] {
  const launch = ADAPTERS.get(use)?.launch({ ...probeRequest(use, 'PROMPT'), environment });
  return launch === undefined || 'type' in launch ? [] : [launch.program, ...launch.args];
}

export const probeRequest = (use: string, prompt: string) => ({
  agent: bareAgent(use),
  prompt,
  conversation: undefined,
  schema: undefined,
});

const bareAgent = (use: string): Agent => ({
  name: use,
  use,
  model: undefined,
  pool: undefined,
  args: [],
  command: undefined,
  env: [],
  reserve: { usd: undefined, tokens: undefined },
});
