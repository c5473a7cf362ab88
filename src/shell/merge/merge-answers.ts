// Which merges are requested, which are answered, and how often one met an error that was not its own.
//
// merge-answers/A1. Every request is answered once, however often it is repeated; a withdrawn request is not answered.
// merge-answers/A2. After an error of the environment a merge is retried a bounded number of times, with growing
//     backoff.
import type { MergeRequest } from '../../core/engine/owed/merges.ts';
import type { Outcome } from '../../core/engine/outcome.ts';

export type MergeOutcome = Extract<Outcome, { type: `merge.${string}` }>;
type Told<Type extends MergeOutcome['type']> = Omit<Extract<MergeOutcome, { type: Type }>, 'task' | 'attempt'>;
export type MergeAnswer = { [Type in MergeOutcome['type']]: Told<Type> }[MergeOutcome['type']];

/** Key for maps; never parsed. */
export const keyOf = ({ task, attempt }: Pick<MergeRequest, 'task' | 'attempt'>): string => `${task}#${attempt}`;

const TROUBLES_MAX = 5;
const REST_FIRST_MS = 200;

export interface Answers {
  /** Returns whether anything changed. */
  readonly want: (orders: readonly MergeRequest[]) => boolean;
  /** Requested and not answered, in order. */
  readonly open: () => readonly MergeRequest[];
  readonly give: (answers: readonly Given[]) => void;
  /** Backoff before the next try; undefined after the last try, when the request is answered. */
  readonly trouble: (request: MergeRequest, message: string) => number | undefined;
}

interface Given {
  readonly request: MergeRequest;
  readonly answer: MergeAnswer;
}

export function openAnswers(tell: (outcomes: readonly Outcome[]) => void): Answers {
  let wanted: readonly MergeRequest[] = [];
  const answered = new Set<string>();
  const troubles = new Map<string, number>();
  const open = (): readonly MergeRequest[] => wanted.filter((request) => !answered.has(keyOf(request)));
  const give = (answers: readonly Given[]): void => {
    const due = answers.filter(({ request }) => open().some((each) => keyOf(each) === keyOf(request)));
    for (const { request } of due) {
      answered.add(keyOf(request));
      troubles.delete(keyOf(request));
    }
    if (due.length > 0)
      tell(due.map(({ request: { task, attempt }, answer }): MergeOutcome => ({ ...answer, task, attempt })));
  };
  return {
    open,
    give,
    want: (orders) => {
      const before = listOf(wanted);
      wanted = orders;
      const keys = new Set(orders.map((request) => keyOf(request)));
      for (const key of answered) if (!keys.has(key)) answered.delete(key);
      return listOf(orders) !== before;
    },
    trouble: (request, message) => {
      const count = (troubles.get(keyOf(request)) ?? 0) + 1;
      troubles.set(keyOf(request), count);
      if (count < TROUBLES_MAX) return REST_FIRST_MS * 2 ** (count - 1);
      give([{ request, answer: { type: 'merge.failed', reason: 'crashed', tail: message, isBaseline: false } }]);
      return undefined;
    },
  };
}

const listOf = (orders: readonly MergeRequest[]): string =>
  orders.map((request) => `${keyOf(request)}${request.isToStop ? '!' : ''}`).join(' ');
