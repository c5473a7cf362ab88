// Active runs: start, resume, follow, control, answer, amend.
import { chooseRun, type OpenProject } from '../app/open-project.ts';
import { foldRun } from '../app/fold-run.ts';
import { mustNotBeNested } from '../app/project.ts';
import type { Proof } from '../app/plan/checked-plan.ts';
import {
  amendRun,
  changePlan,
  type AmendmentPreview,
  type AmendOutcome,
  type AmendReply,
} from '../app/run/amend-run.ts';
import { postAnswer, postControl, type Answered, type Controlled, type ControlWord } from '../app/run/post-control.ts';
import type { Observer } from '../app/run/observer.ts';
import { coordinate, type Coordinated, type Coordinating } from '../app/run/coordinate.ts';
import { createRun } from '../app/run/create-run.ts';
import { detach } from '../app/run/detach.ts';
import { followRun } from '../app/run/follow.ts';
import { leaveToServe } from '../app/run/leave-to-serve.ts';
import { postResume } from '../app/run/post-resume.ts';
import type { UserNotes } from '../app/sandbox-parts.ts';
import type { RunOver, RunRecord } from '../shell/ports/log.ts';
import { projectOf, refusable, withStore, type OfRun, type RefusedResult } from './call.ts';
import { loadedPlan, type OfPlan, type WrongPlan } from './plans.ts';

const NOBODY: Observer = { onStart: () => undefined, onEvents: () => undefined, onNote: () => undefined };

interface Staying {
  readonly observer?: Observer;
  /** How long to stay when only a person's answer can move the run on; by default not at all. */
  readonly waitMs?: number;
}

/** A plan to run, and how. */
export interface StartOrder extends OfPlan, Staying {
  /** Works in the project's own folder, without sandboxes and git. */
  readonly inPlace?: boolean;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly policy?: 'parallel' | 'serial';
  readonly seed?: number;
  /** Coordinates the run in a process of its own and returns as soon as that owns it. */
  readonly detached?: boolean;
}

/** What came of a start: the run is over or detached, or it did not begin, and why. */
export type Started =
  | { readonly type: 'over'; readonly run: string; readonly over: RunOver; readonly notes: UserNotes | undefined }
  | { readonly type: 'detached'; readonly run: string; readonly notes: UserNotes | undefined }
  | WrongPlan
  | { readonly type: 'unsound'; readonly proof: Proof }
  | RefusedResult;

/** Coordinates the run here, or follows it where the project has a server. */
const carryOut = async (order: Coordinating): Promise<Coordinated> =>
  (await leaveToServe(order, order.record)) ? await followRun(order) : await coordinate(order);

/** Starts a run and coordinates it until it is over. */
export const start = (order: StartOrder = {}): Promise<Started> =>
  refusable(async (): Promise<Started> => {
    mustNotBeNested();
    const project = projectOf(order);
    const given = loadedPlan(order);
    if ('type' in given) return given;
    const { loaded, plan } = given;
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
      const { over } = await carryOut({ project, store, record, compiled, observer, takesOver: false, waitMs });
      return { type: 'over', run, over, notes };
    } finally {
      open.store.close();
    }
  });

/** A run that is to go on, and which of its tasks are done again. */
export interface ResumeOrder extends OfRun, Staying {
  /** `retry` resets failed and cancelled tasks. */
  readonly how?: 'resume' | 'retry';
  /** None is the whole run. */
  readonly tasks?: readonly string[];
}

/** Resumes a run: coordinates it here, or follows its coordinator. */
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
          : await carryOut({ project, store, record, compiled: undefined, observer, takesOver: false, waitMs });
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

/** A command for a run or for some of its tasks. */
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

/** An answer for the question of an agent. */
export interface AnswerRequest extends OfRun {
  readonly task: string;
  /** The step that asks, when a task has several. */
  readonly step?: string;
  readonly text: string;
}

/** Answers the question of an agent. */
export const answer = (order: AnswerRequest): Promise<Answered | RefusedResult> =>
  refusable(() =>
    withStore(order, 'control', async (open) => {
      mustNotBeNested();
      const { task, step, text } = order;
      return await postAnswer(open, { record: chooseRun(open.store, order.run), task, step, text });
    }),
  );

/** A run, and the plan that it is to have from now on. */
export interface AmendRequest extends OfPlan, OfRun, Staying {
  /** Previews only. */
  readonly isDry?: boolean;
  /** Whether to proceed with the preview; yes by default. */
  readonly confirm?: (preview: AmendmentPreview) => Promise<boolean>;
}

/** What came of an amendment. */
export type Amended =
  /** Nothing was changed. */
  | { readonly type: 'dry' | 'impossible' | 'same' | 'declined'; readonly preview: AmendmentPreview }
  /** The reply of the run's coordinator; `paused` of a run that stays paused. */
  | ({ readonly type: 'replied' | 'paused'; readonly preview: AmendmentPreview } & AmendReply)
  /** The run had no coordinator and was coordinated here. */
  | ({ readonly type: 'over'; readonly preview: AmendmentPreview; readonly over: RunOver } & AmendReply)
  | WrongPlan
  | { readonly type: 'unsound'; readonly proof: Proof }
  | RefusedResult;

/** Changes the plan of a run that has begun. */
export const amend = (order: AmendRequest = {}): Promise<Amended> =>
  refusable(() =>
    withStore(order, 'control', async (open): Promise<Amended> => {
      mustNotBeNested();
      const record = chooseRun(open.store, order.run);
      const given = loadedPlan(order);
      if ('type' in given) return given;
      const folded = foldRun(open.store, record);
      const change = await changePlan(open, folded, given.plan);
      if (change.type === 'unsound') return change;
      const amended = await amendRun(open, {
        folded,
        changed: change.changed,
        isDry: order.isDry ?? false,
        onPreview: () => undefined,
        confirm: order.confirm ?? (() => Promise.resolve(true)),
        onMovedOn: () => undefined,
      });
      return amended.type === 'vacant' ? await coordinateAmended(open, { record, amended, order }) : amended;
    }),
  );

interface Vacant {
  readonly record: RunRecord;
  readonly amended: Extract<AmendOutcome, { type: 'vacant' }>;
  readonly order: AmendRequest;
}

async function coordinateAmended(open: OpenProject, { record, amended, order }: Vacant): Promise<Amended> {
  const { observer = NOBODY, waitMs = 0 } = order;
  const { over } = await carryOut({ ...open, record, compiled: undefined, observer, takesOver: false, waitMs });
  return { type: 'over', preview: amended.preview, over, ...(await amended.reply(open)) };
}
