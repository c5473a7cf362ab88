// All that the page knows: the runs, how many questions are open, and the run that is shown. One stream per tab, because a
// browser allows six connections to one host.
import type { InboxReply, RunsReply, StreamLine } from '../../src/core/protocol/web.ts';
import { followStream, type StreamState } from '../client/follow-stream.ts';
import type { ServerApi } from '../client/server-api.ts';
import { openRunStore, type RunRef, type RunStore, type ShowNext } from './run-store.ts';

export interface DashboardView {
  readonly link: StreamState;
  /** Undefined until the server has answered. */
  readonly runs: RunsReply | undefined;
  /** Everything that waits for a person, over all runs; undefined until the server has answered. */
  readonly inbox: InboxReply | undefined;
  /** How many items the inbox has; known before the inbox is. */
  readonly inboxCount: number;
}

export interface Dashboard {
  readonly current: () => DashboardView;
  readonly subscribe: (listener: () => void) => () => void;
  /** Follows a run, or none. */
  readonly show: (of: RunRef | undefined) => void;
  readonly store: () => RunStore | undefined;
  /** After a refusal, with another token. */
  readonly reconnect: () => void;
}

const TICK_MS = 1000;

export function openDashboard(api: ServerApi, schedule: ShowNext): Dashboard {
  const listeners = new Set<() => void>();
  let view: DashboardView = { link: { type: 'connecting' }, runs: undefined, inbox: undefined, inboxCount: 0 };
  let shown: (RunRef & { readonly store: RunStore }) | undefined;
  let end: (() => void) | undefined;

  const change = (part: Partial<DashboardView>): void => {
    view = { ...view, ...part };
    for (const listener of listeners) listener();
  };
  const loadRuns = async (): Promise<void> => {
    const answer = await api.get<RunsReply>('/api/runs');
    if (answer.type === 'ok') change({ runs: answer.value });
  };
  const loadInbox = async (): Promise<void> => {
    const answer = await api.get<InboxReply>('/api/inbox');
    if (answer.type === 'ok') change({ inbox: answer.value, inboxCount: answer.value.items.length });
  };

  const take = (line: StreamLine): void => {
    if (line.type === 'inbox') {
      change({ inboxCount: line.count });
      void loadInbox();
    } else if (line.type === 'runs') void loadRuns();
    else shown?.store.take(line);
  };
  const path = (): string => {
    if (shown === undefined) return '/api/stream';
    const { project, run, store } = shown;
    return `/api/stream?${new URLSearchParams({ project, run, from: String(store.end()) }).toString()}`;
  };
  const connect = (): void => {
    end?.();
    end = followStream({
      api,
      path,
      onLine: take,
      network: globalThis.window,
      onLink: (link) => {
        change({ link });
        if (link.type === 'open') void loadRuns();
      },
    });
  };

  setInterval(() => shown?.store.tick(), TICK_MS);
  return {
    current: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    show: (of) => {
      if (end !== undefined && of?.project === shown?.project && of?.run === shown?.run) return;
      shown = of === undefined ? undefined : { ...of, store: openRunStore(of, schedule) };
      connect();
    },
    store: () => shown?.store,
    reconnect: connect,
  };
}
