// The settings of a plan as short texts, under their names in the file. Addresses are shown without parts that may be a token.
import { showCount, showDuration } from '../language/literals.ts';
import { addressShown, NOTIFY_TRIGGERS } from '../language/notify-shape.ts';
import type { Notify } from '../notify.ts';
import type { Plan, SandboxPlan, Settings, TakeRule } from '../plan.ts';
import type { Permissions, Questions } from '../policies.ts';
import type { Telemetry } from '../telemetry.ts';
import type { SettingName } from './settings-in-force.ts';

type NamedText<Name> = readonly [name: Name, text: string | undefined];

/** Everything that a plan says beside its tasks, caps, budgets, pools, agents and inputs. */
export const textsOfPlan = (plan: Plan): readonly NamedText<string>[] => [
  ['target', plan.target],
  ['schedule', plan.schedule],
  ...textsOfSettings(plan.settings),
  ['budget.at_ceiling', plan.budget?.atCeiling ?? 'finish'],
  ...textsOfSandbox(plan.sandbox),
  ['questions', textOfPolicy(plan.questions)],
  ['permissions', textOfPolicy(plan.permissions)],
  ['notify', textOfNotify(plan.notify)],
  ['telemetry', plan.telemetry === undefined ? undefined : textOfTelemetry(plan.telemetry)],
  ['env', textOfList(plan.env)],
];

export function textsOfSettings(settings: Settings): readonly NamedText<SettingName>[] {
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
    ['merge.take', merge.take.length === 0 ? undefined : textOfTake(merge.take)],
  ];
}

const textOfTake = (take: readonly TakeRule[]): string =>
  `{ ${take.map(({ files, side }) => `${files}: ${side}`).join(', ')} }`;

function textsOfSandbox({ include, setup, link, ports, network, limits }: SandboxPlan): readonly NamedText<string>[] {
  const { disk, memory, processes } = limits;
  return [
    ['sandbox.include', textOfList(include)],
    ['sandbox.setup', setup],
    ['sandbox.link', textOfList(link)],
    ['sandbox.ports', String(ports)],
    ['sandbox.network', network === undefined || typeof network === 'string' ? network : network.join(', ')],
    ['sandbox.limits.disk', showCount(disk)],
    ['sandbox.limits.memory', memory === undefined ? undefined : showCount(memory)],
    ['sandbox.limits.processes', String(processes)],
  ];
}

const textOfList = (list: readonly string[]): string | undefined => (list.length === 0 ? undefined : list.join(', '));

const textOfPolicy = ({ policy, timeoutMs, allow }: Questions | Permissions): string =>
  `${policy}, timeout ${showDuration(timeoutMs)}${allow.length === 0 ? '' : `, allow ${allow.join(', ')}`}`;

export function textOfTelemetry({ isOff, endpoint, service, content, agents }: Telemetry): string {
  if (isOff) return 'none';
  const parts = [
    ...(endpoint === undefined ? [] : [addressShown(endpoint)]),
    ...(service === undefined ? [] : [`service ${service}`]),
    ...(content ? ['with content'] : []),
    ...(agents ? ['with agents'] : []),
  ];
  return parts.length === 0 ? 'as the environment says' : parts.join(', ');
}

export function textOfNotify({ on, bell, desktop, webhook, command }: Notify): string {
  const ways = [
    ...(bell ? ['bell'] : []),
    ...(desktop ? ['desktop'] : []),
    ...(webhook === undefined ? [] : [`webhook ${addressShown(webhook)}`]),
    ...(command === undefined ? [] : [`command ${command}`]),
  ];
  if (ways.length === 0) return 'none';
  return `${ways.join(', ')}${on.length === NOTIFY_TRIGGERS.length ? '' : ` on ${on.join(', ')}`}`;
}
