// A coordinator with hundreds of agents on many hosts. The server is the real one; the hosts speak to it by the real link, and
// their agents only wait, so that one machine has room for all of them.
import { randomUUID } from 'node:crypto';
import { claimKey, type ClaimRef } from '../../src/core/protocol/assignment.ts';
import type { WorkOutcome } from '../../src/core/protocol/work-outcome.ts';
import { openServerClient } from '../../src/shell/link/server-client.ts';
import { openServerLink } from '../../src/shell/link/server-link.ts';
import { systemClock } from '../../src/shell/loop/steady-clock.ts';
import { processorMsOf } from '../run/heddle.ts';
import { serve, type Served } from './served.ts';

export interface AgentsFigure {
  readonly agents: number;
  readonly hosts: number;
  /** The most that were at work at once. */
  readonly atOnce: number;
  readonly lastedMs: number;
  /** Of one core, by the server, from the first claim to the end. */
  readonly share: number;
}

const HOSTS = 16;
const AGENTS = 500;
const TURN_MS = 20_000;
/** Costs that change while a turn runs, as agents report them. */
const LIVE_EVERY_MS = 2_000;

export async function benchAgents(): Promise<AgentsFigure> {
  const served = await serve(PLAN);
  const counted = { atWork: 0, atOnce: 0 };
  const closes = Array.from({ length: HOSTS }, (_, at) => startHost(served, `host-${at}`, counted));
  try {
    const before = processorMsOf(served.pid);
    const { lines } = await served.run();
    const spentMs = processorMsOf(served.pid) - before;
    const lastedMs = (lines.at(-1)?.at ?? 0) - (lines[0]?.at ?? 0);
    return { agents: AGENTS, hosts: HOSTS, atOnce: counted.atOnce, lastedMs, share: spentMs / lastedMs };
  } finally {
    for (const close of closes) close();
    served.close();
  }
}

const PLAN = [
  'heddle: 1',
  'name: bench',
  `hosts: { max_parallel: ${AGENTS} }`,
  'agents: { ai: { use: scripted } }',
  'agent: ai',
  'tasks:',
  ...Array.from({ length: AGENTS }, (_, at) => `  task-${at}: { prompt: "@say done" }`),
  '',
].join('\n');

interface Counted {
  atWork: number;
  atOnce: number;
}

/** Holds claims for a while and reports that they went well. */
function startHost({ url, tokenFor }: Served, name: string, counted: Counted): () => void {
  const held = new Map<string, { readonly claim: ClaimRef; readonly since: number }>();
  let run = '';
  let unsent: WorkOutcome[] = [];
  let sent: readonly WorkOutcome[] = [];
  const client = openServerClient({ url, token: tokenFor(name), userAgent: 'heddle/bench' });
  const spendOf = (since: number) => ({ usd: Math.floor((Date.now() - since) / 1_000) / 1_000, tokens: undefined });
  const link = openServerLink({
    client,
    clock: systemClock,
    chance: Math.random,
    compose: () => {
      sent = unsent;
      const heldNow = [...held.values()].map(({ claim, since }) => ({ claim, spend: spendOf(since) }));
      return {
        ...SAID,
        instance,
        at: Date.now(),
        runs: run === '' ? [] : [{ run, done: sent, held: heldNow, warm: [] }],
      };
    },
    onReply: (reply) => {
      unsent = unsent.filter((outcome) => !sent.includes(outcome));
      for (const { run: named, reply: own } of reply.runs) {
        run = named;
        for (const { claim } of own.start) begin(claim);
      }
    },
    onChange: () => undefined,
  });
  const instance = randomUUID();
  const begin = (claim: ClaimRef): void => {
    if (held.has(claimKey(claim))) return;
    const since = Date.now();
    held.set(claimKey(claim), { claim, since });
    counted.atWork += 1;
    counted.atOnce = Math.max(counted.atOnce, counted.atWork);
    setTimeout(() => {
      held.delete(claimKey(claim));
      counted.atWork -= 1;
      unsent.push({ type: 'finished', ...claim, spend: spendOf(since), result: DONE });
      link.ring('urgent');
    }, TURN_MS);
  };
  const live = setInterval(() => link.ring('live'), LIVE_EVERY_MS);
  return () => {
    clearInterval(live);
    link.close();
    client.close();
  };
}

const SAID = {
  version: 'bench',
  labels: [],
  agents: undefined,
  width: Math.ceil(AGENTS / HOSTS),
  isDraining: false,
  isLeaving: false,
  room: { diskBytes: 0, memoryBytes: 0 },
  tails: [],
};

/** Of a turn that has changed no file. */
const DONE = { ok: true, response: 'done', output: undefined, exitCode: 0, commit: undefined };

export function printAgents({ agents, hosts, atOnce, lastedMs, share }: AgentsFigure): void {
  console.log(
    `\n${agents} agents on ${hosts} hosts, which only wait ${TURN_MS / 1_000} s each and report costs meanwhile`,
  );
  console.table([
    { what: 'at work at once', figure: atOnce },
    { what: 'seconds from start to end', figure: Number((lastedMs / 1_000).toFixed(1)) },
    { what: 'share of one core of the server', figure: Number(share.toFixed(2)) },
  ]);
  console.log(
    `Asked: ${AGENTS} at once, and less than one core: ${atOnce === AGENTS && share < 1 ? 'met' : 'not met'}.`,
  );
}
