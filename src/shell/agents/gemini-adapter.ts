// Gemini CLI, one turn without a terminal. It runs commands only when all are approved in advance.
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf, hasFlag } from './turn/agent-kind.ts';
import { readGemini } from './gemini-reader.ts';

const APPROVALS = ['--approval-mode', '--yolo', '-y'];

export const geminiAdapter: Adapter = adapterOf({
  environment: ['GEMINI_*', 'GOOGLE_*'],
  // Its launcher does not forward signals to its child.
  defaults: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
  launch: (request) => ({
    program: 'gemini',
    args: ['--output-format', 'stream-json', '--skip-trust', ...wordsOf(request)],
    input: request.prompt,
    environment: {},
    isOutputFile: true,
  }),
  reader: readGemini,
  conversations: { forks: false, folder: 'same' },
  unasking: /^(--yolo|-y)$|\byolo$/,
});

const EDITS = ['write_file', 'replace'];

/** It cannot ask during a turn: without approval it has only the reading tools and the tools in the plan's list. */
function approvalsOf({ permissions, allow = [] }: TurnRequest): readonly string[] {
  if (permissions === undefined) return ['--approval-mode', 'yolo'];
  const listed = allow.flatMap((entry): readonly string[] => {
    if (['edit', 'Edit', 'Write'].includes(entry)) return EDITS;
    if (['execute', 'Bash'].includes(entry)) return ['run_shell_command'];
    const command = /^(?:Bash|execute)\((.*?):?\*?\)$/su.exec(entry)?.[1];
    return command === undefined ? [] : [`run_shell_command(${command.trim()})`];
  });
  return ['--approval-mode', 'default', ...(listed.length === 0 ? [] : ['--allowed-tools', listed.join(',')])];
}

const wordsOf = (request: TurnRequest): readonly string[] => {
  const { agent, conversation } = request;
  return [
    ...(hasFlag(agent.args, ...APPROVALS) ? [] : approvalsOf(request)),
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...(conversation === undefined ? [] : ['--resume', conversation.id]),
    ...agent.args,
  ];
};
