// pi, one turn in its JSON mode. It has no permissions: it may do everything that its process may.
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf } from './turn/agent-kind.ts';
import { namedVariables, type SettingsFiles } from './turn/named-variables.ts';
import { readPi } from './pi-reader.ts';

/** The key of a provider may be the name of a variable. */
const SETTINGS: SettingsFiles = {
  files: ['.pi/agent/models.json'],
  variable: 'PI_CODING_AGENT_DIR',
  pattern: /"apiKey"\s*:\s*"\$?([A-Z][A-Z0-9_]*)"/gu,
};

export const piAdapter: Adapter = adapterOf({
  environment: [
    'PI_*',
    'OPENAI_*',
    'ANTHROPIC_*',
    'GEMINI_*',
    'GOOGLE_*',
    'AZURE_*',
    'AWS_*',
    'OPENROUTER_API_KEY',
    'GROQ_API_KEY',
    'MISTRAL_API_KEY',
    'DEEPSEEK_API_KEY',
    'XAI_API_KEY',
    'ZAI_API_KEY',
    'MOONSHOT_API_KEY',
  ],
  named: (request) => namedVariables(SETTINGS, request),
  defaults: { PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' },
  launch: (request) => ({
    program: 'pi',
    args: ['--print', '--mode', 'json', ...wordsOf(request)],
    input: request.prompt,
    environment: {},
  }),
  reader: readPi,
  // It asks a person before it continues a conversation in another folder.
  conversations: { forks: true, folder: 'same' },
  unasking: 'always',
});

const MODES = { continue: '--session', fork: '--fork' } as const;

const wordsOf = ({ agent, conversation }: TurnRequest): readonly string[] => [
  ...(agent.model === undefined ? [] : ['--model', agent.model]),
  ...(conversation === undefined ? [] : [MODES[conversation.mode], conversation.id]),
  ...agent.args,
];
