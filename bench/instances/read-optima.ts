// What is known of the best makespans of a folder: `optima.csv` with the columns file, lower, upper, and m where a file
// stands for one problem per number of machines.

import type { Known } from './instance.ts';

export interface Optima {
  of(file: string, machines: number): Known | undefined;
}

export const noOptima: Optima = { of: () => undefined };

export function readOptima(text: string): Optima {
  const [header, ...rows] = text.split('\n').map((line) =>
    line
      .trim()
      .split(',')
      .map((cell) => cell.trim()),
  );
  const column = (name: string): number => (header ?? []).indexOf(name);
  const known = new Map<string, Known>();
  for (const row of rows) {
    const file = row[column('file')];
    const upper = Number(row[column('upper')] || Number.NaN);
    const lower = Number(row[column('lower')] || upper);
    if (file === undefined || !Number.isFinite(upper)) continue;
    known.set(keyOf(file, row[column('m')] ?? 'any'), { lower, upper });
  }
  return { of: (file, machines) => known.get(keyOf(file, String(machines))) ?? known.get(keyOf(file, 'any')) };
}

const keyOf = (file: string, machines: string): string => `${file.split('/').at(-1) ?? file} ${machines}`;
