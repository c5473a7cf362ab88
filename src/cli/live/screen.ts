// The screen of the live view, by ink: rows go up, keys come back.
//
// screen/R1. It uses the alternate screen, so that the earlier content of the terminal and its scrollback are back after it
//     closes.
// screen/R2. Closing restores the keyboard, the cursor and the screen, at every kind of exit.
import { Box, render, Text, useApp, useInput, usePaste } from 'ink';
import { createElement, useEffect, type ReactNode } from 'react';
import { keysOf } from './keys-of.ts';
import type { Key } from './focus.ts';

const FRAMES_PER_SECOND_MAX = 10;

export interface Screen {
  /** The text of each row, no wider than the screen. */
  readonly paint: (rows: readonly string[]) => void;
  /** Gives the terminal away, as to a pager, until the work is over. */
  readonly suspendFor: (work: () => Promise<void>) => Promise<void>;
  readonly close: () => void;
}

export interface Opening {
  readonly onKey: (key: Key) => void;
  readonly hasKeys: boolean;
}

type App = ReturnType<typeof useApp>;

interface ViewProps extends Opening {
  readonly rows: readonly string[];
  readonly onApp: (app: App) => void;
}

function View({ rows, onKey, hasKeys, onApp }: ViewProps): ReactNode {
  const app = useApp();
  useEffect(() => onApp(app), [app, onApp]);
  useInput(
    (typed, flags) => {
      for (const key of keysOf(typed, flags)) onKey(key);
    },
    { isActive: hasKeys },
  );
  usePaste((pasted) => onKey({ pasted }), { isActive: hasKeys });
  // An empty text takes no row.
  const lines = rows.map((row, at) => createElement(Text, { key: at, wrap: 'truncate' }, row === '' ? ' ' : row));
  return createElement(Box, { flexDirection: 'column' }, lines);
}

export function openScreen({ onKey, hasKeys }: Opening): Screen {
  let app: App | undefined;
  const onApp = (given: App): void => void (app = given);
  const view = (rows: readonly string[]): ReactNode => createElement(View, { rows, onKey, hasKeys, onApp });
  const instance = render(view([]), {
    alternateScreen: true,
    exitOnCtrlC: false,
    incrementalRendering: true,
    interactive: true,
    maxFps: FRAMES_PER_SECOND_MAX,
    patchConsole: false,
  });
  return {
    paint: (rows) => instance.rerender(view(rows)),
    suspendFor: async (work) => {
      await (app === undefined ? work() : app.suspendTerminal(work));
    },
    close: () => instance.unmount(),
  };
}
