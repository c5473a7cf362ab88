// Light or dark, before anything is painted: what the reader chose, else what the system says.
const KEY = 'theme';
/** Below this width the list of pages would be all that is seen. */
const NARROW = 800;

const chosen = localStorage.getItem(KEY);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['theme'] = chosen;

addEventListener('DOMContentLoaded', () => {
  document.querySelector('#theme')?.addEventListener('click', () => {
    const { dataset } = document.documentElement;
    const isSystemDark = matchMedia('(prefers-color-scheme: dark)').matches;
    const isDark = (dataset['theme'] ?? (isSystemDark ? 'dark' : 'light')) === 'dark';
    const next = isDark ? 'light' : 'dark';
    dataset['theme'] = next;
    localStorage.setItem(KEY, next);
  });
  const pages = document.querySelector('nav');
  if (innerWidth < NARROW) pages?.querySelector('details')?.removeAttribute('open');
  // The list of pages is longer than the window.
  const current = pages?.querySelector<HTMLElement>('[aria-current]');
  if (current !== null && current !== undefined) pages?.scrollTo(0, current.offsetTop - pages.clientHeight / 2);
});
