// The colours of the style sheet for what draws by itself, such as a canvas.
import { useEffect, useState } from 'react';

const NAMES = [
  'paper',
  'panel',
  'line',
  'line-strong',
  'text',
  'quiet',
  'accent',
  'accent-tint',
  'focus',
  'done-fill',
  'running-fill',
  'running-tint',
  'asks-fill',
  'failed-fill',
  'waiting-fill',
] as const;

export type ThemeColours = Readonly<Record<(typeof NAMES)[number], string>>;

/** A variable may hold another form for dark pages, so the browser is asked what it comes to. */
function readColours(): ThemeColours {
  const probe = document.createElement('span');
  document.body.append(probe);
  const colourOf = (name: string): string => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  // Every name of the list gets its colour here.
  const colours = Object.fromEntries(NAMES.map((name) => [name, colourOf(name)])) as ThemeColours;
  probe.remove();
  return colours;
}

export function useThemeColours(): ThemeColours {
  const [colours, setColours] = useState(readColours);
  useEffect(() => {
    const onChange = (): void => setColours(readColours());
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
