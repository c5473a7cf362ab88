// Runs the plan's set-up in a place and says what it made.
import { outfit } from '../place/outfit.ts';
import type { PlacePaths } from '../place/place.ts';
import { patternFor } from '../template/layers.ts';
import type { LayerNote } from '../template/layers.ts';
import { GIT_INSIDE } from '../tree/advance.ts';
import { runInside } from '../tree/inside.ts';
import { runProgram } from '../world/program.ts';
import type { House } from './house.ts';

const SETUP_TIME_MAX_MS = 30 * 60_000;

/** A sentence when it failed. */
export async function runSetup(house: House, place: PlacePaths): Promise<LayerNote | string> {
  const { ground, tree } = house;
  const { setup = '' } = ground.settings;
  const dressed = outfit(ground, { place, tree, name: place.root, ports: [], use: 'set-up' });
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const notes: string[] = [];
  let end = (): void => undefined;
  const note = (sentence: string): void => void notes.push(`[heddle: ${sentence}]`);
  const guard = await dressed.guard({
    onBreach: (message) => {
      note(message);
      end();
    },
    say: note,
  });
  const ending = await runProgram(dressed.wrap(['sh', '-c', setup]), {
    cwd: place.tree,
    environment: { ...Object.fromEntries(inherited), ...dressed.environment },
    input: undefined,
    limitMs: SETUP_TIME_MAX_MS,
    isGroup: true,
    onStarted: (pid, kill) => {
      end = kill;
      guard.watch(pid);
    },
  });
  guard.stop();
  if (ending.code !== 0) {
    const said = [ending.output, ending.complaint, ...notes].join('\n').trim().slice(-TAIL_LENGTH);
    return `sandbox.setup failed with ${ending.code ?? 'a signal'}: ${setup}\n${said}`;
  }
  return notice(house, place);
}

/** Of what set-up says, so much is repeated to a person. */
const TAIL_LENGTH = 2_000;

async function notice(house: House, place: PlacePaths): Promise<LayerNote | string> {
  const made = await untracked(house, place, []);
  if (typeof made === 'string') return made;
  const visible = await untracked(house, place, ['--exclude-standard']);
  if (typeof visible === 'string') return visible;
  return { made, excludes: visible.map((path) => patternFor(path.replace(/\/$/, ''))) };
}

async function untracked(
  { ground, tree }: House,
  place: PlacePaths,
  flags: readonly string[],
): Promise<readonly string[] | string> {
  const ending = await runInside(
    ground,
    { place, overlay: tree.overlayOf(place), writable: [], readable: [], environment: {} },
    {
      text: GIT_INSIDE,
      args: [place.git, place.tree, 'ls-files', '-z', '--others', '--directory', '--no-empty-directory', ...flags],
      input: undefined,
    },
  );
  if (ending.code !== 0) return `What set-up made could not be listed: ${ending.complaint}`;
  return ending.output.split('\0').filter((path) => path !== '');
}
