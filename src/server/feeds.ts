// All projects of a server, and the streams of all tabs: one timer looks at the stores while a tab is open.
import type { InboxItem, StreamLine, WebProject } from '../core/protocol/web.ts';
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
  /** Undefined when there is no such project. */
  readonly find: (id: string) => ServedProject | undefined;
  readonly attach: (stream: LineStream, shown: Shown | undefined) => void;
  readonly projects: () => readonly WebProject[];
  readonly inbox: () => readonly InboxItem[];
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
    if (looks % LOOKS_A_REFRESH === 0) refresh();
    if (looks % LOOKS_A_BEAT === 0) tellAll({ type: 'beat' });
  };
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    find: (id) => all().get(id)?.project,
    attach: (stream, shown) => {
      stream.write(lineOf({ type: 'inbox', count: refresh().length }));
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
    projects: () => {
      refresh();
      return [...all().values()].map((feed) => feed.summary());
    },
    inbox: () => refresh(),
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

/** Brings all runs up to date, tells what changed, and returns what waits for a person. */
function keepOverview(
  all: () => ReadonlyMap<string, ProjectFeed>,
  tellAll: (line: StreamLine) => void,
): () => readonly InboxItem[] {
  let lastRuns = '';
  let lastCount = 0;
  return () => {
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
}
