// What a host program says of itself while it runs. Codes; the words are those of the command line.

export type HostNote =
  | {
      readonly code: 'started';
      readonly url: string;
      readonly home: string;
      readonly width: number;
      readonly labels: readonly string[];
      /** The kinds of agents whose programs are installed. */
      readonly agents: readonly string[];
    }
  | { readonly code: 'no-agents' }
  | { readonly code: 'joined'; readonly url: string }
  /** The server is away, for this reason of the system. */
  | { readonly code: 'link-lost'; readonly url: string; readonly error: string }
  | { readonly code: 'link-back'; readonly afterMs: number }
  /** A program of a host with the same token was there a moment ago. */
  | { readonly code: 'name-awaited'; readonly host: string }
  | { readonly code: 'claims'; readonly claims: number; readonly runs: number }
  | { readonly code: 'taken-over'; readonly claims: number }
  | { readonly code: 'run-over'; readonly run: string }
  /** What is here of a run that is over could not be removed. */
  | { readonly code: 'unclean'; readonly run: string; readonly message: string }
  | { readonly code: 'disk-low'; readonly freeBytes: number }
  /** Times of the host are off by so much; leases do not depend on them. */
  | { readonly code: 'clock-off'; readonly byMs: number }
  | { readonly code: 'draining'; readonly claims: number }
  | { readonly code: 'ending'; readonly claims: number }
  /** The connection to the machine of a host broke; it is made again. */
  | { readonly code: 'ssh-lost'; readonly machine: string; readonly stderr: string }
  /** With claims that could not be reported: the next program of this host does. */
  | { readonly code: 'left'; readonly unreported: number };
