// A store that is damaged, a log that was shortened, a client that takes compressed data or goes away.
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import * as http from 'node:http';
import { expect, test, vi } from 'vitest';
import { PATIENCE_MS } from '../../test/patience.given.ts';
import { damageStore } from '../app/web/damage-store.given.ts';
import { eventsOf, givenRun, ownGivenRun, projectOnDisk } from '../app/web/served-project.given.ts';
import { given } from '../core/engine/run.given.ts';
import { givenWebServer } from './web-client.given.ts';

function longLog(): ReturnType<typeof eventsOf> {
  const run = given(Array.from({ length: 200 }, (_, index) => `t${index}: { run: x }`).join('\n'));
  return run.log;
}

test('a damaged log is shown as far as it reads, with the reason, and other runs are not harmed', async () => {
  const project = projectOnDisk();
  const log = longLog();
  const record = givenRun(project, log);
  const writer = ownGivenRun(project, record);
  writer.append(log.slice(1, 10), []);
  writer.release();
  givenRun(project, log);
  project.store.close();
  damageStore(project.root, "UPDATE events SET json = replace(json, 't', 'T') WHERE run = 'given-1' AND position = 5");
  const { openTab, call } = await givenWebServer([project.served]);
  const tab = await openTab(`?project=${project.served.id}&run=${record.run}&from=0`);
  const lines = await tab.until(({ type }) => type === 'damaged');
  expect(lines.filter(({ type }) => type === 'event')).toHaveLength(5);
  expect(lines.at(-1)).toMatchObject({
    type: 'damaged',
    position: 5,
    code: 'store',
    failure: { code: 'store', failure: { code: 'damaged' } },
  });
  expect((await call('/api/runs')).json).toMatchObject({
    projects: [{ runs: [{ position: 5, error: { code: 'store' } }, { run: 'given-2' }] }],
  });
  const status = await call(`/api/p/${project.served.id}/r/${record.run}/status`);
  expect([status.status, status.json]).toMatchObject([503, { code: 'store', failure: { code: 'damaged' } }]);
});

test('a client that takes gzip gets the stream compressed, line by line', async () => {
  const project = projectOnDisk();
  const log = longLog();
  const record = givenRun(project, log);
  ownGivenRun(project, record).append(log.slice(1), []);
  const { server, token } = await givenWebServer([project.served]);
  const parts: Buffer[] = [];
  const request = http.get({
    host: '127.0.0.1',
    port: server.port,
    path: `/api/stream?project=${project.served.id}&run=${record.run}`,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip, deflate' },
  });
  const response = await new Promise<http.IncomingMessage>((resolve) => void request.on('response', resolve));
  response.on('data', (part: Buffer) => parts.push(part)).on('error', () => undefined);
  expect(response.headers['content-encoding']).toBe('gzip');
  // The stream does not end, so what was flushed so far has to make whole lines.
  const text = (): string => gunzipSync(Buffer.concat(parts), { finishFlush: 2 }).toString('utf8');
  await vi.waitFor(() => expect(text()).toContain('"caught-up"'), { timeout: PATIENCE_MS, interval: 20 });
  expect(text().match(/"type":"event"/g)).toHaveLength(log.length);
  request.destroy();
});

test('a server without tabs looks at no store', async () => {
  const project = projectOnDisk();
  const record = givenRun(project, longLog());
  let looks = 0;
  const identity = (): string | undefined => {
    looks += 1;
    return project.served.identity();
  };
  const { openTab } = await givenWebServer([{ ...project.served, identity }]);
  const tabs = [];
  for (let count = 0; count < 5; count += 1)
    tabs.push(await openTab(`?project=${project.served.id}&run=${record.run}&from=0`));
  const open = looks;
  await vi.waitFor(() => expect(looks).toBeGreaterThan(open + 3), { timeout: PATIENCE_MS, interval: 20 });
  for (const tab of tabs) tab.close();
  // Two looks would be further apart than this, so that one in between shows.
  await vi.waitFor(
    async () => {
      const before = looks;
      await setTimeout(1_500);
      expect(looks).toBe(before);
    },
    { timeout: PATIENCE_MS, interval: 20 },
  );
});
