import { stripVTControlCharacters } from 'node:util';
import { expect, test, vi } from 'vitest';
import { given } from '../../../core/engine/run.given.ts';
import { columnsOf } from '../../../core/view/draw/text/text-width.ts';
import type { RunRecord } from '../../../shell/ports.ts';
import type { Terminal } from '../../terminal.ts';
import { liveSpectator } from './live-spectator.ts';

const RECORD: RunRecord = {
  run: 'given-1',
  name: 'given',
  source: '',
  text: '',
  file: 'plan.yaml',
  createdAt: 0,
  inputs: {},
  policy: 'parallel',
  seed: 1,
};

test('what the run has to say is painted in rows that fit the screen, so that they can be painted over', async () => {
  const written: string[] = [];
  const terminal: Terminal = {
    out: () => {},
    write: (text) => void written.push(text),
    writeBytes: () => {},
    err: () => {},
    width: 60,
    size: () => ({ width: 30, height: 10 }),
    isInteractive: true,
    colour: false,
  };
  const run = given('a: { run: x }');
  const audience = liveSpectator(terminal);
  audience.begins(RECORD, run.compiled, () => []);
  audience.sees([], run.state());
  audience.hears('Stopping: what is at work is asked to end. Once more ends it now.');
  await vi.waitFor(() => expect(written.join('')).toContain('Stopping'), { timeout: 20_000 });
  audience.close();
  const rows = written
    .join('')
    .split('\n')
    .map((row) => columnsOf(stripVTControlCharacters(row)));
  expect(Math.max(...rows)).toBeLessThanOrEqual(30);
});
