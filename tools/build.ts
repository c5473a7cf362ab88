// `npm run build`: puts the program and the library together into an empty dist, so that nothing from an earlier build is
// ever packed. A few large files instead of hundreds of small ones: that is most of the time that a start takes. Packages
// are part of them, so nothing is installed beside Heddle; their licences lie beside them.
//
// `npm ci` in a clone builds too, without the types of the library, which nothing in a clone reads.
import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtFrom, describeSources } from '../bin/sources.js';
import { bundlePage } from './bundle-page.ts';
import { licencesOf } from './licences.ts';
import { pruneTypes } from './prune-types.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist');

/** What runs on Node. All lie in one folder, as deep as the sources do: some find files by where they are. */
const ON_NODE = [
  'cli/main.ts',
  'app/worker-main.ts',
  'app/telemetry/trace-main.ts',
  'app/web/fold-thread-main.ts',
  'library.ts',
  'shell/agents/scripted/scripted-program.ts',
  'shell/sandbox/isolation/open-sockets.ts',
];

/** Bundles that run everywhere, browsers included. */
const ANYWHERE = 'core.ts';

const isOptional = process.argv.includes('--if-possible');
const hasTypes = process.argv.includes('--types');

interface Bundling {
  readonly input: readonly string[];
  readonly platform: 'node' | 'browser';
  readonly dir: string;
}

/** Writes the bundle and returns the files that it is made of. */
async function bundle({ input, platform, dir }: Bundling): Promise<readonly string[]> {
  const { rolldown } = await import('rolldown');
  const made = await rolldown({
    input: input.map((name) => join(root, 'src', name)),
    platform,
    // React has a development build that loads at half the speed. The choice is made here and not by the environment,
    // because steps inherit the environment.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    // Loaded only by the development build.
    external: ['react-devtools-core'],
  });
  const { output } = await made.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    comments: { legal: true },
    // Only what nobody reads is left out: the package is a fifth smaller, and a stack still names our functions.
    minify: { compress: false, mangle: false, codegen: true },
  });
  await made.close();
  return output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
}

/** Types of the library, for embedding programs. */
function writeTypes(): void {
  const { status, stdout } = spawnSync('tsc', ['-p', join(root, 'tools', 'types.tsconfig.json')], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}` },
  });
  if (status !== 0) throw new Error(`The types could not be written: ${stdout}`);
  pruneTypes(join(folder, 'types'), ['library.d.ts', 'core.d.ts']);
}

try {
  await import('rolldown');
  // Before the build, so that a change during the build makes its output outdated.
  const sources = describeSources(root);
  rmSync(folder, { recursive: true, force: true });
  const modules = [
    ...(await bundle({ input: ON_NODE, platform: 'node', dir: join(folder, 'node') })),
    ...(await bundle({ input: [ANYWHERE], platform: 'browser', dir: join(folder, 'core') })),
    ...(await bundlePage(root, join(folder, 'web'))),
  ];
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licencesOf(modules));
  if (hasTypes) writeTypes();
  writeFileSync(builtFrom(root), sources);
} catch (cause) {
  console.error(`The program could not be built: ${cause instanceof Error ? cause.message : String(cause)}`);
  if (isOptional) console.error('It runs from its sources all the same, only it takes longer to start.');
  process.exitCode = isOptional ? 0 : 1;
}
