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
  if (innerWidth < NARROW) document.querySelector('nav details')?.removeAttribute('open');
});
