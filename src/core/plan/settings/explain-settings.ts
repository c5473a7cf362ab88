// Every effective setting of every task, as `heddle config --explain` prints it.

import { addressShown, NOTIFY_TRIGGERS } from '../language/notify-shape.ts';
import type { Ceilings } from '../budget.ts';
import type { Plan, TakeRule, Task } from '../plan.ts';
import type { Notify } from '../notify.ts';
import type { Telemetry } from '../telemetry.ts';
import { showCount, showDuration } from '../language/literals.ts';
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
  if (of.notify !== undefined) add('notify', showNotify(of.notify), own.ownOrigin('notify'));
  if (of.telemetry !== undefined) add('telemetry', showTelemetry(of.telemetry), own.ownOrigin('telemetry'));
  for (const [setting, value] of shownSettings(own.scope)) add(setting, value, originIn(own.scope, setting));
}

function shownSettings({ settings }: SettingsScope): readonly (readonly [SettingName, string | undefined])[] {
  const { merge } = settings;
  return [
    ['failure_mode', settings.failureMode],
    ['attempts', String(settings.attemptsMax)],
    ['timeout', showDuration(settings.timeoutMs)],
    ['idle_timeout', showDuration(settings.idleTimeoutMs)],
    ['agent', settings.agent === undefined ? undefined : [settings.agent, ...settings.fallbacks].join(', ')],
    ['merge.order', merge.order],
    ['merge.strategy', merge.strategy],
    ['merge.auto', merge.auto],
    ['merge.check', merge.check],
    ['merge.on_conflict', merge.onConflict],
    ['merge.conflict_attempts', String(merge.conflictAttemptsMax)],
    ['merge.commits', merge.commits],
    ['merge.take', merge.take.length === 0 ? undefined : showTake(merge.take)],
  ];
}

const showTake = (take: readonly TakeRule[]): string =>
  `{ ${take.map(({ files, side }) => `${files}: ${side}`).join(', ')} }`;

function showTelemetry({ isOff, endpoint, service, content, agents }: Telemetry): string {
  if (isOff) return 'none';
  const parts = [
    ...(endpoint === undefined ? [] : [addressShown(endpoint)]),
    ...(service === undefined ? [] : [`service ${service}`]),
    ...(content ? ['with content'] : []),
    ...(agents ? ['with agents'] : []),
  ];
  return parts.length === 0 ? 'as the environment says' : parts.join(', ');
}

/** An address is shown without parts that may be a token. */
function showNotify({ on, bell, desktop, webhook, command }: Notify): string {
  const ways = [
    ...(bell ? ['bell'] : []),
    ...(desktop ? ['desktop'] : []),
    ...(webhook === undefined ? [] : [`webhook ${addressShown(webhook)}`]),
    ...(command === undefined ? [] : [`command ${command}`]),
  ];
  if (ways.length === 0) return 'none';
  return `${ways.join(', ')}${on.length === NOTIFY_TRIGGERS.length ? '' : ` on ${on.join(', ')}`}`;
}
