import { loadPlan, planOf } from '../../app/plan/load-plan.ts';
import type { SettingsFlags } from '../../app/plan/settings-flags.ts';
import { addressShown } from '../../core/plan/language/notify-shape.ts';
import { planJsonSchemaText } from '../../core/plan/language/plan-json-schema.ts';
import type { Telemetry } from '../../core/plan/telemetry.ts';
import { printPlan } from '../../core/plan/print/print.ts';
import type { EffectiveSetting } from '../../core/plan/settings/settings-in-force.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { printDiagnostics } from '../text/diagnostic-text.ts';
import { aligned } from '../text/rows.ts';

/** `heddle plan print`: the effective plan, every setting resolved; parsing it again gives the same plan. */
export function planPrint(terminal: Terminal, file: string | undefined, flags: SettingsFlags): ExitCode {
  const loaded = loadPlan(file, flags);
  printDiagnostics(terminal, loaded.diagnostics, loaded.texts);
  const plan = planOf(loaded);
  if (plan === undefined) return EXIT.wrong;
  // An address may contain a token, and output may be published.
  const webhook = plan.notify.webhook === undefined ? undefined : addressShown(plan.notify.webhook);
  const telemetry = plan.telemetry === undefined ? undefined : shownTelemetry(plan.telemetry);
  terminal.out(printPlan({ ...plan, notify: { ...plan.notify, webhook }, telemetry }).trimEnd());
  return EXIT.done;
}

const shownTelemetry = (telemetry: Telemetry): Telemetry => ({
  ...telemetry,
  endpoint: telemetry.endpoint === undefined ? undefined : addressShown(telemetry.endpoint),
  headers: telemetry.headers.map(({ name, value }) => ({ name, value: /\$\{\w+\}/.test(value) ? value : '…' })),
});

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

/** `heddle schema`: the JSON Schema of a plan, for editors. */
export function schema(terminal: Terminal): ExitCode {
  terminal.out(planJsonSchemaText().trimEnd());
  return EXIT.done;
}
