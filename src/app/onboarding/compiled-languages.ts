// Projects of Rust and Go. Their packages are put into the tree by set-up, because the home folder, where they are kept
// otherwise, is another one in every sandbox.
import type { Look } from './look.ts';
import { NOTHING, type Command, type Toolchain } from './toolchain.ts';

export function detectRust(look: Look): Toolchain | undefined {
  if (!look.has('Cargo.toml')) return undefined;
  const manifest = look.text('Cargo.toml');
  const isWorkspace = manifest.includes('[workspace]');
  const check = isWorkspace
    ? { run: 'cargo test --workspace', because: 'the tests of every crate of the workspace' }
    : { run: 'cargo test', because: "Cargo's tests" };
  const lock = look.has('Cargo.lock') ? ['Cargo.lock'] : [];
  const hasPackages = /^\[(?:[\w.'-]+\.)?(?:dev-|build-)?dependencies/m.test(manifest) || isWorkspace;
  const settings = look.first('.cargo/config.toml', '.cargo/config');
  const evidence = ['Cargo.toml', ...lock];
  const packages = look.members(cratesOf(manifest), 'Cargo.toml');
  const packageCheck = packages[0] === undefined ? undefined : `cargo test --manifest-path ${packages[0]}/Cargo.toml`;
  const plain = { ...NOTHING, tool: 'cargo', evidence, check, packages, packageCheck };
  if (!hasPackages || look.has('vendor')) return plain;
  // Set-up cannot add to a file of the repository, so there the packages are fetched in every sandbox.
  return settings === undefined
    ? { ...plain, setup: VENDOR_CRATES }
    : { ...plain, hosts: ['index.crates.io', 'static.crates.io'] };
}

const cratesOf = (manifest: string): readonly string[] =>
  [...(/^members\s*=\s*\[([^\]]*)\]/m.exec(manifest)?.[1] ?? '').matchAll(/["']([^"']+)["']/g)].map(
    ([, each = '']) => each,
  );

const VENDOR_CRATES: Command = {
  run: 'mkdir -p .cargo && cargo vendor --quiet > .cargo/config.toml',
  because: 'puts the crates into the tree, so that tests need no network',
};

export function detectGo(look: Look): Toolchain | undefined {
  const file = look.first('go.work', 'go.mod');
  if (file === undefined) return undefined;
  const modules = file === 'go.work' ? modulesOf(look.text(file)) : [];
  const run = `go test ${modules.length === 0 ? './...' : modules.map((path) => `${path}/...`).join(' ')}`;
  const sums = look.first('go.work.sum', 'go.sum');
  const vendor = file === 'go.work' ? 'go work vendor' : 'go mod vendor';
  const setup = { run: vendor, because: 'puts the packages into the tree, so that tests need no network' };
  const isNeeded = sums !== undefined && !look.has('vendor');
  const evidence = [file, ...(sums === undefined ? [] : [sums])];
  return {
    ...NOTHING,
    tool: 'go',
    evidence,
    check: { run, because: "Go's tests" },
    setup: isNeeded ? setup : undefined,
    packages: modules.map((path) => path.replace(/^\.\//, '')),
    packageCheck: modules[0] === undefined ? undefined : `go test ${modules[0]}/...`,
  };
}

/** The folders that a workspace of Go uses. */
function modulesOf(text: string): readonly string[] {
  const used = /^use\s*\(([^)]*)\)/m.exec(text)?.[1] ?? /^use\s+(\S+)/m.exec(text)?.[1] ?? '';
  return used.split(/\s+/).filter((path) => /^\.[\w./-]*$/.test(path));
}
