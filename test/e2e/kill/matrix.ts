// Many kills, a few at a time, against one undisturbed run.
import { chance } from '../../../src/core/schedule/chance.ts';
import { killProject } from './kill-plan.ts';
import { play, type Played, type Scenario, type Victim } from './scenario.ts';
import { isGood, judge, resultOf, type Result, type Verdict } from './verdict.ts';

export interface Undisturbed {
  readonly result: Result;
  readonly verdict: Verdict;
  /** How many events it tells: as many boundaries there are to be killed at. */
  readonly lines: number;
  readonly tookMs: number;
}

/** What must come out, and how long that takes. */
export async function playUndisturbed(): Promise<Undisturbed> {
  const project = killProject();
  const from = performance.now();
  const going = project.start('run', 'plan.yaml', '--json');
  const { code } = await going.ended;
  const tookMs = performance.now() - from;
  const scenario: Scenario = { seed: 0, victim: 'coordinator', when: { type: 'event', number: 0 }, more: 0 };
  const played: Played = { scenario, project, where: undefined, kills: 0, code, said: going.errors() };
  const verdict = await judge(played, undefined);
  const result = resultOf(project, await project.events());
  await project.end();
  return { result, verdict, lines: going.lines.length, tookMs };
}

export interface Drawing {
  readonly seed: number;
  readonly count: number;
  readonly victims: readonly Victim[];
  readonly undisturbed: Undisturbed;
}

/** Scenarios from a seed: event boundaries in turn over all victims, every third at a random moment instead. */
export function scenariosFrom({ seed, count, victims, undisturbed }: Drawing): readonly Scenario[] {
  const { lines, tookMs } = undisturbed;
  const random = chance(seed);
  const first = random.below(lines);
  const stride = strideOver(lines);
  return Array.from({ length: count }, (_, index): Scenario => {
    const victim = victims[index % victims.length] ?? 'coordinator';
    const turn = Math.floor(index / victims.length);
    const isMoment = turn % 3 === 2;
    // Only turns at a boundary move on, so that every boundary comes.
    const number = 1 + ((first + (turn - Math.floor(turn / 3)) * stride) % lines);
    return {
      seed: seed * 100_000 + index,
      victim,
      when: isMoment ? { type: 'moment', ms: random.below(Math.ceil(tookMs)) } : { type: 'event', number },
      more: random.below(3),
    };
  });
}

/** A step over the boundaries that meets each of them once, and far ones first. */
function strideOver(lines: number): number {
  const common = (one: number, other: number): number => (other === 0 ? one : common(other, one % other));
  let stride = Math.max(1, Math.round(lines * 0.382));
  while (common(stride, lines) !== 1) stride += 1;
  return stride;
}

export interface Playing {
  readonly scenarios: readonly Scenario[];
  readonly expected: Result;
  /** How many are played at once. */
  readonly atOnce: number;
  readonly onVerdict: (verdict: Verdict) => void;
}

export async function playAll({ scenarios, expected, atOnce, onVerdict }: Playing): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = [];
  const waiting = [...scenarios];
  const playNext = async (): Promise<void> => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const played = await play(scenario);
      const verdict = await judge(played, expected);
      verdicts.push(verdict);
      onVerdict(verdict);
      // The project of a failed case is kept for the developer.
      if (isGood(verdict)) await played.project.end();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, playNext));
  return verdicts;
}

/** Everything that was wrong, in words. */
export function inWords({ played, lost, doubled, leftRunning, wrong }: Verdict): string {
  const { scenario, where, kills, project } = played;
  const { seed, victim, when } = scenario;
  const at = when.type === 'event' ? `event ${when.number} (${where ?? 'never'})` : `${when.ms} ms`;
  const all = { lost, doubled, 'left running': leftRunning, wrong };
  const words = Object.entries(all).flatMap(([kind, list]) => list.map((each) => `  ${kind}: ${each}`));
  return [`seed ${seed}: ${victim} killed at ${at}, ${kills} kills, in ${project.folder}`, ...words].join('\n');
}
