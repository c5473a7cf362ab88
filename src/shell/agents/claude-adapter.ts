// Claude Code, one turn in its print mode.
//
// claude-adapter/C1. Unattended, edits are accepted, commands allowed and all else that it asks for is granted, such as
//     the tools of MCP servers; its own settings may deny more. Where `args` set permissions, nothing is granted besides.
// claude-adapter/C2. When the plan sets permissions, Claude Code asks about everything, and a dialogue answers. `args`
//     that would turn its questions off are refused.
// claude-adapter/C3. A question of its model always reaches a person.
import { getuid } from 'node:process';
import type { Agent } from '../../core/plan/plan.ts';
import type { Adapter, Launch, TurnRequest } from '../ports/agents.ts';
import { adapterOf, hasFlag } from './turn/agent-kind.ts';
import { claudeSpans } from './turn/own-spans.ts';
import { rulesOf, type PermissionRules } from './turn/permission.ts';
import { ClaudeDialogue } from './claude-dialogue.ts';
import { projectNotes } from './claude-project.ts';
import { readClaude } from './claude-reader.ts';

const PERMISSIONS = ['--dangerously-skip-permissions', '--permission-mode', '--allowedTools', '--allowed-tools'];
const MODE = '--permission-mode';
const UNATTENDED = [MODE, 'acceptEdits', '--allowedTools'];
const TOOLS = ['Bash', 'Edit', 'Write', 'NotebookEdit'];
const BUDGET = '--max-budget-usd';
/** The option takes a decimal number; JavaScript writes small numbers with an exponent. */
const CENTS_OF_CENTS = 6;

/**
 * Else it asks its model while MCP servers are still starting, without their tools and without a word, and a turn may be
 * over before they are there. It waits until each server is connected or has failed, which takes it as long by itself.
 */
const SERVERS_FIRST = { MCP_CONNECTION_NONBLOCKING: '0', MCP_CONNECT_TIMEOUT_MS: '30000' };

export const claudeAdapter: Adapter = adapterOf({
  environment: [
    'ANTHROPIC_*',
    'CLAUDE_*',
    'AWS_*',
    'CLOUD_ML_REGION',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'VERTEX_*',
    'MCP_TIMEOUT',
    'MCP_TOOL_TIMEOUT',
    ...Object.keys(SERVERS_FIRST),
  ],
  defaults: {
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    CLAUDE_CODE_MAX_RETRIES: '3',
    DISABLE_AUTOUPDATER: '1',
    ...SERVERS_FIRST,
  },
  spans: claudeSpans,
  launch,
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

const ASKING = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
/** With one of these the user handles the dialogue, or sets where requests go. */
const OWN_DIALOGUE = ['--input-format', '--permission-prompt-tool'];

function launch(request: TurnRequest): Launch {
  const { agent, prompt } = request;
  const noted = projectNotes(request);
  const asking = isSpokenWith(agent) ? ASKING : [];
  const args = [...PRINTING, ...asking, ...permissionsOf(request), ...noted.args, ...wordsOf(request)];
  const environment = { ...noted.environment, ...asRoot(request) };
  return isSpokenWith(agent)
    ? {
        program: 'claude',
        args,
        input: undefined,
        dialogue: new ClaudeDialogue({ prompt, rules: rulesFor(request) }),
        environment,
        endSignal,
      }
    : { program: 'claude', args, input: prompt, environment, endSignal };
}

/** It offers its model a tool for questions only where requests are answered. */
const isSpokenWith = ({ args }: Agent): boolean => !hasFlag(args, ...OWN_DIALOGUE);

function permissionsOf({ agent, permissions, allow = [] }: TurnRequest): readonly string[] {
  // An explicit mode, such as one in which edits are accepted, stays as it is.
  if (permissions !== undefined) return hasFlag(agent.args, MODE) ? [] : [MODE, 'manual'];
  return hasFlag(agent.args, ...PERMISSIONS) ? [] : [...UNATTENDED, [...TOOLS, ...allow].join(',')];
}

/** Where `args` restrict it, other requests are denied, as they are where nobody can answer. */
const rulesFor = (request: TurnRequest): PermissionRules => ({
  ...rulesOf(request),
  ...(request.permissions === undefined
    ? { policy: hasFlag(request.agent.args, ...PERMISSIONS) ? 'deny' : 'allow' }
    : {}),
});

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
