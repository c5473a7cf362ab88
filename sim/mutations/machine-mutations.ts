// Faults in what is for several machines: where claims are placed, and what is believed of hosts on other machines.
import type { Mutation } from './mutation.ts';

export const MACHINES: readonly Mutation[] = [
  {
    fault: 'where a claim runs is not logged',
    text: `  events.push(...placements.map((placement) => notePlacement(state, placement, now)));`,
    instead: ``,
  },
  {
    fault: 'what a host reports of the claims of others is believed',
    text: `      if (isForeign(outcome)) refused.push({ host: sync.host, claim: refOf(outcome), reported: outcome.type });
      else if (!isOvertaken`,
    instead: `      if (!isOvertaken`,
  },
  {
    fault: 'a host is believed to have the claims of others',
    text: `    const held = sync.held.filter(({ claim }) => !isForeign(claim));`,
    instead: `    const held = sync.held;`,
  },
  {
    fault: 'lies are not recorded',
    text: `    refused.push(...received.refused);`,
    instead: ``,
  },
  {
    fault: 'claims of one task go to several machines',
    text: `  hostOfTask.set(claim.task, taker.sync.host);`,
    instead: ``,
  },
  {
    fault: 'a claim whose offer was lost does not keep its task on its machine',
    text: `(heldBy.get(key) ?? placedOn);`,
    instead: `heldBy.get(key);`,
  },
  {
    fault: 'labels are not looked at',
    text: `needs.on.every((label) => sync.labels?.includes(label) === true)`,
    instead: `needs.on.length >= 0 || sync.labels === undefined`,
  },
  {
    fault: 'one label of several is enough',
    text: `needs.on.every((label) => sync.labels?.includes(label) === true)`,
    instead: `needs.on.length === 0 || needs.on.some((label) => sync.labels?.includes(label) === true)`,
  },
  {
    fault: 'agents are sent where their program is not',
    text: `labelled.filter(({ sync }) => hasAgent(sync, needs.agent));`,
    instead: `labelled;`,
  },
  {
    fault: 'work in place goes to other machines',
    text: ` && !(needs.isHere && sync.isRemote === true),`,
    instead: `,`,
  },
  {
    fault: 'a host that drains is given work',
    text: `isDraining === true || isLeaving === true;`,
    instead: `isLeaving === true;`,
  },
  {
    fault: 'what a host forgot is given to it again',
    text: `  if (sync.isRemote !== true || known === undefined) return [];`,
    instead: `  if (sync.number >= 0 || known === undefined) return [];`,
  },
  {
    fault: 'a host that has left comes back with an old message',
    text: `  for (const { host, reply } of replies) noteAnswered(dispatcher, host, reply);`,
    instead: `  for (const { host, reply } of replies) noteAnswered(dispatcher, host, reply);
  for (const [host, { latest }] of dispatcher.hosts) if (latest.isLeaving === true) dispatcher.hosts.delete(host);`,
  },
  {
    fault: 'a restarted coordinator forgets where claims are',
    text: `startDispatcher(hasHosts ? owed(state) : [], at, leaseMs)`,
    instead: `startDispatcher([], at, leaseMs)`,
  },
  {
    fault: 'a host that was started again is not heard until it has said as much as before',
    text: `isSameInstance(known.latest, sync) && known.latest.number`,
    instead: `known.latest.number`,
  },
  {
    fault: 'a claim that waits keeps its host waiting too',
    text: `  const free = allowed.filter(({ isFree, left }) => isFree && left > 0);`,
    instead: `  const free = allowed.filter(({ isFree, left }) => isFree && left > 1);`,
  },
];
