// How the sandboxes of a run get their files and who keeps their programs apart, as found out when the run starts.

export interface SandboxBackend {
  readonly tree: 'overlay' | 'snapshot' | 'checkout' | 'none';
  readonly isolation: 'os' | 'none';
  readonly why: IsolationReason;
}

/** Why a run is isolated, or is not. */
export const ISOLATION_REASONS = [
  /** Not isolated: the plan says so. */
  'plan',
  /** Isolated by bubblewrap. */
  'works',
  /** Isolated by bubblewrap, without a filter of system calls: the processor's are not known. */
  'works-unfiltered',
  /** Isolated by bubblewrap; programs keep the session keyring of the starter of the run, behind the filter. */
  'works-old-keyring',
  /** Not isolated: `auto`, and nothing to isolate with. */
  'not-linux',
  'not-installed',
  'no-user-namespaces',
] as const;

export type IsolationReason = (typeof ISOLATION_REASONS)[number];
