// The folders of a code base that tell most about it, in few lines whatever its size.
//
// layout/L1. Every file below a folder counts in exactly one row: that of the nearest folder around it that has one.
import { byText, type SourceFile } from '../split/source-file.ts';

export interface LayoutRow {
  readonly folder: string;
  /** In it, and in the folders below it that have no row. */
  readonly files: number;
  readonly tokens: number;
}

const ROWS_MAX = 40;
/** More of one folder would leave no room for the others. */
const CHILDREN_MAX = 12;

/** All folders at the top, then what is in the largest of them, and so on while there is room. */
export function layoutOf(files: readonly SourceFile[]): readonly LayoutRow[] {
  const tokens = tokensBelow(files);
  const byTokens = (one: string, other: string): number =>
    (tokens.get(other) ?? 0) - (tokens.get(one) ?? 0) || byText(one, other);
  const children = Map.groupBy([...tokens.keys()].toSorted(byTokens), folderAround);
  const shown = new Set<string>();
  let unopened: readonly string[] = [TOP];
  while (unopened.length > 0) {
    const [folder = TOP, ...others] = unopened.toSorted(byTokens);
    const room = Math.min(ROWS_MAX - shown.size, folder === TOP ? ROWS_MAX : CHILDREN_MAX);
    const opened = (children.get(folder) ?? []).slice(0, room);
    for (const child of opened) shown.add(child);
    unopened = [...others, ...opened];
  }
  return rowsOf(files, shown);
}

const TOP = '';

export const folderAround = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/** Of every folder with all that is below it. */
function tokensBelow(files: readonly SourceFile[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { path, tokens } of files)
    for (let folder = folderAround(path); folder !== TOP; folder = folderAround(folder))
      found.set(folder, (found.get(folder) ?? 0) + tokens);
  return found;
}

function rowsOf(files: readonly SourceFile[], shown: ReadonlySet<string>): readonly LayoutRow[] {
  const rows = new Map<string, LayoutRow>();
  for (const file of files) {
    let folder = folderAround(file.path);
    while (folder !== TOP && !shown.has(folder)) folder = folderAround(folder);
    if (folder === TOP) continue;
    const row = rows.get(folder);
    rows.set(folder, { folder, files: (row?.files ?? 0) + 1, tokens: (row?.tokens ?? 0) + file.tokens });
  }
  return [...rows.values()].toSorted((one, other) => byText(one.folder, other.folder));
}
