// What each kind of agent needs of the outside: the files by which it is logged in, and the hosts that it talks to. A kind
// that is not listed gets neither; its plan names hosts under `sandbox.network`.
//
// agent-needs/N1. Files are copied into the sandbox's own home folder, never shared: settings of agents name programs
//     to start, and one that an agent wrote must not be started outside.
import { basename } from 'node:path';
import type { Agent } from '../../../core/plan/plan.ts';

/** An agent at work, as far as it says what it needs. */
export interface AgentAtWork {
  /** Under which its needs are listed. */
  readonly kind: string;
  /** All that it sees of the environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Of that, the names by which the plan gives it something. */
  readonly given: readonly string[];
  /** What the plan adds to its call. */
  readonly args: readonly string[];
  /** The folder of its attempt, from which it can read its own task. */
  readonly attempt?: string;
}

export interface AgentNeeds {
  /** Files and folders of the home folder. Those that are not there are not needed. */
  readonly logIn: readonly string[];
  /** Of those, what an agent renews by itself: nothing is in them but what proves who somebody is. */
  readonly renews: readonly string[];
  /** Exact, or `*.suffix`. */
  readonly hosts: readonly string[];
  /** Names of the environment that hold the address of a gateway which stands between it and its provider. */
  readonly gateways: readonly string[];
  /** Settings of a project, below its root, which may name a gateway too. */
  readonly ofProject: readonly string[];
}

const ANTHROPIC = ['*.anthropic.com', 'claude.ai', '*.claude.ai', '*.claude.com'];
const OPENAI = ['*.openai.com', 'chatgpt.com', '*.chatgpt.com'];
const GOOGLE = ['*.googleapis.com', 'accounts.google.com'];
const ROUTERS = ['models.dev', 'openrouter.ai', 'api.githubcopilot.com'];
const OPENAI_GATEWAYS = ['OPENAI_BASE_URL', 'OPENAI_HOST'];

export const AGENT_NEEDS: ReadonlyMap<string, AgentNeeds> = new Map([
  [
    'claude',
    {
      logIn: [
        '.claude.json',
        '.claude/.credentials.json',
        '.claude/settings.json',
        '.claude/CLAUDE.md',
        '.claude/agents',
        '.claude/commands',
        '.claude/skills',
      ],
      renews: ['.claude/.credentials.json'],
      hosts: ANTHROPIC,
      gateways: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL'],
      ofProject: ['.claude/settings.json', '.claude/settings.local.json'],
    },
  ],
  [
    'codex',
    {
      logIn: ['.codex/auth.json', '.codex/config.toml', '.codex/AGENTS.md', '.codex/prompts'],
      renews: ['.codex/auth.json'],
      hosts: OPENAI,
      gateways: ['OPENAI_BASE_URL'],
      ofProject: ['.codex/config.toml'],
    },
  ],
  [
    'opencode',
    {
      logIn: ['.config/opencode', '.local/share/opencode/auth.json'],
      renews: ['.local/share/opencode/auth.json'],
      hosts: [...ANTHROPIC, ...OPENAI, ...GOOGLE, ...ROUTERS, 'opencode.ai', '*.opencode.ai'],
      gateways: ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'],
      ofProject: ['opencode.json', 'opencode.jsonc', '.opencode/opencode.json', '.opencode/opencode.jsonc'],
    },
  ],
  [
    'gemini',
    {
      logIn: [
        '.gemini/oauth_creds.json',
        '.gemini/google_accounts.json',
        '.gemini/settings.json',
        '.gemini/installation_id',
        '.gemini/GEMINI.md',
        '.gemini/.env',
      ],
      renews: ['.gemini/oauth_creds.json'],
      hosts: GOOGLE,
      gateways: ['GOOGLE_GEMINI_BASE_URL', 'GOOGLE_VERTEX_BASE_URL'],
      ofProject: ['.gemini/settings.json'],
    },
  ],
  [
    'pi',
    {
      logIn: ['.pi/agent/auth.json', '.pi/agent/settings.json', '.pi/agent/models.json', '.pi/agent/AGENTS.md'],
      renews: ['.pi/agent/auth.json'],
      hosts: [...ANTHROPIC, ...OPENAI, ...GOOGLE, ...ROUTERS],
      gateways: ['OPENAI_BASE_URL', 'ANTHROPIC_BASE_URL'],
      ofProject: [],
    },
  ],
  [
    'goose',
    {
      logIn: ['.config/goose'],
      renews: [],
      hosts: [...ANTHROPIC, ...OPENAI, ...GOOGLE, ...ROUTERS],
      gateways: OPENAI_GATEWAYS,
      ofProject: [],
    },
  ],
  [
    'qwen',
    {
      logIn: ['.qwen'],
      renews: [],
      hosts: ['*.qwen.ai', '*.aliyuncs.com', ...OPENAI],
      gateways: OPENAI_GATEWAYS,
      ofProject: ['.qwen/settings.json'],
    },
  ],
  [
    'copilot',
    {
      logIn: ['.copilot', '.config/github-copilot'],
      renews: [],
      hosts: ['*.githubcopilot.com', 'api.github.com', 'github.com'],
      gateways: ['COPILOT_PROVIDER_BASE_URL'],
      ofProject: [],
    },
  ],
  [
    'kimi',
    {
      logIn: ['.kimi-code'],
      renews: [],
      hosts: ['*.kimi.com', '*.moonshot.ai', '*.moonshot.cn'],
      gateways: [],
      ofProject: [],
    },
  ],
]);

/** Programs that speak a protocol for an agent of another name. */
const SPEAKERS: ReadonlyMap<string, string> = new Map([
  ['claude-agent-acp', 'claude'],
  ['codex-acp', 'codex'],
]);

/** The kind under which the needs of an agent are listed: by its adapter, or by the program that its adapter starts. */
export function kindOfNeeds({ use, command = '' }: Pick<Agent, 'use' | 'command'>): string {
  if (use !== 'acp') return use;
  const program = basename(command.trim().split(/\s+/)[0] ?? '');
  return SPEAKERS.get(program) ?? program;
}

/** Where set-up gets packages from, unless the plan says what may be reached. */
export const PACKAGE_HOSTS: readonly string[] = [
  'registry.npmjs.org',
  'registry.yarnpkg.com',
  'pypi.org',
  'files.pythonhosted.org',
  'crates.io',
  'index.crates.io',
  'static.crates.io',
  'proxy.golang.org',
  'sum.golang.org',
  'rubygems.org',
  'index.rubygems.org',
  'repo.maven.apache.org',
  'repo1.maven.org',
  'plugins.gradle.org',
  'packagist.org',
  'repo.packagist.org',
  'api.nuget.org',
  'github.com',
  'codeload.github.com',
  'objects.githubusercontent.com',
  'release-assets.githubusercontent.com',
  'nodejs.org',
];
