// What sandboxes need of an isolation: how a program is started inside it.

export interface Isolation {
  readonly name: 'os' | 'none';
  readonly wrap: (argv: readonly string[], how: IsolationRequest) => readonly string[];
}

export interface IsolationRequest {
  readonly writable: readonly string[];
  /** Besides the system's own. */
  readonly readable: readonly string[];
  readonly cwd: string;
  /** What stands in for the home folder; undefined where programs need none. */
  readonly home: StandInHome | undefined;
  readonly network: NetworkPolicy;
  readonly limits: IsolationLimits;
  /**
   * `given`: the caller starts the program in a session of its own, and signals the whole session. `own`: the isolation
   * makes the session, so that the program cannot use the terminal of the caller.
   */
  readonly session: 'given' | 'own';
}

export interface StandInHome {
  readonly folder: string;
  /** Files and folders of which it gets copies. */
  readonly brought: readonly Brought[];
  /** Names of the environment that say of parts of a home folder that they are elsewhere. */
  readonly unset: readonly string[];
}

export interface Brought {
  /** Outside, whole. */
  readonly from: string;
  /** Below the home folder. */
  readonly to: string;
}

/** What programs may reach: nothing, everything, or what an egress proxy outside lets through. */
export type NetworkPolicy =
  | { readonly type: 'none' }
  | { readonly type: 'all' }
  | {
      readonly type: 'proxy';
      /** Of the allowed destinations those on this machine, `host:port`; each is found inside under the same port. */
      readonly near: readonly string[];
    };

export interface IsolationLimits {
  /** Bytes that one file may have. */
  readonly fileSize: number;
  /** Bytes that one process may have; undefined is what the machine has. */
  readonly memory: number | undefined;
  /** Processes and threads at a time. */
  readonly processes: number;
}
