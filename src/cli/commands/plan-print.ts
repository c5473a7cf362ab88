import { addressShown } from '../../core/plan/language/notify-shape.ts';
import { printPlan } from '../../core/plan/print/print.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { loadPlan, planOf } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import type { Terminal } from '../terminal.ts';

/** `heddle plan print`: the effective plan, every setting resolved; parsing it again gives the same plan. */
export function planPrint(terminal: Terminal, file: string | undefined, flags: SettingsFlags): ExitCode {
  const loaded = loadPlan(file, flags);
  printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  const plan = planOf(loaded);
  if (plan === undefined) return EXIT.wrong;
  // An address may hold a token, and what is printed may end up anywhere.
  const webhook = plan.notify.webhook === undefined ? undefined : addressShown(plan.notify.webhook);
  terminal.out(printPlan({ ...plan, notify: { ...plan.notify, webhook } }).trimEnd());
  return EXIT.done;
}
