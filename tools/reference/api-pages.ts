// The report of the published surface, which shows every change of it in review, and its pages of the reference.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSurface, type Declared, type Surface } from './api-surface.ts';

const root = join(import.meta.dirname, '..', '..');

interface Entry {
  /** What programs import. */
  readonly name: string;
  readonly file: string;
  readonly page: string;
  readonly report: string;
  readonly about: string;
}

const ENTRIES: readonly Entry[] = [
  {
    name: 'heddle',
    file: 'library.d.ts',
    page: 'api-heddle.md',
    report: 'heddle.txt',
    about: 'The use cases of Heddle as functions, for Node.',
  },
  {
    name: 'heddle/core',
    file: 'core.d.ts',
    page: 'api-core.md',
    report: 'core.txt',
    about: 'Plans, proofs, forecasts, logs and views as values, for Node and browsers.',
  },
];

/** By file, the content of each report and page. */
export function apiPages(): readonly (readonly [file: string, text: string])[] {
  const types = mkdtempSync(join(tmpdir(), 'heddle-types-'));
  try {
    writeTypes(types);
    return ENTRIES.flatMap((entry) => {
      const surface = readSurface(types, entry.file);
      mustBeDescribed(entry, surface);
      return [
        [join(root, 'api', entry.report), reportOf(entry, surface)],
        [join(root, 'docs', 'reference', entry.page), pageOf(entry, surface)],
      ] as const;
    });
  } finally {
    rmSync(types, { recursive: true, force: true });
  }
}

/** An export without a sentence would be a bare name on its page. */
function mustBeDescribed({ name }: Entry, { exported }: Surface): void {
  const bare = exported.filter(({ about }) => about.trim() === '').map((each) => `${each.name} (${each.file})`);
  if (bare.length > 0)
    throw new Error(
      `Exports of ${name} without a sentence: ${bare.join(', ')}. Write a doc comment at each declaration.`,
    );
}

function writeTypes(outDir: string): void {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-p', join(root, 'tools', 'types.tsconfig.json'), '--outDir', outDir];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The types could not be written: ${stdout}`);
}

const HOW = 'Written by npm run reference, and checked by npm run check. What changes here changes for programs.';

function reportOf({ name }: Entry, { exported, reached }: Surface): string {
  const shown = (declared: Declared): string => `// ${declared.file}\n${declared.text}`;
  return `${[
    `The published surface of ${name}. ${HOW}`,
    'Exported',
    ...exported.map(shown),
    'Not exported, and part of the types above',
    ...reached.map(shown),
  ].join('\n\n')}\n`;
}

function pageOf({ name, about }: Entry, { exported }: Surface): string {
  const isTyped = ({ kind }: Declared): boolean => kind === 'type';
  const shown = (declared: Declared): string =>
    [
      `### \`${declared.name}\``,
      declared.about,
      `\`\`\`ts\n${declared.text.replace(/^export (?:declare )?/, '')}\n\`\`\``,
    ].join('\n\n');
  return `${[
    `# The interface of \`${name}\``,
    `${about} This page is made from the types; [library.md](library.md) has examples.`,
    '## Functions and values',
    ...exported.filter((each) => !isTyped(each)).map(shown),
    '## Types',
    ...exported.filter(isTyped).map(shown),
  ].join('\n\n')}\n`;
}
