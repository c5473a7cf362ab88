import { readFileSync } from 'node:fs';

/**
 * Whether the terminal listens to us: a process that was put into the background is stopped as soon as it reaches for the
 * keyboard. Where the system does not say, it is taken to be so.
 */
export function isInForeground(): boolean {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name of a program may hold spaces and parentheses; what follows it does not.
    const [, , group, , , ofTerminal] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return group === ofTerminal;
  } catch {
    return true;
  }
}
