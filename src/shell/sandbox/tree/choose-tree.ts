// Which tree a plan gets: the one it names, or the best that works here.
import type { SandboxFailure } from '../../../core/protocol/sandbox-failure.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { openTemplates, plainForm } from './templates.ts';
import { checkoutTree } from './checkout.ts';
import { overlayTree } from './overlay.ts';
import type { Probed } from './probe.ts';
import { snapshotTree, subvolumeForm } from './snapshot.ts';
import type { Tree } from './tree.ts';

export type Chosen =
  | { readonly type: 'chosen'; readonly tree: Tree }
  | { readonly type: 'refused'; readonly failure: SandboxFailure };

export function chooseTree(context: SandboxContext, probed: Probed): Chosen {
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
