// What may be reached from a sandbox that the system isolates: what the plan lists, through a way out of ours.
import { createServer, type Server } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isolation, skipUnless } from '../../needs.given.ts';
import { endPrisonsAfterEach, givenPrison } from './prison.given.ts';

endPrisonsAfterEach();

const ISOLATION = await isolation();

/** Says what came of asking for a page. */
const ASK = `const [, , url] = process.argv;
fetch(url).then(async (answer) => console.log(url, answer.status, (await answer.text()).trim()), (cause) => console.log(url, 'failed', cause.cause?.code ?? cause.message));
`;

describe('a sandbox that the system isolates', () => {
  skipUnless(ISOLATION);

  test('reaches the listed hosts and nothing else, and names the refused ones', async () => {
    const [listed, other] = [await serving('hello from here'), await serving('not for you')];
    const prison = givenPrison({
      sandbox: `isolation: os, network: ["127.0.0.2:${listed}", "*.example.invalid"]`,
      tasks: `tasks:
  one:
    run: "node ask.js http://127.0.0.2:${listed}/; node ask.js http://127.0.0.2:${other}/; node ask.js http://127.0.0.1:${listed}/; node ask.js https://www.example.com/; node ask.js http://a.example.invalid/"
`,
      files: { 'ask.js': ASK },
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    const said = await prison.said('one');
    expect(said).toContain(`http://127.0.0.2:${listed}/ 200 hello from here`);
    expect(said).toMatch(new RegExp(`http://127.0.0.2:${other}/ (403|failed)`));
    expect(said).not.toContain('not for you');
    expect(said).toContain('www.example.com:443 may not be reached from this sandbox');
    expect(said).toMatch(/a\.example\.invalid\/ (502|failed)/);
  });

  test('reaches nothing when nothing is listed, and nothing that is not an agents without a list', async () => {
    const port = await serving('hello from here');
    for (const network of ['network: none', 'network: []', '']) {
      const prison = givenPrison({
        sandbox: ['isolation: os', network].filter((part) => part !== '').join(', '),
        tasks: `tasks:\n  one:\n    run: "node ask.js http://127.0.0.1:${port}/"\n`,
        files: { 'ask.js': ASK },
      });
      expect(await prison.heddle('run')).toMatchObject({ code: 0 });
      expect(await prison.said('one')).toContain('failed ECONNREFUSED');
    }
  });

  test('reaches everything when the plan says all', async () => {
    const port = await serving('hello from here');
    const prison = givenPrison({
      sandbox: 'isolation: os, network: all',
      tasks: `tasks:\n  one:\n    run: "node ask.js http://127.0.0.1:${port}/"\n`,
      files: { 'ask.js': ASK },
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
    expect(await prison.said('one')).toContain('200 hello from here');
  });

  test('has ports of its own: all listen on one at once', async () => {
    const listen =
      'node -e "require(\\"net\\").createServer().listen(3000, () => setTimeout(() => process.exit(0), 500)).on(\\"error\\", () => process.exit(1))"';
    const prison = givenPrison({
      sandbox: 'isolation: os',
      tasks: `tasks:\n${['one', 'two', 'three', 'four'].map((name) => `  ${name}:\n    run: ${listen}\n`).join('')}`,
    });
    expect(await prison.heddle('run')).toMatchObject({ code: 0 });
  });

  test('gives its programs nothing of the channel through which its sockets were opened', async () => {
    const look = 'test -z "$NODE_CHANNEL_FD" && test ! -e /proc/$$/fd/3';
    const prison = givenPrison({
      sandbox: 'isolation: os, network: [localhost]',
      tasks: `tasks:\n  one:\n    run: '${look}'\n`,
    });
    expect(await prison.heddle('run', '--json')).toMatchObject({ code: 0 });
  });
});

async function serving(words: string): Promise<number> {
  const server: Server = createServer((_, answer) => answer.end(words));
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
