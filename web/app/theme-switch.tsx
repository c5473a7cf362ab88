// Light, dark, or as the system says, remembered by this browser.
import { useEffect, useState, type ReactNode } from 'react';
import { Icon, type IconName } from '../parts/icons.tsx';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const KEPT_AS = 'heddle-theme';
const ICONS: Readonly<Record<Theme, IconName>> = { auto: 'both', light: 'sun', dark: 'moon' };
const WORDS: Readonly<Record<Theme, string>> = { auto: 'as the system', light: 'light', dark: 'dark' };

const keptTheme = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(KEPT_AS)) ?? 'auto';

export function ThemeSwitch(): ReactNode {
  const [theme, setTheme] = useState(keptTheme);
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(KEPT_AS, theme);
    // What draws by itself, such as a canvas, has to read its colours again.
    globalThis.dispatchEvent(new Event('themechange'));
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto';
  return (
    <button
      type="button"
      className="quiet-button"
      onClick={() => setTheme(next)}
      aria-label={`Colours: ${WORDS[theme]}`}
      title={`Colours: ${WORDS[theme]}`}
    >
      <Icon name={ICONS[theme]} />
    </button>
  );
}
