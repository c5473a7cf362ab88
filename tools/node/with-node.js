// Runs a command with a supported Node, and this repository's programs, first on PATH:
//   node tools/node/with-node.js vitest run
import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isSupported } from '../../bin/supported-node.js';
import { findNode } from './find-node.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** @param {string} sentence */
const stop = (sentence) => {
  console.error(sentence);
  process.exit(1);
};

/**
 * @param {string} node
 * @param {string} command
 * @param {string[]} args
 */
const run = (node, command, args) => {
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
  // Windows finds the programs of node_modules/.bin only through its shell.
  const shell = process.platform === 'win32';
  const child = spawn(command, args, { stdio: 'inherit', shell, env: { ...process.env, PATH: path } });
  for (const signal of passedOn) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => stop(`Could not start ${command}: ${error.message}. Has npm ci been run?`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
};

const node = isSupported(process.versions.node) ? process.execPath : findNode();
const [command, ...args] = process.argv.slice(2);
if (command === undefined) stop('Say what to run: node tools/node/with-node.js COMMAND [ARGUMENTS].');
else if (node === undefined) {
  stop(
    `Heddle is developed on Node 24.16 or newer; this is ${process.version}, and no bundled Node is installed for ` +
      `${process.platform}-${process.arch}. Run npm ci, or install Node 24, and try again.`,
  );
} else run(node, command, args);
