// People are told of real runs: by a command, a server on this machine and a stand-in of the desktop's program.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

const NOTE = 'cat >> told.jsonl';

interface NoticeLine {
  readonly trigger: string;
  readonly task: string | null;
  readonly text: string;
  readonly event: number;
}

const linesIn = (file: string): readonly NoticeLine[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        // What the program promises of its own output is what these tests look at.
        .map((line) => JSON.parse(line) as NoticeLine)
    : [];

const told = (project: Project): readonly string[] =>
  linesIn(project.file('told.jsonl')).map(({ trigger, task }) => (task === null ? trigger : `${trigger} ${task}`));

describe('a command', () => {
  test('hears of questions, gates and the end of a run, each once through restarts', async () => {
    const project = givenProject(`notify: { command: "${NOTE}" }
agents: { ai: { use: scripted } }
agent: ai
tasks:
  asks: { prompt: "@once .asked @ask Which one?" }
  ship: { needs: asks, gate: Ship it? }
  bad: { needs: ship, run: exit 3, attempts: 1 }
`);
    expect((await project.heddle('run', '--wait', '0s')).code).toBe(3);
    expect(told(project)).toEqual(['question asks']);
    // Nothing has changed, so a restart tells nothing.
    expect((await project.heddle('resume', '--wait', '0s')).code).toBe(3);
    expect(told(project)).toEqual(['question asks']);
    await project.heddle('answer', 'asks', 'This one.');
    expect((await project.heddle('resume', '--wait', '0s')).code).toBe(3);
    await project.heddle('approve', 'ship');
    expect((await project.heddle('resume')).code).toBe(1);
    expect(told(project)).toEqual(['question asks', 'approval ship', 'failed']);
    expect(linesIn(project.file('told.jsonl'))[0]?.text).toBe('Which one?');
  });

  test('hears what a coordinator that was killed could not tell', async () => {
    const project = givenProject(`notify: { command: "test -e may-tell && ${NOTE} || sleep 300" }
tasks: { ship: { gate: Ship it? } }
`);
    const going = project.start('run', '--wait', '10m', '--json');
    await going.sees(({ to }) => to === 'asking');
    process.kill(going.pid, 'SIGKILL');
    await going.ended;
    expect(told(project)).toEqual([]);
    writeFileSync(project.file('may-tell'), '');
    expect((await project.heddle('resume', '--wait', '0s')).code).toBe(3);
    expect(told(project)).toEqual(['approval ship']);
  });

  test('is sent when a run was stopped', async () => {
    const project = givenProject(`notify: { on: ended, command: "${NOTE}" }\ntasks: { a: { run: sleep 300 } }\n`);
    const going = project.start('run', '--json');
    await going.sees(({ type, work }) => work === 'step' && type === 'claim.made');
    await project.heddle('stop');
    expect((await going.ended).code).toBe(3);
    expect(told(project)).toEqual(['stopped']);
  });

  test('that fails or hangs changes nothing of the run, and a person reads of it', async () => {
    const failing = givenProject(
      'notify: { command: "echo no channel >&2; exit 4" }\ntasks: { a: { run: echo fine } }\n',
    );
    const ran = await failing.heddle('run');
    expect(ran.code).toBe(0);
    expect(ran.errors).toContain('The command of notify ended with exit code 4: no channel');
    const hanging = givenProject('notify: { command: "echo $$ > pid; sleep 300" }\ntasks: { a: { run: echo fine } }\n');
    const held = await hanging.heddle('run');
    expect(held.code).toBe(0);
    expect(held.errors).toContain('was ended, because the run is over and it was not.');
    const pid = Number(readFileSync(hanging.file('pid'), 'utf8'));
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), { timeout: PATIENCE_MS });
  });
});

test('a webhook and the desktop are notified, and the token of an address is nowhere', async () => {
  const posted: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    posted.push(`${request.url} ${await text(request)}`);
    response.end();
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;
  const env = { HOOK: `http://127.0.0.1:${port}/s3cret`, PATH: '' };
  const project = givenProject(
    'notify: { webhook: "${HOOK}", desktop: true }\ntasks: { a: { run: echo fine } }\n',
    env,
  );
  const bin = project.file('bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'notify-send'), '#!/bin/sh\nprintf "%s\\n" "$@" > shown\n');
  chmodSync(join(bin, 'notify-send'), 0o755);
  env.PATH = `${bin}:${process.env['PATH'] ?? ''}`;
  const ran = await project.heddle('run');
  expect(ran.code).toBe(0);
  expect(posted).toHaveLength(1);
  expect(posted[0]).toMatch(/^\/s3cret \{"version":1,"run":"world-1",.*"trigger":"done"/);
  expect(readFileSync(project.file('shown'), 'utf8')).toContain('world-1 is done');
  const said = [
    ran,
    await project.heddle('config'),
    await project.heddle('plan', 'print'),
    await project.heddle('report'),
  ];
  for (const { out, errors } of said) expect(`${out}${errors}`).not.toContain('s3cret');
});

test('the address of a webhook is shown without its token by what prints settings and plans', async () => {
  const project = givenProject('tasks: { a: { run: echo fine } }\n');
  mkdirSync(project.home);
  writeFileSync(join(project.home, 'config.yaml'), 'notify: { webhook: "https://hooks.example.com/T0/s3cret" }\n');
  const explained = await project.heddle('config', '--explain');
  expect(explained.out).toMatch(/notify +webhook https:\/\/hooks\.example\.com\/… +project file/);
  const printed = await project.heddle('plan', 'print');
  expect(printed.out).toContain('webhook: "https://hooks.example.com/…"');
  expect(`${explained.out}${printed.out}`).not.toContain('s3cret');
});
