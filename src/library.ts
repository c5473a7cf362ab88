// The published surface of Heddle, `heddle`: the use cases as functions for programs that embed it.
//
// library/L1. Silent: nothing is printed, the process is never ended, and no signal handler is installed.
// library/L2. Values in, tagged results out. What the caller must change first comes back as `refused` with a code.
import { resolve } from 'node:path';
import type { RunEvent } from './core/engine/event.ts';
import type { State } from './core/engine/state.ts';
import type { Diagnostic } from './core/plan/diagnostic.ts';
import type { Report } from './core/view/report/report.ts';
import type { RunOver } from './shell/ports/log.ts';
import { chooseRun } from './app/choose-run.ts';
import { diagnose, type Diagnosis } from './app/doctor/diagnose.ts';
import { mustNotBeNested } from './app/nested.ts';
import { openProject, type OpenProject } from './app/open-project.ts';
import { checkPlan, type Checked, type Proof } from './app/plan/checked-plan.ts';
import { loadPlanToRun, planOf } from './app/plan/load-plan.ts';
import type { SettingsFlags } from './app/plan/settings-flags.ts';
import { findProject } from './app/project.ts';
import { readEvents } from './app/read/read-events.ts';
import { readReport } from './app/read/read-report.ts';
import { listRuns, readStatus, type ListedRun, type RunStatus } from './app/read/read-status.ts';
import { Refused, type Refusal } from './app/refusal.ts';
import { postControl, type Controlled, type ControlWord } from './app/run/control.ts';
import { coordinate, type Observer } from './app/run/coordinate.ts';
import { detach } from './app/run/detach.ts';
import { followRun } from './app/run/follow.ts';
import { postResume } from './app/run/resume.ts';
import { createRun } from './app/run/create-run.ts';
import type { UserNotes } from './app/sandbox-parts.ts';

export type { Checked, Controlled, ControlWord, Diagnosis, ListedRun, Observer, Refusal, RunEvent, RunStatus, State };
export type { RunOver } from './shell/ports/log.ts';
export type { Finding } from './app/doctor/finding.ts';
export type { Note } from './app/run/note.ts';

/** Something the caller must change first. `refusal.code` says what. */
export interface RefusedResult {
  readonly type: 'refused';
  readonly refusal: Refusal;
}

/** Where a project is; the current folder unless said. */
export interface InFolder {
  readonly folder?: string;
}

export interface OfRun extends InFolder {
  /** The latest unless said. */
  readonly run?: string;
}

const projectOf = ({ folder }: InFolder): ReturnType<typeof findProject> => findProject(folder);

async function refusable<Result>(work: () => Promise<Result>): Promise<Result | RefusedResult> {
  try {
    return await work();
  } catch (cause) {
    // Everything else is a bug of ours, or of the embedding program.
    if (cause instanceof Refused) return { type: 'refused', refusal: cause.refusal };
    throw cause;
  }
}

/** The store is open only while the work goes on. */
async function withStore<Result>(
  order: InFolder,
  purpose: 'read' | 'control',
  work: (open: OpenProject) => Promise<Result>,
): Promise<Result> {
  const open = openProject(purpose, projectOf(order));
  try {
    return await work(open);
  } finally {
    open.store.close();
  }
}

export interface OfPlan extends InFolder {
  /** The plan's file, from the folder; `plan.yaml` unless said. */
  readonly plan?: string;
  /** Settings that override the plan's. */
  readonly settings?: SettingsFlags;
}

export interface WrongPlan {
  readonly type: 'wrong';
  readonly diagnostics: readonly Diagnostic[];
}

const fileOf = ({ folder = '.', plan = 'plan.yaml' }: OfPlan): string => resolve(folder, plan);

/** Everything that can be known of a plan before it runs. */
export const check = (
  order: OfPlan & { readonly seed?: number } = {},
): Promise<({ readonly type: 'checked' } & Checked) | WrongPlan | RefusedResult> =>
  refusable(async () => {
    const project = projectOf(order);
    const loaded = loadPlanToRun(fileOf(order), order.settings ?? {}, project);
    const plan = planOf(loaded);
    if (plan === undefined) return { type: 'wrong', diagnostics: loaded.diagnostics };
    return { type: 'checked', ...(await checkPlan(plan, order.seed ?? 1, project)) };
  });

const NOBODY: Observer = { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined };

interface Staying {
  readonly observer?: Observer;
  /** For how long to stay when only a person's answer can move the run on; not at all unless said. */
  readonly waitMs?: number;
}

export interface StartOrder extends OfPlan, Staying {
  /** Works in the project's own folder, without sandboxes and git. */
  readonly inPlace?: boolean;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly policy?: 'parallel' | 'serial';
  readonly seed?: number;
  /** Coordinates the run in a process of its own and returns as soon as that owns it. */
  readonly detached?: boolean;
}

export type Started =
  | { readonly type: 'over'; readonly run: string; readonly over: RunOver; readonly notes: UserNotes | undefined }
  | { readonly type: 'detached'; readonly run: string; readonly notes: UserNotes | undefined }
  | WrongPlan
  | { readonly type: 'unsound'; readonly proof: Proof }
  | RefusedResult;

/** Starts a run and coordinates it until it is over. */
export const start = (order: StartOrder = {}): Promise<Started> =>
  refusable(async (): Promise<Started> => {
    mustNotBeNested();
    const project = projectOf(order);
    const loaded = loadPlanToRun(fileOf(order), order.settings ?? {}, project);
    const plan = planOf(loaded);
    if (plan === undefined) return { type: 'wrong', diagnostics: loaded.diagnostics };
    const inputs = Object.entries(order.inputs ?? {}).map(([name, value]) => `${name}=${value}`);
    const { policy = 'parallel', seed, inPlace: isInPlace = false } = order;
    const created = await createRun({ project, loaded, plan, isInPlace, inputs, policy, seed });
    if (created.type === 'unsound') return created;
    const { open, record, compiled, notes } = created;
    const { run } = record;
    try {
      if (order.detached === true) {
        await detach(open, record);
        return { type: 'detached', run, notes };
      }
      const { observer = NOBODY, waitMs = 0 } = order;
      const { store } = open;
      const { over } = await coordinate({ project, store, record, compiled, observer, takesOver: false, waitMs });
      return { type: 'over', run, over, notes };
    } finally {
      open.store.close();
    }
  });

export interface ResumeOrder extends OfRun, Staying {
  /** `retry` runs again what failed or was cancelled. */
  readonly how?: 'resume' | 'retry';
  /** None is the whole run. */
  readonly tasks?: readonly string[];
}

/** Makes a run go on: coordinates it here, or follows the process that does. */
export const resume = (order: ResumeOrder = {}): Promise<Extract<Started, { type: 'over' | 'refused' }>> =>
  refusable(() =>
    withStore(order, 'control', async (open) => {
      mustNotBeNested();
      const { project, store } = open;
      const record = chooseRun(store, order.run);
      const { how = 'resume', tasks = [], observer = NOBODY, waitMs = 0 } = order;
      const command = { type: how, tasks };
      const resumed = await postResume(open, { record, command, takesOver: false, onWaiting: () => undefined });
      const { over } =
        resumed.type === 'asked' || resumed.type === 'paused'
          ? await followRun({ store, record, observer, waitMs })
          : await coordinate({ project, store, record, compiled: undefined, observer, takesOver: false, waitMs });
      return { type: 'over', run: record.run, over, notes: undefined } as const;
    }),
  );

/** Follows a run that another process coordinates until that process is done with it. */
export const follow = (
  order: OfRun & Staying = {},
): Promise<{ readonly type: 'over'; readonly run: string; readonly over: RunOver } | RefusedResult> =>
  refusable(() =>
    withStore(order, 'read', async (open) => {
      const record = chooseRun(open.store, order.run);
      const { observer = NOBODY, waitMs = Infinity } = order;
      const { over } = await followRun({ store: open.store, record, observer, waitMs });
      return { type: 'over', run: record.run, over } as const;
    }),
  );

export interface ControlOrder extends OfRun {
  readonly command: ControlWord;
  readonly tasks?: readonly string[];
  readonly step?: string;
}

/** Pauses, stops or cancels a run or tasks of it, skips tasks, answers gates. */
export const control = (order: ControlOrder): Promise<Controlled | RefusedResult> =>
  refusable(() =>
    withStore(order, 'control', async (open) => {
      mustNotBeNested();
      const record = chooseRun(open.store, order.run);
      const { command: word, tasks = [], step } = order;
      return await postControl(open, { record, word, tasks, step });
    }),
  );

export const status = (order: OfRun = {}): Promise<({ readonly type: 'status' } & RunStatus) | RefusedResult> =>
  refusable(() =>
    withStore(order, 'read', async (open) => ({
      type: 'status' as const,
      ...(await Promise.resolve(readStatus(open, chooseRun(open.store, order.run)))),
    })),
  );

/** The latest last. */
export const runs = (
  order: InFolder = {},
): Promise<{ readonly type: 'runs'; readonly runs: readonly ListedRun[] } | RefusedResult> =>
  refusable(() => withStore(order, 'read', (open) => Promise.resolve({ type: 'runs' as const, runs: listRuns(open) })));

/** The log of a run so far; `fold` of `heddle/core` makes its state. */
export const events = (
  order: OfRun = {},
): Promise<{ readonly type: 'events'; readonly events: readonly RunEvent[] } | RefusedResult> =>
  refusable(() =>
    withStore(order, 'read', async (open) => {
      const read: RunEvent[] = [];
      const record = chooseRun(open.store, order.run);
      for await (const { event } of readEvents(open, record, { follows: false })) read.push(event);
      return { type: 'events' as const, events: read };
    }),
  );

export const report = (
  order: OfRun = {},
): Promise<{ readonly type: 'report'; readonly report: Report } | RefusedResult> =>
  refusable(() =>
    withStore(order, 'read', async (open) => {
      const { report: made } = await readReport(open, chooseRun(open.store, order.run));
      return { type: 'report' as const, report: made };
    }),
  );

/** What works on this machine and in this project, and what is wrong. */
export const doctor = (
  order: InFolder & { readonly repairs?: boolean } = {},
): Promise<({ readonly type: 'diagnosis' } & Diagnosis) | RefusedResult> =>
  refusable(async () => ({
    type: 'diagnosis',
    ...(await diagnose({ repairs: order.repairs ?? false }, projectOf(order))),
  }));
