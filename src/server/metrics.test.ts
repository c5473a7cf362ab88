// `/metrics`: the numbers of runs, for those who have a token.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { need } from '../../test/needs.given.ts';
import {
  eventsOf,
  givenRun,
  ownGivenRun,
  projectInMemory,
  projectOnDisk,
  type GivenProject,
} from '../app/web/served-project.given.ts';
import { busyRun } from '../core/view/text/busy-run.given.ts';
import { givenWebServer } from './web-client.given.ts';

const TOKEN = 'a-token-of-prometheus-0123456789abcdef';

function givenBusy(project: GivenProject): void {
  const { log } = busyRun();
  const record = givenRun(project, log, 'odd "name"\\');
  ownGivenRun(project, record).append(log.slice(1), []);
}

describe.each([
  ['in memory', projectInMemory],
  ['on disk', projectOnDisk],
])('the metrics of a store %s', (_, given) => {
  test('have the numbers of its runs, and follow them', async () => {
    const project = given();
    const run = busyRun();
    const record = givenRun(project, run.log);
    const owned = ownGivenRun(project, record);
    const { call } = await givenWebServer([project.served]);
    const lineOf = async (beginning: string): Promise<string | undefined> =>
      (await call('/metrics')).text.split('\n').find((line) => line.startsWith(beginning));
    expect(await lineOf('heddle_spent_usd_total')).toMatch(/ 0$/);
    owned.append(run.log.slice(1), []);
    const { text, headers, status } = await call('/metrics');
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const shown = text
      .split('\n')
      .filter((line) => !line.startsWith('#') && !/_bucket|_sum|_count/.test(line))
      .map((line) => line.replace(/project="[^"]*",run="given-1",?/, ''));
    expect(shown).toMatchInlineSnapshot(`
      [
        "heddle_run_stage{plan="given",stage="new"} 0",
        "heddle_run_stage{plan="given",stage="going"} 1",
        "heddle_run_stage{plan="given",stage="paused"} 0",
        "heddle_run_stage{plan="given",stage="ended"} 0",
        "heddle_run_coordinator_up{} 1",
        "heddle_tasks{stage="done"} 1",
        "heddle_tasks{stage="working"} 2",
        "heddle_tasks{stage="failed"} 1",
        "heddle_tasks{stage="waiting"} 1",
        "heddle_tasks{stage="asking"} 1",
        "heddle_steps_running{} 2",
        "heddle_steps_limit{} 4",
        "heddle_claims_total{work="step",result="returned",reason="failed"} 1",
        "heddle_claims_total{work="step",result="failed",reason="failed"} 1",
        "heddle_claims_total{work="step",result="done",reason=""} 2",
        "heddle_spent_usd_total{} 1.75",
        "heddle_spent_tokens_total{} 2000",
        "heddle_reserved_usd{} 2",
        "heddle_reserved_tokens{} 100000",
        "heddle_budget_usd{} 20",
        "heddle_pool_size{pool="ai"} 3",
        "heddle_pool_held{pool="ai"} 1",
        "heddle_pool_limit{pool="ai"} 3",
        "heddle_merge_queue_length{} 0",
        "heddle_merges_running{} 0",
        "heddle_questions_open{} 1",
        "",
      ]
    `);
  });
});

test('the metrics need a token: the one of the session, or one that opens nothing else', async () => {
  const project = projectInMemory();
  givenRun(project, eventsOf('a: { run: x }'));
  const { call } = await givenWebServer([project.served], { metricsToken: TOKEN });
  const authorization = `Bearer ${TOKEN}`;
  expect((await call('/metrics')).status).toBe(200);
  expect((await call('/metrics', { headers: { authorization } })).status).toBe(200);
  expect((await call('/metrics', { headers: { authorization: '' } })).status).toBe(401);
  expect((await call('/metrics', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
  expect((await call('/api/runs', { headers: { authorization } })).status).toBe(401);
  expect((await call('/metrics', { method: 'POST' })).status).toBe(405);
});

test('promtool accepts the metrics', async (context) => {
  const { error } = spawnSync('promtool', ['--version']);
  need(context, { name: 'promtool', missing: error === undefined ? undefined : 'there is no promtool here' });
  const project = projectInMemory();
  givenBusy(project);
  const { call } = await givenWebServer([project.served]);
  const { text } = await call('/metrics');
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
  expect([status, stdout, stderr]).toEqual([0, '', '']);
});

test('the dashboard of the examples asks for metrics that there are', async () => {
  const file = join(import.meta.dirname, '..', '..', 'examples', 'grafana-dashboard.json');
  const asked = new Set(readFileSync(file, 'utf8').match(/heddle_\w+/g));
  const project = projectInMemory();
  const log = eventsOf('a: { prompt: x }', { plan: 'pools: { p: 1 }\nbudget: { usd: 9 }\n' });
  ownGivenRun(project, givenRun(project, log)).append(log.slice(1), []);
  const { call } = await givenWebServer([project.served]);
  const { text } = await call('/metrics');
  const there = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
  expect([...asked].filter((name) => !there.has(name.replace(/_bucket$/, ''))).toSorted()).toEqual(
    ['heddle_claims_total', 'heddle_claim_duration_seconds_bucket'].toSorted(),
  );
});
