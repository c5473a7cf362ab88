// Starts the page: takes the token, opens the stream, draws.
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { takeToken } from './client/access-token.ts';
import { openApi } from './client/server-api.ts';
import { AnswerPage } from './inbox/answer-page.tsx';
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
  const api = openApi(takeToken(globalThis.window));
  createRoot(root).render(<App api={api} dashboard={openDashboard(api, schedule)} />);
}
