// Programs that speak the Agent Client Protocol, and what each of them does in its own way.
import { permissionsFor } from '../turn/opencode-permissions.ts';

export interface Preset {
  /** Words that make it speak the protocol. */
  readonly args: readonly string[];
  readonly environment: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  /** How it is told to work without asking for permissions, and how to ask for them. */
  readonly unasking: Manner;
  readonly asking: Manner;
  /** What the last piece of an answer looks like that is an error, told as if the model had said it. */
  readonly errorText: RegExp | undefined;
  /** What pieces look like that are its own remarks, and nothing of the answer. */
  readonly remarkText: RegExp | undefined;
  /** It ends a turn that failed as one that did not, with nothing said. */
  readonly isSilentOnError: boolean;
  /** Whether the usage that it reports is that of the turn; elsewhere it is of one request or of all, and not counted. */
  readonly countsTurns: boolean;
  /** What the model says has a number, and what it says itself has none. */
  readonly numbersMessages: boolean;
  /** How long it is given to leave when nobody speaks to it any more. */
  readonly leavingMs: number;
}

/** What is added to its words, what it must see of the environment, and the mode that its session is set to. */
export interface Manner {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mode: string | undefined;
}

const UNCHANGED: Manner = { args: [], environment: {}, mode: undefined };

const PLAIN: Preset = {
  args: [],
  environment: [],
  defaults: {},
  unasking: UNCHANGED,
  asking: UNCHANGED,
  errorText: undefined,
  remarkText: undefined,
  isSilentOnError: false,
  countsTurns: false,
  numbersMessages: false,
  // Most leave at once, and write down what they remember before they do.
  leavingMs: 3_000,
};

const PROVIDERS = ['OPENAI_*', 'ANTHROPIC_*', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_API_KEY', 'XAI_API_KEY'];

const PRESETS: ReadonlyMap<string, Preset> = new Map<string, Preset>([
  [
    'goose',
    {
      ...PLAIN,
      args: ['acp'],
      environment: ['GOOSE_*', ...PROVIDERS],
      defaults: { GOOSE_MODE: 'auto', GOOSE_DISABLE_KEYRING: '1' },
      asking: { ...UNCHANGED, environment: { GOOSE_MODE: 'approve' } },
      errorText: /^\s*Ran into this error/,
      // It never leaves by itself, and remembers as it goes.
      leavingMs: 100,
    },
  ],
  [
    'qwen',
    {
      ...PLAIN,
      args: ['--acp'],
      environment: ['QWEN_*', 'DASHSCOPE_*', ...PROVIDERS],
      unasking: { ...UNCHANGED, args: ['--yolo'] },
    },
  ],
  [
    'copilot',
    {
      ...PLAIN,
      args: ['--acp', '--no-auto-update'],
      unasking: { ...UNCHANGED, args: ['--allow-all'] },
      environment: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
      errorText: /^\s*Error: /,
      remarkText: /^\s*Info: /,
    },
  ],
  ['kimi', { ...PLAIN, args: ['acp'], environment: ['KIMI_*', 'MOONSHOT_*', ...PROVIDERS], isSilentOnError: true }],
  [
    'gemini',
    {
      ...PLAIN,
      args: ['--acp'],
      environment: ['GEMINI_*', 'GOOGLE_*'],
      defaults: { GEMINI_CLI_NO_RELAUNCH: 'true' },
      unasking: { ...UNCHANGED, mode: 'yolo' },
    },
  ],
  [
    'opencode',
    {
      ...PLAIN,
      args: ['acp'],
      environment: ['OPENCODE_*', ...PROVIDERS],
      // Unless it is told to ask, it asks about nothing.
      asking: { ...UNCHANGED, environment: { OPENCODE_PERMISSION: JSON.stringify(permissionsFor('ask')) } },
    },
  ],
  [
    'claude-agent-acp',
    {
      ...PLAIN,
      environment: ['ANTHROPIC_*', 'CLAUDE_*'],
      unasking: { ...UNCHANGED, mode: 'acceptEdits' },
      asking: { ...UNCHANGED, mode: 'default' },
      countsTurns: true,
    },
  ],
  [
    'codex-acp',
    {
      ...PLAIN,
      environment: ['OPENAI_*', 'CODEX_*'],
      unasking: { ...UNCHANGED, mode: 'agent-full-access' },
      asking: { ...UNCHANGED, mode: 'read-only' },
      remarkText: /^\s*Warning: /,
      errorText: /\n\n$/,
      numbersMessages: true,
      countsTurns: true,
    },
  ],
]);

/** By the name of the program; a program of another name is taken to keep to the protocol. */
export const presetFor = (command: string): Preset =>
  PRESETS.get(command.split(/\s+/)[0]?.split('/').at(-1) ?? '') ?? PLAIN;
