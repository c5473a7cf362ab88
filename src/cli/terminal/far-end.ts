// The person's machine, as a command sees it that works for somebody at another one: questions, files and the terminal are
// there.
import type { FarCheckout } from '../../core/protocol/remote-command.ts';

export interface FarEnd {
  readonly canAsk: boolean;
  /** Whether a person sees what is printed. */
  readonly isInteractive: boolean;
  /** The repository from which the person calls. */
  readonly checkout: FarCheckout | undefined;
  /** Undefined when the person gives no answer. */
  readonly ask: (prompt: string) => Promise<string | undefined>;
  /** Has a commit of the person's repository sent to this one; the reply is one of `COMMIT_REPLIES`, or undefined. */
  readonly wantCommit: (commit: string, roots: readonly string[]) => Promise<string | undefined>;
  readonly isTaken: (file: string) => boolean;
  readonly writeFile: (file: string, chunks: Iterable<string>) => void;
  /** This run is followed from here on. */
  readonly follows: (run: string) => void;
  /** The command may last as long as it likes. */
  readonly unlimited: () => void;
}
