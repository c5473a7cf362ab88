// Programs that speak the Agent Client Protocol, and what each of them does in its own way.

export interface Preset {
  /** Words that make it speak the protocol. */
  readonly args: readonly string[];
  readonly environment: readonly string[];
  readonly defaults: Readonly<Record<string, string>>;
  /** The mode of a session in which it works unattended. */
  readonly mode: string | undefined;
  /** Answers that are errors, told as if the model had said them. */
  readonly errorText: RegExp | undefined;
  /** It ends a turn that failed as one that did not, with nothing said. */
  readonly isSilentOnError: boolean;
  /** Whether the usage that it reports is that of the turn; elsewhere it is of one request or of all, and not counted. */
  readonly countsTurns: boolean;
}

const PLAIN: Preset = {
  args: [],
  environment: [],
  defaults: {},
  mode: undefined,
  errorText: undefined,
  isSilentOnError: false,
  countsTurns: false,
};

const PROVIDERS = ['OPENAI_*', 'ANTHROPIC_*', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_API_KEY', 'XAI_API_KEY'];

const PRESETS: ReadonlyMap<string, Preset> = new Map([
  [
    'goose',
    {
      ...PLAIN,
      args: ['acp'],
      environment: ['GOOSE_*', ...PROVIDERS],
      defaults: { GOOSE_MODE: 'auto', GOOSE_DISABLE_KEYRING: '1' },
      errorText: /^Ran into this error/,
    },
  ],
  ['qwen', { ...PLAIN, args: ['--acp', '--yolo'], environment: ['QWEN_*', 'DASHSCOPE_*', ...PROVIDERS] }],
  [
    'copilot',
    {
      ...PLAIN,
      args: ['--acp', '--allow-all', '--no-auto-update'],
      environment: ['COPILOT_*', 'GH_TOKEN', 'GITHUB_TOKEN'],
      errorText: /^Error: \d{3}\b/,
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
      mode: 'yolo',
    },
  ],
  ['opencode', { ...PLAIN, args: ['acp'], environment: ['OPENCODE_*', ...PROVIDERS] }],
  ['claude-agent-acp', { ...PLAIN, environment: ['ANTHROPIC_*', 'CLAUDE_*'], mode: 'acceptEdits', countsTurns: true }],
  ['codex-acp', { ...PLAIN, environment: ['OPENAI_*', 'CODEX_*'], mode: 'agent-full-access', countsTurns: true }],
]);

/** By the name of the program; a program of another name is taken to keep to the protocol. */
export const presetFor = (command: string): Preset =>
  PRESETS.get(command.split(/\s+/)[0]?.split('/').at(-1) ?? '') ?? PLAIN;
