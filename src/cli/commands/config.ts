import type { EffectiveSetting } from '../../core/plan/settings/origin.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { loadPlan, planOf } from '../../app/plan/load-plan.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { aligned } from '../text/rows.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { paint, type Terminal } from '../terminal.ts';

/** `heddle config --explain`: each effective value and where it came from. */
export function config(
  terminal: Terminal,
  file: string | undefined,
  flags: SettingsFlags & { readonly json?: boolean | undefined },
): ExitCode {
  const loaded = loadPlan(file, flags);
  const origins = planOf(loaded) === undefined ? [] : loaded.origins();
  if (flags.json === true) {
    terminal.out(
      JSON.stringify({ file: loaded.file, diagnostics: loaded.diagnostics, settings: origins }, undefined, 2),
    );
    return planOf(loaded) === undefined ? EXIT.wrong : EXIT.done;
  }
  printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  if (planOf(loaded) === undefined) return EXIT.wrong;
  for (const [task, settings] of byTask(origins)) {
    terminal.out(paint(terminal, 'strong', task === '' ? 'plan' : task));
    for (const line of aligned(settings.map((setting) => [setting.setting, valueText(setting), originText(setting)])))
      terminal.out(line);
  }
  return EXIT.done;
}

function byTask(settings: readonly EffectiveSetting[]): ReadonlyMap<string, readonly EffectiveSetting[]> {
  return Map.groupBy(settings, ({ task }) => task);
}

function valueText({ value }: EffectiveSetting): string {
  return value ?? '—';
}

function originText({ origin }: EffectiveSetting): string {
  const where =
    origin.file === undefined ? '' : ` (${origin.file}${origin.line === undefined ? '' : `:${origin.line}`})`;
  return `${origin.layer}${origin.task === undefined ? '' : ` ${origin.task}`}${where}`;
}
