// Warnings of the shell about its own repairs. The library is silent unless a program listens.
let listener: (message: string) => void = () => undefined;

/** One listener; the last one set counts. */
export function onWarning(next: (message: string) => void): void {
  listener = next;
}

export const warn = (message: string): void => listener(message);
