// The order in which vitest starts test files: those of projects with long files first and the many quick ones last, so that no
// core is idle at the end beside one long file. Within a project it is vitest's own: failed and long ones first where there
// was an earlier run, else the largest.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files of these take less than a second each, but for a few. */
const QUICK: ReadonlySet<string> = new Set(['unit', 'tidy']);
/** Files of these take seconds; of all others, up to a minute. */
const MIDDLING: ReadonlySet<string> = new Set(['shell', 'sim']);

const rankOf = ({ project: { name } }: TestSpecification): number => (QUICK.has(name) ? 2 : MIDDLING.has(name) ? 1 : 0);

export class LongFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
