// The dashboard in a real Chromium, over large runs: the time of its main thread for what people do, and the cost of the server.
// Scripts for the page are text, because this file is checked for Node and not for a browser.
// Times of the main thread, because a picture that is late for want of a processor says nothing of the page.
import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { median, processorMsOf } from '../run/heddle.ts';
import { coordinatorMb, peakMbOf } from './bench-tabs.ts';
import { makeLargeRun, OUTPUT_END, type LargeRun } from './large-run.ts';

export interface DashboardFigure {
  readonly tasks: number;
  readonly events: number;
  readonly firstPictureMs: number;
  readonly panMs: number;
  readonly stepMs: number;
  readonly jumpMs: number;
  /** By the clock: from the append to the changed text. */
  readonly eventToPixelMs: number;
  /** The page alone, compressed, without the log. */
  readonly pageKb: number;
  readonly logKb: number;
  /** By the clock: from the click to the last line of a hundred megabytes of output. */
  readonly outputMs: number;
  /** Resident, of a coordinator of as many tasks. */
  readonly coordinatorMb: number;
  /** Of the server, the most at any moment of the minute after five tabs have caught up. */
  readonly serverMb: number;
  /** Of a processor, in the same minute: what is done for tabs that were just opened counts. */
  readonly serverShare: number;
}

const SIZES = [2_000, 10_000] as const;
const CHROMIUM = '/usr/bin/chromium';
const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'heddle.js');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
const PATIENCE_MS = 180_000;
/** Conditions that are text are evaluated in the page, whose policy forbids that. */
const WAITS = { bypassCSP: true } as const;
const IDLE_TABS = 5;
const IDLE_MS = 60_000;

export async function benchDashboard(): Promise<readonly DashboardFigure[]> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  try {
    const figures: DashboardFigure[] = [];
    for (const tasks of SIZES) figures.push(await measure(browser, tasks));
    return figures;
  } finally {
    await browser.close();
  }
}

async function measure(browser: Browser, tasks: number): Promise<DashboardFigure> {
  const large = makeLargeRun(tasks);
  const server = spawn(process.execPath, [PROGRAM, 'web'], { cwd: large.folder, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const url = await addressOf(server);
    const { page, main } = await openPage(browser);
    const loaded = countBytes(main.session);
    await page.goto(url);
    await page.waitForFunction("document.title.includes('·')", undefined, { timeout: PATIENCE_MS });
    await caughtUp(page, large.events);
    const { pageKb, logKb } = loaded();
    const firstPictureMs = await main.during(() => openPlan(page));
    const panMs = await perCall(main, MOVES, () => pan(page));
    await seek(page, 0.5);
    const stepMs = await perCall(main, STEPS, () => stepOn(page));
    const jumpMs = await perCall(main, JUMPS.length, () => jump(page));
    const eventToPixelMs = await eventToPixel(page, large);
    const outputMs = await openOutput(page, large);
    const idle = await idleCost(browser, url, { pid: server.pid ?? 0, events: large.events + SENT });
    await page.close();
    const { events } = large;
    const times = { firstPictureMs, panMs, stepMs, jumpMs, eventToPixelMs, outputMs };
    return { tasks, events, ...times, pageKb, logKb, ...idle, coordinatorMb: await coordinatorMb(tasks) };
  } finally {
    server.kill('SIGINT');
    large.close();
  }
}

const addressOf = (server: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    server.stdout?.once('data', (text: Buffer) => resolve(text.toString('utf8').trim()));
    server.once('exit', () => reject(new Error('The server ended.')));
  });

/** Bytes on the wire so far: of the page's own files, and of data. */
function countBytes(session: CDPSession): () => { readonly pageKb: number; readonly logKb: number } {
  const isData = new Map<string, boolean>();
  let [pageBytes, dataBytes] = [0, 0];
  const count = (id: string, bytes: number): void => {
    if (isData.get(id) === true) dataBytes += bytes;
    else pageBytes += bytes;
  };
  session.on('Network.requestWillBeSent', ({ requestId, request }) =>
    isData.set(requestId, new URL(request.url).pathname.startsWith('/api')),
  );
  session.on('Network.dataReceived', ({ requestId, encodedDataLength }) => count(requestId, encodedDataLength));
  return () => ({ pageKb: pageBytes / 1024, logKb: dataBytes / 1024 });
}

interface MainThread {
  readonly session: CDPSession;
  /** Milliseconds of work of the main thread. */
  readonly during: (work: () => Promise<void>) => Promise<number>;
}

async function openPage(browser: Browser): Promise<{ readonly page: Page; readonly main: MainThread }> {
  const page = await browser.newPage({ ...WAITS, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(PATIENCE_MS);
  const session = await page.context().newCDPSession(page);
  // Time of the processor and not of the clock, which counts what other programs do meanwhile.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await session.send('Network.enable');
  const busyMs = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
  const during = async (work: () => Promise<void>): Promise<number> => {
    const before = await busyMs();
    await work();
    return (await busyMs()) - before;
  };
  return { page, main: { session, during } };
}

const perCall = async (main: MainThread, calls: number, work: () => Promise<void>): Promise<number> =>
  (await main.during(work)) / calls;

/** Until the replay bar counts all events. */
const caughtUp = async (page: Page, events: number): Promise<void> => {
  const counts = `document.querySelector('.replay-clock')?.textContent.includes('${events}') === true`;
  await page.waitForFunction(counts, undefined, { timeout: PATIENCE_MS });
};

/** The page that is shown first is another one, so all of the drawing is counted, and none of the log's way here. */
async function openPlan(page: Page): Promise<void> {
  await page.evaluate("location.hash = location.hash.replace(/\\/run.*$/, '/plan')");
  await page.waitForSelector('.plan-canvas');
  await settled(page);
}

/** Two frames later everything that was asked for has been drawn. */
const settled = async (page: Page): Promise<void> => {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))');
};

const MOVES = 60;

async function pan(page: Page): Promise<void> {
  await page.mouse.move(700, 500);
  await page.mouse.down();
  for (let move = 0; move < MOVES; move += 1) {
    await page.mouse.move(700 - move * 4, 500 - move * 3);
    await settled(page);
  }
  await page.mouse.up();
}

const STEPS = 40;

async function stepOn(page: Page): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await page.keyboard.press(']');
    await settled(page);
  }
}

const JUMPS = [0.1, 0.93, 0.4, 0.77, 0.2, 0.6, 0.05, 0.85] as const;

async function jump(page: Page): Promise<void> {
  for (const share of JUMPS) await seek(page, share);
}

/** As a person drags the slider: React listens to the input event of the element's own setter. */
async function seek(page: Page, share: number): Promise<void> {
  await page.getByLabel('Position in the log').fill(String(Math.round(share * 10_000)));
  await settled(page);
}

const SENT = 10;

async function eventToPixel(page: Page, large: LargeRun): Promise<number> {
  await page.getByRole('button', { name: /Live|End/ }).click();
  const times: number[] = [];
  for (let sent = 1; sent <= SENT && large.appendNext(); sent += 1) {
    const from = performance.now();
    await caughtUp(page, large.events + sent);
    times.push(performance.now() - from);
  }
  return median(times);
}

async function openOutput(page: Page, { talkative }: LargeRun): Promise<number> {
  const from = performance.now();
  await page.evaluate(`location.hash = location.hash.replace(/\\/plan.*$/, '/task?task=${talkative}')`);
  const ends = `document.querySelector('.terminal')?.textContent.includes(${JSON.stringify(OUTPUT_END)}) === true`;
  // By frames: a locator looks again after half a second.
  await page.waitForFunction(ends, undefined, { timeout: PATIENCE_MS });
  return performance.now() - from;
}

async function idleCost(
  browser: Browser,
  url: string,
  { pid, events }: { readonly pid: number; readonly events: number },
): Promise<Pick<DashboardFigure, 'serverMb' | 'serverShare'>> {
  const tabs = await Promise.all(Array.from({ length: IDLE_TABS - 1 }, () => browser.newPage(WAITS)));
  await Promise.all(tabs.map((tab) => tab.goto(url)));
  await Promise.all(tabs.map((tab) => caughtUp(tab, events)));
  const server = nodeBelow(pid);
  forgetPeak(server);
  const before = processorMsOf(server);
  const from = performance.now();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const serverShare = (processorMsOf(server) - before) / (performance.now() - from);
  const serverMb = peakMbOf(server);
  await Promise.all(tabs.map((tab) => tab.close()));
  return { serverMb, serverShare };
}

/** The system counts the peak of a process from here on. */
const forgetPeak = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5');

/** The launcher may have started the program in a process of its own. */
function nodeBelow(pid: number): number {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return child ?? pid;
}

export function printDashboard(figures: readonly DashboardFigure[]): void {
  console.log('\nThe dashboard in Chromium: milliseconds of the main thread, beside what is asked for.');
  console.log('The server: from the moment that five tabs have caught up, for a minute.');
  console.table(
    figures.map(({ tasks, events, ...figure }) => ({
      tasks,
      events,
      'first picture (≤ 1000, 3000)': Math.round(figure.firstPictureMs),
      'pan (≤ 8)': Number(figure.panMs.toFixed(1)),
      'replay step (≤ 8)': Number(figure.stepMs.toFixed(1)),
      'slider jump (≤ 250)': Math.round(figure.jumpMs),
      'event to pixel (≤ 250)': Math.round(figure.eventToPixelMs),
      'output of 100 MB (≤ 500)': Math.round(figure.outputMs),
      'page kB (≤ 300)': Math.round(figure.pageKb),
      'log kB': Math.round(figure.logKb),
      'server MB, peak (≤ coordinator + 40)': `${Math.round(figure.serverMb)}, ${Math.round(figure.coordinatorMb)}`,
      'server, five idle tabs (≤ 1 %)': `${(figure.serverShare * 100).toFixed(2)} %`,
    })),
  );
}
