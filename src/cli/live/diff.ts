// What a task has changed, in the person's pager.
import { takeForeground } from '../../app/foreground.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Until the person leaves the pager. */
export async function showDiff(args: readonly string[], { colour }: Pick<Terminal, 'colour'>): Promise<void> {
  const settings = ['--paginate', '-c', `color.diff=${colour ? 'always' : 'never'}`];
  // A diff that fits the screen is to stay on it all the same.
  const environment = { ...process.env, LESS: process.env['LESS'] ?? 'R' };
  await takeForeground(['git', ...settings, ...args], { environment });
}
