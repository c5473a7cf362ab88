#!/usr/bin/env node
// The launcher. It has no dependencies and plain syntax, so that any Node can run it far enough
// to find a newer one or to say, in one line, that it needs one.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isSupported } from './supported-node.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** @type {NodeJS.Signals[]} */
const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A clone brings a Node of its own; a published package does not. */
const bundledNode = async () => {
  const finder = join(root, 'tools', 'node', 'find-node.js');
  return existsSync(finder) ? (await import(pathToFileURL(finder).href)).findNode() : undefined;
};

/** @param {string} node */
const runWith = (node) => {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of passedOn) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(`heddle could not start ${node}: ${error.message}. Run npm ci again, or install Node 24.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    // As a shell would say it: 1 would mean that some task failed.
    process.exitCode = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  });
};

if (isSupported(process.versions.node)) {
  // Only here, because an older Node could not even read it.
  await (await import('./enter.js')).enter('cli/main');
} else {
  const node = await bundledNode();
  if (node === undefined) {
    console.error(`heddle needs Node 24.16 or newer, and this is ${process.version}. Install Node 24 and try again.`);
    process.exitCode = 1;
  } else {
    runWith(node);
  }
}
