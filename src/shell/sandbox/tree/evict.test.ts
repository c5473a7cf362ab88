import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { foldersOf, type SandboxContext } from './sandbox-context.ts';
import {
  AT,
  git,
  givenProject,
  givenSandboxes,
  PLAIN_SETTINGS,
  removeProject,
  needOf,
  OVERLAYS,
  writeFiles,
  type GivenRepository,
} from '../sandboxes.given.ts';
import { NO_ISOLATION } from '../isolation/choose-isolation.ts';
import { need } from '../../../../test/needs.given.ts';
import { evict } from './evict.ts';

let project: GivenRepository;
beforeEach(async () => {
  project = await givenProject();
});
afterEach(async () => removeProject(project));

/** Attributes make every commit want a template of its own. */
const commits = (): readonly string[] =>
  ['*.a', '*.b', '*.c'].map((pattern) => {
    writeFiles(project.folder, { '.gitattributes': `${pattern} text\n` });
    git(project.folder, 'add', '-A');
    git(project.folder, 'commit', '-qm', pattern);
    return git(project.folder, 'rev-parse', 'HEAD');
  });

test.for(OVERLAYS)(
  'templates of the kind %s go when there are too many, but none that is stood on',
  async (way, context) => {
    need(context, await needOf(way));
    const sandboxes = await givenSandboxes(project, way);
    const [first = '', second = '', third = ''] = commits();
    const open = async (task: string, base: string) => {
      const opened = await sandboxes.open({ run: 'r', task, base, from: undefined, at: AT });
      if (opened.type === 'failed') throw new Error(opened.failure.code);
      return opened.sandbox;
    };
    await open('stays', first);
    await (await open('goes', second)).destroy();
    await open('last', third);
    const folders = foldersOf(project.home);
    const sandboxContext: SandboxContext = {
      home: project.home,
      folders,
      repository: project.repository,
      settings: PLAIN_SETTINGS,
      isolation: NO_ISOLATION,
      network: 'none',
      agent: undefined,
      untracked: project.folder,
    };
    const evicted = await evict(sandboxContext, folders.templates, { bytesMax: 0, countMax: 0 });
    expect(evicted).toEqual([expect.stringContaining(git(project.folder, 'rev-parse', `${second}^{tree}`))]);
    expect(readdirSync(folders.templates)).toHaveLength(2);
    expect(readdirSync(join(project.home, 'trash'))).toEqual([]);
  },
);
