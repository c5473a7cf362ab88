// Programs that speak the Agent Client Protocol, and their peculiarities.
import { CODEX_SETTINGS, OPENCODE_SETTINGS, type SettingsFiles } from '../turn/named-variables.ts';
import { permissionsFor } from '../turn/opencode-permissions.ts';

export interface Preset {
  /** Arguments that make the program speak the protocol. */
  readonly args: readonly string[];
  readonly environment: readonly string[];
  /** Settings that name more variables. */
  readonly settings: SettingsFiles | undefined;
  readonly defaults: Readonly<Record<string, string>>;
  /** How to start the program without permission requests, and with them. */
  readonly unasking: Manner;
  readonly asking: Manner;
  /** Matches a last chunk of a response that is an error, printed as the model's text. */
  readonly errorText: RegExp | undefined;
  /** Matches chunks that are remarks of the program and not part of the response. */
  readonly remarkText: RegExp | undefined;
  /** The program reports a failed turn as successful, with an empty response. */
  readonly isSilentOnError: boolean;
  /** Whether the reported usage is that of the turn; otherwise it is of one request or of all, and not counted. */
  readonly countsTurns: boolean;
  /** Messages of the model have an id, and messages of the program have none. */
  readonly numbersMessages: boolean;
  /** Ids of messages that the program wrote itself, such as errors of its provider. */
  readonly ownMessages: RegExp | undefined;
  /** The time to exit after its input is closed. */
  readonly leavingMs: number;
}

/** Extra arguments, extra variables, and the mode of the session. */
export interface Manner {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly mode: string | undefined;
}

const UNCHANGED: Manner = { args: [], environment: {}, mode: undefined };

const PLAIN: Preset = {
  args: [],
  environment: [],
  settings: undefined,
  defaults: {},
  unasking: UNCHANGED,
  asking: UNCHANGED,
  errorText: undefined,
  remarkText: undefined,
  isSilentOnError: false,
  countsTurns: false,
  numbersMessages: false,
  ownMessages: undefined,
  // Most programs exit at once, after they have stored the conversation.
  leavingMs: 3_000,
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

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
      // It never exits by itself, and stores the conversation as it goes.
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
      settings: OPENCODE_SETTINGS,
      // Without this setting it never asks.
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
      ownMessages: UUID,
      countsTurns: true,
    },
  ],
  [
    'codex-acp',
    {
      ...PLAIN,
      environment: ['OPENAI_*', 'CODEX_*'],
      settings: CODEX_SETTINGS,
      unasking: { ...UNCHANGED, mode: 'agent-full-access' },
      asking: { ...UNCHANGED, mode: 'read-only' },
      remarkText: /^\s*Warning: /,
      errorText: /\n\n$/,
      numbersMessages: true,
      countsTurns: true,
    },
  ],
]);

/** By the name of the program; an unknown program is assumed to follow the protocol. */
export const presetFor = (command: string): Preset =>
  PRESETS.get(command.split(/\s+/)[0]?.split('/').at(-1) ?? '') ?? PLAIN;
