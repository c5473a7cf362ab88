// What a run hears of a message of a host: what the host says of that run, and of itself (gateway/G1).
import { WORKER_TYPES } from '../../core/protocol/assignment.ts';
import type { HostMessage, HostRun } from '../../core/protocol/host-message.ts';
import type { Sync } from '../../core/protocol/sync.ts';

interface Speaking {
  readonly name: string;
  readonly latest: HostMessage;
}

export function syncFor({ name: host, latest }: Speaking, said: HostRun | undefined): Sync {
  const { number, instance, follows, labels, agents, isDraining, isLeaving, width, runs } = latest;
  const held = runs.reduce((all, each) => all + each.held.length, 0);
  return {
    host,
    number,
    done: said?.done ?? [],
    held: said?.held ?? [],
    want: isDraining || isLeaving ? 0 : Math.max(0, width - held),
    does: WORKER_TYPES,
    isRemote: true,
    instance,
    follows,
    labels,
    agents,
    warm: said?.warm,
    isDraining,
    isLeaving,
  };
}
