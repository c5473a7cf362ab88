// The foot of the live view: more about the chosen task, what the run has to say, what is being typed, and the keys.
import { taskAt } from '../../core/engine/facts.ts';
import { explainTask } from '../../core/view/run/explain-task.ts';
import { reasonOf } from '../../core/view/run/reason-text.ts';
import { formatDuration, formatMoney } from '../../core/view/chart/format.ts';
import type { TaskStatus } from '../../core/view/run/task-tree.ts';
import { failureText } from '../text/names.ts';
import { quoted, type Piece } from '../text/pieces.ts';
import { waitPieces } from '../text/wait-text.ts';
import { keyRow } from './key-text.ts';
import type { ViewModel } from './view-model.ts';
import { wholeSeconds } from './whole-seconds.ts';
import type { TreeRow } from './tree-rows.ts';

type Row = readonly Piece[];

/** Lower screens have no room for more about the chosen task. */
const DETAIL_FROM_HEIGHT = 16;
const DETAIL_ROWS = 3;
const KEYS_FROM_HEIGHT = 6;

/** The same whichever task is chosen, so that the list does not jump. */
export const footHeight = (look: ViewModel): number =>
  (hasDetail(look) ? DETAIL_ROWS : 0) + 1 + (hasKeyRow(look) ? 1 : 0);

const hasDetail = ({ height, focus }: ViewModel): boolean => height >= DETAIL_FROM_HEIGHT && focus.chosen !== undefined;
const hasKeyRow = ({ height, hasKeys }: ViewModel): boolean => hasKeys && height >= KEYS_FROM_HEIGHT;

/** `chosen` is the row that the person has chosen, if any. */
export function footRows(look: ViewModel, chosen: TreeRow | undefined): readonly Row[] {
  const task = chosen?.type === 'task' ? chosen.task : undefined;
  return [
    ...(hasDetail(look) ? detailRows(look, task) : []),
    saidRow(look),
    ...(hasKeyRow(look) ? [keyRow(look)] : []),
  ];
}

/** What is being typed or asked comes before what was said. */
function saidRow({ focus, message, coordinator, status }: ViewModel): Row {
  const { mode } = focus;
  switch (mode.type) {
    case 'filter':
      return [['strong', `/${quoted(focus.filter)}`], '▏', ['quiet', '  enter keeps it, esc drops it']];
    case 'answer':
      return [
        ['warn', `Tell ${quoted(mode.task)}: `],
        quotedEnd(mode.text),
        '▏',
        ['quiet', '  enter sends, esc does not'],
      ];
    case 'confirm':
      return [['warn', mode.question], ['strong', '  y'], ' yes, any other key no'];
    case 'list':
    case 'help':
    case 'log':
  }
  if (message !== undefined) return [['warn', quoted(message)]];
  if (focus.filter !== '')
    return [
      ['strong', `/${quoted(focus.filter)}`],
      ['quiet', '  esc drops it'],
    ];
  if (status.stage === 'ended' && coordinator !== 'here') return [['quiet', 'The run has ended.']];
  return [];
}

/** A space at the end is part of what is being typed. */
const quotedEnd = (text: string): string => `${quoted(text)}${text.endsWith(' ') ? ' ' : ''}`;

function detailRows(look: ViewModel, task: TaskStatus | undefined): readonly Row[] {
  const rows = task === undefined ? [] : [headOf(look, task), ...moreOf(look, task)].slice(0, DETAIL_ROWS);
  return [...rows, ...Array.from({ length: DETAIL_ROWS - rows.length }, (): Row => [])];
}

function headOf({ eta, now }: ViewModel, { task, stage, state, attempts, usd, startedAt }: TaskStatus): Row {
  // The eta is from a moment ago.
  const isOpen = state === 'pending' || state === 'running';
  const expected = isOpen ? eta?.tasks.get(task)?.endAt : undefined;
  const parts = [
    stage,
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(usd > 0 ? [formatMoney(usd)] : []),
    ...(startedAt === undefined ? [] : [`began ${formatDuration(wholeSeconds(now - startedAt))} ago`]),
    ...(expected === undefined || expected <= now
      ? []
      : [`expected to end in ${formatDuration(wholeSeconds(expected - now + 999))}`]),
  ];
  return [
    ['strong', quoted(task)],
    ['quiet', `  ${parts.join(' · ')}`],
  ];
}

function moreOf({ state, now, status }: ViewModel, task: TaskStatus): readonly Row[] {
  const index = state.compiled.indexOf.get(task.task);
  const failure = status.failures.find((each) => each.task === task.task);
  if (failure !== undefined) return [[['bad', `  ${quoted(failureText(failure))}`]]];
  if (index === undefined) return [];
  const given = { inputs: state.run.inputs, env: {} };
  const { waits, ended } = explainTask(state, taskAt(state, index), { now, given, expected: undefined });
  if (ended?.reason !== undefined) return [['  ', quoted(reasonOf(ended.reason, ended.cause))]];
  return waits.flatMap((wait) => waitPieces(wait, now)).map((row): Row => ['  ', ...row]);
}
