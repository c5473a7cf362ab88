// Any program that takes a prompt and answers on standard output. The prompt goes to standard input, or replaces
// `{prompt}` in its `args`. Only its exit code reports success or failure.
import { PROMPT_PLACE } from '../../core/plan/language/agent-kinds.ts';
import type { Adapter, TurnReader, TurnRequest } from '../ports/agents.ts';
import { noTurnFacts, UNKNOWN_TOTAL, verdictOf } from './turn/turn-reader.ts';
import { adapterOf } from './turn/agent-kind.ts';

/** Later steps can read the last characters of a response, at most this many. */
const RESPONSE_MAX = 100_000;

export const commandAdapter: Adapter = adapterOf({
  environment: [],
  defaults: {},
  launch: ({ agent, prompt }) => {
    const { command = '', args } = agent;
    const takesArgument = args.some((word) => word.includes(PROMPT_PLACE));
    return {
      program: '/bin/sh',
      // The command may be several words; the arguments are passed unchanged and never parsed by the shell.
      args: ['-c', `${command} "$@"`, 'sh', ...args.map((word) => word.replaceAll(PROMPT_PLACE, () => prompt))],
      input: takesArgument ? undefined : prompt,
      environment: {},
    };
  },
  reader: (request) => readAnswer(request),
  conversations: { forks: false, folder: 'same' },
  unasking: 'always',
});

function readAnswer(request: TurnRequest): TurnReader {
  let answer = '';
  return {
    line: (line) => {
      answer = `${answer}${line}\n`.slice(-RESPONSE_MAX);
      return [{ type: 'text', text: line }];
    },
    stderr: () => [],
    verdict: (ending) => {
      const facts = { ...noTurnFacts(request), response: answer.replace(/\n$/, ''), hasEnded: true, calls: 1 };
      return verdictOf(facts, ending);
    },
    total: () => UNKNOWN_TOTAL,
    conversation: () => undefined,
  };
}
