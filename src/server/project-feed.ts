// One project for all tabs: one open store, one look at it for everybody, its runs in a line each, and the tails of the
// runs that tabs show.
import type { WebError, WebProject, InboxItem } from '../core/protocol/web.ts';
import type { LiveSpend } from '../core/protocol/web.ts';
import { hasCoordinator, type OpenProject } from '../app/open-project.ts';
import { spentSoFar } from '../app/read/read-status.ts';
import type { RunMetrics } from '../core/view/trace/run-metrics.ts';
import { keepStore, readKept, type KeptStore } from '../app/web/kept-store.ts';
import type { RunSummary } from '../app/web/run-summaries.ts';
import type { ServedProject } from '../app/web/served-project.ts';
import { openRunTail, type RunTail } from './run-tail.ts';

export interface ProjectFeed {
  readonly project: ServedProject;
  /** The tail of a run, kept while a tab shows it. */
  readonly tailOf: (run: string) => RunTail;
  /** Looks for appended events; cheap when nobody has written. */
  readonly look: () => void;
  /** Brings the summaries up to date; cheap when nobody has written. */
  readonly refresh: () => Promise<void>;
  /** Whether a tab shows one of its runs. */
  readonly isShown: () => boolean;
  readonly summary: () => WebProject;
  readonly inbox: () => readonly InboxItem[];
  /** The numbers of its runs; none when the store cannot be read. */
  readonly metrics: () => Promise<readonly RunMetrics[]>;
  readonly close: () => void;
}

export function openProjectFeed(project: ServedProject): ProjectFeed {
  const kept = keepStore(project);
  const tails = new Map<string, RunTail>();
  let seen: number | undefined;
  let summarized: number | undefined;
  let summaries: readonly RunSummary[] = [];
  let error: WebError | undefined;
  let refreshed = Promise.resolve();

  const versionNow = (): number | undefined => {
    const read = kept.read(({ store }) => store.version());
    error = read.type === 'failed' ? read.error : undefined;
    return read.type === 'failed' ? undefined : read.value;
  };
  const refresh = async (): Promise<void> => {
    const version = versionNow();
    const isSame = version !== undefined && version === summarized;
    const read = isSame
      ? kept.read((open) => withLiveness(open, summaries))
      : await readKept(() => project.ask('summaries', { known: summaries }));
    summarized = version;
    summaries = read.type === 'read' ? read.value : [];
    for (const [run, tail] of tails) tellAbout(run, tail);
  };
  const tellAbout = (run: string, tail: RunTail): void => {
    const summary = summaries.find((each) => each.run.run === run);
    // Before the first summary, which takes longer than a look at the owner.
    const owned = summary === undefined ? kept.read((open) => hasCoordinator(open, { run })) : undefined;
    tail.tell({ type: 'coordinator', isUp: summary?.run.isUp ?? (owned?.type === 'read' && owned.value) });
    tail.tell({ type: 'spent', claims: summary === undefined ? [] : liveSpends(kept, summary) });
  };
  return {
    project,
    tailOf: (run) => {
      const tail = tails.get(run) ?? openRunTail(run, kept);
      if (!tails.has(run)) tellAbout(run, tail);
      tails.set(run, tail);
      return tail;
    },
    look: () => {
      for (const [run, tail] of tails) if (tail.isEmpty()) tails.delete(run);
      const version = versionNow();
      if (version !== undefined && version === seen) return;
      seen = version;
      for (const tail of tails.values()) tail.advance();
    },
    // One after the other: what one caller waits for was read after it asked.
    refresh: () => (refreshed = refreshed.then(refresh, refresh)),
    isShown: () => tails.size > 0,
    summary: () => {
      const { id, name, folder } = project;
      return { id, name, folder, error, runs: summaries.map(({ run }) => run) };
    },
    inbox: () =>
      summaries.flatMap(({ run: { run, isUp }, waiting }) =>
        waiting.map((item) => ({ ...item, project: project.id, run, isUp })),
      ),
    metrics: async () => {
      const read = await readKept(() => project.ask('metrics', { name: project.name }));
      return read.type === 'read' ? read.value : [];
    },
    close: kept.close,
  };
}

/** Nothing was written since: only a coordinator may have died. */
const withLiveness = (open: OpenProject, summaries: readonly RunSummary[]): readonly RunSummary[] =>
  summaries.map((summary) => {
    const { run, isUp } = summary.run;
    const isStill = isUp && hasCoordinator(open, { run });
    return isStill === isUp ? summary : { ...summary, run: { ...summary.run, isUp: isStill } };
  });

function liveSpends(kept: KeptStore, { run: { run, isUp }, turns }: RunSummary): readonly LiveSpend[] {
  const read = kept.read((open) => open.project);
  if (!isUp || read.type === 'failed') return [];
  const spentBy = spentSoFar(read.value, run);
  return turns.flatMap((claim) => {
    const spend = spentBy(claim);
    return spend === undefined ? [] : [{ ...claim, spend }];
  });
}
