// `--web` of commands that run a plan: the dashboard beside the run, in a process of its own.
import type { LinkFor } from '../../app/notify-parts.ts';
import type { Project } from '../../app/project.ts';
import { answerLink, TICKET_VALID_MS } from '../../app/web/answer-ticket.ts';
import { servedProject } from '../../app/web/served-project.ts';
import { startWebProcess } from '../../app/web/web-process.ts';
import { listenForInterrupts } from '../terminal/interrupts.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface WebBesideFlags {
  readonly web: boolean;
  readonly webPort: number;
  /** The address under which a proxy or a tunnel serves it. */
  readonly publicUrl: string | undefined;
}

export interface WebBeside {
  readonly linkFor: LinkFor | undefined;
  /** At a terminal, keeps the dashboard until Ctrl-C. */
  readonly close: () => Promise<void>;
}

const NOTHING: WebBeside = { linkFor: undefined, close: () => Promise.resolve() };

export interface BesideRun {
  readonly project: Project;
  readonly run: string;
}

/** A dashboard that does not start is reported, and the run goes on without it. */
export async function openWebBeside(
  terminal: Terminal,
  { project, run }: BesideRun,
  { web, webPort, publicUrl }: WebBesideFlags,
): Promise<WebBeside> {
  if (!web) return NOTHING;
  const flags = publicUrl === undefined ? [] : ['--public-url', publicUrl];
  const started = await startWebProcess({ project, run, flags }, webPort);
  if (started.type === 'failed') {
    terminal.err(`The dashboard did not start: ${started.message}. The run goes on; heddle web tries again.`);
    return NOTHING;
  }
  const { url, secret, stop } = started;
  terminal.err(`The dashboard is at ${url}`);
  const { id } = servedProject(project);
  const linkFor: LinkFor = (question) =>
    answerLink(publicUrl ?? '', { project: id, run, ...question, expiresAt: Date.now() + TICKET_VALID_MS }, secret);
  return {
    linkFor: publicUrl === undefined ? undefined : linkFor,
    close: async () => {
      if (terminal.isInteractive) await untilInterrupted(terminal, url);
      stop();
    },
  };
}

async function untilInterrupted(terminal: Terminal, url: string): Promise<void> {
  terminal.err(`The dashboard stays at ${url} until Ctrl-C.`);
  await new Promise<void>((resolve) => {
    const stop = listenForInterrupts(() => {
      stop();
      resolve();
    });
  });
}
