// Where a conflict is resolved: the task's own sandbox, with the other side written into its tree; and which commits
// count as a resolution.
//
// open-conflict/R1. A resolution has both sides as parents, the task's own first, so that merging it again brings
//     nothing back.
// open-conflict/R2. A tree that still shows the conflict is rejected; from an agent, also a tree that drops the work of
//     one side.
// open-conflict/R3. Every result is kept by a ref, accepted or not (P4).
import type { Unresolved, SandboxFailed } from '../../core/protocol/sandbox-failure.ts';
import type { WrittenConflict } from '../git/merge/write-conflict.ts';
import { resolutionMessage } from '../git/merge/learn-resolutions.ts';
import { REFS } from '../git/store/ref-names.ts';
import type { Repository } from '../git/repository.ts';
import { errorAsValue } from '../git/run/git-error.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sandboxes } from './sandboxes.ts';

export interface ConflictContext {
  readonly run: string;
  readonly repository: Repository;
  readonly sandboxes: Sandboxes;
}

export interface ConflictRequest {
  readonly task: string;
  /** The commit of the task's work. */
  readonly tip: string;
  /** The commit that it conflicts with: `onto` of the conflict. */
  readonly onto: string;
  /** Date of the commit. */
  readonly at: number;
}

export interface ConflictPlace {
  readonly sandbox: Sandbox;
  /** The conflict: `written.paths`, and a note in the tree, `written.note`, on conflicts without markers. */
  readonly written: WrittenConflict;
  /** Accepts the content of the tree as the resolution. */
  readonly keep: () => Promise<Resolved>;
}

export type ConflictOpened = ({ readonly type: 'opened' } & ConflictPlace) | SandboxFailed;

export type Resolved =
  | { readonly type: 'kept'; readonly commit: string }
  /** The tree is unchanged, to be worked on further. */
  | { readonly type: 'unresolved'; readonly reasons: readonly Unresolved[] }
  | SandboxFailed;

/**
 * For a person. Opened again, the tree is as the person left it, also when the result was rejected. The command `merge`
 * names the kept commit.
 */
export async function openConflict(context: ConflictContext, request: ConflictRequest): Promise<ConflictOpened> {
  const { run, repository } = context;
  const { task, tip, onto } = request;
  return errorAsValue<ConflictOpened>(async () => {
    const refs = await repository.list(REFS.byHands(run, task));
    let from: string | undefined;
    for (const { commit } of refs) {
      const [ours, theirs] = await repository.parentsOf(commit);
      if (ours === tip && theirs === onto) from = commit;
    }
    const ref = REFS.byHand(run, task, refs.length + 1);
    return openWrittenConflict(context, { ...request, ref, from, subject: `${task}: resolved by hand`, mayDrop: true });
  });
}

export interface WrittenConflictRequest extends ConflictRequest {
  /** The ref for the result. */
  readonly ref: string;
  /** An earlier, rejected result to continue from. */
  readonly from: string | undefined;
  readonly subject: string;
  readonly mayDrop: boolean;
}

export async function openWrittenConflict(
  { run, repository, sandboxes }: ConflictContext,
  request: WrittenConflictRequest,
): Promise<ConflictOpened> {
  const { task, tip, onto, at, from } = request;
  const written = await repository.writeConflict({ ours: tip, theirs: onto });
  if (written.type === 'failed') return written;
  const opened = await sandboxes.open({ run, task, base: tip, from: from ?? written.commit, at });
  if (opened.type === 'failed') return opened;
  const { sandbox } = opened;
  return { type: 'opened', sandbox, written, keep: () => keepResolved(repository, { sandbox, written, request }) };
}

interface Keeping {
  readonly sandbox: Sandbox;
  readonly written: WrittenConflict;
  readonly request: WrittenConflictRequest;
}

async function keepResolved(repository: Repository, { sandbox, written, request }: Keeping): Promise<Resolved> {
  const { task, tip, onto, at, ref, subject, mayDrop } = request;
  const message = resolutionMessage(task, subject);
  const made = await sandbox.checkpoint({ message, at, ref, parents: [tip, onto] });
  if (made.type === 'failed') return made;
  const { commit } = made;
  return errorAsValue<Resolved>(async () => {
    const reasons = await repository.unresolved({ written, commit, mayDrop });
    return reasons.length === 0 ? { type: 'kept', commit } : { type: 'unresolved', reasons };
  });
}
