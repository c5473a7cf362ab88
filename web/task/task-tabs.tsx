// One task in tabs: output, diff, turns, checks, why, history. The tab is part of the address.
import { useId, type KeyboardEvent, type ReactNode } from 'react';
import { useApp } from '../store/use-app.ts';
import { ChecksTab, HistoryTab } from './claims-tabs.tsx';
import { DiffTab } from './diff-tab.tsx';
import { OutputTab } from './output-tab.tsx';
import { TurnsTab } from './turns-tab.tsx';
import { WhyTab } from './why-tab.tsx';

export const TASK_TABS = [
  { id: 'output', title: 'Output', component: OutputTab },
  { id: 'diff', title: 'Diff', component: DiffTab },
  { id: 'turns', title: 'Turns', component: TurnsTab },
  { id: 'checks', title: 'Checks', component: ChecksTab },
  { id: 'why', title: 'Why', component: WhyTab },
  { id: 'history', title: 'History', component: HistoryTab },
] as const;

export function TaskTabs({ task }: { readonly task: string }): ReactNode {
  const { route, go } = useApp();
  const name = useId();
  const chosen = TASK_TABS.find(({ id }) => id === route.options['tab']) ?? TASK_TABS[0];
  const at = TASK_TABS.indexOf(chosen);
  const Shown = chosen.component;
  const choose = (index: number): void => {
    const next = TASK_TABS[(index + TASK_TABS.length) % TASK_TABS.length] ?? chosen;
    go({ options: { tab: next.id } }, 'replace');
    document.querySelector<HTMLElement>(`#${CSS.escape(`${name}-${next.id}`)}`)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowRight') choose(at + 1);
    else if (event.key === 'ArrowLeft') choose(at - 1);
    else return;
    event.preventDefault();
  };
  return (
    <div className="task-tabs">
      <div role="tablist" aria-label={`Parts of ${task}`} className="tabs" onKeyDown={onKeyDown}>
        {TASK_TABS.map(({ id, title }, index) => (
          <button
            key={id}
            id={`${name}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === chosen.id}
            aria-controls={`${name}-panel`}
            tabIndex={id === chosen.id ? 0 : -1}
            onClick={() => choose(index)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${name}-panel`} aria-labelledby={`${name}-${chosen.id}`} className="tab-panel">
        <Shown key={task} task={task} />
      </div>
    </div>
  );
}
