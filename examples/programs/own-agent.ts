// An agent of your own, behind the adapter for the Agent Client Protocol: in the plan,
// agents: { own: { use: acp, command: node own-agent.ts } }
//
// This one counts words. Yours would call a model, use its tools in `cwd`, and say what it does on the way.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly cwd?: string;
    readonly sessionId?: string;
    readonly prompt?: readonly { readonly type: string; readonly text?: string }[];
  };
}

const send = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Conversations live in the agent's home, so that a later turn can take one up. */
const folder = join(homedir(), '.own-agent');
const historyOf = (session: string): readonly string[] => {
  try {
    return JSON.parse(readFileSync(join(folder, `${session}.json`), 'utf8'));
  } catch {
    return [];
  }
};

let cwd = process.cwd();
let cancelled = false;

function turn(session: string, text: string): void {
  const history = [...historyOf(session), text];
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${session}.json`), JSON.stringify(history));
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  writeFileSync(join(cwd, 'words.txt'), `${words}\n`);
  const content = { type: 'text', text: `I counted ${words} words in turn ${history.length}.` };
  send({
    method: 'session/update',
    params: { sessionId: session, update: { sessionUpdate: 'agent_message_chunk', content } },
  });
}

function answer({ id, method, params = {} }: Message): void {
  const { sessionId = '', prompt = [] } = params;
  cwd = params.cwd ?? cwd;
  switch (method) {
    case 'initialize':
      return send({ id, result: { protocolVersion: 1, agentCapabilities: { loadSession: true } } });
    case 'session/new':
      return send({ id, result: { sessionId: `own-${process.pid}-${Date.now()}` } });
    case 'session/load':
      return send({ id, result: null });
    case 'session/cancel':
      cancelled = true;
      return;
    case 'session/prompt':
      turn(sessionId, prompt.map(({ text = '' }) => text).join('\n'));
      return send({ id, result: { stopReason: cancelled ? 'cancelled' : 'end_turn' } });
    default:
      // Requests that this agent does not know are refused, and notifications ignored.
      if (id !== undefined) send({ id, error: { code: -32_601, message: `There is no ${method}.` } });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => answer(JSON.parse(line)));
