// View models for tests of the live view: a run, a screen, and fields that a test sets.
import type { Run } from '../../core/engine/run.given.ts';
import { stripVTControlCharacters } from 'node:util';
import type { Permission } from '../../core/protocol/result.ts';
import type { Outcome } from '../../core/engine/outcome.ts';
import { rowOf } from '../text/rows.ts';
import { statusAt } from '../../core/view/text/busy-run.given.ts';
import { FOCUS, type Focus, type Key, type Pressed } from './focus.ts';
import { liveRows, type LiveRows } from './live-rows.ts';
import type { ViewModel, AttemptOutput } from './view-model.ts';
import { pressKey } from './press.ts';

export function viewAt(run: Run, view: Partial<ViewModel> = {}): ViewModel {
  return {
    record: { run: 'given-1' },
    state: run.state(),
    status: statusAt(run),
    now: run.now(),
    width: 100,
    height: 24,
    focus: FOCUS,
    doing: () => undefined,
    outputOf: () => undefined,
    turnsOf: () => [],
    eta: undefined,
    coordinator: 'elsewhere',
    message: undefined,
    hasKeys: true,
    ...view,
  };
}

/** The rows as they are written, without colour. */
export const written = (view: ViewModel): readonly string[] => rowTexts(liveRows(view), view.width);

export const rowTexts = ({ rows }: LiveRows, width: number): readonly string[] =>
  rows.map((row) => stripVTControlCharacters(rowOf({ width, colour: false }, row)));

export interface Keyboard {
  readonly press: (...keys: readonly string[]) => Pressed;
  readonly focus: () => Focus;
  readonly lines: () => readonly string[];
}

/** A person who presses keys and sees the current state of the run. */
export function keyboardAt(run: Run, view: Partial<ViewModel> = {}): Keyboard {
  let focus = view.focus ?? FOCUS;
  const now = (): ViewModel => viewAt(run, { ...view, focus });
  const rows = (): LiveRows => {
    const made = liveRows(now());
    ({ focus } = made);
    return made;
  };
  const isNamed = (key: string): key is Key & string => NAMED.has(key);
  return {
    press: (...keys) => {
      let pressed: Pressed = { focus };
      for (const key of keys) {
        const { list, room, subject } = rows();
        const isOurs = view.coordinator === 'here';
        const board = { focus, list, room, subject, status: statusAt(run), run: 'given-1', isOurs };
        pressed = pressKey(board, isNamed(key) ? key : key.length === 1 ? { typed: key } : { pasted: key });
        ({ focus } = pressed);
      }
      return pressed;
    },
    focus: () => focus,
    lines: () => rowTexts(rows(), now().width),
  };
}

const NAMED: ReadonlySet<string> = new Set([
  'up',
  'down',
  'left',
  'right',
  'tab',
  'pageup',
  'pagedown',
  'home',
  'end',
  'enter',
  'escape',
  'backspace',
  'ctrl-c',
  'ctrl-z',
]);

/** The output of a task, line by line. */
export function printed(...lines: readonly string[]): AttemptOutput {
  let at = 0;
  const placed = lines.map((text) => {
    const line = { at, text };
    at += text.length + 1;
    return line;
  });
  return {
    step: 'main',
    attempt: 1,
    agent: undefined,
    earlier: 0,
    later: 0,
    lines: placed,
    isCut: false,
  };
}

/** The agent of a task asks. */
export const askedBy = (task: string, question: string, permission?: Permission): Outcome => ({
  type: 'asked',
  work: 'step',
  task,
  step: 'main',
  attempt: 1,
  question,
  permission,
  result: { ok: true, response: question, exitCode: 0, output: undefined, commit: undefined },
  spend: { usd: 0, tokens: 0 },
});
