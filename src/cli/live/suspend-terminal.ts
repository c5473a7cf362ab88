// Suspends the terminal for a while: for a pager, or for the shell after Ctrl-Z.
import { isInForeground } from './is-in-foreground.ts';

const LOOK_EVERY_MS = 300;

/** A pager has its own use for Ctrl-C, and the terminal tells all of us of it. */
export async function withoutInterrupts(work: () => Promise<void>): Promise<void> {
  const listeners = process.listeners('SIGINT');
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  for (const listener of listeners) process.off('SIGINT', listener);
  try {
    await work();
  } finally {
    for (const listener of listeners) process.on('SIGINT', listener);
    process.off('SIGINT', ignore);
  }
}

/** Stops this process as the shell expects it, and comes back when the terminal is ours again. */
export async function stopHere(): Promise<void> {
  process.kill(process.pid, 'SIGSTOP');
  // Let go on in the background, we leave the terminal to others.
  while (!isInForeground()) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
}
