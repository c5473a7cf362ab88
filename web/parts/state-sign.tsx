import type { ReactNode } from 'react';
import { GROUP_SIGNS, GROUP_WORDS, type TaskGroup } from '../model/task-rows.ts';

/** The sign of a state; screen readers hear its word. */
export const StateSign = ({ group }: { readonly group: TaskGroup }): ReactNode => (
  <span className={`sign sign-${group}`} role="img" aria-label={GROUP_WORDS[group]}>
    {GROUP_SIGNS[group]}
  </span>
);
