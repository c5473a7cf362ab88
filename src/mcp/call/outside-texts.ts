// What a plan does outside of its sandboxes, in words for the person who is asked whether it may start: a plan that an agent
// wrote can hold what nobody expects of it.
import { addressShown } from '../../core/plan/language/notify-shape.ts';
import type { Plan } from '../../core/plan/plan.ts';
import { quoted } from '../../core/view/text/styled-text.ts';

export function outsideTexts({ agents, notify, sandbox, settings, telemetry }: Plan): readonly string[] {
  const modules = agents.flatMap(({ use, command }) => (use === 'module' && command !== undefined ? [command] : []));
  const { webhook, command } = notify;
  return [
    ...(sandbox.isolation === 'none' || sandbox.tree === 'none'
      ? ['Its programs are not isolated: they can do what you can.']
      : []),
    ...(sandbox.network === 'all' ? ['Its programs can reach every address.'] : []),
    ...modules.map((file) => `It loads an adapter of its own: ${quoted(file)}`),
    ...(command === undefined ? [] : [`It runs a command to notify you: ${quoted(command)}`]),
    ...(webhook === undefined ? [] : [`It notifies ${placeText([webhook])}.`]),
    ...(telemetry?.endpoint === undefined
      ? []
      : [`It sends traces to ${placeText([telemetry.endpoint, ...telemetry.headers.map(({ value }) => value)])}.`]),
    ...(settings.merge.auto === 'auto' ? ['It lands on your branch by itself, as merge.auto: auto says.'] : []),
  ];
}

const VARIABLE = /\$\{(\w+)\}/gu;

/** The rest of an address may hold a token. Variables of the environment that go there are named. */
function placeText([address = '', ...others]: readonly string[]): string {
  const names = new Set([address, ...others].flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name]) => name)));
  const place = quoted(addressShown(address));
  return names.size === 0 ? place : `${place}, with ${[...names].join(', ')} of your environment`;
}
