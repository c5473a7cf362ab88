// Any program that takes a prompt and answers on its standard output. The prompt goes to its standard input, or stands
// where one of its `args` says `{prompt}`. Its exit code is all that it says of how it went.
import type { Adapter, TurnReader } from '../ports/agents.ts';
import { noFacts, verdictOf } from './turn/turn-reader.ts';
import { adapterOf } from './turn/agent-kind.ts';

const PLACE = '{prompt}';
/** What later steps can read of an answer: the last of it. */
const RESPONSE_MAX = 100_000;

export const commandAdapter: Adapter = adapterOf({
  environment: [],
  defaults: {},
  launch: ({ agent, prompt }) => {
    const { command = '', args } = agent;
    const takesArgument = args.some((word) => word.includes(PLACE));
    return {
      program: '/bin/sh',
      // The command may be several words; what follows it is passed on as it is, never as text of a command.
      args: ['-c', `${command} "$@"`, 'sh', ...args.map((word) => word.replaceAll(PLACE, () => prompt))],
      input: takesArgument ? undefined : prompt,
      environment: {},
    };
  },
  reader: readAnswer,
  conversations: { forks: false, folder: 'same' },
  unasking: 'always',
});

function readAnswer(): TurnReader {
  let answer = '';
  return {
    line: (line) => {
      answer = `${answer}${line}\n`.slice(-RESPONSE_MAX);
      return [{ type: 'text', text: line }];
    },
    complaint: () => [],
    verdict: (ending) => {
      const facts = { ...noFacts(), response: answer.replace(/\n$/, ''), hasEnded: true, calls: 1 };
      return verdictOf(facts, ending);
    },
    conversation: () => undefined,
  };
}
