// Parses the output of `git merge-tree --write-tree -z --messages`.
import type { MergeConflict, ConflictPath } from './merge-outcome.ts';

export interface MergePrinted {
  readonly tree: string;
  readonly stages: readonly ConflictStage[];
  readonly remarks: readonly MergeMessage[];
}

/** One side of one path that could not be merged: 1 is the base, 2 ours, 3 theirs. */
export interface ConflictStage {
  readonly mode: string;
  readonly blob: string;
  readonly side: number;
  readonly path: string;
}

interface MergeMessage {
  readonly paths: readonly string[];
  /** Such as `CONFLICT (contents)` or `Auto-merging`. */
  readonly type: string;
  readonly says: string;
}

export function readMergeTree(output: Buffer): MergePrinted {
  const parts = output.toString('utf8').split('\0');
  const end = parts.indexOf('', 1);
  const stages = parts.slice(1, end === -1 ? parts.length : end).flatMap((part) => readStage(part));
  return { tree: parts[0] ?? '', stages, remarks: end === -1 ? [] : readMessages(parts.slice(end + 1)) };
}

function readStage(part: string): readonly ConflictStage[] {
  const found = /^(\d{6}) ([\da-f]+) ([123])\t(.*)$/s.exec(part);
  if (found === null) return [];
  const [, mode = '', blob = '', side = '', path = ''] = found;
  return [{ mode, blob, side: Number(side), path }];
}

/** Each remark is a number of paths, the paths, a type and a message. */
function readMessages(parts: readonly string[]): readonly MergeMessage[] {
  const remarks: MergeMessage[] = [];
  let at = 0;
  while (at + 2 < parts.length) {
    const paths = Number(parts[at]);
    const type = at + 1 + paths;
    remarks.push({ paths: parts.slice(at + 1, type), type: parts[type] ?? '', says: parts[type + 1]?.trim() ?? '' });
    at = type + 2;
  }
  return remarks;
}

export function conflictOf({ tree, stages, remarks }: MergePrinted): MergeConflict {
  const conflicts = remarks.filter(({ type }) => type.startsWith('CONFLICT'));
  const paths = [...new Set([...stages.map(({ path }) => path), ...conflicts.flatMap((remark) => remark.paths)])];
  return {
    type: 'conflict',
    paths: paths.map((path) => conflictPath(path, stages, conflicts)),
    tree,
    says: conflicts.map(({ says }) => says),
  };
}

function conflictPath(
  path: string,
  stages: readonly ConflictStage[],
  conflicts: readonly MergeMessage[],
): ConflictPath {
  const blob = (side: number): string | undefined =>
    stages.find((stage) => stage.path === path && stage.side === side)?.blob;
  const remark = conflicts.find(({ paths }) => paths.includes(path));
  const kind = /^CONFLICT \((.*)\)$/.exec(remark?.type ?? '')?.[1] ?? 'contents';
  return { path, base: blob(1), ours: blob(2), theirs: blob(3), kind };
}
