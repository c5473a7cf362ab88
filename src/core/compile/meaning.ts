// The meaning of each place and transition of a compiled plan, as fields. Ids are for people and files and are never
// parsed.
//
// meaning/M1. The same plan gives the same meanings in the same order, so indices and ids are stable.

/** Index into `Compiled.tasks`. */
export type TaskIndex = number;

export const TASK_STAGES = [
  'waiting',
  'worked',
  'checking',
  'queued',
  'merging',
  'conflicted',
  'resolving',
  'asking',
  'ended',
] as const;
export type TaskStage = (typeof TASK_STAGES)[number];
export const STEP_STAGES = ['ready', 'working', 'asking'] as const;
export type StepStage = (typeof STEP_STAGES)[number];

export type PlaceMeaning =
  | { readonly id: string; readonly type: 'source' | 'sink' | 'merge-slots' | 'holds' }
  | { readonly id: string; readonly type: 'switch'; readonly pool: string | undefined; readonly on: boolean }
  | { readonly id: string; readonly type: 'cap'; readonly task: TaskIndex | undefined }
  | { readonly id: string; readonly type: 'pool'; readonly pool: string }
  | { readonly id: string; readonly type: 'task'; readonly task: TaskIndex; readonly stage: TaskStage }
  | { readonly id: string; readonly type: 'entry'; readonly task: TaskIndex }
  | { readonly id: string; readonly type: 'edge'; readonly from: TaskIndex; readonly task: TaskIndex }
  | { readonly id: string; readonly type: 'arrived'; readonly task: TaskIndex }
  | {
      readonly id: string;
      readonly type: 'step';
      readonly task: TaskIndex;
      readonly step: number;
      /** 0 unless it is the variant of agents that hold other pools. */
      readonly variant: number;
      readonly stage: StepStage;
    }
  | {
      readonly id: string;
      readonly type: 'collect';
      readonly task: TaskIndex;
      readonly from: number;
      readonly step: number;
    };

export const TASK_TRANSITIONS = [
  'open',
  'drop',
  'cancel',
  'close',
  'repeat',
  'check',
  'pass',
  'redo',
  'cancel check',
  'return check',
  'queue',
  'close queue',
  'merge',
  'requeue',
  'cancel merge',
  'redo merge',
  'ask merge',
  'end merge',
  'conflict',
  'ask conflict',
  'close conflict',
  'resolve',
  'end resolve',
  'ask resolve',
  'return resolve',
  'cancel resolve',
  'raise resolve',
  'accept',
  'ask',
  'answer',
  'finish',
] as const;
export type TaskTransition = (typeof TASK_TRANSITIONS)[number];

export const STEP_TRANSITIONS = [
  'claim',
  'end',
  'return',
  'cancel',
  'raise',
  'drop',
  'join',
  'rejoin',
  'ask',
  'answer',
  'retry',
] as const;
export type StepTransition = (typeof STEP_TRANSITIONS)[number];

export type TransitionMeaning =
  | { readonly id: string; readonly type: 'run'; readonly transition: 'start' | 'finish' | 'pause' | 'resume' | 'hold' }
  | { readonly id: string; readonly type: 'pool'; readonly pool: string; readonly transition: 'close' | 'open' }
  | { readonly id: string; readonly type: 'task'; readonly task: TaskIndex; readonly transition: TaskTransition }
  | {
      readonly id: string;
      readonly type: 'step';
      readonly task: TaskIndex;
      readonly step: number;
      readonly variant: number;
      readonly transition: StepTransition;
    };

type WithoutId<Meaning> = Meaning extends unknown ? Omit<Meaning, 'id'> : never;

/** The meaning without the display id, which deciding never needs and requests millions of times. */
export type PlaceRole = WithoutId<PlaceMeaning>;
export type TransitionRole = WithoutId<TransitionMeaning>;
