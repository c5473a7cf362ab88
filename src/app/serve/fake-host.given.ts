// A host whose work a test decides, over any way to a server.
import { claimKey, type Assignment, type ClaimRef } from '../../core/protocol/assignment.ts';
import { HOST_PROTOCOL, type HostMessage, type HostMessageReply } from '../../core/protocol/host-message.ts';
import type { Result } from '../../core/protocol/result.ts';
import type { WorkOutcome } from '../../core/protocol/work-outcome.ts';

export interface FakeHost {
  /** Sends a message, and takes what its reply says. */
  readonly speak: (said?: Partial<HostMessage>) => Promise<HostMessageReply>;
  /** Speaks until a reply is what the test waits for. */
  readonly hears: (fits: (reply: HostMessageReply) => boolean) => Promise<HostMessageReply>;
  /** Speaks until the claim of a task comes. */
  readonly awaits: (task: string, run?: string) => Promise<Assignment>;
  /** The claim ends with the next message. */
  readonly ends: (run: string, claim: ClaimRef) => void;
  /** `run task`, of all claims that it holds. */
  readonly holds: () => readonly string[];
  /** As after the loss of its memory. */
  readonly forgets: () => void;
}

export interface FakeHostOptions {
  readonly send: (message: HostMessage) => Promise<HostMessageReply>;
  readonly width?: number;
}

export const MESSAGE: HostMessage = {
  protocol: HOST_PROTOCOL,
  version: '0.1.0',
  instance: 'an instance',
  number: 1,
  labels: [],
  agents: undefined,
  width: 2,
  isDraining: false,
  isLeaving: false,
  room: { diskBytes: 1e9, memoryBytes: 1e9 },
  at: 1,
  runs: [],
  tails: [],
};

const UNKNOWN = { usd: undefined, tokens: undefined };
/** Of work that has changed no file. */
const OK: Result = { ok: true, response: undefined, output: undefined, exitCode: 0, commit: undefined };

interface HeldHere {
  readonly run: string;
  readonly assignment: Assignment;
}

interface DoneHere {
  readonly run: string;
  readonly outcome: WorkOutcome;
}

let hosts = 0;

export function fakeHost({ send, width = 2 }: FakeHostOptions): FakeHost {
  hosts += 1;
  const instance = `instance-${hosts}`;
  let number = 0;
  const held = new Map<string, HeldHere>();
  const known = new Set<string>();
  let done: readonly DoneHere[] = [];
  const speak = async (said: Partial<HostMessage> = {}): Promise<HostMessageReply> => {
    number += 1;
    const reported = done;
    const runs = [...known].map((run) => runSaid(run, reported, [...held.values()]));
    const reply = await send({ ...MESSAGE, instance, number, width, runs, ...said });
    done = done.filter((each) => !reported.includes(each) || !reply.runs.some(({ run }) => run === each.run));
    for (const { run, reply: ofRun } of reply.runs) {
      known.add(run);
      for (const assignment of ofRun.start) held.set(`${run} ${claimKey(assignment.claim)}`, { run, assignment });
    }
    for (const run of reply.over) known.delete(run);
    return reply;
  };
  const find = (task: string, run: string | undefined): Assignment | undefined =>
    held.values().find((each) => each.assignment.claim.task === task && (run ?? each.run) === each.run)?.assignment;
  return {
    speak,
    hears: async (fits) => {
      for (;;) {
        const reply = await speak();
        if (fits(reply)) return reply;
      }
    },
    awaits: async (task, run) => {
      while (find(task, run) === undefined) await speak();
      const found = find(task, run);
      if (found === undefined) throw new Error('It was there a moment ago.');
      return found;
    },
    ends: (run, claim) => {
      held.delete(`${run} ${claimKey(claim)}`);
      known.add(run);
      done = [...done, { run, outcome: { type: 'finished', ...claim, spend: UNKNOWN, result: OK } }];
    },
    holds: () => [...held.values()].map(({ run, assignment }) => `${run} ${assignment.claim.task}`),
    forgets: () => held.clear(),
  };
}

const runSaid = (run: string, done: readonly DoneHere[], held: readonly HeldHere[]): HostMessage['runs'][number] => ({
  run,
  done: done.filter((each) => each.run === run).map(({ outcome }) => outcome),
  held: held.filter((each) => each.run === run).map(({ assignment }) => ({ claim: assignment.claim, spend: UNKNOWN })),
  warm: [],
});
