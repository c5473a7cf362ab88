// All projects of a server, and the streams of all tabs: one timer looks at the stores while a tab is open.
import type { InboxItem, StreamLine, WebProject } from '../core/protocol/web.ts';
import type { RunMetrics } from '../core/view/trace/run-metrics.ts';
import type { ServedProject } from '../app/web/served-project.ts';
import type { LineStream } from './line-stream.ts';
import { openProjectFeed, type ProjectFeed } from './project-feed.ts';
import { streamLineOf } from './run-tail.ts';

/** Events arrive within 250 ms of their append. */
const LOOK_EVERY_MS = 100;
const POLLS_PER_REFRESH = 10;
const POLLS_PER_HEARTBEAT = 150;
/** How often the folder is searched for new projects. */
const SEARCH_EVERY_MS = 10_000;

export interface FeedOfRun {
  readonly project: string;
  readonly run: string;
  readonly from: number;
}

export interface Feeds {
  readonly ids: () => readonly string[];
  /** Undefined when there is no such project. */
  readonly find: (id: string) => ServedProject | undefined;
  readonly attach: (stream: LineStream, shown: FeedOfRun | undefined) => void;
  readonly projects: () => Promise<readonly WebProject[]>;
  readonly inbox: () => Promise<readonly InboxItem[]>;
  readonly metrics: () => Promise<readonly RunMetrics[]>;
  readonly close: () => void;
}

export function openFeeds(search: () => readonly ServedProject[], onBug: (bug: unknown) => void): Feeds {
  const streams = new Set<LineStream>();
  const all = keepProjects(search);
  const tellAll = (line: StreamLine): void => {
    for (const stream of streams) stream.write(streamLineOf(line));
  };
  const refresh = keepOverview({ all, tellAll, onBug });
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  const look = (): void => {
    looks += 1;
    for (const feed of all().values()) if (feed.isShown()) feed.look();
    if (looks % POLLS_PER_REFRESH === 0) refresh.unlessBusy();
    if (looks % POLLS_PER_HEARTBEAT === 0) tellAll({ type: 'beat' });
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    ids: () => [...all().keys()],
    find: (id) => all().get(id)?.project,
    attach: (stream, shown) => {
      const count = refresh.latest();
      if (count !== undefined) stream.write(streamLineOf({ type: 'inbox', count }));
      streams.add(stream);
      if (shown === undefined) refresh.unlessBusy();
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
      await refresh();
      return [...all().values()].map((feed) => feed.summary());
    },
    inbox: refresh,
    metrics: async () => (await Promise.all([...all().values()].map((feed) => feed.metrics()))).flat(),
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

interface Overview {
  (): Promise<readonly InboxItem[]>;
  /** Does nothing while another refresh is under way. */
  readonly unlessBusy: () => void;
  /** How many items waited at the last refresh; undefined before the first. */
  readonly latest: () => number | undefined;
}

interface Overlooked {
  readonly all: () => ReadonlyMap<string, ProjectFeed>;
  readonly tellAll: (line: StreamLine) => void;
  readonly onBug: (bug: unknown) => void;
}

/** Brings all runs up to date, tells what changed, and returns what waits for a person. */
function keepOverview({ all, tellAll, onBug }: Overlooked): Overview {
  let lastRuns: string | undefined;
  let lastItems: string | undefined;
  let lastCount: number | undefined;
  let busy = 0;
  const refresh = async (): Promise<readonly InboxItem[]> => {
    busy += 1;
    const feeds = [...all().values()];
    await Promise.all(feeds.map((feed) => feed.refresh())).finally(() => (busy -= 1));
    const items = feeds.flatMap((feed) => feed.inbox());
    // One question may have taken the place of another, and a run may have lost its coordinator.
    const inbox = JSON.stringify(items);
    if (inbox !== lastItems) tellAll({ type: 'inbox', count: items.length });
    [lastItems, lastCount] = [inbox, items.length];
    const runs = JSON.stringify(feeds.map((feed) => feed.summary()));
    if (lastRuns !== undefined && runs !== lastRuns) tellAll({ type: 'runs' });
    lastRuns = runs;
    return items;
  };
  const unlessBusy = (): void => {
    if (busy === 0) void refresh().catch(onBug);
  };
  return Object.assign(refresh, { unlessBusy, latest: () => lastCount });
}
