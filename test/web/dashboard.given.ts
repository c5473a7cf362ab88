// The dashboard in a real browser: `heddle web` as a process beside a run in a repository of its own.
//
// dashboard/T1. Everything that was started is ended after the test, whether it passed or not.
// dashboard/T2. A page that reports a violation of its policy, an error or a warning fails the test that opened it.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { ROOT } from '../e2e/heddle.given.ts';
import { openProject, type Going, type Project } from '../e2e/world/project.given.ts';
import { CHROMIUM, browser } from '../needs.given.ts';
import { PATIENCE_MS } from '../patience.given.ts';

export const PLAN_HEAD = `heddle: 1
name: web
attempts: 1
sandbox: { tree: checkout, isolation: none }
agents: { ai: { use: scripted, reserve: { usd: 0.5 } } }
agent: ai
`;

export interface Dashboard extends Project {
  /** Starts a run, whose coordinator waits for answers however slow the machine is. */
  readonly begin: () => Going;
  /** Starts `heddle web` and returns its address with the token. */
  readonly serve: (...words: readonly string[]) => Promise<string>;
  /** Kills every server that was started. */
  readonly endServers: () => void;
}

export interface OpenPage extends BrowserContextOptions {
  /** Part of what the browser complains about in this test, such as a connection that is cut. */
  readonly complaint?: string;
  /** The address with the token. */
  readonly url: string;
  /** The page in it, such as `/inbox`. */
  readonly to?: string;
  /** The address says what to show. */
  readonly keepsPlace?: boolean;
}

const opened: Dashboard[] = [];
const started: ChildProcess[] = [];
const troubles: string[] = [];
let shared: Browser | undefined;

function killServers(): void {
  for (const child of started.splice(0)) child.kill('SIGKILL');
}

/** To be called once in a file of tests. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (browser().missing !== undefined) return;
    shared = await chromium.launch({
      executablePath: CHROMIUM,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
    });
  });
  afterEach(async () => {
    for (const context of shared?.contexts() ?? []) await context.close();
    killServers();
    for (const project of opened.splice(0)) await project.end();
    expect(troubles.splice(0), 'what the pages complained about').toEqual([]);
  });
  afterAll(async () => {
    await shared?.close();
  });
}

/** A repository with a plan and one commit. */
export function givenDashboard(tasks: string): Dashboard {
  const project = openProject(`${PLAN_HEAD}${tasks}`);
  const git = (...words: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words], { cwd: project.folder });
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '-m', 'start');
  const dashboard: Dashboard = {
    ...project,
    begin: () => project.start('run', 'plan.yaml', '--json', '--wait', '1h'),
    serve: (...words) => addressOf(project.folder, words),
    endServers: killServers,
  };
  opened.push(dashboard);
  return dashboard;
}

async function addressOf(cwd: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'web', ...words], {
    cwd,
    env: { PATH: process.env['PATH'], HOME: cwd },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  started.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http\S+#token=\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return url;
  }
  throw new Error('No address was printed.');
}

/** Changes the fragment of the address, as a link does. */
export const goTo = async (page: Page, change: (hash: string) => string): Promise<void> => {
  const { hash } = new URL(page.url());
  await page.evaluate(`location.hash = ${JSON.stringify(change(hash))}`);
};

/** A task may be tried again, and lose its commits, between the state that the page shows and its request for the diff. */
const isDiffOfRetried = (text: string, url: string): boolean =>
  text.includes('status of 404') && URL.canParse(url) && new URL(url).pathname.endsWith('/diff');

export async function openPage({ url, to = '/', keepsPlace = false, complaint, ...options }: OpenPage): Promise<Page> {
  if (shared === undefined) throw new Error('A page is opened without a browser.');
  const context = await shared.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('console', (message) => {
    const text = message.text();
    const isExpected =
      complaint === undefined ? isDiffOfRetried(text, message.location().url) : text.includes(complaint);
    if (['error', 'warning'].includes(message.type()) && !isExpected)
      troubles.push(`${text} (${message.location().url})`);
  });
  await page.goto(keepsPlace ? url : `${url}&to=${encodeURIComponent(to)}`);
  return page;
}
