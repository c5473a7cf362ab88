// Looks for tests of the live view: a run, a screen, and whatever else a test cares for.
import type { Run } from '../../core/engine/run.given.ts';
import { stripVTControlCharacters } from 'node:util';
import type { Permission } from '../../core/protocol/result.ts';
import type { Outcome } from '../../core/engine/outcome.ts';
import { rowOf } from '../text/pieces.ts';
import { statusAt } from '../text/screen.given.ts';
import { FOCUS, type Focus } from './focus.ts';
import { liveRows, type LiveRows } from './live-rows.ts';
import type { ViewModel } from './view-model.ts';
import { press } from './press.ts';
import type { Key, Pressed } from './pressed.ts';

export function lookAt(run: Run, look: Partial<ViewModel> = {}): ViewModel {
  return {
    record: { run: 'given-1' },
    state: run.state(),
    status: statusAt(run),
    now: run.now(),
    width: 100,
    height: 24,
    focus: FOCUS,
    doing: () => undefined,
    outputOf: () => [],
    eta: undefined,
    coordinator: 'elsewhere',
    message: undefined,
    hasKeys: true,
    ...look,
  };
}

/** The rows as they are written, without colour. */
export const written = (look: ViewModel): readonly string[] => textOf(liveRows(look), look.width);

export const textOf = ({ rows }: LiveRows, width: number): readonly string[] =>
  rows.map((row) => stripVTControlCharacters(rowOf({ width, colour: false }, row)));

export interface Desk {
  readonly press: (...keys: readonly string[]) => Pressed;
  readonly focus: () => Focus;
  readonly lines: () => readonly string[];
}

/** A person who presses keys, and sees the run as it stands by then. */
export function deskAt(run: Run, look: Partial<ViewModel> = {}): Desk {
  let focus = look.focus ?? FOCUS;
  const now = (): ViewModel => lookAt(run, { ...look, focus });
  const frame = (): LiveRows => {
    const made = liveRows(now());
    ({ focus } = made);
    return made;
  };
  const isNamed = (key: string): key is Key & string => NAMED.has(key);
  return {
    press: (...keys) => {
      let pressed: Pressed = { focus };
      for (const key of keys) {
        const { list, room } = frame();
        const isOurs = look.coordinator === 'here';
        const board = { focus, list, room, status: statusAt(run), run: 'given-1', isOurs };
        pressed = press(board, isNamed(key) ? key : key.length === 1 ? { typed: key } : { pasted: key });
        ({ focus } = pressed);
      }
      return pressed;
    },
    focus: () => focus,
    lines: () => textOf(frame(), now().width),
  };
}

const NAMED: ReadonlySet<string> = new Set([
  'up',
  'down',
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

/** The agent of a task asks. */
export const askedBy = (task: string, question: string, permission?: Permission): Outcome => ({
  type: 'step.asked',
  task,
  step: 'main',
  attempt: 1,
  question,
  permission,
  result: { ok: true, response: question, exitCode: 0, output: undefined, commit: undefined },
  spend: { usd: 0, tokens: 0 },
});
