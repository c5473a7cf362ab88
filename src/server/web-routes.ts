// From a path to its reply. Paths are parsed into a route first; nothing reads a path a second time.
import { chooseRun, type OpenProject } from '../app/open-project.ts';
import type { InboxReply, RunsReply } from '../core/protocol/web.ts';
import { nearest } from '../core/plan/language/nearest-name.ts';
import type { EtaCache } from './eta-cache.ts';
import type { Feeds } from './feeds.ts';
import { openLineStream } from './line-stream.ts';
import { RefusedRequest } from './refused-request.ts';
import { wholeNumberIn } from './query.ts';
import { readBody } from './request-body.ts';
import { RUN_POSTS } from './run-commands.ts';
import { RUN_READS } from './run-reads.ts';
import { sendBody, sendJson, type Exchange } from './send.ts';
import { readAsset, readIndex, type StaticFile } from './static-files.ts';

export interface Served {
  readonly feeds: Feeds;
  readonly etas: EtaCache;
  /** The folder of the built page. */
  readonly page: string;
  readonly isReadOnly: boolean;
}

/** For programs, by the name of a run alone. */
const BY_NAME = /^\/runs\/([^/]+)\/petrinaut$/;

/** Whether a path leads to data, which nobody gets without the token. */
export const isOfApi = (path: string): boolean => path === '/api' || path.startsWith('/api/') || BY_NAME.test(path);

const unknownRoute = (): RefusedRequest => new RefusedRequest(404, { code: 'unknown-route' });

export async function replyWithPage(exchange: Exchange, path: string, { page }: Served): Promise<void> {
  const isIndex = path === '/' || path === '/answer';
  const name = /^\/assets\/([\w.-]+)$/.exec(path)?.[1];
  const file = isIndex ? readIndex(page) : name === undefined ? undefined : readAsset(page, name);
  if (file === undefined) throw isIndex ? new RefusedRequest(503, { code: 'page-not-built' }) : unknownRoute();
  mustBeMethod(exchange, 'GET', 'HEAD');
  await sendFile(exchange, file);
}

const sendFile = (exchange: Exchange, { type, bytes, isImmutable }: StaticFile): Promise<void> =>
  sendBody(exchange, {
    status: 200,
    type,
    bytes,
    headers: { 'cache-control': isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache' },
  });

function mustBeMethod({ request }: Exchange, ...methods: readonly string[]): void {
  if (!methods.includes(request.method ?? '')) throw new RefusedRequest(405, { code: 'wrong-method', methods });
}

export async function replyWithData(exchange: Exchange, url: URL, served: Served): Promise<void> {
  const { feeds, isReadOnly } = served;
  const [, named] = BY_NAME.exec(url.pathname) ?? [];
  if (named !== undefined) return await replyByName(exchange, { named, query: url.searchParams, served });
  const [, , first = '', ...rest] = url.pathname.split('/');
  if (first === 'p') return await replyOfRun(exchange, { words: rest, query: url.searchParams, served });
  if (rest.length > 0) throw unknownRoute();
  mustBeMethod(exchange, 'GET');
  const runs = async (): Promise<RunsReply> => ({ isReadOnly, projects: await feeds.projects() });
  const inbox = async (): Promise<InboxReply> => ({ items: await feeds.inbox() });
  if (first === 'runs') return await sendJson(exchange, await runs());
  if (first === 'inbox') return await sendJson(exchange, await inbox());
  if (first === 'stream') return openStream(exchange, url.searchParams, feeds);
  throw unknownRoute();
}

export const METRICS_PATH = '/metrics';

/** For Prometheus. */
export async function replyWithMetrics(exchange: Exchange, { feeds }: Served): Promise<void> {
  mustBeMethod(exchange, 'GET', 'HEAD');
  const { prometheusText, PROMETHEUS_TYPE: type } = await import('../core/view/trace/prometheus-text.ts');
  await sendBody(exchange, { status: 200, type, bytes: Buffer.from(prometheusText(await feeds.metrics())) });
}

function openStream(exchange: Exchange, query: URLSearchParams, feeds: Feeds): void {
  const project = query.get('project') ?? '';
  const run = query.get('run') ?? '';
  const from = wholeNumberIn(query, 'from') ?? 0;
  if (project === '' && run === '') return feeds.attach(openLineStream(exchange), undefined);
  const open = mustBeProject(feeds, project).open('read');
  try {
    chooseRun(open.store, run);
  } finally {
    open.store.close();
  }
  feeds.attach(openLineStream(exchange), { project, run, from });
}

function mustBeProject(feeds: Feeds, id: string): NonNullable<ReturnType<Feeds['find']>> {
  const found = feeds.find(id);
  if (found !== undefined) return found;
  throw new RefusedRequest(404, { code: 'project-unknown', project: id, like: nearest(id, feeds.ids()) });
}

interface ByName {
  readonly named: string;
  readonly query: URLSearchParams;
  readonly served: Served;
}

/** Of several projects with a run of that name, `project` names one. */
async function replyByName(exchange: Exchange, { named, query, served }: ByName): Promise<void> {
  const projects = await served.feeds.projects();
  const run = decoded(named);
  const found = projects.find(({ runs }) => runs.some((each) => each.run === run)) ?? projects[0];
  const project = query.get('project') ?? found?.id ?? '';
  await replyOfRun(exchange, { words: [project, 'r', named, 'petrinaut'], query, served });
}

interface OfRun {
  /** `PROJECT/r/RUN/` and what follows. */
  readonly words: readonly string[];
  readonly query: URLSearchParams;
  readonly served: Served;
}

async function replyOfRun(exchange: Exchange, { words, query, served }: OfRun): Promise<void> {
  const [project = '', mark, run = '', ...what] = words.map(decoded);
  const name = what.join('/');
  if (mark !== 'r') throw unknownRoute();
  const read = RUN_READS.get(name);
  const post = RUN_POSTS.get(name);
  if (read === undefined && post === undefined) throw unknownRoute();
  mustBeMethod(exchange, ...(read === undefined ? [] : ['GET']), ...(post === undefined ? [] : ['POST']));
  const named = mustBeProject(served.feeds, project);
  if (exchange.request.method === 'GET')
    return await withStore(named.open('read'), async (open) => {
      await read?.({
        exchange,
        open,
        record: chooseRun(open.store, run),
        query,
        project,
        etas: served.etas,
        ask: named.ask,
      });
    });
  if (served.isReadOnly) throw new RefusedRequest(403, { code: 'read-only' });
  const body = await readBody(exchange.request);
  await withStore(named.open('control'), async (open) => {
    await post?.({ exchange, open, record: chooseRun(open.store, run), body });
  });
}

async function withStore(open: OpenProject, work: (open: OpenProject) => Promise<void>): Promise<void> {
  try {
    await work(open);
  } finally {
    open.store.close();
  }
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    throw unknownRoute();
  }
}
