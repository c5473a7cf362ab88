// The hosts of a server, as other processes see them: a file that is replaced whole, and from which nothing is decided.
//
// hosts-view/V1. It is written at most once a second, however much the hosts say, and kept when the server is gone.
import { join } from 'node:path';
import { listOf, maybe, number, object, text, truth, WRONG } from '../../core/plan/json-fields.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { isWorkType } from '../../core/protocol/assignment.ts';
import type { RefusedReport } from '../../core/protocol/placement.ts';
import type { Project } from '../project.ts';
import type { Gateway, HostHere } from './gateway.ts';
import { readHomeFile, writeHomeFile } from '../home-file.ts';

export interface HostsView {
  readonly writtenAt: number;
  readonly leaseMs: number;
  readonly hosts: readonly HostView[];
}

export interface HostView {
  readonly name: string;
  readonly version: string;
  readonly labels: readonly string[];
  /** Undefined when unknown. */
  readonly agents: readonly string[] | undefined;
  readonly width: number;
  /** How many more claims it accepts. */
  readonly left: number;
  readonly held: readonly ListedClaim[];
  readonly diskBytes: number;
  readonly memoryBytes: number;
  readonly heardAt: number;
  readonly isDraining: boolean;
  readonly hasLeft: boolean;
  /** Reports on claims that it does not hold: how many, and the last one. */
  readonly refusedCount: number;
  readonly lastRefused: RefusedOfRun | undefined;
}

export interface ListedClaim extends ClaimRef {
  readonly run: string;
}

export interface RefusedOfRun extends ListedClaim {
  readonly reported: string;
}

const fileIn = ({ home }: Pick<Project, 'home'>): string => join(home, 'hosts.json');

/** Undefined when no server has had a host. */
export function readHostsView(project: Pick<Project, 'home'>): HostsView | undefined {
  const file = readHomeFile(fileIn(project));
  const view = file.type === 'read' ? viewField(file.value) : WRONG;
  return view === WRONG ? undefined : view;
}

const claimFields = {
  run: text,
  work: (value: unknown) => (typeof value === 'string' && isWorkType(value) ? value : WRONG),
  task: text,
  step: maybe(text),
  attempt: number,
} as const;

const viewField = object<HostsView>({
  writtenAt: number,
  leaseMs: number,
  hosts: listOf(
    object<HostView>({
      name: text,
      version: text,
      labels: listOf(text),
      agents: maybe(listOf(text)),
      width: number,
      left: number,
      held: listOf(object<ListedClaim>(claimFields)),
      diskBytes: number,
      memoryBytes: number,
      heardAt: number,
      isDraining: truth,
      hasLeft: truth,
      refusedCount: number,
      lastRefused: maybe(object<RefusedOfRun>({ ...claimFields, reported: text })),
    }),
  ),
});

export interface HostsViewWriter {
  /** Something has changed. */
  readonly touch: () => void;
  readonly noteRefused: (run: string, report: RefusedReport) => void;
  /** Writes what has changed since the view was written. */
  readonly close: () => void;
}

export interface HostsViewOptions {
  readonly project: Pick<Project, 'home'>;
  readonly hosts: Gateway['hosts'];
  readonly leaseMs: number;
  readonly now: () => number;
}

const WRITE_EVERY_MS = 1_000;

interface RefusedOfHost {
  readonly count: number;
  readonly last: RefusedOfRun;
}

export function openHostsView({ project, hosts, leaseMs, now }: HostsViewOptions): HostsViewWriter {
  const refused = new Map<string, RefusedOfHost>();
  let waiting: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(waiting);
    waiting = undefined;
    const view: HostsView = {
      writtenAt: now(),
      leaseMs,
      hosts: hosts().map((host) => viewOf(host, refused.get(host.name))),
    };
    try {
      writeHomeFile(fileIn(project), view);
    } catch {
      // The disk may be full. The file is for people alone, and the next one is as good.
    }
  };
  return {
    touch: () => {
      waiting ??= setTimeout(write, WRITE_EVERY_MS);
    },
    noteRefused: (run, { host, claim, reported }) => {
      const count = (refused.get(host)?.count ?? 0) + 1;
      refused.set(host, { count, last: { run, ...claim, reported } });
    },
    close: () => {
      if (waiting !== undefined) write();
    },
  };
}

const viewOf = (
  { name, latest, heardTime, hasLeft, left }: HostHere,
  refused: RefusedOfHost | undefined,
): HostView => ({
  name,
  version: latest.version,
  labels: latest.labels,
  agents: latest.agents,
  width: latest.width,
  left,
  held: latest.runs.flatMap(({ run, held }) => held.map(({ claim }) => ({ run, ...claim }))),
  ...latest.room,
  heardAt: heardTime,
  isDraining: latest.isDraining,
  hasLeft,
  refusedCount: refused?.count ?? 0,
  lastRefused: refused?.last,
});
