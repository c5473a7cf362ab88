// The inbox of a run: commands of people, and the replies of its coordinator.
import type { Command } from '../../core/engine/command.ts';
import type { CommandReply } from '../../core/engine/commands/reply.ts';
import type { Awaitable } from './awaitable.ts';
import type { StoreFailure } from '../../core/protocol/store-failure.ts';

export interface Posted {
  readonly id: number;
  readonly command: Command;
  readonly at: number;
}

export type Posting =
  | { readonly type: 'posted'; readonly id: number }
  | { readonly type: 'failed'; readonly failure: StoreFailure };

export interface Inbox {
  readonly post: (run: string, command: Command) => Awaitable<Posting>;
  /** How many commands no coordinator has answered yet. */
  readonly unanswered: (run: string) => Awaitable<number>;
  /** The coordinator's reply to a command; undefined until it has handled the command. */
  readonly replyTo: (id: number) => Awaitable<CommandReply | undefined>;
}
