// Where the author wrote what a finding is about, when the plan holds a longer form of it.

import { nodeAt, type SourceNode } from '../source/source-node.ts';
import type { SourcePath } from '../diagnostic.ts';

/** `task` is the path of the task in which `path` is. */
export function writtenPlace(root: SourceNode, task: SourcePath, path: SourcePath): SourcePath {
  if (task.length === 0 || nodeAt(root, path) !== undefined) return path;
  const [key, place, ...rest] = path.slice(task.length);
  const has = (...keys: SourcePath): boolean => nodeAt(root, [...task, ...keys]) !== undefined;
  // A task may have one `escalate` for all of its steps.
  if (key === 'steps' && rest[0] === 'escalate' && has('escalate')) return [...task, ...rest];
  if (!has('review')) return path;
  if (key === 'repeat') return [...task, 'review'];
  if (key !== 'steps' || has('steps', place ?? 0)) return path;
  // The only step of a task is the task; the step after those that are written is the review.
  return has('steps') || place !== 0 ? [...task, 'review', ...rest] : [...task, ...rest];
}
