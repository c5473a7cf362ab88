// Where a conflict is resolved: the task's own sandbox, with the other side laid into its tree; and what is taken for a
// resolution.
//
// open-conflict/R1. What is kept has both sides as parents, the task's own first, so that merging it again brings
//     nothing back.
// open-conflict/R2. Nothing is taken that still shows the conflict; from an agent, nothing either that drops the work
//     of one side.
// open-conflict/R3. Whatever was made stays behind a ref, taken or not (P4).
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
  /** The commit that it does not fit with: `onto` of the conflict. */
  readonly onto: string;
  /** Dates what is kept. */
  readonly at: number;
}

export interface ConflictPlace {
  readonly sandbox: Sandbox;
  /** What does not fit: `laid.paths`, and a note in the tree, `laid.note`, on what has no markers. */
  readonly laid: WrittenConflict;
  /** Takes what is in the tree for the resolution. */
  readonly keep: () => Promise<Resolved>;
}

export type ConflictOpened = ({ readonly type: 'opened' } & ConflictPlace) | Failed;

export type Resolved =
  | { readonly type: 'kept'; readonly commit: string }
  /** The tree is as it was, to go on with; `says` has a sentence for each thing that is missing. */
  | { readonly type: 'unresolved'; readonly says: readonly string[] }
  | Failed;

interface Failed {
  readonly type: 'failed';
  readonly message: string;
}

/**
 * For a person. Opened again, the tree is as they left it, also when what they had made was not taken. The commit that is
 * kept is what the command `merge` names.
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
  /** That shall name what is kept. */
  readonly ref: string;
  /** What was kept before and not taken, to go on from. */
  readonly from: string | undefined;
  readonly subject: string;
  readonly mayDrop: boolean;
}

export async function openWrittenConflict(
  { run, repository, sandboxes }: ConflictContext,
  request: WrittenConflictRequest,
): Promise<ConflictOpened> {
  const { task, tip, onto, at, from } = request;
  const laid = await repository.writeConflict({ ours: tip, theirs: onto });
  if (laid.type === 'failed') return laid;
  const opened = await sandboxes.open({ run, task, base: tip, from: from ?? laid.commit, at });
  if (opened.type === 'failed') return opened;
  const { sandbox } = opened;
  return { type: 'opened', sandbox, laid, keep: () => keepResolved(repository, { sandbox, laid, request }) };
}

interface Keeping {
  readonly sandbox: Sandbox;
  readonly laid: WrittenConflict;
  readonly request: WrittenConflictRequest;
}

async function keepResolved(repository: Repository, { sandbox, laid, request }: Keeping): Promise<Resolved> {
  const { task, tip, onto, at, ref, subject, mayDrop } = request;
  const message = resolutionMessage(task, subject);
  const made = await sandbox.checkpoint({ message, at, ref, parents: [tip, onto] });
  if (made.type === 'failed') return made;
  const { commit } = made;
  return errorAsValue<Resolved>(async () => {
    const says = await repository.unresolved({ laid, commit, mayDrop });
    return says.length === 0 ? { type: 'kept', commit } : { type: 'unresolved', says };
  });
}
