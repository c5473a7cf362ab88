// Faults in the loop and in what it says to hosts.
import type { Mutation } from './mutation.ts';

export const LOOP: readonly Mutation[] = [
  {
    fault: 'hosts are told before the events are durable',
    text: `      const appended = await log.append(events, toCommands);`,
    instead: `      for (const { host, reply } of toHosts) mailbox.reply(host, reply);
      const appended = await log.append(events, toCommands);`,
  },
  {
    fault: 'the loop goes on after a failed append',
    text: `      if (appended.type !== 'appended') return appended;`,
    instead: ``,
  },
  {
    fault: 'a coordinator whose run another has taken over goes on telling its hosts',
    text: `events.length + toHosts.length + toCommands.length > 0) {`,
    instead: `events.length + toCommands.length > 0) {`,
  },
  {
    fault: 'what commands did is appended without saying that they are answered',
    text: `await log.append(events, toCommands);`,
    instead: `await log.append(events, []);`,
  },
  {
    fault: 'a command is answered twice',
    text: `    toCommands.push({ id, reply });`,
    instead: `    toCommands.push({ id, reply }, { id, reply });`,
  },
  {
    fault: 'the events of commands are not appended',
    text: `    events.push(...decide(state, outcomes, context));
    toCommands`,
    instead: `    decide(state, outcomes, context);
    toCommands`,
  },
  {
    fault: 'the coordinator leaves while something is at work',
    text: `  if (state.claims.size > 0) return undefined;
  if (state.run.stage === 'paused') return state.run.pausedFor === undefined ? 'resume' : 'repair';`,
    instead: `  if (state.run.stage === 'paused') return state.run.pausedFor === undefined ? 'resume' : 'repair';`,
  },
  {
    fault: 'the time of the run follows the clock back',
    text: `Math.round(Math.max(now(), last + (at - readAt)))`,
    instead: `Math.round(now())`,
  },
  {
    fault: 'after a restart the time of the run begins with the clock',
    text: `Math.max(noEarlierThan, now())`,
    instead: `now()`,
  },
];

export const HOSTS: readonly Mutation[] = [
  {
    fault: 'what a lost reply gave is never offered again',
    text: `      holds: holdingsOf(held, sync),`,
    instead: `      holds: [...holdingsOf(held, sync), ...(known?.holds ?? [])],`,
  },
  {
    fault: 'an old message is taken for the latest',
    text: `if (known !== undefined && isSameInstance(known.latest, sync) && known.latest.number >= sync.number) continue;`,
    instead: ``,
  },
  {
    fault: 'a message is answered again and again',
    text: `{ ...known, open: undefined, latest,`,
    instead: `{ ...known, latest,`,
  },
  {
    fault: 'a host with a worker of an attempt that was given up is given the next',
    text: `(sync?.held.every(({ claim }) => owed.has(claimKey(claim))) ?? false),`,
    instead: `sync !== undefined,`,
  },
  {
    fault: 'a host is given more than it wants',
    text: `  if (claim.work !== 'merge') taker.left -= 1;`,
    instead: ``,
  },
  {
    fault: 'a host does not learn that its report was received',
    text: ` && done.length === 0) return [];`,
    instead: `) return [];`,
  },
  {
    fault: 'a host is not told to stop what is preempted',
    text: `cancelling !== undefined || preempting;`,
    instead: `cancelling !== undefined;`,
  },
  {
    fault: 'a host is not told to end what is cancelled',
    text: `cancelling !== undefined || preempting;`,
    instead: `preempting;`,
  },
  {
    fault: 'a lease never runs out',
    text: `    if (at < endOfLease(dispatcher, host)) continue;`,
    instead: `    if (at >= host.heardAt) continue;`,
  },
  {
    fault: 'a lease runs out after twenty seconds',
    text: `LEASE_MS = 90_000`,
    instead: `LEASE_MS = 20_000`,
  },
  {
    fault: 'what is lost counts as what it was last known to have spent',
    text: `host.holds.map(({ claim }) => lost(claim))`,
    instead: `host.holds.map(({ claim, spend }) => ({ ...lost(claim), spend }))`,
  },
];
