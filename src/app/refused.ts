// What a use case throws when it did nothing.
//
// Use cases throw `Refused` for what the caller must change before they can do anything. Everything that a run or the world
// did comes back as a tagged result instead.
import type { Refusal } from '../core/view/text/refusal.ts';

export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(refusal: Refusal, options?: ErrorOptions) {
    super(refusal.code, options);
    this.refusal = refusal;
  }
}
