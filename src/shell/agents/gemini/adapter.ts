// Gemini CLI, one turn without a terminal. It runs no command unless all of them are approved.
import type { Adapter, TurnOrder } from '../../ports.ts';
import { adapterOf, hasFlag } from '../turn/kind.ts';
import { readGemini } from './reader.ts';

const APPROVALS = ['--approval-mode', '--yolo', '-y'];

export const geminiAdapter: Adapter = adapterOf({
  environment: ['GEMINI_*', 'GOOGLE_*'],
  // Its launcher does not pass on what it is told to end by.
  defaults: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
  launch: (order) => ({
    program: 'gemini',
    args: ['--output-format', 'stream-json', '--skip-trust', ...wordsOf(order)],
    input: order.prompt,
    environment: {},
  }),
  reader: readGemini,
  conversations: { forks: false, folder: 'same' },
});

const wordsOf = ({ agent, conversation }: TurnOrder): readonly string[] => [
  ...(hasFlag(agent.args, ...APPROVALS) ? [] : ['--approval-mode', 'yolo']),
  ...(agent.model === undefined ? [] : ['--model', agent.model]),
  ...(conversation === undefined ? [] : ['--resume', conversation.id]),
  ...agent.args,
];
