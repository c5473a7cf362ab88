// Folders of the user's checkout that sandboxes share: a symbolic link each, in the layer that every sandbox stands on.
// Limit: programs that resolve links leave the sandbox with them. When that matters, use `setup` instead.
import type { Trouble } from '../disk/mounts.ts';
import { isAbsolute, join, normalize } from 'node:path';
import type { SandboxContext } from './sandbox-context.ts';

export interface Link {
  readonly path: string;
  readonly target: string;
}

export function linksOf(context: SandboxContext): readonly Link[] {
  const { workTree } = context.repository.user;
  if (workTree === undefined) return [];
  return context.settings.link.map((path) => ({ path: plain(path), target: join(workTree, plain(path)) }));
}

export const linkTargets = (context: SandboxContext): readonly string[] => linksOf(context).map(({ target }) => target);

const plain = (path: string): string => normalize(path).replace(/\/+$/, '');

/** What is wrong with the plan's links; undefined when nothing is. */
export function troubleWithLinks(context: SandboxContext): Trouble {
  const outside = linksOf(context).find(({ path }) => isAbsolute(path) || path === '.' || path.split('/')[0] === '..');
  return outside === undefined ? undefined : { code: 'link-outside', path: outside.path };
}
