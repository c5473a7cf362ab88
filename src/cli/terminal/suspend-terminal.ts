// Suspends the terminal for a while: for a pager, or for the shell after Ctrl-Z.
import { readFileSync } from 'node:fs';
import { takeForeground } from '../../app/local-parts.ts';
import type { Terminal } from './terminal.ts';

const POLL_EVERY_MS = 300;

/**
 * Stops this process as the shell expects it, and comes back when the terminal is ours again. The launcher stops with it, and
 * not before the terminal is as it was found: the shell takes the terminal as soon as the launcher has stopped.
 */
export async function stopHere(): Promise<void> {
  process.kill(0, 'SIGSTOP');
  // Continued in the background, this process leaves the terminal to others.
  while (!isInForeground()) await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

/**
 * Whether this process is in the terminal's foreground group: a process in the background is stopped as soon as it reads
 * the keyboard. True where the system gives no answer.
 */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of a program may contain spaces and parentheses; the fields after it do not.
    const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === ofTerminal;
  } catch {
    return true;
  }
}

/** Shows git's output in the person's pager, until the person leaves the pager. */
export async function showInPager(args: readonly string[], { colour }: Pick<Terminal, 'colour'>): Promise<void> {
  const settings = ['--paginate', '-c', `color.diff=${colour ? 'always' : 'never'}`];
  // A diff that fits the screen is to stay on it all the same.
  const environment = { ...process.env, LESS: process.env['LESS'] ?? 'R' };
  await takeForeground(['git', ...settings, ...args], { environment });
}
