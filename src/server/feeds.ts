// All projects of a server, and the streams of all tabs: one timer looks at the stores while a tab is open.
import { setTimeout } from 'node:timers/promises';
import type { InboxItem, StreamLine, WebProject } from '../core/protocol/web.ts';
import type { RunMetrics } from '../core/view/trace/run-metrics.ts';
import type { ServedProject } from '../app/web/served-project.ts';
import type { LineStream } from './line-stream.ts';
import { openProjectFeed, type ProjectFeed } from './project-feed.ts';
import { lineOf } from './run-tail.ts';

/** Events arrive within 250 ms of their append. */
const LOOK_EVERY_MS = 100;
const LOOKS_A_REFRESH = 10;
const LOOKS_A_BEAT = 150;
/** How often the folder is searched for new projects. */
const SEARCH_EVERY_MS = 10_000;

export interface Shown {
  readonly project: string;
  readonly run: string;
  readonly from: number;
}

export interface Feeds {
  readonly ids: () => readonly string[];
  /** Undefined when there is no such project. */
  readonly find: (id: string) => ServedProject | undefined;
  readonly attach: (stream: LineStream, shown: Shown | undefined) => void;
  /** Tabs that wait for a log come first. */
  readonly projects: () => Promise<readonly WebProject[]>;
  readonly inbox: () => Promise<readonly InboxItem[]>;
  readonly metrics: () => readonly RunMetrics[];
  readonly close: () => void;
}

export function openFeeds(search: () => readonly ServedProject[]): Feeds {
  const streams = new Set<LineStream>();
  const all = keepProjects(search);
  const tellAll = (line: StreamLine): void => {
    for (const stream of streams) stream.write(lineOf(line));
  };
  const refresh = keepOverview(all, tellAll);
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  const look = (): void => {
    looks += 1;
    for (const feed of all().values()) if (feed.isShown()) feed.look();
    // To fold a large run takes seconds, in which the log would not go on to the tab that waits for it.
    if (looks % LOOKS_A_REFRESH === 0 && !isBehind()) refresh();
    if (looks % LOOKS_A_BEAT === 0) tellAll({ type: 'beat' });
  };
  const isBehind = (): boolean => [...all().values()].some((feed) => feed.isBehind());
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    ids: () => [...all().keys()],
    find: (id) => all().get(id)?.project,
    attach: (stream, shown) => {
      const count = shown === undefined ? refresh().length : refresh.latest();
      if (count !== undefined) stream.write(lineOf({ type: 'inbox', count }));
      streams.add(stream);
      const tail = shown === undefined ? undefined : all().get(shown.project)?.tailOf(shown.run);
      stream.onClose(() => {
        streams.delete(stream);
        tail?.detach(stream);
        if (streams.size === 0) stop();
      });
      tail?.attach(stream, shown?.from ?? 0);
      timer ??= setInterval(look, LOOK_EVERY_MS);
    },
    projects: async () => {
      await caughtUp(isBehind);
      refresh();
      return [...all().values()].map((feed) => feed.summary());
    },
    inbox: async () => {
      await caughtUp(isBehind);
      return refresh();
    },
    metrics: () => [...all().values()].flatMap((feed) => feed.metrics()),
    close: () => {
      stop();
      for (const stream of streams) stream.end();
      for (const feed of all().values()) feed.close();
    },
  };
}

/** The feeds of the projects that there are; the folder is searched again from time to time. */
function keepProjects(search: () => readonly ServedProject[]): () => ReadonlyMap<string, ProjectFeed> {
  const feeds = new Map<string, ProjectFeed>();
  let searchedAt = -Infinity;
  return () => {
    if (performance.now() - searchedAt < SEARCH_EVERY_MS) return feeds;
    searchedAt = performance.now();
    const found = new Map(search().map((project) => [project.id, project]));
    for (const [id, feed] of feeds) {
      if (found.has(id)) continue;
      feed.close();
      feeds.delete(id);
    }
    for (const [id, project] of found) if (!feeds.has(id)) feeds.set(id, openProjectFeed(project));
    return feeds;
  };
}

/** How long a call leaves the stream of the same page time to arrive, and how often it looks again. */
const STREAM_FIRST_MS = 20;

/** Resolves when no tab that came lately is still being sent a log. */
async function caughtUp(isBehind: () => boolean): Promise<void> {
  do await setTimeout(STREAM_FIRST_MS);
  while (isBehind());
}

interface Overview {
  (): readonly InboxItem[];
  /** How many items waited at the last refresh; undefined before the first. */
  readonly latest: () => number | undefined;
}

/** Brings all runs up to date, tells what changed, and returns what waits for a person. */
function keepOverview(all: () => ReadonlyMap<string, ProjectFeed>, tellAll: (line: StreamLine) => void): Overview {
  let lastRuns = '';
  let lastCount: number | undefined;
  const refresh = (): readonly InboxItem[] => {
    const feeds = [...all().values()];
    for (const feed of feeds) feed.refresh();
    const runs = JSON.stringify(feeds.map((feed) => feed.summary()));
    if (runs !== lastRuns) tellAll({ type: 'runs' });
    lastRuns = runs;
    const items = feeds.flatMap((feed) => feed.inbox());
    if (items.length !== lastCount) tellAll({ type: 'inbox', count: items.length });
    lastCount = items.length;
    return items;
  };
  return Object.assign(refresh, { latest: () => lastCount });
}
