// The notifications of a run.

/** Triggers of notifications: the first six when a person is needed, the others when a run is over. */
export type NotifyTrigger =
  | 'approval'
  | 'question'
  | 'conflict'
  | 'quota'
  | 'budget'
  | 'breaker'
  | 'done'
  | 'failed'
  | 'stopped';

/** Triggers and channels of notifications. */
export interface Notify {
  readonly on: readonly NotifyTrigger[];
  readonly bell: boolean;
  readonly desktop: boolean;
  /** An address to post to; `${NAME}` in it comes from the environment of the coordinator. */
  readonly webhook: string | undefined;
  readonly command: string | undefined;
}
