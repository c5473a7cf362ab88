// The page around all pages: address, connection, run, messages.
import {
  startTransition,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import type { ServerApi } from '../client/server-api.ts';
import { changeRoute, readRoute, writeRoute, type PageRoute, type RouteChange } from '../model/hash-route.ts';
import { EmptyState, LoadingState } from '../parts/empty-state.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { PAGES, type Page } from '../pages/page-table.ts';
import type { Dashboard } from '../store/dashboard.ts';
import { AppContext, type AppValue, type Message } from '../store/use-app.ts';
import { HelpSheet } from './help-sheet.tsx';
import { LinkNotice } from './link-notice.tsx';
import { Navigation } from './navigation.tsx';
import { usePageSign } from './page-sign.ts';
import { RunFrame } from './run-frame.tsx';
import { sendToRun } from './send-to-run.ts';
import { Toasts, type Toast } from './toasts.tsx';

interface AppProps {
  readonly api: ServerApi;
  readonly dashboard: Dashboard;
}

export function App({ api, dashboard }: AppProps): ReactNode {
  const view = useSyncExternalStore(dashboard.subscribe, dashboard.current);
  const [route, go] = useRoute();
  const [toasts, notify, close] = useToasts();
  const [isHelpOpen, setHelpOpen] = useState(false);
  const page = PAGES.find(({ id }) => id === route.page);

  const { project, run } = route;
  useEffect(() => {
    dashboard.show(project === undefined || run === undefined ? undefined : { project, run });
  }, [dashboard, project, run]);
  useFirstRun(route, { go, runs: view.runs });
  usePageSign(run ?? page?.title ?? 'Runs', view.inboxCount);
  useKeys({
    '?': () => setHelpOpen(true),
    i: () => go({ page: 'inbox' }),
    r: () => go({ page: 'runs' }),
    ...Object.fromEntries(PAGES.slice(0, 9).map(({ id }, at) => [String(at + 1), () => go({ page: id })])),
  });

  const seek = useCallback((position: number | undefined) => dashboard.store()?.seek(position), [dashboard]);
  const app = useMemo(
    (): AppValue => ({
      api,
      dashboard: view,
      route,
      go,
      linkTo: (change) => writeRoute(changeRoute(route, change)),
      notify,
      send: (order) => sendToRun(api, order, notify),
      seek,
    }),
    [api, view, route, go, notify, seek],
  );
  return (
    <AppContext value={app}>
      <div className="app">
        <a className="skip-link" href="#main" onClick={focusMain}>
          Skip to the content
        </a>
        <Navigation onHelp={() => setHelpOpen(true)} />
        <div className="content">
          <LinkNotice />
          <Suspense fallback={<LoadingState title="Loading the page …" />}>
            {view.link.type === 'refused' && page?.of !== 'all' ? null : page?.of === 'run' && run !== undefined ? (
              <RunFrame key={`${project ?? ''} ${run}`} dashboard={dashboard} page={page} />
            ) : (
              <main id="main" tabIndex={-1}>
                {page?.of !== 'all' && <h1 className="hidden-text">Heddle</h1>}
                <Else page={page} isNamed={route.page !== ''} />
              </main>
            )}
          </Suspense>
        </div>
        <Toasts toasts={toasts} onClose={close} />
        {isHelpOpen && <HelpSheet page={page} onClose={() => setHelpOpen(false)} />}
      </div>
    </AppContext>
  );
}

interface ElseProps {
  readonly page: Page | undefined;
  /** Whether the address names a page. */
  readonly isNamed: boolean;
}

/** What is not about one run. */
function Else({ page, isNamed }: ElseProps): ReactNode {
  if (page?.of === 'all') return <page.component />;
  if (page !== undefined || !isNamed) return <LoadingState title="Looking for runs …" />;
  return (
    <EmptyState title="There is no such page" isAlert>
      <p>
        <a href="#/runs">All runs</a>
      </p>
    </EmptyState>
  );
}

/** The fragment is the address of a page, so a link inside the page moves the focus by hand. */
function focusMain(event: { readonly preventDefault: () => void }): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}

type Go = AppValue['go'];

function useRoute(): readonly [PageRoute, Go] {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  const page = useRef(route.page);
  const show = useCallback((next: PageRoute) => {
    // Another page may have to be fetched, and until then the one before it stays. On the same page fields show at once what
    // is typed.
    if (next.page === page.current) setRoute(next);
    else startTransition(() => setRoute(next));
    page.current = next.page;
  }, []);
  useEffect(() => {
    const onChange = (): void => show(readRoute(location.hash));
    globalThis.addEventListener('hashchange', onChange);
    return () => globalThis.removeEventListener('hashchange', onChange);
  }, [show]);
  const go = useCallback(
    (change: RouteChange, how: 'push' | 'replace' = 'push') => {
      const next = changeRoute(readRoute(location.hash), change);
      const hash = writeRoute(next);
      if (hash !== location.hash) {
        if (how === 'push') history.pushState(null, '', hash);
        else history.replaceState(null, '', hash);
      }
      show(next);
    },
    [show],
  );
  return [route, go];
}

interface FirstRun {
  readonly go: Go;
  readonly runs: AppValue['dashboard']['runs'];
}

/** Without a run in the address, the latest run that is active is shown, else the list; without a page, the first page. */
function useFirstRun({ page, run }: PageRoute, { go, runs }: FirstRun): void {
  useEffect(() => {
    const isOfRun = page === '' || PAGES.some(({ id, of }) => id === page && of === 'run');
    if (!isOfRun || (page !== '' && run !== undefined) || runs === undefined) return;
    if (run !== undefined) return go({ page: 'run' }, 'replace');
    const all = runs.projects.flatMap((project) => project.runs.map((run) => ({ ...run, project: project.id })));
    const latest = all.toSorted((one, other) => other.createdAt - one.createdAt);
    const first = latest.find(({ stage }) => stage !== 'ended') ?? latest[0];
    if (first === undefined) go({ page: 'runs' }, 'replace');
    else go({ page: page === '' ? 'run' : page, project: first.project, run: first.run }, 'replace');
  }, [page, run, runs, go]);
}

const TOAST_MS = 8000;
const TOASTS_MAX = 4;

function useToasts(): readonly [readonly Toast[], (message: Message) => void, (id: number) => void] {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const close = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const notify = useCallback(
    (message: Message) => {
      const id = performance.now();
      setToasts((all) => [...all.slice(1 - TOASTS_MAX), { ...message, id }]);
      // Bad news stays until it is closed.
      if (message.style === 'good') setTimeout(() => close(id), TOAST_MS);
    },
    [close],
  );
  return [toasts, notify, close];
}
