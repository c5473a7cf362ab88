// Where a claim is, in words.
import type { PlacedFor, WaitsForHost } from '../../protocol/placement.ts';
import type { ClaimPlace } from '../run/claim-place.ts';
import { quoted } from './styled-text.ts';

/** In a few words: `on build-7`, `waits for a host with gpu`. */
export const placeText = (place: ClaimPlace): string =>
  place.type === 'placed' ? `on ${quoted(place.host)}` : `waits for ${awaitedHost(place)}`;

/** What a claim waits for: `a host with gpu`. */
export function awaitedHost({ why, labels, agent }: Extract<ClaimPlace, { type: 'waiting' }>): string {
  switch (why) {
    case 'label':
      return `a host with ${labels.map(quoted).join(', ')}`;
    case 'agent':
      return `a host with ${agent === undefined ? 'its agent' : quoted(agent)}`;
    case 'host':
      return 'a host';
    case 'room':
      return 'room on a host';
  }
}

const WHY_THERE: Readonly<Record<PlacedFor, string>> = {
  only: 'no other host that fits had room',
  conversation: 'its conversation is there',
  task: 'its task was there before',
  template: 'a tree of the base commit is there',
  room: 'it had the most room',
};

const WHY_NOWHERE: Readonly<Record<WaitsForHost, string>> = {
  label: 'no host that is here has these labels',
  agent: 'the program is on no host that is here and has its labels',
  host: 'no host that is here does such work',
  room: 'those that fit are full, or have other work of its task',
};

/** Why it is there, or why it is not anywhere yet. */
export function placeReason(place: ClaimPlace): string {
  if (place.type === 'waiting') return WHY_NOWHERE[place.why];
  return place.why === undefined ? '' : WHY_THERE[place.why];
}

/** An event that says why a claim waits, without the plan: the labels are not known. */
export const waitingText = (why: WaitsForHost): string => WHY_NOWHERE[why];
