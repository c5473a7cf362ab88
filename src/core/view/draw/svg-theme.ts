// Colours of pictures and charts, for a light and a dark page. The browser chooses; nothing is fetched.
// XML text and attributes come from any string: every string that a picture did not make itself passes through here.

import type { NodeKind } from './picture.ts';
import { cleanLine } from './label.ts';

export const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

interface Shade {
  readonly fill: string;
  readonly line: string;
}

export interface Theme {
  readonly paper: string;
  readonly text: string;
  readonly quiet: string;
  readonly line: string;
  readonly box: string;
  readonly boxLine: string;
  readonly kinds: Readonly<Record<NodeKind, Shade>>;
}

export const LIGHT: Theme = {
  paper: '#ffffff',
  text: '#1d2530',
  quiet: '#5d6876',
  line: '#7d8896',
  box: '#8a97a8',
  boxLine: '#c5ccd6',
  kinds: {
    prompt: { fill: '#eaf1fd', line: '#7fa3dc' },
    run: { fill: '#e9f5ec', line: '#7fb592' },
    steps: { fill: '#ededfc', line: '#9598dc' },
    join: { fill: '#fdf5df', line: '#d3b15f' },
    gate: { fill: '#fdece2', line: '#dd9a72' },
    for_each: { fill: '#f4ebfb', line: '#b190d6' },
    subplan: { fill: '#f2f4f6', line: '#a5aeba' },
    folded: { fill: '#f2f4f6', line: '#a5aeba' },
    place: { fill: '#ffffff', line: '#8793a3' },
    transition: { fill: '#e3e7ec', line: '#6b7686' },
  },
};

export const DARK: Theme = {
  paper: '#12161c',
  text: '#e4e9ef',
  quiet: '#9ba7b5',
  line: '#77838f',
  box: '#8a97a8',
  boxLine: '#3b4552',
  kinds: {
    prompt: { fill: '#1b2a42', line: '#4f77b5' },
    run: { fill: '#1a3124', line: '#4c8a63' },
    steps: { fill: '#25264a', line: '#686cb8' },
    join: { fill: '#362d14', line: '#94793a' },
    gate: { fill: '#3c2417', line: '#ad6c44' },
    for_each: { fill: '#2f2140', line: '#8361a9' },
    subplan: { fill: '#222932', line: '#5b6674' },
    folded: { fill: '#222932', line: '#5b6674' },
    place: { fill: '#171d25', line: '#7a8694' },
    transition: { fill: '#39434f', line: '#8793a0' },
  },
};

interface Rules {
  readonly common: string;
  readonly light: string;
  readonly dark: string;
}

/** One style sheet: common rules, the light theme, then the changes for the dark theme. */
export function styleSheet({ common, light, dark }: Rules): string {
  return `<style>${common}${light}@media (prefers-color-scheme:dark){${dark}}</style>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Safe between tags and inside a quoted attribute. */
export function escapeXml(text: string): string {
  return cleanLine(text).replace(/[&<>"']/gu, (character) => ENTITIES[character] ?? character);
}

/** A coordinate with at most one decimal: pictures stay small and the same on every machine. */
export function round(value: number): number {
  const rounded = Math.round(value * 10) / 10;
  return rounded === 0 ? 0 : rounded;
}
