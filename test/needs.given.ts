// What tests need of a machine: bubblewrap, the agent programs, a terminal, a browser, mounts. Where a need is not met its tests are
// skipped by name, with the reason, and counted in the closing line of `npm test`. HEDDLE_REQUIRE lists the needs that must be
// met: `.ci/run` sets it to all that it can install, so that a skip there is a failure.
import { failureText } from '../src/core/protocol/sandbox-failure.ts';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, type TestContext } from 'vitest';
import { chooseIsolation } from '../src/shell/sandbox/isolation/choose-isolation.ts';

/** `other` is what `.ci/run` cannot install or does not ask for, such as root or a loop device. */
export type NeedName =
  | 'isolation'
  | 'agents'
  | 'terminal'
  | 'shells'
  | 'browser'
  | 'promtool'
  | 'engines'
  | 'ssh'
  | 'network'
  | 'other';

export interface Need {
  readonly name: NeedName;
  /** Why the need is not met, as a clause; undefined where it is. Tests are grouped by it when they are listed. */
  readonly missing: string | undefined;
}

/** Skips this test, or fails it where the need is required. */
export function need(context: Pick<TestContext, 'skip'>, { name, missing }: Need): void {
  if (missing === undefined) return;
  const required = (process.env['HEDDLE_REQUIRE'] ?? '').split(',');
  if (required.includes(name))
    throw new Error(`HEDDLE_REQUIRE names ${name}, so nothing of it may be skipped: ${missing}.`);
  context.skip(missing);
}

/** For every test of a file or of a `describe`. */
export function skipUnless(...needs: readonly Need[]): void {
  beforeEach(({ skip }) => {
    for (const each of needs) need({ skip }, each);
  });
}

const once = <Value>(make: () => Value): (() => Value) => {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
};

/** Whether bubblewrap is installed and allowed to work. */
export const isolation: () => Promise<Need> = once(async (): Promise<Need> => {
  const home = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  const chosen = await chooseIsolation({ wanted: 'os', home });
  rmSync(home, { recursive: true, force: true });
  return {
    name: 'isolation',
    missing: chosen.type === 'refused' ? `isolation does not work: ${failureText(chosen.failure)}` : undefined,
  };
});

/** A server of SSH, which a test starts for itself. */
export const ssh: () => Need = once(() => {
  const isThere = ['/usr/sbin/sshd', '/usr/bin/ssh', '/usr/bin/ssh-keygen'].every((program) => existsSync(program));
  return { name: 'ssh', missing: isThere ? undefined : 'there is no OpenSSH with a server here' };
});

/** `script` of util-linux plays a terminal. */
export const terminal: () => Need = once(() => {
  const { stdout, error } = spawnSync('script', ['--version'], { encoding: 'utf8' });
  const isThere = error === undefined && stdout.includes('util-linux');
  return {
    name: 'terminal',
    missing: isThere ? undefined : 'there is no script of util-linux here to play a terminal',
  };
});

/** Where Debian and others have it. */
export const CHROMIUM = '/usr/bin/chromium';

/** The dashboard is tested in a real browser. */
export const browser: () => Need = once(() => ({
  name: 'browser',
  missing: existsSync(CHROMIUM) ? undefined : 'there is no chromium here',
}));

/** Only root may mount, and not in every container. */
export const mounts: () => Need = once(() => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-probe-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', folder], { stdio: 'ignore' });
    execFileSync('umount', [folder], { stdio: 'ignore' });
    return { name: 'other', missing: undefined };
  } catch {
    return { name: 'other', missing: 'nothing can be mounted here' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
