// Every effective setting of every task, as `heddle config --explain` prints it.

import type { Ceilings } from '../budget.ts';
import type { Plan, Task } from '../plan.ts';
import type { Notify } from '../notify.ts';
import type { Telemetry } from '../telemetry.ts';
import { showCount } from '../language/literals.ts';
import { textOfNotify, textOfTelemetry, textsOfSettings } from './setting-texts.ts';
import {
  originIn,
  type EffectiveSetting,
  type SettingName,
  type SettingOrigin,
  type SettingsScope,
} from './settings-in-force.ts';

/** The settings that building kept for each task, by path; the plan itself has the empty path. */
export interface KeptScope {
  readonly scope: SettingsScope;
  /** The origins of the task's own cap and budget. */
  readonly ownOrigin: (setting: SettingName) => SettingOrigin;
}

export function explainSettings(plan: Plan, kept: ReadonlyMap<string, KeptScope>): readonly EffectiveSetting[] {
  const lines: EffectiveSetting[] = [];
  explainOne(
    lines,
    {
      path: '',
      cap: plan.cap,
      hostsCap: plan.hostsCap,
      budget: plan.budget,
      notify: plan.notify,
      telemetry: plan.telemetry,
    },
    kept,
  );
  const visit = (task: Task): void => {
    explainOne(lines, task, kept);
    if (task.type === 'subplan') task.tasks.forEach(visit);
    if (task.type === 'for_each') visit(task.task);
  };
  plan.tasks.forEach(visit);
  return lines;
}

interface Explained {
  readonly path: string;
  readonly cap: number | undefined;
  readonly budget: Ceilings | undefined;
  /** Only for the plan, as what follows. */
  readonly hostsCap?: number | undefined;
  readonly notify?: Notify;
  readonly telemetry?: Telemetry | undefined;
}

function explainOne(lines: EffectiveSetting[], of: Explained, kept: ReadonlyMap<string, KeptScope>): void {
  const own = kept.get(of.path);
  if (own === undefined) return;
  const add = (setting: SettingName, value: string | undefined, origin: SettingOrigin): void => {
    lines.push({ task: of.path, setting, value, origin });
  };
  if (of.cap !== undefined) add('max_parallel', String(of.cap), own.ownOrigin('max_parallel'));
  if (of.hostsCap !== undefined) add('hosts.max_parallel', String(of.hostsCap), own.ownOrigin('hosts.max_parallel'));
  const { usd, tokens, atCeiling } = of.budget ?? {};
  if (usd !== undefined) add('budget.usd', String(usd), own.ownOrigin('budget.usd'));
  if (tokens !== undefined) add('budget.tokens', showCount(tokens), own.ownOrigin('budget.tokens'));
  if (atCeiling === 'stop') add('budget.at_ceiling', atCeiling, own.ownOrigin('budget.at_ceiling'));
  if (of.notify !== undefined) add('notify', textOfNotify(of.notify), own.ownOrigin('notify'));
  if (of.telemetry !== undefined) add('telemetry', textOfTelemetry(of.telemetry), own.ownOrigin('telemetry'));
  for (const [setting, value] of textsOfSettings(own.scope.settings)) add(setting, value, originIn(own.scope, setting));
}
