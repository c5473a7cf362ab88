// The choice of a host for one claim, among the hosts that are here.
import type { WorkType } from './assignment.ts';
import type { Placeable, PlacedFor, WaitsForHost, Whereabouts } from './placement.ts';
import type { Sync } from './sync.ts';

/** A host that is here. */
export interface HostCandidate {
  readonly sync: Sync;
  /** Not so for the coordinator's machine where that does merges alone. */
  readonly hasWidth: boolean;
  /** It waits for a reply, and holds nothing that it has to end first. */
  readonly isFree: boolean;
  /** How many more claims it accepts, after those that it was given. */
  left: number;
  /** It could not begin the claim that it had last: others come first. */
  readonly isUnable: boolean;
}

export type Choice =
  | { readonly type: 'chosen'; readonly candidate: HostCandidate; readonly why: PlacedFor }
  /** `isFull` is false when a host with room could have it as soon as that host speaks. */
  | { readonly type: 'none'; readonly why: WaitsForHost; readonly isFull: boolean };

export interface Choosing {
  readonly work: WorkType;
  readonly needs: Placeable;
  /** The host of another claim of the task: claims of a task share its sandbox. */
  readonly beside: string | undefined;
}

export function chooseHost(candidates: readonly HostCandidate[], { work, needs, beside }: Choosing): Choice {
  const here = candidates.filter(
    ({ sync, hasWidth }) =>
      hasWidth && sync.does.includes(work) && !isGoing(sync) && !(needs.isHere && sync.isRemote === true),
  );
  if (here.length === 0) return none('host');
  const labelled = here.filter(({ sync }) => needs.on.every((label) => sync.labels?.includes(label) === true));
  if (labelled.length === 0) return none('label');
  const equipped = labelled.filter(({ sync }) => hasAgent(sync, needs.agent));
  if (equipped.length === 0) return none('agent');
  const untried = equipped.filter(({ sync }) => sync.isRemote !== true || !needs.refusedOn.includes(sync.host));
  const fit = untried.length === 0 ? equipped : untried;
  const allowed = beside === undefined ? fit : fit.filter(({ sync }) => sync.host === beside);
  const free = allowed.filter(({ isFree, left }) => isFree && left > 0);
  if (free.length === 0) return { type: 'none', why: 'room', isFull: allowed.every(({ left }) => left <= 0) };
  const able = free.filter(({ isUnable }) => !isUnable);
  return best(able.length === 0 ? free : able, needs);
}

/** It takes nothing new. */
export const isGoing = ({ isDraining, isLeaving }: Sync): boolean => isDraining === true || isLeaving === true;

const none = (why: WaitsForHost): Choice => ({ type: 'none', why, isFull: true });

const hasAgent = ({ agents }: Sync, agent: string | undefined): boolean =>
  agent === undefined || agents === undefined || agents.includes(agent);

function best(free: readonly HostCandidate[], { conversation, last, base }: Placeable): Choice {
  const [only, ...others] = free;
  if (only !== undefined && others.length === 0) return { type: 'chosen', candidate: only, why: 'only' };
  const known = hostAt(free, conversation);
  if (known !== undefined) return { type: 'chosen', candidate: known, why: 'conversation' };
  const before = hostAt(free, last);
  if (before !== undefined) return { type: 'chosen', candidate: before, why: 'task' };
  const warm = free.filter(({ sync }) => base !== undefined && sync.warm?.includes(base) === true);
  const isWarmer = warm.length > 0 && warm.length < free.length;
  const candidate = (isWarmer ? warm : free).reduce((most, each) => (each.left > most.left ? each : most));
  return { type: 'chosen', candidate, why: isWarmer ? 'template' : 'room' };
}

const hostAt = (free: readonly HostCandidate[], at: Whereabouts | undefined): HostCandidate | undefined =>
  at === undefined ? undefined : free.find(({ sync }) => placeName(sync) === at.host);

/** The name by which the log knows the machine of a host. */
export const placeName = ({ host, isRemote }: Sync): string | undefined => (isRemote === true ? host : undefined);
