// Codex, one turn of `exec`.
//
// codex-adapter/X1. Its own sandbox is off unless `args` turn it on: it blocks the tree's `.git` and the network, and
//     where it does not work every command fails while the turn is reported complete. Heddle isolates instead.
// codex-adapter/X2. It cannot ask during a turn. When the plan sets permissions, its own sandbox enforces them.
// codex-adapter/X3. The key of a provider of the user's own reaches it under the name that its settings give (`env_key`).
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf, hasFlag } from './turn/agent-kind.ts';
import { CODEX_SETTINGS, namedVariables } from './turn/named-variables.ts';
import { codexSpans, headersIn } from './turn/own-spans.ts';
import { isStrict } from './is-strict.ts';
import { readCodex } from './codex-reader.ts';

const SANDBOXES = ['-s', '--sandbox', '--approve-for-me', '--dangerously-bypass-approvals-and-sandbox', '--yolo'];

export const codexAdapter: Adapter = adapterOf({
  environment: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*', 'RUST_LOG'],
  named: (request) => namedVariables(CODEX_SETTINGS, request),
  defaults: {},
  spans: ({ headers }) => headersIn(headers),
  launch: (request) => {
    const words = ['exec', '--json', '--skip-git-repo-check', ...codexSpans(request), ...wordsOf(request), '-'];
    const { schema } = request;
    const isGiven = schema !== undefined && isStrict(schema) && !hasFlag(request.agent.args, SCHEMA);
    const [program, ...args] = isGiven ? [...WITH_SCHEMA, JSON.stringify(schema), ...words] : ['codex', ...words];
    return { program, args, input: request.prompt, environment: {} };
  },
  reader: readCodex,
  conversations: { forks: true, folder: 'any' },
  holdsToSchema: isStrict,
  unasking: /^--(dangerously-bypass-approvals-and-sandbox|yolo)$|danger-full-access/,
});

const SCHEMA = '--output-schema';

/**
 * It reads a schema only from a file. The file is created where the program runs, because its sandbox sees no other.
 */
const WITH_SCHEMA = [
  '/bin/sh',
  '-c',
  `file=$(mktemp) && printf %s "$1" > "$file" && shift && word=$1 && shift && exec codex "$word" ${SCHEMA} "$file" "$@"`,
  'sh',
] as const;

/**
 * Else it gives its MCP servers a second, and asks its model without the tools of those that are not there yet; so it waits
 * for each as long as its `startup_timeout_sec` says.
 */
const SERVERS_FIRST = ['-c', 'mcp_optional_startup_grace_ms=0'];

const UNBOUND = ['--dangerously-bypass-approvals-and-sandbox'];
const BOUND = ['--sandbox', 'workspace-write'];

const MODES = { continue: 'resume', fork: 'fork' } as const;

function wordsOf({ agent, conversation, permissions }: TurnRequest): readonly string[] {
  return [
    ...(hasFlag(agent.args, ...SANDBOXES) ? [] : permissions === undefined ? UNBOUND : BOUND),
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...SERVERS_FIRST,
    ...agent.args,
    ...(conversation === undefined ? [] : [MODES[conversation.mode], conversation.id]),
  ];
}
