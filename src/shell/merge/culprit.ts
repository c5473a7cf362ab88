// Reads the results of checks: the standing of every prefix of the chain, and whether its first entry is the culprit.
//
// culprit/J1. A failed check is repeated before a task is blamed for it.
// culprit/J2. The task is not at fault when the check fails both on the commit that it was merged onto and on its work
//     alone. When its work alone passes, the failure comes from the merge, though the check may fail without that work
//     as well.
import { assert } from '../../core/assert.ts';
import { claimKey, type Limits } from '../../core/protocol/assignment.ts';
import type { Entry } from './entry-chain.ts';
import type { RememberedCheck, RememberedChecks } from './remembered-checks.ts';
import type { PrefixStanding } from './prefixes.ts';
import type { CheckRun, Limited } from './check-runs.ts';

export interface CheckResults {
  readonly remembered: RememberedChecks;
  readonly treeOf: (commit: string) => Promise<string>;
}

/** All entries up to one of them. */
type Prefix = readonly Entry[];

/** How often a check has to fail to count as failed. */
const TIMES = 2;

export function standingsOf(
  results: CheckResults,
  links: readonly Entry[],
  checkRuns: readonly CheckRun[],
): readonly PrefixStanding[] {
  return links.map((link, at) => {
    const found = findingsOf(results, links.slice(0, at + 1));
    if (found.includes('failed')) return 'failed';
    if (found.every((each) => each === 'passed')) return 'passed';
    return checkRuns.some(({ about }) => about.at(-1) === claimKey(link.request)) ? 'checking' : 'unknown';
  });
}

function findingsOf({ remembered }: CheckResults, prefix: Prefix): readonly (RememberedCheck['type'] | undefined)[] {
  const { tree } = lastOf(prefix);
  return commandsOf(prefix).map(({ command }) => remembered.of({ tree, command }, claimedAt(prefix))?.type);
}

/** Every check of every entry once, with the longest limits that any entry gives it. */
function commandsOf(prefix: Prefix): readonly Limited[] {
  const limits = new Map<string, Limits>();
  for (const { request, checks } of prefix)
    for (const command of checks) limits.set(command, longer(limits.get(command) ?? request.limits, request.limits));
  return [...limits].map(([command, each]) => ({ command, limits: each }));
}

const longer = (one: Limits, other: Limits): Limits => ({
  timeoutMs: Math.max(one.timeoutMs, other.timeoutMs),
  idleTimeoutMs: Math.max(one.idleTimeoutMs, other.idleTimeoutMs),
});

const claimedAt = (prefix: Prefix): number => lastOf(prefix).request.at;

function lastOf(prefix: Prefix): Entry {
  const last = prefix.at(-1);
  assert(last !== undefined, 'A prefix has at least one entry.');
  return last;
}

export function checkRunTo(prefix: Prefix): CheckRun {
  const { commit, tree } = lastOf(prefix);
  const about = prefix.map(({ request }) => claimKey(request));
  return { commit, tree, commands: commandsOf(prefix), about, claimedAt: claimedAt(prefix), isAgain: false };
}

/** Whether its result is still of use for this chain. */
export function isAbout({ about, commit, isAgain }: CheckRun, links: readonly Entry[]): boolean {
  const key = about.at(-1);
  if (isAgain) return links[0] !== undefined && claimKey(links[0].request) === key;
  return links.some((link) => link.commit === commit && claimKey(link.request) === key);
}

export type CulpritFound =
  /** Another check is needed. */
  | { readonly type: 'check'; readonly checkRun: CheckRun }
  | { readonly type: 'guilty'; readonly tail: string; readonly isBaseline: boolean };

/** Decides on the first entry, of which a check has failed. */
export async function findCulprit(results: CheckResults, onto: string, first: Entry): Promise<CulpritFound> {
  const { remembered, treeOf } = results;
  const { request, tree, commit } = first;
  for (const limited of commandsOf([first])) {
    const { command } = limited;
    const failure = remembered.of({ tree, command }, request.at);
    if (failure?.type !== 'failed') continue;
    const again = (checked: string, of: string): CulpritFound => ({
      type: 'check',
      checkRun: {
        commit: checked,
        tree: of,
        commands: [limited],
        about: [claimKey(request)],
        claimedAt: request.at,
        isAgain: true,
      },
    });
    if (failure.times < TIMES) return again(commit, tree);
    const { tail } = failure;
    for (const without of [onto, request.tip ?? onto]) {
      const its = await treeOf(without);
      const found = remembered.of({ tree: its, command }, request.at);
      if (found === undefined) return again(without, its);
      if (found.type === 'passed') return { type: 'guilty', tail, isBaseline: false };
    }
    return { type: 'guilty', tail, isBaseline: true };
  }
  return { type: 'guilty', tail: '', isBaseline: false };
}
