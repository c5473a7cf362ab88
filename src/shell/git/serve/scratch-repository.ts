// A repository for one push: it borrows the objects of ours, and what is pushed stays in it until it was examined.
//
// scratch-repository/S1. It is removed with all that was pushed into it when its work ends; one of a killed process is
//     removed when the next one is made.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { alternates } from '../store/integration-repository.ts';
import { asideOf, removeLeftovers } from '../store/leftovers.ts';
import type { Ref } from '../store/refs.ts';

export interface ScratchOptions {
  /** Heddle's folder. */
  readonly home: string;
  /** Our repository, whose `shallow` file holds for the scratch as well. */
  readonly gitDir: string;
  readonly objectFolders: readonly string[];
  readonly objectFormat: string;
  readonly refs: readonly Ref[];
}

const FOLDER = 'incoming';

export async function withScratch<Result>(
  options: ScratchOptions,
  work: (gitDir: string) => Promise<Result>,
): Promise<Result> {
  const folder = join(options.home, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers([folder]);
  const gitDir = asideOf(join(folder, 'push'));
  try {
    await build(gitDir, options);
    return await work(gitDir);
  } finally {
    await rm(gitDir, { recursive: true, force: true });
  }
}

async function build(scratch: string, { gitDir, objectFolders, objectFormat, refs }: ScratchOptions): Promise<void> {
  await mkdir(join(scratch, 'objects', 'info'), { recursive: true });
  await mkdir(join(scratch, 'refs'));
  const lines = refs.map(({ ref, commit }) => `${commit} ${ref}\n`);
  const files: readonly (readonly [string, string])[] = [
    ['HEAD', 'ref: refs/heads/none\n'],
    ['config', configOf(objectFormat)],
    ['packed-refs', lines.join('')],
    [join('objects', 'info', 'alternates'), alternates(objectFolders)],
  ];
  for (const [name, text] of files) await writeFile(join(scratch, name), text);
  const shallow = join(gitDir, 'shallow');
  if (existsSync(shallow)) await copyFile(shallow, join(scratch, 'shallow'));
}

const configOf = (objectFormat: string): string =>
  objectFormat === 'sha1'
    ? '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
    : `[core]\n\trepositoryformatversion = 1\n\tbare = true\n[extensions]\n\tobjectformat = ${objectFormat}\n`;
