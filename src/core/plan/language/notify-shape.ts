// The shape of `notify`: triggers of notifications and the channels they go to.
import { list, oneOfShape } from './collections.ts';
import { field, objectShape } from './object.ts';
import { boolean, choice, textShape } from './scalars.ts';
import { shapeLabelOf, mapShape, type Shape } from './shape.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { Notify, NotifyTrigger } from '../notify.ts';

const NEEDED = ['approval', 'question', 'conflict', 'quota', 'budget', 'breaker'] as const;
const ENDED = ['done', 'failed', 'stopped'] as const;
export const NOTIFY_TRIGGERS: readonly NotifyTrigger[] = [...NEEDED, ...ENDED];

export const NOBODY: Notify = {
  on: NOTIFY_TRIGGERS,
  bell: false,
  desktop: false,
  webhook: undefined,
  command: undefined,
};

const GROUPS: ReadonlyMap<string, readonly NotifyTrigger[]> = new Map<string, readonly NotifyTrigger[]>([
  ['needed', NEEDED],
  ['ended', ENDED],
]);

const word = choice<string>('needed', 'ended', ...NOTIFY_TRIGGERS);
/** In one fixed order, so that equivalent forms are equal. */
const triggersIn = (words: readonly string[]): readonly NotifyTrigger[] => {
  const named = new Set(words.flatMap((each): readonly string[] => GROUPS.get(each) ?? [each]));
  return NOTIFY_TRIGGERS.filter((trigger) => named.has(trigger));
};

const triggers = oneOfShape<readonly NotifyTrigger[]>({
  wanted: 'a trigger or a list of triggers',
  hint: `Write on: needed, or some of ${NOTIFY_TRIGGERS.join(', ')}.`,
  scalar: mapShape(word, (each) => triggersIn([each])),
  list: mapShape(list(word, { min: 1 }), triggersIn),
});

const ALLOWED =
  /^(?:https:\/\/[^\s/?#]|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/?#]|$)|\$\{[A-Za-z_]\w*\})\S*$/;

/** An address may hold a secret token, so messages about a wrong address do not repeat it. */
const webhook: Shape<string> = {
  name: 'an address',
  schema: () => ({ type: 'string', pattern: ALLOWED.source }),
  read: (node, reading) => {
    const value = textShape().read(node, reading);
    if (value === undefined || ALLOWED.test(value)) return value;
    reportFinding(reading, {
      code: 'invalid-value',
      offset: node.start,
      message: `${shapeLabelOf(reading)} must be an address that begins with https://, or with http:// on this machine.`,
      hint: 'Write https://hooks.example.com/${HOOK_TOKEN}; what stands in ${…} comes from the environment.',
    });
    return undefined;
  },
};

const notifyObject = objectShape(
  {
    on: field(
      triggers,
      'When: needed (approval, question, conflict, quota, budget, breaker), ended (done, failed, stopped), or some of these. Default: all.',
    ),
    bell: field(boolean(), 'Ring the bell of the terminal where the run is coordinated.'),
    desktop: field(boolean(), 'Show it on the desktop, by notify-send or osascript.'),
    webhook: field(webhook, 'Post it as JSON to this address; ${NAME} comes from the environment.'),
    command: field(textShape(), 'Start this command with it: JSON on standard input, and HEDDLE_NOTIFY_… variables.'),
  },
  { noun: 'notify', example: 'Write notify: { bell: true, webhook: "${HOOK}" }.' },
);

const WAYS = ['bell', 'desktop'] as const;
const waysIn = (ways: readonly string[]): Notify => ({
  ...NOBODY,
  bell: ways.includes('bell'),
  desktop: ways.includes('desktop'),
});

export const notify: Shape<Notify> = oneOfShape<Notify>({
  wanted: 'bell, desktop, none, a list of them or a map',
  hint: 'Write notify: bell, notify: [bell, desktop], or notify: { on: needed, webhook: "${HOOK}" }.',
  scalar: mapShape(choice('none', ...WAYS), (way) => waysIn([way])),
  list: mapShape(list(choice(...WAYS), { min: 1 }), waysIn),
  map: mapShape(notifyObject, ({ on = NOTIFY_TRIGGERS, bell = false, desktop = false, webhook: address, command }) =>
    bell || desktop || address !== undefined || command !== undefined
      ? { on, bell, desktop, webhook: address, command }
      : NOBODY,
  ),
});

/**
 * The printable part of an address: its host, and a sign that there is more. The text in ${…} is a variable name and no
 * token.
 */
export function addressShown(address: string): string {
  const { scheme, user, host, rest } = PARTS.exec(address)?.groups ?? {};
  if (scheme === undefined || host === undefined) return NAMED.test(address) ? address : '…';
  const isPlain = user === undefined && (rest === '' || rest === '/' || NAMED.test(rest?.slice(1) ?? ''));
  return isPlain ? address : `${scheme}${host}/…`;
}

const PARTS = /^(?<scheme>https?:\/\/)(?<user>[^\s/?#]*@)?(?<host>[^\s/?#@]+)(?<rest>.*)$/;
const NAMED = /^\$\{\w+\}$/;
