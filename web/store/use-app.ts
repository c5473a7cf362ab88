// What every part of the page can ask for: the server, the address, the run that is shown, and messages to the person.
import { createContext, useContext } from 'react';
import type { Command } from '../../src/core/engine/command.ts';
import type { ServerApi } from '../client/server-api.ts';
import type { PageRoute, RouteChange } from '../model/hash-route.ts';
import type { DashboardView } from './dashboard.ts';
import type { RunRef, RunView } from './run-store.ts';

export interface AppValue {
  readonly api: ServerApi;
  readonly dashboard: DashboardView;
  readonly route: PageRoute;
  /** Changes the address; `replace` leaves no entry in the history. */
  readonly go: (change: RouteChange, how?: 'push' | 'replace') => void;
  /** The address of a change, for links. */
  readonly linkTo: (change: RouteChange) => string;
  readonly notify: (message: Message) => void;
  /** Sends a command to a run and shows its reply. Whether the run takes it: what was typed is kept until it does. */
  readonly send: (order: CommandToRun) => Promise<boolean>;
  /** Moves the slider; undefined follows the run. */
  readonly seek: (position: number | undefined) => void;
}

export interface Message {
  readonly style: 'good' | 'bad' | 'warn';
  readonly text: string;
}

export interface CommandToRun extends RunRef {
  readonly command: Command;
  /** Where the run has no coordinator, one is started in the background. */
  readonly starts?: boolean;
}

export const AppContext = createContext<AppValue | undefined>(undefined);
export const RunViewContext = createContext<RunView | undefined>(undefined);

export function useApp(): AppValue {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error('A part of the page is shown outside of the page.');
  return app;
}

/** The run at the position that is looked at. Only pages of a run may ask for it. */
export function useRunView(): RunView {
  const view = useContext(RunViewContext);
  if (view === undefined) throw new Error('A page of a run is shown without a run.');
  return view;
}
