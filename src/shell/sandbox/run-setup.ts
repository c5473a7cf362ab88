// Runs the plan's set-up in a place and says what it made.
import type { SandboxFailure } from '../../core/protocol/sandbox-failure.ts';
import { launchEnvironment } from './launch-environment.ts';
import type { PlacePaths } from './tree/place-paths.ts';
import { patternFor } from './tree/layers.ts';
import type { LayerNote } from './tree/layers.ts';
import { GIT_INSIDE } from './tree/advance.ts';
import { runInside } from './tree/run-inside.ts';
import { runSandboxProgram } from './disk/run-program.ts';
import type { TreeContext } from './fill-place.ts';

const SETUP_TIME_MAX_MS = 30 * 60_000;

export interface SetUp {
  readonly note: LayerNote;
  /** Folders of submodules that it filled. The repository has them, so they are none of what it made. */
  readonly filled: readonly string[];
}

export async function runSetup(treeContext: TreeContext, place: PlacePaths): Promise<SetUp | SandboxFailure> {
  const { context, tree } = treeContext;
  const { setup = '' } = context.settings;
  const launched = launchEnvironment(context, { place, tree, name: place.root, ports: [], use: 'set-up' });
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const notes: string[] = [];
  let end = (): void => undefined;
  const note = (sentence: string): void => void notes.push(`[heddle: ${sentence}]`);
  const monitor = await launched.monitor({
    onLimitExceeded: (message) => {
      note(message);
      end();
    },
    say: note,
  });
  const ending = await runSandboxProgram(launched.wrap(['sh', '-c', setup]), {
    cwd: place.tree,
    environment: { ...Object.fromEntries(inherited), ...launched.environment },
    input: undefined,
    limitMs: SETUP_TIME_MAX_MS,
    isGroup: true,
    onMessage: monitor.onMessage,
    onStarted: (pid, kill) => {
      end = kill;
      monitor.watch(pid);
    },
  });
  const exceeded = await monitor.stop();
  if (exceeded !== undefined && ending.code !== 0) note(exceeded);
  if (ending.code !== 0) {
    const output = [ending.output, ending.stderr, ...notes].join('\n').trim().slice(-TAIL_LENGTH);
    return { code: 'setup-failed', command: setup, exitCode: ending.code, output };
  }
  return notice(treeContext, place);
}

/** Of what set-up says, so much is repeated to a person. */
const TAIL_LENGTH = 2_000;

async function notice(treeContext: TreeContext, place: PlacePaths): Promise<SetUp | SandboxFailure> {
  const made = await untracked(treeContext, place, []);
  if ('code' in made) return made;
  const visible = await untracked(treeContext, place, ['--exclude-standard']);
  if ('code' in visible) return visible;
  const filled = await listed(treeContext, place, { text: FILLED_SUBMODULES, args: [] });
  if ('code' in filled) return filled;
  const excluded = [...visible.map((path) => path.replace(/\/$/, '')), ...filled];
  return { note: { made, excludes: excluded.map(patternFor) }, filled };
}

/**
 * What points to the repositories of submodules points into a place that goes away, so the files alone are kept.
 *
 * Limit: what a task changes in them is not seen. When somebody works on submodules through Heddle, compare with the layer.
 */
const FILLED_SUBMODULES = `set -e
cd "$2"
{ git --git-dir="$1" ls-files -s -z | grep -z '^160000 ' || [ $? -eq 1 ]; } | xargs -0 -r sh -c 'for entry; do
  path=\${entry#*"\t"}
  if [ ! -d "$path" ] || [ -L "$path" ]; then continue; fi
  find "./$path" -name .git -prune -exec rm -rf {} +
  if [ -n "$(find "./$path" ! -type d | head -n 1)" ]; then printf "%s\\0" "$path"; fi
done' sh`;

const untracked = (
  treeContext: TreeContext,
  place: PlacePaths,
  flags: readonly string[],
): Promise<readonly string[] | SandboxFailure> =>
  listed(treeContext, place, {
    text: GIT_INSIDE,
    args: ['ls-files', '-z', '--others', '--directory', '--no-empty-directory', ...flags],
  });

async function listed(
  { context, tree }: TreeContext,
  place: PlacePaths,
  { text, args }: { readonly text: string; readonly args: readonly string[] },
): Promise<readonly string[] | SandboxFailure> {
  const ending = await runInside(
    context,
    { place, overlay: tree.overlayOf(place), writable: [], readable: [], environment: {} },
    { text, args: [place.git, place.tree, ...args], input: undefined },
  );
  if (ending.code !== 0) return { code: 'setup-unlisted', stderr: ending.stderr };
  return ending.output.split('\0').filter((path) => path !== '');
}
