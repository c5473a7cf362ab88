// Where the page stands, as the fragment of its address: a link leads to a page, a run, a task and a position of the log.
//
// `#/runs`, `#/inbox`, `#/p/PROJECT/r/RUN/PAGE?task=api&at=120&view=table`

export interface PageRoute {
  /** The id of a page in pages/page-table.ts; empty for the first page. */
  readonly page: string;
  readonly project: string | undefined;
  readonly run: string | undefined;
  readonly task: string | undefined;
  /** The position of the log; undefined follows the run. */
  readonly at: number | undefined;
  /** What a page keeps in the address besides, such as its filter. */
  readonly options: Readonly<Record<string, string>>;
}

/** What a link changes; fields that it leaves out keep their value, and undefined takes one away. */
export interface RouteChange {
  readonly page?: string;
  readonly project?: string | undefined;
  readonly run?: string | undefined;
  readonly task?: string | undefined;
  readonly at?: number | undefined;
  readonly options?: Readonly<Record<string, string | undefined>>;
}

/** Reads any fragment; parts that make no sense are left out. */
export function readRoute(hash: string): PageRoute {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parts = path.split('/').slice(1).map(decoded);
  const isOfRun = parts[0] === 'p' && parts[2] === 'r';
  const { task, at, ...options } = Object.fromEntries(new URLSearchParams(query));
  return {
    page: (isOfRun ? parts[4] : parts[0]) ?? '',
    project: isOfRun ? parts[1] : undefined,
    run: isOfRun ? parts[3] : undefined,
    task,
    at: positionIn(at),
    options,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A stray percent sign that somebody typed.
    return part;
  }
}

const positionIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

export function writeRoute({ page, project, run, task, at, options }: PageRoute): string {
  const isOfRun = project !== undefined && run !== undefined;
  const path = isOfRun ? ['p', project, 'r', run, page] : [page];
  const query = new URLSearchParams(options);
  if (task !== undefined) query.set('task', task);
  if (at !== undefined) query.set('at', String(at));
  const text = query.toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

/** Another page begins without the options of the last, and keeps the task and the position of the same run. */
export function changeRoute(route: PageRoute, change: RouteChange): PageRoute {
  const isOtherPage = change.page !== undefined && change.page !== route.page;
  const kept: Readonly<Record<string, string | undefined>> = isOtherPage ? {} : route.options;
  const options = Object.entries({ ...kept, ...change.options }).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, value] as const],
  );
  const isOtherRun = 'run' in change && change.run !== route.run;
  const start = isOtherRun ? { ...route, task: undefined, at: undefined } : route;
  return { ...start, ...change, options: Object.fromEntries(options) };
}
