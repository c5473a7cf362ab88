// What is at work and what is asked goes on under an amended plan: the same claims and questions, at the places of the
// new net.

import { assert } from '../../assert.ts';
import { tokensAt } from '../../net/play.ts';
import { putTokens, takeCounted } from '../../net/fire.ts';
import { reserve } from '../ledger.ts';
import { variantOf } from './amendment.ts';
import type { CompiledTask } from '../../compile/compiled.ts';
import type { Claim } from '../state.ts';
import type { Carrying } from './carrying.ts';

export function carryClaims({ old, next, keptFrom }: Carrying): void {
  for (const [place, claim] of old.claims) {
    const to = keptFrom.get(claim.task)?.to;
    assert(to !== undefined, 'What an amendment ends was stopped before.');
    const { at, transition } = workOf(to, claim);
    assert(at !== undefined && transition !== undefined, 'What goes on has a place to be at work in.');
    putTokens(next.play, at, tokensAt(old.play, place));
    takeCounted(next.play, transition);
    next.claims.set(at, { ...claim, task: to.index });
    reserve(next.ledger, to.index, claim.reserve);
  }
  for (const question of old.questions.values()) {
    const to = keptFrom.get(question.task)?.to;
    const at = question.step === undefined ? to?.places.asking : to?.steps[question.step]?.asking;
    if (to !== undefined && at !== undefined) next.questions.set(at, { ...question, task: to.index });
  }
}

interface Work {
  /** Where its token is while it works. */
  readonly at: number | undefined;
  /** What claimed it. */
  readonly transition: number | undefined;
}

function workOf(task: CompiledTask, claim: Claim): Work {
  const { places, transitions } = task;
  switch (claim.work) {
    case 'step': {
      const variant = variantOf(task, claim);
      return { at: variant?.working, transition: variant?.transitions.claim };
    }
    case 'check':
      return { at: places.checking, transition: transitions.check };
    case 'merge':
      return { at: places.merging, transition: transitions.merge };
    case 'resolve':
      return { at: places.resolving, transition: transitions.resolve };
  }
}
