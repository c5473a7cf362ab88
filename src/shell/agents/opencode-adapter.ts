// opencode, one turn of `run`. The prompt goes through its standard input: as an argument it would be put in quotes.
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf } from './turn/agent-kind.ts';
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
  defaults: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_AUTO_SHARE: 'false' },
  launch: (request) => ({
    program: 'opencode',
    // What it logs is the only sign of its retries.
    args: ['run', '--format', 'json', '--print-logs', '--log-level', 'ERROR', ...wordsOf(request)],
    input: request.prompt,
    environment: permissionsOf(request),
  }),
  reader: readOpencode,
  // Elsewhere it goes on in the folder that it was in, and never exits.
  conversations: { forks: true, folder: 'same' },
  unasking: /^--(auto|dangerously-skip-permissions)$/,
});

/** It cannot ask while it works: what it may not do is refused by its own settings. */
const permissionsOf = ({ permissions, allow }: TurnRequest): Readonly<Record<string, string>> =>
  permissions === undefined ? {} : { OPENCODE_PERMISSION: JSON.stringify(permissionsFor('deny', allow)) };

const wordsOf = ({ agent, conversation }: TurnRequest): readonly string[] => [
  ...(agent.model === undefined ? [] : ['--model', agent.model]),
  ...(conversation === undefined ? [] : ['--session', conversation.id]),
  ...(conversation?.mode === 'fork' ? ['--fork'] : []),
  ...agent.args,
];
