// `heddle hosts`: who is there, from what the server last wrote.
import { findProject } from '../../app/project.ts';
import { readHostsView, type HostsView, type HostView } from '../../app/serve/hosts-view.ts';
import { livingServe } from '../../app/serve-note.ts';
import { plural } from '../../core/view/text/count-text.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import { paint, type Terminal } from '../terminal/terminal.ts';
import { aligned } from '../text/rows.ts';

export function hosts(terminal: Terminal, { json }: { readonly json: boolean }): ExitCode {
  const project = findProject();
  const serve = livingServe(project);
  const view = readHostsView(project);
  if (json) {
    terminal.out(JSON.stringify({ isUp: serve !== undefined, url: serve?.url, ...view }, undefined, 2));
    return EXIT.done;
  }
  if (serve === undefined)
    terminal.err(
      `No heddle serve is up in this project${view === undefined ? '' : '; this is what the last one saw'}.`,
    );
  if (view === undefined || view.hosts.length === 0) terminal.out('No host has joined yet.');
  // Without a server nothing is lost by silence.
  else for (const line of linesOf(terminal, serve === undefined ? withoutLease(view) : view)) terminal.out(line);
  return EXIT.done;
}

const withoutLease = (view: HostsView): HostsView => ({ ...view, leaseMs: Infinity });

function linesOf(terminal: Terminal, view: HostsView): readonly string[] {
  const now = Date.now();
  const table = aligned(
    view.hosts.map((host) => rowOf(host, view, now)),
    '',
  );
  return view.hosts.flatMap((host, at) => [table[at] ?? '', ...detailsOf(terminal, host)]);
}

function rowOf(host: HostView, { leaseMs }: HostsView, now: number): readonly string[] {
  const { name, version, held, width, left, labels } = host;
  const silentMs = now - host.heardAt;
  const room = `${held.length} of ${width} (${left} free)`;
  return [name, stateOf(host, { silentMs, leaseMs }), room, `v${version}`, labels.join(', ')];
}

function stateOf(
  { hasLeft, isDraining }: HostView,
  { silentMs, leaseMs }: { readonly silentMs: number; readonly leaseMs: number },
): string {
  if (hasLeft) return 'has left';
  if (silentMs >= leaseMs) return `silent for ${Math.round(silentMs / 1_000)} s: lost`;
  const spoke = `heard ${Math.round(Math.max(0, silentMs) / 1_000)} s ago`;
  return isDraining ? `leaving, ${spoke}` : spoke;
}

const GIGABYTE = 1e9;
const CLAIMS_SHOWN = 5;

function detailsOf(terminal: Terminal, host: HostView): readonly string[] {
  const { held, agents, diskBytes, memoryBytes, refusedCount, lastRefused } = host;
  const shown = held
    .slice(0, CLAIMS_SHOWN)
    .map(({ run, task, step }) => `${run} ${task}${step === undefined ? '' : `/${step}`}`);
  const more = held.length - shown.length;
  const holds = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
  const free = `    free: ${gigabytes(diskBytes)} disk, ${gigabytes(memoryBytes)} memory`;
  const has = agents === undefined ? '' : `; agents: ${agents.length === 0 ? 'none' : agents.join(', ')}`;
  const refused =
    lastRefused === undefined
      ? []
      : [
          `    ${paint(terminal, 'warn', `${plural(refusedCount, 'report')} refused`)}: the last was ${lastRefused.reported}, attempt ${lastRefused.attempt} of ${lastRefused.task} in ${lastRefused.run}, which it does not hold`,
        ];
  return [...(holds === '' ? [] : [`    holds: ${holds}`]), `${free}${has}`, ...refused];
}

const gigabytes = (bytes: number): string => `${(bytes / GIGABYTE).toFixed(1)} GB`;
