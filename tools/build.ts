// `npm run build`: puts the program together into an empty dist, so that nothing from an earlier build is ever packed. A
// few large files instead of hundreds of small ones: that is most of the time that a start takes.
//
// `npm ci` in a clone builds too, and a clone without the bundler, as one for production is, does without.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFrom, describeSources } from '../bin/sources.js';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist');

/** Each is a program of its own. All lie in one folder, as deep as the sources do: some find files by where they are. */
const PROGRAMS = [
  'cli/main.ts',
  'app/worker-main.ts',
  'shell/agents/scripted/scripted-program.ts',
  'shell/sandbox/isolation/forwarder.ts',
];

const isOptional = process.argv.includes('--if-possible');

try {
  const { rolldown } = await import('rolldown');
  // Before, so that a change while we build makes what was built an old one.
  const sources = describeSources(root);
  const bundle = await rolldown({
    input: PROGRAMS.map((name) => join(root, 'src', name)),
    platform: 'node',
    // What draws the live view holds two of everything, one for those who develop it, which loads at half the speed. To
    // ask the environment would be to set it, and steps inherit it.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    // Loaded by nobody but them.
    external: ['react-devtools-core'],
  });
  rmSync(folder, { recursive: true, force: true });
  await bundle.write({
    dir: join(folder, 'cli'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true },
  });
  await bundle.close();
  writeFileSync(builtFrom(root), sources);
} catch (cause) {
  console.error(`The program could not be built: ${cause instanceof Error ? cause.message : String(cause)}`);
  if (isOptional) console.error('It runs from its sources all the same, only it takes longer to start.');
  process.exitCode = isOptional ? 0 : 1;
}
