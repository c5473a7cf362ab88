// The toolchain of a project, as far as a plan needs it.

export interface Toolchain {
  /** As people call it. */
  readonly tool: string;
  /** The files that show it. */
  readonly evidence: readonly string[];
  readonly check: Command | undefined;
  /** The setup of a fresh sandbox before the check can run. */
  readonly setup: Command | undefined;
  /** Folders to share with the sandboxes instead. */
  readonly link: readonly string[];
  /** Where the check itself fetches packages from; sandboxes reach nothing that is not named. */
  readonly hosts: readonly string[];
  /** Folders of the packages of a workspace, and the check of the first of them alone. */
  readonly packages: readonly string[];
  readonly packageCheck: string | undefined;
}

export interface Command {
  readonly run: string;
  /** Why this one, as the end of a sentence. */
  readonly because: string;
}

export const NOTHING = {
  check: undefined,
  setup: undefined,
  link: [],
  hosts: [],
  packages: [],
  packageCheck: undefined,
} as const;
