// Runs a command with a supported Node, and this repository's programs, first on PATH:
//   node tools/node/with-node.js vitest run
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupported } from '../../bin/supported-node.js';
import { findNode } from './find-node.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const node = isSupported(process.versions.node) ? process.execPath : findNode();
if (node === undefined) {
  console.error(
    `Heddle is developed on Node 24.16 or newer; this is ${process.version} and no bundled Node fits ` +
      `${process.platform}-${process.arch}. Install Node 24 and try again.`,
  );
  process.exit(1);
}

const [command, ...args] = process.argv.slice(2);
const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
const child = spawn(command, args, {
  stdio: 'inherit',
  env: { ...process.env, PATH: path },
  shell: process.platform === 'win32',
});
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`Could not start ${command}: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
