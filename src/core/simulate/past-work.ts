// What one run teaches about durations and costs: the spans of its work, what its turns cost, and the tasks that it has grown by. Far smaller than the log that
// it comes from, and brought up to date event by event.
import type { RunEvent } from '../engine/event.ts';
import type { Task } from '../plan/plan.ts';
import type { Spend } from '../protocol/result.ts';
import { followSpans, type WorkSpan } from './work-spans.ts';

export interface PastWork {
  readonly spans: readonly WorkSpan[];
  readonly costs: readonly TurnCost[];
  readonly grown: readonly Task[];
}

/** What the agent of a turn reported. */
export interface TurnCost {
  readonly task: string;
  readonly step: string;
  readonly agent: string | undefined;
  readonly spend: Spend;
}

export interface WorkFollower {
  /** Takes the next event of the run, from its first. */
  readonly add: (event: RunEvent) => void;
  /** As far as the events go; it grows in place. */
  readonly work: PastWork;
}

export function followWork(): WorkFollower {
  const { add, spans } = followSpans();
  const costs = followCosts();
  const grown: Task[] = [];
  return {
    add: (event) => {
      add(event);
      costs.add(event);
      if (event.type === 'plan.grown') grown.push(...event.fragment.tasks);
    },
    work: { spans, costs: costs.costs, grown },
  };
}

function followCosts(): { readonly add: (event: RunEvent) => void; readonly costs: readonly TurnCost[] } {
  const agents = new Map<string, string | undefined>();
  const costs: TurnCost[] = [];
  const add = (event: RunEvent): void => {
    if (!('work' in event) || event.step === undefined) return;
    const { task, step } = event;
    const key = `${task} ${step}`;
    if (event.type === 'claim.made') agents.set(key, event.agent);
    if (!('spend' in event) || (event.spend.usd === undefined && event.spend.tokens === undefined)) return;
    costs.push({ task, step, agent: agents.get(key), spend: event.spend });
  };
  return { add, costs };
}

/** `events` are those of one run, from its first. */
export function pastWorkOf(events: readonly RunEvent[]): PastWork {
  const { add, work } = followWork();
  for (const event of events) add(event);
  return work;
}
