// The pages, and the run that they are about.
import { useEffect, useRef, type ReactNode } from 'react';
import { PAGES } from '../pages/page-table.ts';
import { Icon } from '../parts/icons.tsx';
import { useApp } from '../store/use-app.ts';
import { ThemeSwitch } from './theme-switch.tsx';

export function Navigation({ onHelp }: { readonly onHelp: () => void }): ReactNode {
  const { route, linkTo, dashboard } = useApp();
  const list = useRef<HTMLUListElement>(null);
  // On a phone the list is wider than the screen.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [route.page]);
  const shown = PAGES.filter(({ of }) => of === 'all' || route.run !== undefined);
  return (
    <nav className="navigation" aria-label="Pages">
      <a className="brand" href={linkTo({ page: 'runs', project: undefined, run: undefined })}>
        <Icon name="threads" /> Heddle
      </a>
      <ul ref={list}>
        {shown.map((page) => (
          <li key={page.id}>
            <a href={linkTo({ page: page.id })} aria-current={route.page === page.id ? 'page' : undefined}>
              {page.title}
              {page.id === 'inbox' && dashboard.inboxCount > 0 && (
                <span className="badge badge-asks">{dashboard.inboxCount}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      <div className="navigation-end">
        <ThemeSwitch />
        <button type="button" className="quiet-button" onClick={onHelp} aria-label="Keys" title="Keys (?)">
          ?
        </button>
      </div>
    </nav>
  );
}
