// `npm run pack`: builds and packs what is published, from a folder apart whose package.json has nothing in it that is for
// clones alone: no scripts (`prepare` would build), no packages for development, no workspaces. The package of a clone is
// private, so that it cannot be published by mistake.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stage = join(root, 'dist', 'package');

const FOR_CLONES: ReadonlySet<string> = new Set(['private', 'scripts', 'devDependencies', 'workspaces', 'overrides']);

function run(program: string, args: readonly string[], cwd: string): void {
  const { status } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed.`);
}

run(process.execPath, [join(root, 'tools', 'build.ts'), '--types'], root);
rmSync(stage, { recursive: true, force: true });
mkdirSync(stage, { recursive: true });
const all: Record<string, unknown> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const published = Object.fromEntries(Object.entries(all).filter(([name]) => !FOR_CLONES.has(name)));
writeFileSync(join(stage, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`);
const files = published['files'];
for (const name of [...(Array.isArray(files) ? files.map(String) : []), 'README.md', 'LICENSE'])
  cpSync(join(root, name), join(stage, name), { recursive: true });
run('npm', ['pack', '--ignore-scripts', '--offline', '--loglevel=error', '--pack-destination', root], stage);
