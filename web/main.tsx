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
  createRoot(root).render(<AnswerPage api={openApi(location.hash.slice(1), 'Ticket')} />);
} else if (root !== null) {
  // A new address that is pasted into a tab of the same server changes the fragment alone, which loads nothing by itself.
  globalThis.addEventListener('hashchange', () => {
    if (hasToken(location.hash)) location.reload();
  });
  const token = takeToken(globalThis.window) ?? (await askForToken());
  if (token !== undefined) {
    keepToken(globalThis.window, token);
    shareToken(token);
  }
  const api = openApi(token);
  createRoot(root).render(<App api={api} dashboard={openDashboard(api, schedule)} />);
}
