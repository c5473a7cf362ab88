// `node tools/dashboard-pictures.ts`: records the pictures of the dashboard in docs/pictures. It runs a plan of scripted agents
// in a repository of its own, serves its dashboard, and takes what a person would see in Chromium.
import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser } from '@playwright/test';

const CHROMIUM = '/usr/bin/chromium';
/** Until the first tasks are done and others run. */
const RUNS_FOR_MS = 25_000;
const DRAWN_AFTER_MS = 2500;

const root = join(import.meta.dirname, '..');
const around = mkdtempSync(join(tmpdir(), 'heddle-picture-'));
/** The project goes by the name of its folder. */
const folder = join(around, 'shop');
const heddle = [process.execPath, join(root, 'bin', 'heddle.js')] as const;
const run = (program: string, ...args: readonly string[]): string =>
  execFileSync(program, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

const WORK_ON = `test -n "$2" && printf '• Read  %s\\n• Edit  %s  +41 −3\\n' "$2" "$2"
exec sleep "$1"
`;

interface Picture {
  readonly name: string;
  /** The page, below the address of the run where it is of a run. */
  readonly to: string;
  readonly width: number;
  readonly height: number;
}

const PICTURES: readonly Picture[] = [
  { name: 'dashboard-plan', to: '/p/PROJECT/r/RUN/plan', width: 1280, height: 800 },
  { name: 'dashboard-timeline', to: '/p/PROJECT/r/RUN/timeline', width: 1280, height: 640 },
  { name: 'dashboard-inbox', to: '/inbox', width: 390, height: 400 },
];

function startRun(): void {
  mkdirSync(folder);
  copyFileSync(join(root, 'tools', 'pictures', 'live.yaml'), join(folder, 'plan.yaml'));
  writeFileSync(join(folder, 'work-on.sh'), WORK_ON);
  run('git', 'init', '--quiet');
  run('git', 'add', '.');
  run('git', '-c', 'user.name=Weaver', '-c', 'user.email=weaver@localhost', 'commit', '--quiet', '--message', 'A shop');
  run(...heddle, 'run', 'plan.yaml', '--detach');
}

async function addressIn(stream: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const [url] = /http\S+#token=\S+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('The dashboard printed no address.');
}

async function take(browser: Browser, url: string, { name, to, width, height }: Picture): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: 'light', deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(url);
  // The first page is that of the latest run, so its address names the project and the run.
  await page.waitForURL(/\/r\//);
  const [, project = '', of = ''] = /\/p\/([^/]+)\/r\/([^/?]+)/.exec(page.url()) ?? [];
  await page.evaluate(`location.hash = ${JSON.stringify(to.replace('PROJECT', project).replace('RUN', of))}`);
  await setTimeout(DRAWN_AFTER_MS);
  await page.screenshot({ path: join(root, 'docs', 'pictures', `${name}.png`) });
  await context.close();
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
startRun();
await setTimeout(RUNS_FOR_MS);
const server = spawn(heddle[0], [heddle[1], 'web'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
try {
  const url = await addressIn(server.stdout);
  for (const picture of PICTURES) await take(browser, url, picture);
} finally {
  server.kill('SIGINT');
  await browser.close();
  run(...heddle, 'cancel');
  rmSync(around, { recursive: true, force: true, maxRetries: 5 });
}
