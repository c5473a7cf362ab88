// Codex, one turn of `exec`.
//
// codex-adapter/X1. Its own sandbox is off unless `args` say otherwise: there the tree's `.git` and the network are out
//     of reach, and where it does not work every command fails and the turn is called complete. Isolation is Heddle's
//     own.
// codex-adapter/X2. It cannot ask while it works. Where the plan has a say in permissions its sandbox is what refuses.
import type { Adapter, TurnRequest } from '../ports/agents.ts';
import { adapterOf, hasFlag } from './turn/agent-kind.ts';
import { isStrict } from './is-strict.ts';
import { readCodex } from './codex-reader.ts';

const SANDBOXES = ['-s', '--sandbox', '--approve-for-me', '--dangerously-bypass-approvals-and-sandbox', '--yolo'];

export const codexAdapter: Adapter = adapterOf({
  environment: ['OPENAI_*', 'CODEX_*', 'AZURE_OPENAI_*', 'RUST_LOG'],
  defaults: {},
  launch: (request) => {
    const words = ['exec', '--json', '--skip-git-repo-check', ...wordsOf(request), '-'];
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

/** It takes a shape from a file alone, which is made where the program runs: in its sandbox there is no other. */
const WITH_SCHEMA = [
  '/bin/sh',
  '-c',
  `file=$(mktemp) && printf %s "$1" > "$file" && shift && word=$1 && shift && exec codex "$word" ${SCHEMA} "$file" "$@"`,
  'sh',
] as const;

const UNBOUND = ['--dangerously-bypass-approvals-and-sandbox'];
const BOUND = ['--sandbox', 'workspace-write'];

const MODES = { continue: 'resume', fork: 'fork' } as const;

function wordsOf({ agent, conversation, permissions }: TurnRequest): readonly string[] {
  return [
    ...(hasFlag(agent.args, ...SANDBOXES) ? [] : permissions === undefined ? UNBOUND : BOUND),
    ...(agent.model === undefined ? [] : ['--model', agent.model]),
    ...agent.args,
    ...(conversation === undefined ? [] : [MODES[conversation.mode], conversation.id]),
  ];
}
