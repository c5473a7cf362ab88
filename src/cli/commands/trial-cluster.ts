// `heddle cluster`: a trial of a cluster on this machine, for people who want to see one.
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { livingParts, readClusterBook, type TrialEngine } from '../../app/cluster/cluster-book.ts';
import { clusterDown } from '../../app/cluster/cluster-down.ts';
import { clusterUp, serverFolder } from '../../app/cluster/cluster-up.ts';
import { fetchRestate, restateProgram, RESTATE_VERSION } from '../../app/cluster/engine-programs.ts';
import { findProject, mustNotBeNested } from '../../app/project.ts';
import { Refused } from '../../app/refused.ts';
import { confirmed } from '../terminal/ask.ts';
import { EXIT, type ExitCode } from '../terminal/exit-code.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { aligned } from '../text/rows.ts';

export interface ClusterFlags {
  readonly hosts: number;
  readonly engine: TrialEngine;
  readonly width: number;
  readonly home: string | undefined;
  readonly yes: boolean;
}

const homeOf = (named: string | undefined): string => resolve(named ?? join(homedir(), '.heddle-cluster'));

export async function up(
  terminal: Terminal,
  { hosts, engine, width, home: named, yes }: ClusterFlags,
): Promise<ExitCode> {
  mustNotBeNested();
  const home = homeOf(named);
  const { root: project } = findProject();
  if (!existsSync(join(project, '.git'))) throw new Refused({ code: 'cluster-project', folder: project });
  if (engine === 'restate' && !(await hasRestate(terminal, home, yes))) return EXIT.waiting;
  terminal.err('Starting the engine, two servers and the hosts.');
  const parts = await clusterUp({ home, project, engine, hosts, width });
  terminal.out(
    aligned(
      parts.map(({ name, pid, url }) => [name, String(pid), url ?? '']),
      '',
    ).join('\n'),
  );
  const first = serverFolder(home, 1);
  terminal.out(
    [
      '',
      `cd ${first} && heddle run PLAN   starts a run; its steps run on the hosts`,
      `cd ${serverFolder(home, 2)} && heddle status   shows it from the other server`,
      `kill -9 ${parts.find(({ name }) => name === 'serve-1')?.pid ?? 'PID'}   and the other server goes on with it within seconds`,
      'heddle cluster down   ends all of this',
    ].join('\n'),
  );
  return EXIT.done;
}

/** The server of Restate is fetched once into the folder of the trial. */
async function hasRestate(terminal: Terminal, home: string, yes: boolean): Promise<boolean> {
  const folder = join(home, 'restate-server');
  if (existsSync(restateProgram(folder))) return true;
  const question = `Fetch the server of Restate ${RESTATE_VERSION} from npm (about 220 MB, licence BSL 1.1) into ${folder}?`;
  if (!(await confirmed(terminal, question, yes))) return false;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  await fetchRestate(folder);
  return true;
}

export function showCluster(
  terminal: Terminal,
  { home: named, json }: { readonly home: string | undefined; readonly json: boolean },
): ExitCode {
  const home = homeOf(named);
  const book = readClusterBook(home);
  if (book === undefined) throw new Refused({ code: 'cluster-none', home });
  const living = new Set(livingParts(book));
  const parts = book.parts.map((part) => ({ ...part, isRunning: living.has(part) }));
  if (json) terminal.out(JSON.stringify({ home, engine: book.engine, project: book.project, parts }, undefined, 2));
  else {
    const rows = parts.map(({ name, pid, url, isRunning }) => [
      name,
      isRunning ? `running, ${pid}` : 'ended',
      url ?? '',
    ]);
    terminal.out([`A trial of ${book.project} on ${book.engine}, in ${home}`, ...aligned(rows, '')].join('\n'));
  }
  return EXIT.done;
}

export async function down(terminal: Terminal, named: string | undefined): Promise<ExitCode> {
  const home = homeOf(named);
  const ended = await clusterDown(home);
  if (ended === undefined) throw new Refused({ code: 'cluster-none', home });
  terminal.out(ended.length === 0 ? 'Nothing of the trial was running.' : `Ended ${ended.join(', ')}.`);
  terminal.out(`Its runs and its repository are in ${home}; heddle cluster up goes on with them.`);
  return EXIT.done;
}
