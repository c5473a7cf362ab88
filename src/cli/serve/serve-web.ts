// `heddle web`: serves the dashboard until Ctrl-C, whether or not a coordinator is up.
import { chooseRun } from '../../app/open-project.ts';
import { findProject, mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { openBrowser } from '../../app/web/open-browser.ts';
import { awaitParent, type WebSecrets } from '../../app/web/web-process.ts';
import { projectsBelow, servedProject, type ServedProject } from '../../app/web/served-project.ts';
import type { WebServer } from '../../server/web-server.ts';
import { EXIT, type ExitCode, CommandFailure } from '../terminal/exit-code.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { listenForCalls, mustBeSafe, tlsOf, type Listening, type Tls } from './listening.ts';

export interface WebFlags extends Listening {
  readonly open: boolean;
  readonly root: string | undefined;
  readonly readOnly: boolean;
  /** Started by a coordinator, which prints the address. */
  readonly withParent: boolean;
}

export async function serveWeb(terminal: Terminal, named: string | undefined, flags: WebFlags): Promise<ExitCode> {
  mustNotBeNested();
  const tls = tlsOf(flags);
  mustBeSafe(flags, tls !== undefined);
  const projects = projectsFor(flags);
  const shown = named === undefined ? '' : placeOf(projects(), named);
  if (flags.withParent) return await serveForParent({ flags, projects, tls, shown });
  const server = await start(terminal.err, { flags, projects, tls, shown, secrets: undefined });
  terminal.out(`${server.url()}${shown}`);
  terminal.err('The dashboard is at this address until Ctrl-C. The address holds its key, so share it with nobody.');
  if (flags.open && !(await openBrowser(server.urlToOpen())))
    terminal.err('No browser could be started here; open the address yourself.');
  await new Promise<void>((resolve) => {
    const stop = listenForInterrupts(() => {
      stop();
      resolve();
    });
  });
  await server.close();
  return EXIT.done;
}

/** `heddle run --web`: the coordinator prints the address, and this process ends with it. */
async function serveForParent(serving: Omit<Serving, 'secrets'>): Promise<ExitCode> {
  const parent = await awaitParent();
  // A terminal signals the whole foreground; the coordinator decides when the server ends.
  const stop = listenForInterrupts(() => undefined);
  try {
    const server = await start(() => undefined, { ...serving, secrets: parent.secrets });
    parent.tell({ type: 'started', url: `${server.url()}${serving.shown}`, port: server.port });
    await parent.gone;
    await server.close();
    return EXIT.done;
  } catch (cause) {
    parent.tell({ type: 'failed', message: cause instanceof Error ? cause.message : String(cause) });
    throw cause;
  } finally {
    stop();
  }
}

/** Refuses a folder without runs, where there would be nothing to see. */
function projectsFor({ root }: WebFlags): () => readonly ServedProject[] {
  if (root === undefined) {
    const project = servedProject(findProject());
    project.open('read').store.close();
    return () => [project];
  }
  const search = (): readonly ServedProject[] => projectsBelow(root).map(servedProject);
  if (search().length === 0) throw new Refused({ code: 'no-runs', folder: root });
  return search;
}

/** The rest of the fragment, which tells the page what to show first. */
function placeOf([project, ...others]: readonly ServedProject[], run: string): string {
  if (project === undefined || others.length > 0)
    throw new CommandFailure('A run is named within one project: leave out the run, or --root.');
  const open = project.open('read');
  try {
    return `&to=/p/${project.id}/r/${chooseRun(open.store, run).run}`;
  } finally {
    open.store.close();
  }
}

interface Serving {
  readonly flags: WebFlags;
  readonly projects: () => readonly ServedProject[];
  readonly tls: Tls;
  readonly shown: string;
  /** Of the parent; undefined when there is none, and nobody signs tickets. */
  readonly secrets: WebSecrets | undefined;
}

async function start(
  say: (text: string) => void,
  { flags, projects, tls, shown, secrets }: Serving,
): Promise<WebServer> {
  const server = await listenForCalls({
    flags,
    say,
    projects,
    tls,
    isReadOnly: flags.readOnly,
    ticketSecret: secrets?.secret,
    token: secrets?.token,
    onReplaced: () => {
      say('The link for the browser was used twice, so another program has seen it. The address is now:');
      say(`${server.url()}${shown}`);
    },
  });
  return server;
}
