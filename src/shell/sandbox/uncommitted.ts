// Why a tree could not be committed, from the standard error of git or of a script of Heddle's.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';

type Why = Extract<SandboxFailure, { readonly code: 'not-committable' }>['why'];

const KNOWN: readonly (readonly [stderr: RegExp, why: Why])[] = [
  [/'([^']*)' does not have a commit checked out/, 'repository'],
  [/in a submodule: \.\/(.*)/, 'submodule'],
  [/invalid path '([^']*)'/, 'name'],
  [/(?:open\("|could not open directory ')([^"']*)["'].*Permission denied/, 'permission'],
];

export function uncommitted(folder: string, stderr: string): SandboxFailure {
  for (const [known, why] of KNOWN) {
    const path = known.exec(stderr)?.[1];
    if (path !== undefined) return { code: 'not-committable', path, folder, why };
  }
  return { code: 'not-committed', folder, stderr };
}
