// Reads and writes commits, trees and blobs. Ids never change their meaning, so some answers are cached.
import { partsOf, gitErrorOf } from '../run/git.ts';
import type { Git } from '../run/git.ts';
import { readChangedPath } from './changed-path.ts';
import type { ChangedPath } from './changed-path.ts';
import { writeCommit } from './write-commit.ts';
import type { CommitFields } from './write-commit.ts';

/** Answers cached in memory; the oldest are dropped first. */
const KEPT_MAX = 10_000;

export interface Objects {
  /** The commit of a name, if there is one. */
  readonly commitOf: (name: string) => Promise<string | undefined>;
  readonly treeOf: (commit: string) => Promise<string>;
  readonly parentsOf: (commit: string) => Promise<readonly string[]>;
  readonly messageOf: (commit: string) => Promise<string>;
  readonly isAncestor: (one: string, other: string) => Promise<boolean>;
  readonly changedPaths: (from: string, to: string) => Promise<readonly ChangedPath[]>;
  readonly contentOf: (blob: string) => Promise<Buffer>;
  readonly writeBlob: (content: Buffer) => Promise<string>;
  readonly commitTree: (request: CommitFields) => Promise<string>;
}

export function objectsIn(git: Git): Objects {
  const trees = new Map<string, string>();
  const keepTree = (commit: string, tree: string): string => {
    const [oldest] = trees.keys();
    if (trees.size >= KEPT_MAX && oldest !== undefined) trees.delete(oldest);
    trees.set(commit, tree);
    return tree;
  };
  return {
    commitOf: async (name) => {
      const answer = await git.ask(['rev-parse', '--quiet', '--verify', '--end-of-options', `${name}^{commit}`]);
      return answer.code === 0 ? answer.output.toString('utf8').trim() : undefined;
    },
    treeOf: async (commit) =>
      trees.get(commit) ??
      keepTree(commit, await git.line(['rev-parse', '--verify', '--end-of-options', `${commit}^{tree}`])),
    parentsOf: async (commit) => {
      const parents = await git.line(['show', '-s', '--format=%P', '--end-of-options', `${commit}^{commit}`]);
      return parents === '' ? [] : parents.split(' ');
    },
    messageOf: async (commit) =>
      (await git.must(['show', '-s', '--format=%B', '--end-of-options', commit])).toString('utf8').trimEnd(),
    isAncestor: async (one, other) => isAncestor(git, one, other),
    changedPaths: async (from, to) => changedPaths(git, from, to),
    contentOf: async (blob) => git.must(['cat-file', 'blob', blob]),
    writeBlob: async (content) => git.line(['hash-object', '-w', '--stdin', '--no-filters'], { input: content }),
    commitTree: async (request) => {
      const commit = await writeCommit(git.gitDir, request);
      keepTree(commit, request.tree);
      return commit;
    },
  };
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const args = ['merge-base', '--is-ancestor', one, other];
  const answer = await git.ask(args);
  if (answer.code === 0 || answer.code === 1) return answer.code === 0;
  throw gitErrorOf({ gitDir: git.gitDir, args, answer });
}

/** A rename is one deleted and one added path. */
async function changedPaths(git: Git, from: string, to: string): Promise<readonly ChangedPath[]> {
  if (from === to) return [];
  const parts = partsOf(
    await git.must(['diff-tree', '-r', '-z', '--raw', '--no-renames', '--full-index', from, to, '--']),
  );
  const changed: ChangedPath[] = [];
  for (let index = 0; index + 1 < parts.length; index += 2) {
    changed.push(readChangedPath(parts[index] ?? '', parts[index + 1] ?? ''));
  }
  return changed;
}
