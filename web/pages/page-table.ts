// The pages of the dashboard, in the order of the navigation. A page is one file in this folder that exports a component
// without properties, and one line in this table.
//
// In a page:
// - `useRunView()` (only with `of: 'run'`) gives the run at the position of the replay bar: `state`, `status`, `now`,
//   `events`, `position`. It renders again when anything changes. Read from `state`, keep nothing of it: the next view
//   consumes it. Never use the clock of the browser; `now` is the time that the slider stands at.
// - `useApp()` gives `api` (calls of the server, see client/server-api.ts; `ofRun(project, run, 'turns?task=…')` makes the
//   path), `route`, `go({ task })`, `linkTo(change)`, `send({ project, run, command })`, `notify`, `dashboard` (all runs).
// - Whatever a link should lead to is in the route: `route.task`, `route.at`, `route.options` for anything else.
// - Sentences come from core/view/text (`waitPieces`, `explanationRows`, `replyText`, …); parts/styled-row.tsx shows them.
// - Parts that several pages need are in parts/: StateSign, TaskLink, Money, Time, CopyAsCli, EmptyState, useKeys.
// - Styles are in style/NN-name.css; colours, sizes and distances are the variables of style/00-tokens.css.
// - A page that is opened rarely is loaded then: `later(() => import('./x-page.tsx'), 'XPage')`. Keep the first load small.
// - Agents' output and names in plans are foreign text: always children of an element, never markup, never a class name.
import { lazy, type ComponentType } from 'react';
import { RunPage } from './run-page.tsx';

export interface Page {
  /** In the address. */
  readonly id: string;
  readonly title: string;
  /** Whether the page is about one run or about all. */
  readonly of: 'run' | 'all';
  readonly component: ComponentType;
  /** Keys of the page, for the help sheet. */
  readonly keys?: readonly (readonly [keys: string, does: string])[];
}

export const PAGES: readonly Page[] = [
  { id: 'inbox', title: 'Inbox', of: 'all', component: later(() => import('./inbox-page.tsx'), 'InboxPage') },
  {
    id: 'run',
    title: 'Run',
    of: 'run',
    component: RunPage,
    keys: [
      ['↑ ↓ or k j', 'the task before or after'],
      ['Enter', 'open the task'],
      ['v', 'board, table'],
      ['/', 'filter; Enter chooses the first that fits'],
    ],
  },
  {
    id: 'plan',
    title: 'Plan',
    of: 'run',
    component: later(() => import('./plan-page.tsx'), 'PlanPage'),
    keys: [
      ['arrows', 'move the picture, while it has the focus'],
      ['+ −', 'larger, smaller'],
      ['0', 'all of it'],
      ['Enter', 'in the search: show the first that fits'],
    ],
  },
  {
    id: 'task',
    title: 'Task',
    of: 'run',
    component: later(() => import('./task-page.tsx'), 'TaskPage'),
    keys: [
      ['← →', 'the tab before or after'],
      ['Enter', 'in the search: the next place; with Shift the one before'],
    ],
  },
  {
    id: 'timeline',
    title: 'Timeline',
    of: 'run',
    component: later(() => import('./timeline-page.tsx'), 'TimelinePage'),
    keys: [
      ['+ − 0', 'zoom in, zoom out, the whole run'],
      [', .', 'earlier, later'],
      ['v', 'rows by task, by slot'],
    ],
  },
  { id: 'money', title: 'Money', of: 'run', component: later(() => import('./money-page.tsx'), 'MoneyPage') },
  { id: 'pools', title: 'Pools', of: 'run', component: later(() => import('./pools-page.tsx'), 'PoolsPage') },
  { id: 'merge', title: 'Merge queue', of: 'run', component: later(() => import('./merge-page.tsx'), 'MergePage') },
  { id: 'events', title: 'Events', of: 'run', component: later(() => import('./events-page.tsx'), 'EventsPage') },
  { id: 'runs', title: 'Runs', of: 'all', component: later(() => import('./runs-page.tsx'), 'RunsPage') },
];

/** A component that is fetched when it is first shown. */
function later<Name extends string>(
  load: () => Promise<Readonly<Record<Name, ComponentType>>>,
  name: Name,
): ComponentType {
  return lazy<ComponentType>(async () => ({ default: (await load())[name] }));
}
