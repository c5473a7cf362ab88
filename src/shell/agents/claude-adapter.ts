// Claude Code, one turn in its print mode.
//
// claude-adapter/C1. The safest mode that works unattended: edits are accepted and commands allowed, and everything
//     else that its own rules ask about is denied. `args` can change that.
// claude-adapter/C2. When the plan sets permissions, Claude Code asks about everything, and a dialogue answers. `args`
//     that would turn its questions off are refused.
import { getuid } from 'node:process';
import type { Adapter, Launch, TurnRequest } from '../ports/agents.ts';
import { adapterOf, hasFlag } from './turn/agent-kind.ts';
import { rulesOf } from './turn/permission.ts';
import { ClaudeDialogue } from './claude-dialogue.ts';
import { readClaude } from './claude-reader.ts';

const PERMISSIONS = ['--dangerously-skip-permissions', '--permission-mode', '--allowedTools', '--allowed-tools'];
const UNATTENDED = ['--permission-mode', 'acceptEdits', '--allowedTools'];
const TOOLS = ['Bash', 'Edit', 'Write', 'NotebookEdit'];
const BUDGET = '--max-budget-usd';
/** The option takes a decimal number; JavaScript writes small numbers with an exponent. */
const CENTS_OF_CENTS = 6;

export const claudeAdapter: Adapter = adapterOf({
  environment: ['ANTHROPIC_*', 'CLAUDE_*', 'AWS_*', 'CLOUD_ML_REGION', 'GOOGLE_APPLICATION_CREDENTIALS', 'VERTEX_*'],
  defaults: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '3', DISABLE_AUTOUPDATER: '1' },
  launch: (request) => (request.permissions === undefined ? unasked(request) : asked(request)),
  reader: readClaude,
  conversations: { forks: true, folder: 'any' },
  holdsToSchema: () => true,
  // Options by which it would skip permission requests, or answer them itself.
  unasking: /^--(allow-)?dangerously-skip-permissions|bypassPermissions|^--permission-prompt/,
});

/** Only partial messages report how much a message cost before the turn is over. */
const PRINTING = ['-p', '--output-format', 'stream-json', '--verbose', '--include-partial-messages'];
/** Asked to end by another signal, it does not report its cost. */
const endSignal = 'SIGINT';

function unasked(request: TurnRequest): Launch {
  const { agent, allow = [] } = request;
  const own = hasFlag(agent.args, ...PERMISSIONS) ? [] : [...UNATTENDED, [...TOOLS, ...allow].join(',')];
  return {
    program: 'claude',
    args: [...PRINTING, ...own, ...wordsOf(request)],
    input: request.prompt,
    environment: asRoot(request),
    endSignal,
  };
}

const ASKING = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];

function asked(request: TurnRequest): Launch {
  const { agent, prompt } = request;
  // An explicit mode, such as one in which edits are accepted, stays as it is.
  const mode = hasFlag(agent.args, '--permission-mode') ? [] : ['--permission-mode', 'manual'];
  return {
    program: 'claude',
    args: [...PRINTING, ...ASKING, ...mode, ...wordsOf(request)],
    input: undefined,
    dialogue: new ClaudeDialogue({ prompt, rules: rulesOf(request) }),
    environment: {},
    endSignal,
  };
}

function wordsOf({ agent, conversation, schema, ceilingUsd = 0 }: TurnRequest): readonly string[] {
  return [
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...(conversation === undefined ? [] : ['--resume', conversation.id]),
    ...(conversation?.mode === 'fork' ? ['--fork-session'] : []),
    ...(schema === undefined ? [] : ['--json-schema', JSON.stringify(schema)]),
    ...(ceilingUsd <= 0 || hasFlag(agent.args, BUDGET) ? [] : [BUDGET, ceilingUsd.toFixed(CENTS_OF_CENTS)]),
    ...agent.args,
  ];
}

/**
 * It refuses to skip permissions as root unless it is told that it is in a sandbox; an explicit option counts as that.
 */
const asRoot = ({ agent }: TurnRequest): Readonly<Record<string, string>> =>
  getuid?.() === 0 && /skip-permissions|bypassPermissions/.test(agent.args.join(' ')) ? { IS_SANDBOX: '1' } : {};
