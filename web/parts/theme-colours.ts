// The colours of the style sheet for what draws by itself, such as a canvas.
import { useEffect, useState } from 'react';
import { readColours } from './read-colours.ts';

const PROPERTIES = {
  paper: '--paper',
  panel: '--panel',
  line: '--line',
  'line-strong': '--line-strong',
  text: '--text',
  quiet: '--quiet',
  accent: '--accent',
  'accent-tint': '--accent-tint',
  focus: '--focus',
  'done-fill': '--done-fill',
  'running-fill': '--running-fill',
  'running-tint': '--running-tint',
  'asks-fill': '--asks-fill',
  'failed-fill': '--failed-fill',
  'waiting-fill': '--waiting-fill',
} as const;

export type ThemeColours = Readonly<Record<keyof typeof PROPERTIES, string>>;

const current = (): ThemeColours => readColours(document.body, PROPERTIES);

export function useThemeColours(): ThemeColours {
  const [colours, setColours] = useState(current);
  useEffect(() => {
    const onChange = (): void => setColours(current());
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', onChange);
    globalThis.addEventListener('themechange', onChange);
    onChange();
    return () => {
      dark.removeEventListener('change', onChange);
      globalThis.removeEventListener('themechange', onChange);
    };
  }, []);
  return colours;
}
