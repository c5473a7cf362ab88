// What sandboxes need of an isolation: how a program is started inside it.

export interface Isolation {
  readonly name: 'os' | 'none';
  readonly wrap: (argv: readonly string[], how: IsolationOrder) => readonly string[];
}

export interface IsolationOrder {
  readonly writable: readonly string[];
  /** Besides the system's own. */
  readonly readable: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly network: 'none' | 'all' | readonly string[];
  /** To be mounted inside, where the tree cannot be mounted outside. */
  readonly overlay: OverlayOrder | undefined;
}

export interface OverlayOrder {
  /** Topmost first. */
  readonly lower: readonly string[];
  readonly upper: string;
  readonly work: string;
  readonly at: string;
}
