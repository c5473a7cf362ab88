// The same tools at the address of the dashboard, behind its token and its checks.
import { request } from 'node:http';
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../world/given-project.given.ts';
import { until, type Project } from '../world/project.given.ts';
import { connect, YEARS, YES } from './mcp-client.given.ts';
import { GATED, givenRepository } from './mcp-project.given.ts';

endProjectsAfterEach();

interface Served {
  readonly url: string;
  readonly token: string;
}

async function serve(project: Project, ...flags: readonly string[]): Promise<Served> {
  const going = project.start('web', ...flags);
  const [, url = '', token = ''] = await until(() => /^(http:[^#]*)#token=([\w-]+)/m.exec(going.out()) ?? undefined);
  return { url: `${url}mcp`, token };
}

async function givenRun(): Promise<Project> {
  const project = givenRepository(GATED);
  await project.heddle('run', '--wait', '0s');
  return project;
}

test('a client reads, is asked and starts by HTTP, in every version of the protocol', async () => {
  const project = await givenRun();
  const at = await serve(project);
  for (const [index, year] of YEARS.entries()) {
    const client = await connect({ folder: project.folder, year, person: () => YES, at });
    expect((await client.call('inbox')).text).toContain('shop-1 ship: gate');
    expect((await client.call('start', { ceiling_usd: 1 })).text).toContain(`shop-${index + 2} has started`);
    expect(await client.read('heddle://runs/shop-1/plan')).toBe(GATED);
  }
});

test('a client that cannot ask by HTTP gets the command to type, in every version of the protocol', async () => {
  const project = await givenRun();
  const at = await serve(project);
  for (const year of YEARS) {
    const client = await connect({ folder: project.folder, year, at });
    expect((await client.call('start', { ceiling_usd: 1 })).text).toContain('The person can type: heddle run');
  }
  expect((await project.heddle('runs')).out).not.toContain('shop-2');
});

test('a server that is read-only offers nothing else', async () => {
  const project = await givenRun();
  const at = await serve(project, '--read-only');
  const client = await connect({ folder: project.folder, year: '2026-07-28', person: () => YES, at });
  expect((await client.tools()).map(({ name }) => name)).not.toContain('start');
});

const statusOf = (url: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(
      url,
      { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
      (reply) => {
        reply.resume();
        resolve(reply.statusCode ?? 0);
      },
    );
    asked.on('error', reject);
    asked.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  });

test('nobody gets in without the token, by a rebound name or from another site', async () => {
  const project = await givenRun();
  const { url, token } = await serve(project);
  const authorization = `Bearer ${token}`;
  expect(await statusOf(url, {})).toBe(401);
  expect(await statusOf(url, { authorization: 'Bearer wrong' })).toBe(401);
  expect(await statusOf(url, { authorization, host: 'evil.example' })).toBe(421);
  expect(await statusOf(url, { authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await statusOf(`${url}/nowhere`, { authorization })).toBe(404);
});
