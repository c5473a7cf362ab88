// Starts the page: takes the token, opens the stream, draws.
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { hasToken, keepToken, takeToken } from './client/access-token.ts';
import { openApi } from './client/server-api.ts';
import { askForToken, shareToken } from './client/share-token.ts';
import { AnswerPage } from './pages/answer-page.tsx';
import { openDashboard } from './store/dashboard.ts';

/** A tab in the background gets no frames, and its title still has to change. */
const schedule = (work: () => void): void => {
  if (document.hidden) setTimeout(work, 250);
  else requestAnimationFrame(work);
};

const root = document.querySelector('#root');
if (root !== null && location.pathname === '/answer') {
  const ticket = location.hash.slice(1);
  createRoot(root).render(<AnswerPage api={openApi(() => ticket, 'Ticket')} />);
} else if (root !== null) {
  // A new address that is pasted into a tab of the same server changes the fragment alone, which loads nothing by itself.
  globalThis.addEventListener('hashchange', () => {
    if (hasToken(location.hash)) location.reload();
  });
  let token = takeToken(globalThis.window) ?? (await askForToken());
  if (token !== undefined) keepToken(globalThis.window, token);
  const api = openApi(() => token);
  const dashboard = openDashboard(api, schedule);
  const isRefused = (): boolean => {
    const { link } = dashboard.current();
    return link.type === 'refused' && link.status === 401;
  };
  const tabs = shareToken({
    current: () => token,
    onToken: (given) => {
      if (given === token || !isRefused()) return;
      token = given;
      keepToken(globalThis.window, given);
      dashboard.reconnect();
    },
  });
  // Another tab may have been opened at the new address of a server that was started again.
  dashboard.subscribe(() => {
    if (isRefused()) tabs.ask();
  });
  createRoot(root).render(<App api={api} dashboard={dashboard} />);
}
