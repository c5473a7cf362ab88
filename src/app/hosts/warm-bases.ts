// The base commits of which this host has a template tree: a sandbox of them is made in no time.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gitAt } from '../../shell/git/run/git.ts';
import { treeOfTemplate } from '../../shell/sandbox/tree/templates.ts';

export interface WarmBases {
  /** A claim that starts from this commit has come. */
  readonly note: (base: string) => void;
  /** Looks again; called when a claim has ended. */
  readonly refresh: () => void;
  readonly list: () => readonly string[];
}

/** The latest; a host keeps templates of few more. */
const BASES_MAX = 64;

export function openWarmBases(home: string, project: string): WarmBases {
  const bases = new Set<string>();
  const treeOf = new Map<string, string>();
  let warm: readonly string[] = [];
  let isLooking = false;
  const look = async (): Promise<void> => {
    for (const base of bases) {
      if (treeOf.has(base)) continue;
      const { code, output } = await gitAt(project).ask(['rev-parse', '--verify', '--quiet', `${base}^{tree}`]);
      if (code === 0) treeOf.set(base, output.toString('utf8').trim());
    }
    const there = templatesIn(home);
    warm = [...bases].filter((base) => there.has(treeOf.get(base) ?? ''));
    isLooking = false;
  };
  return {
    note: (base) => {
      bases.delete(base);
      bases.add(base);
      for (const oldest of bases) if (bases.size > BASES_MAX) bases.delete(oldest);
    },
    refresh: () => {
      if (isLooking) return;
      isLooking = true;
      void look();
    },
    list: () => warm,
  };
}

function templatesIn(home: string): ReadonlySet<string> {
  try {
    return new Set(readdirSync(join(home, 'templates')).map(treeOfTemplate));
  } catch {
    // No sandbox was made here yet.
    return new Set();
  }
}
