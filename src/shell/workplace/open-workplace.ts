// Where a claim is carried out in a sandbox: it is opened at the right commit before, and what was made is committed after.
//
// A1. A task starts from the merge of exactly what it needs; a later step, or another attempt, from the last checkpoint.
// A2. A check may write what it likes: nothing of it is kept.
import type { Assignment, ClaimRef, SandboxSource } from '../../core/engine/hosts/assignment.ts';
import { REFS } from '../git/ref-names.ts';
import type { Repository } from '../git/repository.ts';
import type { Kept, WorkplaceOpened } from '../ports.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Sandboxes } from '../sandbox/sandboxes.ts';

export interface Ground {
  readonly run: string;
  readonly repository: Repository;
  readonly sandboxes: Sandboxes;
}

export async function openWorkplace(
  { run, repository, sandboxes }: Ground,
  { claim }: Assignment,
  source: SandboxSource,
): Promise<WorkplaceOpened> {
  // Limit: the other side of a conflict is not laid into the tree. When it can be, let the agent resolve it there.
  if (source.onto !== undefined) return { type: 'failed', message: 'Conflicts wait for a person in this version.' };
  const base = await baseOf(repository, claim, source);
  if (base.type === 'failed') return base;
  const { from, at } = source;
  const opened = await sandboxes.open({ run, task: claim.task, base: base.commit, from, at });
  if (opened.type === 'failed') return opened;
  const { sandbox } = opened;
  const { folder: cwd, environment, wrap } = sandbox;
  const keep = claim.step === undefined ? keepNothing : () => keepWork({ run, sandbox, claim, at });
  return { type: 'opened', workplace: { cwd, environment, wrap, keep } };
}

type Base = { readonly type: 'based'; readonly commit: string } | { readonly type: 'failed'; readonly message: string };

async function baseOf(repository: Repository, { task }: ClaimRef, { base, needs, at }: SandboxSource): Promise<Base> {
  const [first, ...rest] = needs;
  if (first === undefined) return { type: 'based', commit: base };
  // What is needed descends from the run's base, so the first of it stands for both.
  const links = rest.map((tip) => ({ tip, message: `Start ${task} from what it needs` }));
  const merged = await repository.mergeAll({ base: first, links, at, usesResolutions: true });
  switch (merged.type) {
    case 'merged':
      return { type: 'based', commit: merged.commit };
    case 'conflict': {
      const paths = merged.conflict.paths.map(({ path }) => path).join(', ');
      return { type: 'failed', message: `What ${task} needs does not fit together in ${paths}.` };
    }
    case 'failed':
      return merged;
  }
}

const keepNothing = async (): Promise<Kept> => ({ type: 'kept', commit: undefined });

interface Keeping {
  readonly run: string;
  readonly sandbox: Sandbox;
  readonly claim: ClaimRef;
  readonly at: number;
}

async function keepWork({ run, sandbox, claim, at }: Keeping): Promise<Kept> {
  const { task, step = '', attempt } = claim;
  const ref = REFS.checkpoint(run, { task, step, attempt });
  const checkpoint = await sandbox.checkpoint({ message: `${task}: ${step}`, at, ref });
  return checkpoint.type === 'failed' ? checkpoint : { type: 'kept', commit: checkpoint.commit };
}
