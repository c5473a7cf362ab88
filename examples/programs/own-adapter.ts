// An adapter of your own: how Heddle starts a turn of own-agent.ts, and reads what it prints. In the plan,
// agents: { own: { use: module, command: ./own-adapter.ts, model: gpt-5 } }
//
// The contract suite that runs over Heddle's own adapters runs over this one: `test/agents/own-agent.test.ts`.
import { fileURLToPath } from 'node:url';
import type { AgentModule, TurnEvent, TurnReader, TurnRequest, Usage, Verdict } from 'heddle';
import type { Said, Turn } from './own-agent.ts';

const PROGRAM = fileURLToPath(new URL('own-agent.ts', import.meta.url));

export const adapter: AgentModule = {
  // What the program sees of the environment, besides PATH, HOME and their like.
  environment: ['OPENAI_*'],
  keepsPermissions: true,
  conversations: { forks: true, folder: 'any' },
  launch: (request) => ({
    program: process.execPath,
    args: [PROGRAM, ...request.agent.args],
    input: JSON.stringify(turnOf(request)),
    environment: {},
  }),
  reader: (request, priceOf) => readTurn((usage) => priceOf(request.agent.model ?? '', usage)),
};

function turnOf({ prompt, agent, conversation, permissions, allow = [] }: TurnRequest): Turn {
  // Plans write `Bash(npm test)`, as Claude Code does.
  const commands = allow.flatMap((each) => /^Bash\((.*)\)$/.exec(each)?.[1] ?? []);
  return {
    prompt,
    model: agent.model ?? '',
    conversation: conversation?.id,
    isFork: conversation?.mode === 'fork',
    commands: permissions === undefined ? undefined : commands,
  };
}

type Price = (usage: Usage) => number | undefined;
const NOTHING: Usage = { input: 0, cached: 0, output: 0, usd: 0 };

function readTurn(priceOf: Price): TurnReader {
  const denied: string[] = [];
  let conversation: string | undefined;
  let usage = NOTHING;
  let isAnswered = false;
  /** A request is on its way, and may cost what nobody has said yet. */
  let isAsking = false;
  let last: Said | undefined;

  const read = (said: Said): readonly TurnEvent[] => {
    last = said;
    switch (said.type) {
      case 'conversation':
        conversation = said.id;
        return [{ type: 'conversation', id: said.id }];
      case 'asking':
        isAsking = true;
        return [];
      case 'answered': {
        isAsking = false;
        isAnswered = true;
        const sum = { ...usage, input: usage.input + said.input, output: usage.output + said.output };
        const counted = { ...sum, cached: usage.cached + said.cached };
        usage = { ...counted, usd: priceOf(counted) };
        return [{ type: 'spent', spend: spendOf(usage), usage }];
      }
      case 'tool':
        return [{ type: 'tool.called', id: said.id, tool: 'bash', about: said.command }];
      case 'tool ended':
        return [{ type: 'tool.ended', id: said.id, ok: said.ok }];
      case 'denied':
        denied.push(said.command);
        return [{ type: 'permission', tool: 'bash', isAllowed: false }];
      case 'error':
        // The provider refused the request, so the request costs nothing.
        isAsking = false;
        return [];
      case 'refused':
        return [];
      case 'done':
        return [{ type: 'text', text: said.response }];
    }
  };

  return {
    line: (line) => {
      const said = saidIn(line);
      return said === undefined ? [{ type: 'text', text: line }] : read(said);
    },
    stderr: () => [],
    verdict: ({ exit, hasChanges, stderr, now }) => {
      if (exit.signal !== undefined) return failed('crashed', `The agent was ended by ${exit.signal}.`);
      if (last?.type === 'error') return verdictOn(last, now);
      if (last?.type === 'refused') return { ...failed('refused', 'The model refused.'), isFinal: true };
      if (last?.type !== 'done') return failed('cut_off', stderr.trim().split('\n').at(-1) || 'The agent broke off.');
      if (denied.length > 0 && hasChanges !== true)
        return { ...failed('permission', `The plan does not allow: ${denied.join(', ')}`), isFinal: true };
      const result = { ok: true, response: last.response, output: undefined, exitCode: 0, commit: undefined };
      return { type: 'finished', result, hasChanges };
    },
    total: () => {
      const isKnown = isAnswered || !isAsking;
      const spend = isKnown ? spendOf(usage) : { usd: undefined, tokens: undefined };
      return { spend, usage: isKnown ? usage : undefined, isPartial: isAnswered && isAsking };
    },
    conversation: () => (conversation === undefined ? undefined : { id: conversation, reading: undefined }),
  };
}

const spendOf = ({ input, output, usd }: Usage) => ({ usd, tokens: input + output });

/** A program may print anything; a reader never throws. */
function saidIn(line: string): Said | undefined {
  try {
    const printed: unknown = JSON.parse(line);
    // The program prints nothing else that has a type.
    return typeof printed === 'object' && printed !== null && 'type' in printed ? (printed as Said) : undefined;
  } catch {
    return undefined;
  }
}

type Failed = Extract<Verdict, { type: 'failed' }>;
const failed = (reason: Failed['reason'], message: string): Failed => ({
  type: 'failed',
  reason,
  isFinal: false,
  message,
});

/** What a retry would repeat is final; a limit of the account is no failure of the step. */
function verdictOn({ status, message, resetSeconds }: Extract<Said, { type: 'error' }>, now: number): Verdict {
  if (status === 429) {
    const by = message.includes('insufficient_quota') ? 'quota' : 'rate_limit';
    return { type: 'limited', by, until: resetSeconds > 0 ? now + resetSeconds * 1000 : undefined, message };
  }
  if (status >= 500) return failed('overloaded', message);
  if (status === 401 || status === 403) return { ...failed('authentication', message), isFinal: true };
  return { ...failed(/context/i.test(message) ? 'context' : 'bad_request', message), isFinal: true };
}
