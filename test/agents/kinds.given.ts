// How each agent program is pointed at the stand-in models, as a user would point it at a gateway.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Agent } from '../../src/core/plan/plan.ts';

export interface Ground {
  /** A home folder of its own. */
  readonly home: string;
  /** Of the stand-in models. */
  readonly url: string;
}

export interface GivenKind {
  readonly use: string;
  readonly program: string;
  /** The program is part of this repository, and not fetched. */
  readonly isOurs?: true;
  readonly agent?: Partial<Agent>;
  /** Writes its settings and says what it needs of the environment. */
  readonly settle: (ground: Ground) => Readonly<Record<string, string>>;
  readonly forks?: false;
  /** It goes on with a conversation in another folder than that in which it began, and works in the new one. */
  readonly moves?: true;
  /** It does not always find a conversation again, and then says so. */
  readonly mayForget?: true;
  /** A prompt whose turn was cancelled and the one after it may reach its model as one. */
  readonly mayMerge?: true;
  readonly countsTokens?: false;
  /** The tool by which its model asks a person. */
  readonly asksBy?: string;
  /** Letters of an answer that it takes in less than a minute; ten million by default. */
  readonly longAnswer?: number;
  /** It shortens a conversation that is too long by asking its model, which costs something. */
  readonly shortens?: true;
  /** It makes its provider hold the model to a shape. */
  readonly holdsToShapes?: true;
  /** Who keeps to what a plan says of permissions: it asks, its own settings or its sandbox refuse, or nobody does. */
  readonly permissions: 'asks' | 'settings' | 'sandbox' | 'none';
  /** Whether it tells, or lets us know, what it costs. */
  readonly isPriced: boolean;
  /** What it makes of troubles that it does not tell apart as others do; several where chance decides. */
  readonly differs?: Readonly<Record<string, string | readonly string[]>>;
}

/** Looks like one, and is not in anybody's account. */
export const KEY = 'sk-stand-in-0123456789abcdef';

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

export const CLAUDE: GivenKind = {
  use: 'claude',
  program: 'claude',
  moves: true,
  asksBy: 'AskUserQuestion',
  permissions: 'asks',
  holdsToShapes: true,
  isPriced: true,
  settle: ({ url }) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_MAX_RETRIES: '1' }),
  // It asks again without a stream, which goes well.
  differs: { overload: 'finished' },
};

export const CODEX: GivenKind = {
  use: 'codex',
  program: 'codex',
  moves: true,
  permissions: 'sandbox',
  holdsToShapes: true,
  isPriced: false,
  settle: ({ home, url }) => {
    write(
      join(home, '.codex', 'config.toml'),
      `model = "stand-in"
model_provider = "stand-in"
[model_providers.stand-in]
name = "stand-in"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`,
    );
    return { OPENAI_API_KEY: KEY };
  },
};

export const OPENCODE: GivenKind = {
  use: 'opencode',
  program: 'opencode',
  permissions: 'settings',
  shortens: true,
  isPriced: true,
  settle: ({ home, url }) => {
    const model = {
      name: 'stand-in',
      cost: { input: 1, output: 10, cache_read: 0.1 },
      limit: { context: 200_000, output: 8_000 },
    };
    const provider = {
      npm: '@ai-sdk/openai-compatible',
      name: 'stand-in',
      options: { baseURL: `${url}/v1`, apiKey: '{env:OPENAI_API_KEY}' },
      models: { 'stand-in': model },
    };
    const settings = {
      autoupdate: false,
      share: 'disabled',
      model: 'stand-in/stand-in',
      small_model: 'stand-in/stand-in',
      provider: { 'stand-in': provider },
    };
    write(join(home, '.config', 'opencode', 'opencode.json'), JSON.stringify(settings));
    // It would ask the registry for its plugins at every start.
    return { OPENAI_API_KEY: KEY, npm_config_offline: 'true' };
  },
};

export const GEMINI: GivenKind = {
  use: 'gemini',
  program: 'gemini',
  permissions: 'settings',
  agent: { model: 'gemini-2.5-flash' },
  isPriced: true,
  settle: ({ home, url }) => {
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, general: { maxAttempts: 2 } };
    write(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    return { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY };
  },
  forks: false,
};

export const PI: GivenKind = {
  use: 'pi',
  program: 'pi',
  longAnswer: 3_000_000,
  permissions: 'none',
  agent: { model: 'stand-in/stand-in' },
  isPriced: true,
  settle: ({ home, url }) => {
    const model = {
      id: 'stand-in',
      name: 'stand-in',
      reasoning: false,
      input: ['text'],
      cost: { input: 1, output: 10, cacheRead: 0.1, cacheWrite: 0 },
      contextWindow: 200_000,
      maxTokens: 8_000,
    };
    const provider = { baseUrl: `${url}/v1`, apiKey: 'OPENAI_API_KEY', api: 'openai-completions', models: [model] };
    write(join(home, '.pi', 'agent', 'models.json'), JSON.stringify({ providers: { 'stand-in': provider } }));
    return { OPENAI_API_KEY: KEY, PI_OFFLINE: '1' };
  },
};

/** By the protocol that many speak, with one of the programs that do. */
export const ACP: GivenKind = {
  ...GEMINI,
  use: 'acp',
  isPriced: false,
  permissions: 'asks',
  agent: { command: 'gemini', args: ['--model', 'gemini-2.5-flash', '--skip-trust'] },
  countsTokens: false,
  mayForget: true,
  mayMerge: true,
  // All that goes wrong and has no status it calls 500.
  differs: { cut: 'overloaded' },
};

/** What holds for every program that is driven by the protocol alone. */
const SPEAKING = {
  use: 'acp',
  permissions: 'asks',
  isPriced: false,
  forks: false,
} as const satisfies Partial<GivenKind>;

export const OPENCODE_ACP: GivenKind = {
  ...SPEAKING,
  program: 'opencode',
  agent: { command: 'opencode' },
  countsTokens: false,
  settle: OPENCODE.settle,
  // It asks its provider again for minutes, in silence; a conversation that is too long it makes shorter.
  differs: {
    'error 400 context': 'finished',
    'error 500': 'idle',
    'error 529': 'idle',
    overload: 'idle',
    cut: ['idle', 'cut_off'],
    'error 429': 'idle',
    'error 429 quota reset=3600': 'idle',
  },
};

export const GOOSE: GivenKind = {
  ...SPEAKING,
  program: 'goose',
  agent: { command: 'goose' },
  mayMerge: true,
  countsTokens: false,
  settle: ({ url }) => ({
    GOOSE_PROVIDER: 'openai',
    GOOSE_MODEL: 'stand-in',
    OPENAI_HOST: url,
    OPENAI_API_KEY: KEY,
  }),
  // It makes the conversation shorter and then says nothing; a limit that is lifted later it waits for in silence.
  differs: { 'error 400 context': 'refused', 'error 429 quota reset=3600': 'idle' },
};

export const QWEN: GivenKind = {
  ...SPEAKING,
  program: 'qwen',
  asksBy: 'ask_user_question',
  agent: { command: 'qwen' },
  countsTokens: false,
  settle: ({ home, url }) => {
    const settings = { security: { auth: { selectedType: 'openai' } } };
    write(join(home, '.qwen', 'settings.json'), JSON.stringify(settings));
    return { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: KEY, OPENAI_MODEL: 'stand-in' };
  },
  // It asks its provider again for minutes, in silence, and takes an answer without a word for a broken one.
  differs: {
    'error 500': 'idle',
    'error 529': 'idle',
    'error 429': 'idle',
    'error 429 quota reset=3600': 'idle',
    refuse: 'cut_off',
  },
};

export const COPILOT: GivenKind = {
  ...SPEAKING,
  program: 'copilot',
  agent: { command: 'copilot' },
  countsTokens: false,
  settle: ({ url }) => ({
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: KEY,
    COPILOT_MODEL: 'stand-in',
  }),
};

export const KIMI: GivenKind = {
  ...SPEAKING,
  program: 'kimi',
  asksBy: 'AskUserQuestion',
  agent: { command: 'kimi' },
  countsTokens: false,
  settle: ({ home, url }) => {
    write(
      join(home, '.kimi-code', 'config.toml'),
      `default_model = "stand-in"
[providers.stand-in]
type = "openai"
base_url = "${url}/v1"
api_key = "${KEY}"
[models.stand-in]
provider = "stand-in"
model = "stand-in"
max_context_size = 200000
[loop_control]
max_retries_per_step = 1
`,
    );
    return {};
  },
  // Of most that goes wrong at its provider it says nothing at all; a conversation that is too long it makes shorter.
  differs: {
    'error 400': 'failed',
    'error 400 context': 'finished',
    'error 500': 'idle',
    'error 529': 'idle',
    overload: 'idle',
    cut: 'finished',
    'error 429': 'idle',
    'error 429 quota reset=3600': 'failed',
  },
};

export const CLAUDE_ACP: GivenKind = {
  ...SPEAKING,
  program: 'claude-agent-acp',
  agent: { command: 'claude-agent-acp' },
  settle: CLAUDE.settle,
};

export const CODEX_ACP: GivenKind = {
  ...SPEAKING,
  program: 'codex-acp',
  agent: { command: 'codex-acp' },
  permissions: 'sandbox',
  settle: CODEX.settle,
};
