// One wait of a task, in a sentence, with the holders below it.
import { formatCount, formatMoment, formatMoney } from '../chart/format.ts';
import type { Awaited, TokenHolder, Resource, Wait } from '../run/wait.ts';
import { answersTo, nameOf } from './run-names.ts';
import { quoted, type TextRow } from './styled-text.ts';
import { firstOf } from './count-text.ts';

const SHOWN_MAX = 8;

/** A moment as a distance from now: ` in 5m`, ` any moment`; nothing when it is not known. */
export function inWords(before: string, at: number | undefined, now: number): string {
  if (at === undefined) return '';
  return at <= now ? `${before} any moment` : `${before} in ${formatMoment(at - now)}`;
}

type Rows = readonly TextRow[];

/** The sentence, and below it what it waits for. */
export function waitPieces(wait: Wait, now: number): Rows {
  const { who } = wait;
  switch (wait.type) {
    case 'needs':
      return [[needsSentence(who, wait.of.length, wait.needed)], ...awaitedRows(wait.of, now), ...badRows(wait)];
    case 'inside':
      return [[`${who} ends when all in it have`], ...awaitedRows(wait.of, now)];
    case 'subplan':
      return [[`${who} begins when ${wait.task} opens`]];
    case 'steps':
      return [[`${who} waits for ${wait.of.join(', ')}`]];
    case 'tokens':
      return [[tokensSentence(who, wait)], ...holderRows(wait.holders, { now, unit: wait.of.type })];
    case 'closed':
      return [
        [`${who} waits for the pool ${wait.pool}, whose account has no quota`, inWords('; it opens', wait.until, now)],
      ];
    case 'throttled':
      return [[`${who} waits for the pool ${wait.pool}, throttled to ${wait.limit} while its provider is overloaded`]];
    case 'hold':
      return [[`${who} waits for the pool ${wait.pool}${wait.task === undefined ? '' : `, which ${wait.task} holds`}`]];
    case 'paused':
      return [[`${who} waits for heddle resume`]];
    case 'task-paused':
      return [[`${who} is paused: heddle resume ${wait.task} lets it go on`]];
    case 'backoff':
      return [[`${who} backs off`, inWords(' and is tried again', wait.until, now)]];
    case 'budget':
      return [[budgetSentence(who, wait)], ...holderRows(wait.holders, { now, unit: wait.part })];
    case 'answer':
      return [[`${who} asks: ${quoted(wait.question.text)}`], ['  ', ['quiet', answersTo(wait.question).join(' · ')]]];
    case 'precedence':
      return [[precedenceSentence(who, wait)]];
    case 'nothing':
      return [[`${who} waits for nothing: the coordinator starts it on its next turn`]];
  }
}

function needsSentence(who: string, of: number, needed: number): string {
  if (needed < of) return `${who} needs ${needed} more of these ${of}`;
  return of === 1 ? `${who} needs` : `${who} needs all of`;
}

/** Needs that ended badly, and the consequence for the task. */
function badRows({ bad, isLost }: Extract<Wait, { type: 'needs' }>): Rows {
  if (bad.length === 0) return [];
  const { shown, more } = firstOf(bad, SHOWN_MAX);
  const names = [...shown, ...(more === 0 ? [] : [`${more} more`])].join(', ');
  return [['  ', ['bad', `${names} did not complete${isLost ? ', so it will not run' : ''}`]]];
}

const resourceName = (of: Resource): string => {
  switch (of.type) {
    case 'cap':
      return of.task === undefined ? 'the run' : of.task;
    case 'pool':
      return `the pool ${of.pool}`;
    case 'merge-slots':
      return 'a merge slot';
  }
};

function tokensSentence(who: string, { of, wanted, free }: Extract<Wait, { type: 'tokens' }>): string {
  const what = of.type === 'pool' ? `${wanted} of ` : of.type === 'cap' ? 'a slot of ' : '';
  return `${who} waits for ${what}${resourceName(of)}${free > 0 ? `, of which ${free} is free` : ''}; held by`;
}

function budgetSentence(who: string, wait: Extract<Wait, { type: 'budget' }>): string {
  const format = wait.part === 'usd' ? formatMoney : (count: number) => `${formatCount(count)} tokens`;
  const whose = wait.task === undefined ? 'the budget of the run' : `the budget of ${wait.task}`;
  const used = `${format(wait.spent)} spent and ${format(wait.reserved)} reserved of ${format(wait.ceiling)}`;
  return `${who} waits for ${format(wait.wanted)} of ${whose} (${used}); reserved for`;
}

const PRECEDENCE = {
  serial: 'runs alone, after',
  priority: 'waits, by the priorities of the plan, for the start of',
  starvation: 'waits for a step that others overtook too often:',
  'merge-order': 'is merged in the order of the plan, after',
} as const;

const precedenceSentence = (who: string, { why, of }: Extract<Wait, { type: 'precedence' }>): string =>
  `${who} ${PRECEDENCE[why]} ${of.join(', ')}`;

function awaitedRows(tasks: readonly Awaited[], now: number): Rows {
  return bounded(
    tasks.map(({ task, stage, expectedAt }) => [`  ${task}, ${stage}${inWords(', expected to end', expectedAt, now)}`]),
  );
}

interface Held {
  readonly now: number;
  readonly unit: Resource['type'] | 'usd' | 'tokens';
}

function holderRows(holders: readonly TokenHolder[], { now, unit }: Held): Rows {
  return bounded(
    holders.map((holder) => {
      const amount =
        unit === 'usd'
          ? ` ${formatMoney(holder.holds)}`
          : unit === 'tokens' || holder.holds > 1
            ? ` ${formatCount(holder.holds)}`
            : '';
      const since = `, running for ${formatMoment(holder.elapsedMs)}`;
      return [`  ${nameOf(holder)}${amount}${since}${inWords(', expected to end', holder.expectedAt, now)}`];
    }),
  );
}

function bounded(rows: Rows): Rows {
  const { shown, more } = firstOf(rows, SHOWN_MAX);
  return more === 0 ? shown : [...shown, ['  ', ['quiet', `… and ${more} more`]]];
}
