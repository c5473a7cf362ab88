import { expect, test } from 'vitest';
import type { StreamLine } from '../../src/core/protocol/web.ts';
import { followStream, waitBeforeTry, type StreamState } from './follow-stream.ts';
import type { ServerApi } from './server-api.ts';

const never = (): Promise<never> => new Promise(() => undefined);

/** A server that answers each call with the next of these; then nobody answers. */
function given(replies: readonly (Response | undefined)[]) {
  const paths: string[] = [];
  const lines: StreamLine[] = [];
  const links: StreamState['type'][] = [];
  const refused: unknown[] = [];
  const left = [...replies];
  const api: ServerApi = {
    get: never,
    getText: never,
    getBytes: never,
    post: never,
    open: (path) => {
      paths.push(path);
      return left.length === 0 ? never() : Promise.resolve(left.shift());
    },
  };
  const seen = (): number =>
    lines.reduce((most, line) => ('position' in line ? Math.max(most, line.position) : most), 0);
  const done = new Promise<void>((resolve) => {
    const end = followStream({
      api,
      path: () => `from=${seen()}`,
      onLine: (line) => void lines.push(line),
      network: new EventTarget(),
      onLink: (link) => {
        const { type } = link;
        links.push(type);
        if (link.type === 'refused') refused.push(link.error);
        if (paths.length > replies.length || type === 'refused') {
          end();
          resolve();
        }
      },
    });
  });
  return { paths, lines, links, refused, done };
}

const event = (position: number): string => `${JSON.stringify({ type: 'event', position, event: {} })}\n`;

test('a stream that is cut is taken up after the last line that was whole', async () => {
  const cut = `${event(1)}${event(2)}${event(3).slice(0, 12)}`;
  const { paths, lines, links, refused, done } = given([
    new Response(cut),
    undefined,
    new Response(`${event(3)}${event(4)}`),
    new Response('{"code":"run-unknown","run":"a"}', { status: 404 }),
  ]);
  await done;
  expect(lines.map((line) => ('position' in line ? line.position : undefined))).toEqual([1, 2, 3, 4]);
  expect(paths).toEqual(['from=0', 'from=2', 'from=2', 'from=4']);
  expect(links).toEqual(['connecting', 'open', 'away', 'away', 'open', 'away', 'refused']);
  expect(refused).toEqual([{ code: 'run-unknown', run: 'a' }]);
});

test('tries come at once at first and rarely later', () => {
  expect([0, 1, 5, 50].map(waitBeforeTry)).toEqual([250, 500, 8000, 8000]);
});
