// A client that writes the messages of the protocol itself, so that it can send what no library would.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { ROOT } from '../heddle.given.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface RawClient {
  /** The result, or the error. */
  readonly call: (name: string, given: Fields, besides?: Fields) => Promise<Fields>;
}

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

export function speak(folder: string): RawClient {
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'heddle.js'), 'mcp'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], HOME: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.stdin.end());
  const waiting = new Map<unknown, (reply: Fields) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    // What the program prints is read here and nowhere else.
    const { id, result, error } = JSON.parse(line) as { id: unknown; result?: Fields; error?: Fields };
    waiting.get(id)?.(result ?? error ?? {});
  });
  let last = 0;
  return {
    call: (name, given, besides = {}) =>
      new Promise((resolve) => {
        last += 1;
        waiting.set(last, resolve);
        const params = { name, arguments: given, _meta: META, ...besides };
        child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method: 'tools/call', params })}\n`);
      }),
  };
}
