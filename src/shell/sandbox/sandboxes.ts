// Sandboxes of one project: made, found again, mended and removed.
//
// sandboxes/S1. A sandbox shares nothing that can be written with another, nor with the user's repository (P5).
// sandboxes/S2. Outside the isolation no git command ever looks at a tree or a git directory that an agent could write
//     to.
// sandboxes/S3. Everything may be begun twice and killed at any moment; names derive from run and task.
// sandboxes/S4. Nothing is removed unless all that is in it is reachable from a ref that stays (P4).
// sandboxes/S5. Nothing is ever deleted through a mount.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { realpath } from 'node:fs/promises';
import { assert } from '../../core/assert.ts';
import { makeOwnersFolder } from '../exec/owners-folder.ts';
import type { Repository } from '../git/repository.ts';
import { errorAsValue } from '../git/run/git-error.ts';
import { foldersOf, type SandboxContext, type SandboxSettings } from './tree/sandbox-context.ts';
import type { Allowed } from './isolation/allow-list.ts';
import type { Isolation } from './isolation/isolation.ts';
import { openCandidate } from './candidate.ts';
import { sandboxFolders, recoverAll } from './recover-sandboxes.ts';
import { openSandbox } from './open-sandbox.ts';
import type {
  CandidateOpened,
  CandidateRequest,
  FoundSandbox,
  Recovered,
  RecoverSandboxes,
  SandboxOpened,
  SandboxRequest,
} from './sandbox.ts';
import { rememberedProbe, type Probe, type Probed } from './tree/probe.ts';
import type { Tree, TreeKind } from './tree/tree.ts';
import { openTemplates, plainForm } from './tree/templates.ts';
import { checkoutTree } from './tree/checkout.ts';
import { overlayTree } from './tree/overlay.ts';
import { snapshotTree, subvolumeForm } from './tree/snapshot.ts';

export interface Sandboxes {
  readonly kind: TreeKind;
  readonly open: (request: SandboxRequest) => Promise<SandboxOpened>;
  readonly candidate: (request: CandidateRequest) => Promise<CandidateOpened>;
  readonly find: () => Promise<readonly FoundSandbox[]>;
  readonly recover: (request: RecoverSandboxes) => Promise<Recovered>;
}

export interface SandboxesSettings {
  /** Heddle's folder, `.heddle`. */
  readonly home: string;
  readonly repository: Repository;
  readonly settings: SandboxSettings;
  readonly isolation: Isolation;
  /** What programs inside may reach, where the isolation can say so. */
  readonly network: Allowed;
  /** The agent that works in them, when it is one; it finds itself logged in. */
  readonly agent?: SandboxContext['agent'];
  /** How to find out which trees work; `rememberedProbe` unless somebody knows better. */
  readonly probe: Probe | undefined;
}

export type SandboxesOpened =
  | { readonly type: 'opened'; readonly sandboxes: Sandboxes }
  /** The tree that the plan asks for does not work here; never silently another one. */
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

export async function openSandboxes(request: SandboxesSettings): Promise<SandboxesOpened> {
  assert(request.settings.tree !== 'none', 'A run that works in place opens no sandboxes.');
  makeOwnersFolder(request.home);
  const home = await realpath(request.home);
  const { settings, isolation, network, agent } = request;
  const repository = rememberingTrees(request.repository);
  const folders = foldersOf(home);
  const untracked = repository.user.workTree ?? folders.files;
  const context: SandboxContext = { home, folders, repository, settings, isolation, network, agent, untracked };
  const probed = await (request.probe ?? rememberedProbe)(context);
  const chosen = chooseTree(context, probed);
  if (chosen.type === 'refused') return chosen;
  return { type: 'opened', sandboxes: assemble(context, chosen.tree) };
}

/** The tree of a commit never changes, and the same few commits are asked for again and again. */
function rememberingTrees(repository: Repository): Repository {
  const known = new Map<string, string>();
  const treeOf = async (commit: string): Promise<string> => {
    const tree = known.get(commit) ?? (await repository.treeOf(commit));
    if (known.size >= TREES_REMEMBERED) known.clear();
    known.set(commit, tree);
    return tree;
  };
  return { ...repository, treeOf };
}

const TREES_REMEMBERED = 1_000;

function assemble(context: SandboxContext, tree: Tree): Sandboxes {
  const treeContext = { context, tree };
  return {
    kind: tree.kind,
    open: async (request) => errorAsValue(() => openSandbox(treeContext, request)),
    candidate: async (request) => errorAsValue(() => openCandidate(treeContext, request)),
    find: async () => (await sandboxFolders(treeContext)).flatMap(({ found }) => (found === undefined ? [] : [found])),
    recover: async (request) => recoverAll(treeContext, request),
  };
}

type Chosen =
  | { readonly type: 'chosen'; readonly tree: Tree }
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

function chooseTree(context: SandboxContext, probed: Probed): Chosen {
  const { tree } = context.settings;
  switch (tree) {
    case 'overlay':
      return overlayOr(context, probed) ?? refused('overlay', probed);
    case 'snapshot':
      return snapshotOr(context, probed) ?? refused('snapshot', probed);
    case 'checkout':
      return { type: 'chosen', tree: checkoutTree(context) };
    case 'auto':
    case 'none':
      return (
        overlayOr(context, probed) ?? snapshotOr(context, probed) ?? { type: 'chosen', tree: checkoutTree(context) }
      );
  }
}

function overlayOr(context: SandboxContext, { overlay }: Probed): Chosen | undefined {
  if (overlay === undefined) return undefined;
  const templates = openTemplates(context, plainForm);
  return { type: 'chosen', tree: overlayTree(context, templates, overlay) };
}

function snapshotOr(context: SandboxContext, { snapshot }: Probed): Chosen | undefined {
  if (!snapshot) return undefined;
  const templates = openTemplates(context, subvolumeForm(context));
  return { type: 'chosen', tree: snapshotTree(context, templates) };
}

const refused = (tree: string, { causes }: Probed): Chosen => ({
  type: 'refused',
  failure: { code: 'tree-unavailable', tree, causes },
});
