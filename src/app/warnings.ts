// Warnings of the shell about its own repairs. The library is silent unless a program listens.
import type { StoreWarning } from '../core/protocol/store-failure.ts';

let listener: (warning: StoreWarning) => void = () => undefined;

/** One listener; the last one set counts. */
export function onWarning(next: (warning: StoreWarning) => void): void {
  listener = next;
}

export const warn = (warning: StoreWarning): void => listener(warning);
