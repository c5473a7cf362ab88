// Reads the results of checks: where the prefixes of the chain stand, and whether its first entry is the culprit.
//
// culprit/J1. A failure is looked at twice before anybody is blamed for it.
// culprit/J2. It is no fault of the task when the check fails both on what it was merged onto and on its work alone. A
//     check that its work alone passes fails because of the merge, though the check may fail without that work as well.
import { assert } from '../../core/assert.ts';
import type { Limits } from '../../core/protocol/assignment.ts';
import { keyOf } from './merge-answers.ts';
import type { Link } from './entry-chain.ts';
import type { Remembered, RememberedChecks } from './remembered-checks.ts';
import type { Standing } from './prefixes.ts';
import type { CheckRun, Limited } from './check-runs.ts';

export interface Judging {
  readonly remembered: RememberedChecks;
  readonly treeOf: (commit: string) => Promise<string>;
}

/** All links up to one. */
type Prefix = readonly Link[];

/** How often a check is made before it is believed that it fails. */
const TIMES = 2;

export function standingsOf(
  judging: Judging,
  links: readonly Link[],
  checkRuns: readonly CheckRun[],
): readonly Standing[] {
  return links.map((link, at) => {
    const found = findingsOf(judging, links.slice(0, at + 1));
    if (found.includes('failed')) return 'failed';
    if (found.every((each) => each === 'passed')) return 'passed';
    return checkRuns.some(({ about }) => about.at(-1) === keyOf(link.request)) ? 'checking' : 'unknown';
  });
}

function findingsOf({ remembered }: Judging, cut: Prefix): readonly (Remembered['type'] | undefined)[] {
  const { tree } = lastOf(cut);
  return commandsOf(cut).map(({ command }) => remembered.of({ tree, command }, claimedAt(cut))?.type);
}

/** Every check of every link, each once, with the longest limits that any of them gives it. */
function commandsOf(cut: Prefix): readonly Limited[] {
  const limits = new Map<string, Limits>();
  for (const { request, checks } of cut)
    for (const command of checks) limits.set(command, longer(limits.get(command) ?? request.limits, request.limits));
  return [...limits].map(([command, each]) => ({ command, limits: each }));
}

const longer = (one: Limits, other: Limits): Limits => ({
  timeoutMs: Math.max(one.timeoutMs, other.timeoutMs),
  idleTimeoutMs: Math.max(one.idleTimeoutMs, other.idleTimeoutMs),
});

const claimedAt = (cut: Prefix): number => lastOf(cut).request.at;

function lastOf(cut: Prefix): Link {
  const last = cut.at(-1);
  assert(last !== undefined, 'A cut has a link at least.');
  return last;
}

export function checkRunTo(cut: Prefix): CheckRun {
  const { commit, tree } = lastOf(cut);
  const about = cut.map(({ request }) => keyOf(request));
  return { commit, tree, commands: commandsOf(cut), about, claimedAt: claimedAt(cut), isAgain: false };
}

/** Whether what it finds can still be used for this chain. */
export function isAbout({ about, commit, isAgain }: CheckRun, links: readonly Link[]): boolean {
  const key = about.at(-1);
  if (isAgain) return links[0] !== undefined && keyOf(links[0].request) === key;
  return links.some((link) => link.commit === commit && keyOf(link.request) === key);
}

export type CulpritFound =
  /** More has to be known. */
  | { readonly type: 'check'; readonly checkRun: CheckRun }
  | { readonly type: 'guilty'; readonly tail: string; readonly isBaseline: boolean };

/** What is to be made of the first link, of which a check has failed. */
export async function findCulprit(judging: Judging, onto: string, first: Link): Promise<CulpritFound> {
  const { remembered, treeOf } = judging;
  const { request, tree, commit } = first;
  for (const limited of commandsOf([first])) {
    const { command } = limited;
    const failure = remembered.of({ tree, command }, request.at);
    if (failure?.type !== 'failed') continue;
    const again = (judged: string, of: string): CulpritFound => ({
      type: 'check',
      checkRun: {
        commit: judged,
        tree: of,
        commands: [limited],
        about: [keyOf(request)],
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
