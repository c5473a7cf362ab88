// Signs that not every font has, as drawings of sixteen by sixteen.
import type { ReactNode } from 'react';

const PATHS = {
  threads: 'M5 1v14M11 1v14M1 5h14M1 11h14',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  play: 'M4.5 2.5v11l9-5.5z',
  pause: 'M5 3v10M11 3v10',
  back: 'M11 3l-6 5 6 5M4 3v10',
  on: 'M5 3l6 5-6 5M12 3v10',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  left: 'M10 3L5 8l5 5',
  right: 'M6 3l5 5-5 5',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.5A6 6 0 016.5 2.5a6 6 0 107 7z',
  both: 'M8 2a6 6 0 100 12zM8 2a6 6 0 010 12',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg className="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false">
    <path d={PATHS[name]} />
  </svg>
);
