// opencode, one turn of `run`. The prompt goes to standard input: as an argument it would be quoted.
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf } from './turn/agent-kind.ts';
import { namedVariables, OPENCODE_SETTINGS } from './turn/named-variables.ts';
import { permissionsFor } from './turn/opencode-permissions.ts';
import { readOpencode } from './opencode-reader.ts';

export const opencodeAdapter: Adapter = adapterOf({
  environment: [
    'OPENCODE_*',
    'OPENAI_*',
    'ANTHROPIC_*',
    'GEMINI_*',
    'GOOGLE_*',
    'AWS_*',
    'AZURE_*',
    'OPENROUTER_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
    'MOONSHOT_API_KEY',
  ],
  named: (request) => namedVariables(OPENCODE_SETTINGS, request),
  defaults: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_AUTO_SHARE: 'false' },
  launch: (request) => ({
    program: 'opencode',
    // Its retries are reported only in its log.
    args: ['run', '--format', 'json', '--print-logs', '--log-level', 'ERROR', ...wordsOf(request)],
    input: request.prompt,
    environment: permissionsOf(request),
    isOutputFile: true,
  }),
  reader: readOpencode,
  // In another folder it would continue in the old folder, and never exit.
  conversations: { forks: true, folder: 'same' },
  unasking: /^--(auto|dangerously-skip-permissions)$/,
});

/** It cannot ask during a turn: its own settings deny everything that is not allowed. */
const permissionsOf = ({ permissions, allow }: TurnRequest): Readonly<Record<string, string>> =>
  permissions === undefined ? {} : { OPENCODE_PERMISSION: JSON.stringify(permissionsFor('deny', allow)) };

const wordsOf = ({ agent, conversation }: TurnRequest): readonly string[] => [
  ...(agent.model === undefined ? [] : ['--model', agent.model]),
  ...(conversation === undefined ? [] : ['--session', conversation.id]),
  ...(conversation?.mode === 'fork' ? ['--fork'] : []),
  ...agent.args,
];
