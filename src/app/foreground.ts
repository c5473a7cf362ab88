// Programs that take the terminal for a while: a person's shell, editor or pager.
import { runInForeground, type ForegroundOptions } from '../shell/exec/run-in-foreground.ts';

/** Whether the program started and exited with code 0. */
export type ForegroundEnd = 'unstarted' | 'failed' | 'done';

export async function takeForeground(argv: readonly string[], options: ForegroundOptions): Promise<ForegroundEnd> {
  const end = await runInForeground(argv, options);
  if (end.type === 'unstarted') return 'unstarted';
  return end.type === 'exited' && end.code === 0 ? 'done' : 'failed';
}
