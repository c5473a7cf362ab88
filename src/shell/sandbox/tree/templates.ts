// Templates: one immutable checkout for each tree that sandboxes start from, and which of them are still needed.
//
// templates/T1. A template is built under another name and renamed, so it exists whole or not at all, and never changes
//     afterwards.
// templates/T2. The index of a template is valid wherever its files are mounted, and every copy of it has its age. The
//     index of a large template is younger than all its files.
// templates/T3. None is removed while a place uses it. Taking one and removing one exclude each other.
import { failedBy, type SandboxFailed } from '../../../core/protocol/sandbox-failure.ts';
import { existsSync, utimesSync } from 'node:fs';
import { mkdir, rename, stat, utimes } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { GitError } from '../../git/run/git-error.ts';
import { gitAt } from '../../git/run/git.ts';
import type { ChangedPath } from '../../git/store/changed-path.ts';
import type { SandboxContext } from './sandbox-context.ts';
import { writeUses } from './place-paths.ts';
import type { PlacePaths } from './place-paths.ts';
import { asideName, writeWhole } from '../disk/files.ts';
import { withLock, withSharedLock } from '../disk/lock.ts';
import type { MaybeFailure } from '../disk/mounts.ts';
import { evict, folderSize } from './evict.ts';
import { nearestTemplate } from './nearest-template.ts';
import type { Near } from './nearest-template.ts';

export interface CheckoutTemplate {
  readonly name: string;
  readonly tree: string;
  readonly files: string;
  readonly index: string;
}

export type TemplateTaken =
  /** `changed`: differences between the wanted tree and the template. */
  | { readonly type: 'taken'; readonly template: CheckoutTemplate; readonly changed: readonly ChangedPath[] }
  | SandboxFailed;

export interface TemplateRequest {
  readonly place: PlacePaths;
  /** The wanted tree; the template may be of a tree that differs little. */
  readonly tree: string;
  /** A layer that the place uses as well. */
  readonly layer: string | undefined;
}

export interface Templates {
  /** Records in the place that it uses the template, before another process could remove it. */
  readonly take: (request: TemplateRequest) => Promise<TemplateTaken>;
}

/** Raised when templates of an earlier form must not be used. */
const GENERATION = 1;

/** The difference between kinds of trees: where the files go, and what is done when they are complete. */
export interface TemplateForm {
  readonly name: string;
  readonly makeFolder: (folder: string) => Promise<MaybeFailure>;
  readonly finish: (folder: string, layer: string | undefined) => Promise<MaybeFailure>;
  /** Whether the layer is part of the template, so that each layer has its own. */
  readonly holdsLayer: boolean;
}

export const plainForm: TemplateForm = {
  name: 'plain',
  makeFolder: async (folder) => {
    await mkdir(folder);
    return undefined;
  },
  finish: async () => undefined,
  holdsLayer: false,
};

export const templateFiles = (context: SandboxContext, name: string): string =>
  join(context.folders.templates, name, 'tree');

/** The name of a template begins with the id of its tree. */
export const treeOfTemplate = (name: string): string => name.slice(0, name.indexOf('.'));

export function openTemplates(context: SandboxContext, form: TemplateForm): Templates {
  const settings = createHash('sha256').update(JSON.stringify(context.repository.user.checkoutSettings)).digest('hex');
  /** Templates whose names have the same ending can replace each other. */
  const endingOf = (layer: string | undefined): string =>
    `${form.name}-${GENERATION}-${settings.slice(0, 8)}${form.holdsLayer && layer !== undefined ? `-${layer}` : ''}`;
  const found = (name: string): CheckoutTemplate => ({
    name,
    tree: treeOfTemplate(name),
    files: templateFiles(context, name),
    index: join(context.folders.templates, name, 'index'),
  });
  const claim = async (request: TemplateRequest, { name, changed }: Near): Promise<TemplateTaken | undefined> =>
    withSharedLock(context.folders.locks, { family: 'shelf', name: 'templates' }, async () => {
      const template = found(name);
      if (!existsSync(template.index)) return undefined;
      await writeUses(request.place, {
        template: name,
        layer: request.layer,
        changed: changed.map(({ path }) => path),
      });
      utimesSync(template.index.replace(/index$/, 'used'), new Date(), new Date());
      return { type: 'taken', template, changed };
    });
  return {
    take: async (request) => {
      const ending = endingOf(request.layer);
      const name = `${request.tree}.${ending}`;
      const exact: Near = { name, changed: [] };
      const there = await claim(request, exact);
      if (there !== undefined) return there;
      const near = await nearestTemplate(context, { tree: request.tree, ending });
      const taken = near === undefined ? undefined : await claim(request, near);
      if (taken !== undefined) return taken;
      const failure = await buildOnce({ context, form, name, request });
      if (failure !== undefined) return failedBy(failure);
      return (await claim(request, exact)) ?? failedBy({ code: 'template-removed', name });
    },
  };
}

interface Build {
  readonly context: SandboxContext;
  readonly form: TemplateForm;
  readonly name: string;
  readonly request: TemplateRequest;
}

/** Of several requests for one template, one builds it and the others wait. */
async function buildOnce(build: Build): Promise<MaybeFailure> {
  const { context, name } = build;
  return withLock(context.folders.locks, { family: 'template', name }, async () => {
    const folder = join(context.folders.templates, name);
    if (existsSync(folder)) return undefined;
    const aside = join(context.folders.templates, asideName());
    await mkdir(aside, { recursive: true });
    const failure = await checkOut(build, aside);
    if (failure !== undefined) return failure;
    const [bytes] = await Promise.all([folderSize(join(aside, 'tree')), settleIndex(join(aside, 'index'))]);
    await writeWhole(join(aside, 'bytes'), String(bytes));
    await writeWhole(join(aside, 'used'), '');
    await rename(aside, folder);
    await evict(context, context.folders.templates);
    return undefined;
  });
}

/** A smaller index git reads through faster than the clock advances. */
const SETTLED_BYTES_MIN = 128 * 1024;

/**
 * Whenever git writes the index, it reads every file that is not a second older than the index. So the index is made
 * younger than all files, and the template is not released before the clock has advanced.
 */
async function settleIndex(index: string): Promise<void> {
  const { size } = await stat(index);
  if (size < SETTLED_BYTES_MIN) return;
  await setTimeout(SECOND_MS - (Date.now() % SECOND_MS) + CLOCK_TICK_MS);
  await utimes(index, new Date(), new Date());
}

const SECOND_MS = 1_000;
/** The file system's clock may be behind by this much. */
const CLOCK_TICK_MS = 20;

async function checkOut({ context, form, request }: Build, aside: string): Promise<MaybeFailure> {
  const { repository } = context;
  const files = join(aside, 'tree');
  const failure = await form.makeFolder(files);
  if (failure !== undefined) return failure;
  try {
    await gitAt(repository.gitDir).must(['read-tree', '--reset', '-u', request.tree], {
      workTree: files,
      environment: { GIT_INDEX_FILE: join(aside, 'index') },
      settings: [...checkoutSettings(context), `checkout.workers=${availableParallelism()}`],
    });
  } catch (cause) {
    if (!(cause instanceof GitError)) throw cause;
    return { code: 'not-checked-out', commit: request.tree, failure: cause.failure };
  }
  return form.finish(files, request.layer);
}

/** The same settings as for the user's own checkout. */
export const checkoutSettings = (context: SandboxContext): readonly string[] => [
  'core.bare=false',
  ...context.repository.user.checkoutSettings.map(({ key, value }) => `${key}=${value}`),
];
