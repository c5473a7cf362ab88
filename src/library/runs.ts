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
import {
  postAnswer,
  postControl,
  type PostedAnswer,
  type Controlled,
  type ControlWord,
} from '../app/run/post-control.ts';
import type { Observer } from '../app/run/observer.ts';
import { coordinate, type Coordinated, type CoordinateOptions } from '../app/run/coordinate.ts';
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
export interface StartRequest extends OfPlan, Staying {
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
const carryOut = async (request: CoordinateOptions): Promise<Coordinated> =>
  (await leaveToServe(request, request.record)) ? await followRun(request) : await coordinate(request);

/** Starts a run and coordinates it until it is over. */
export const start = (request: StartRequest = {}): Promise<Started> =>
  refusable(async (): Promise<Started> => {
    const project = projectOf(request);
    mustNotBeNested(project);
    const given = loadedPlan(request);
    if ('type' in given) return given;
    const { loaded, plan } = given;
    const inputs = Object.entries(request.inputs ?? {}).map(([name, value]) => `${name}=${value}`);
    const { policy = 'parallel', seed, inPlace: isInPlace = false } = request;
    const created = await createRun({ project, loaded, plan, isInPlace, inputs, policy, seed });
    if (created.type === 'unsound') return created;
    const { open, record, compiled, notes } = created;
    const { run } = record;
    try {
      if (request.detached === true) {
        await detach(open, record);
        return { type: 'detached', run, notes };
      }
      const { observer = NOBODY, waitMs = 0 } = request;
      const { store } = open;
      const { over } = await carryOut({ project, store, record, compiled, observer, takesOver: false, waitMs });
      return { type: 'over', run, over, notes };
    } finally {
      open.store.close();
    }
  });

/** A run that is to go on, and which of its tasks are done again. */
export interface ResumeRequest extends OfRun, Staying {
  /** `retry` resets failed and cancelled tasks. */
  readonly how?: 'resume' | 'retry';
  /** None is the whole run. */
  readonly tasks?: readonly string[];
}

/** Resumes a run: coordinates it here, or follows its coordinator. */
export const resume = (request: ResumeRequest = {}): Promise<Extract<Started, { type: 'over' | 'refused' }>> =>
  refusable(() =>
    withStore(request, 'control', async (open) => {
      mustNotBeNested(open.project);
      const { project, store } = open;
      const record = chooseRun(store, request.run);
      const { how = 'resume', tasks = [], observer = NOBODY, waitMs = 0 } = request;
      const command = { type: how, tasks };
      const resumed = await postResume(open, { record, command, takesOver: false, onWaiting: () => undefined });
      const { over } =
        resumed.type === 'asked' || resumed.type === 'paused'
          ? await followRun({ project, store, record, observer, waitMs })
          : await carryOut({ project, store, record, compiled: undefined, observer, takesOver: false, waitMs });
      return { type: 'over', run: record.run, over, notes: undefined } as const;
    }),
  );

/** Follows a run that another process coordinates until that process is done with it. */
export const follow = (
  request: OfRun & Staying = {},
): Promise<{ readonly type: 'over'; readonly run: string; readonly over: RunOver } | RefusedResult> =>
  refusable(() =>
    withStore(request, 'read', async (open) => {
      const record = chooseRun(open.store, request.run);
      const { observer = NOBODY, waitMs = Infinity } = request;
      const { over } = await followRun({ ...open, record, observer, waitMs });
      return { type: 'over', run: record.run, over } as const;
    }),
  );

/** A command for a run or for some of its tasks. */
export interface ControlRequest extends OfRun {
  readonly command: ControlWord;
  readonly tasks?: readonly string[];
  readonly step?: string;
}

/** Pauses, stops or cancels a run or tasks of it, skips tasks, answers gates. */
export const control = (request: ControlRequest): Promise<Controlled | RefusedResult> =>
  refusable(() =>
    withStore(request, 'control', async (open) => {
      mustNotBeNested(open.project);
      const record = chooseRun(open.store, request.run);
      const { command: word, tasks = [], step } = request;
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
export const answer = (request: AnswerRequest): Promise<PostedAnswer | RefusedResult> =>
  refusable(() =>
    withStore(request, 'control', async (open) => {
      mustNotBeNested(open.project);
      const { task, step, text } = request;
      return await postAnswer(open, { record: chooseRun(open.store, request.run), task, step, text });
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
export const amend = (request: AmendRequest = {}): Promise<Amended> =>
  refusable(() =>
    withStore(request, 'control', async (open): Promise<Amended> => {
      mustNotBeNested(open.project);
      const record = chooseRun(open.store, request.run);
      const given = loadedPlan(request);
      if ('type' in given) return given;
      const folded = foldRun(open.store, record);
      const change = await changePlan(open, folded, given.plan);
      if (change.type === 'unsound') return change;
      const amended = await amendRun(open, {
        folded,
        changed: change.changed,
        isDry: request.isDry ?? false,
        onPreview: () => undefined,
        confirm: request.confirm ?? (() => Promise.resolve(true)),
        onMovedOn: () => undefined,
      });
      return amended.type === 'vacant' ? await coordinateAmended(open, { record, amended, request }) : amended;
    }),
  );

interface Vacant {
  readonly record: RunRecord;
  readonly amended: Extract<AmendOutcome, { type: 'vacant' }>;
  readonly request: AmendRequest;
}

async function coordinateAmended(open: OpenProject, { record, amended, request }: Vacant): Promise<Amended> {
  const { observer = NOBODY, waitMs = 0 } = request;
  const { over } = await carryOut({ ...open, record, compiled: undefined, observer, takesOver: false, waitMs });
  return { type: 'over', preview: amended.preview, over, ...(await amended.reply(open)) };
}
