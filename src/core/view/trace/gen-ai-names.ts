// Names of attributes, pinned: the conventions for generative AI are not stable yet and have no package. These are of
// OpenTelemetry's semantic-conventions-genai, November 2026; the names below `heddle.` are ours and stay.
export const GEN_AI = {
  operation: 'gen_ai.operation.name',
  workflow: 'gen_ai.workflow.name',
  agent: 'gen_ai.agent.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  conversation: 'gen_ai.conversation.id',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
} as const;

export const OPERATIONS = { run: 'invoke_workflow', turn: 'invoke_agent' } as const;

export const ERROR_TYPE = 'error.type';

export const HEDDLE = {
  run: 'heddle.run',
  task: 'heddle.task',
  step: 'heddle.step',
  attempt: 'heddle.attempt',
  work: 'heddle.work',
  /** The host on another machine that had the claim. */
  host: 'heddle.host',
  kind: 'heddle.kind',
  /** How it ended: done, failed, cancelled, skipped, returned, asked, conflict, reset. */
  result: 'heddle.result',
  reason: 'heddle.reason',
  cause: 'heddle.cause',
  waitMs: 'heddle.wait_ms',
  costUsd: 'heddle.cost_usd',
  tokens: 'heddle.tokens',
  /** Whether the agent reported its cost; else the cost is its reservation. */
  isReported: 'heddle.cost_reported',
  commit: 'heddle.commit',
  exitCode: 'heddle.exit_code',
  /** The end of what a command printed; only where content is asked for. */
  says: 'heddle.says',
  pool: 'heddle.pool',
  tasks: 'heddle.tasks',
  /** Of a span without duration that says that another has begun. */
  marker: 'heddle.marker',
} as const;

/** The provider behind a program, where there is one; else the program is named. */
const PROVIDERS: Readonly<Record<string, string>> = {
  claude: 'anthropic',
  codex: 'openai',
  gemini: 'gcp.gemini',
};

export const providerOf = (use: string): string => PROVIDERS[use] ?? use;
