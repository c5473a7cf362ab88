import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { artifactsContract, CLAIM, memoryOutput, OUTPUT } from './artifacts-contract.given.ts';
import { attemptFolder } from './attempt-folder.ts';
import { localArtifacts } from './local-artifacts.ts';

artifactsContract('output in the folder of an attempt', () => {
  const home = mkdtempSync(join(tmpdir(), 'heddle-artifacts-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const folder = attemptFolder(home, OUTPUT.run, CLAIM);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'output.log');
  return {
    artifacts: localArtifacts(home),
    write: (text) => appendFileSync(file, text),
    rotate: () => {
      renameSync(file, join(folder, 'output.1.log'));
      writeFileSync(join(folder, 'output.note.log'), 'no part of it');
    },
    deleteAll: () => rmSync(folder, { recursive: true }),
  };
});

artifactsContract('output in memory', memoryOutput);
