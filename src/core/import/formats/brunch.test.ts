import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const PLAN = `epics:
  - { id: core, summary: "The domain", depends_on: [], verification: [] }
  - id: cli
    summary: The commands
    depends_on: [core]
    verification:
      - { kind: integration-test, target: tests/cli.integration.test.ts }
  - { id: empty, summary: Nothing }
slices:
  - id: types
    epic_id: core
    definition: "Add src/types.ts: \`Todo\`."
    depends_on: []
    writes: ["src/types.ts"]
    verification:
      - { kind: unit-test, target: "tests/types.test.ts" }
  - { id: add, epic_id: cli, definition: Add the command., depends_on: [types, types], mood: good }
  - { id: list, epic_id: cli, definition: List them., depends_on: [types] }
  - { id: alone, epic_id: gone, definition: "Nobody's." }
  - { id: free, definition: "Free." }
`;

describe('a plan of brunch', () => {
  test('keeps epics, slices, tests first, and the proof of an epic as a whole', () => {
    const { needs, task, prompt, notes } = seen('brunch', PLAN);
    expect(needs).toEqual({
      core: [],
      'core.types': [],
      cli: ['core'],
      'cli.add': ['core.types'],
      'cli.list': ['core.types'],
      'cli.verify': ['cli.add', 'cli.list'],
      alone: [],
      free: [],
    });
    expect(task('core.types')).toMatchObject({ files: ['src/types.ts', 'tests/types.test.ts'] });
    expect(prompt('core.types')).toMatch(/Write the tests[^]*---\nWrite the code/);
    expect(prompt('cli.verify')).toContain('integration-test tests/cli.integration.test.ts');
    expect(notes).toEqual([
      '17: add: not carried over: mood.',
      '19: alone names the epic gone, which is not in the file; it stands alone.',
      '20: free names no epic; it stands alone.',
    ]);
  });

  test('that is broken or empty is refused with its place', () => {
    expect(refusal('brunch', 'epics: [\n')).toMatch(/^2:1:/);
    expect(refusal('brunch', '')).toBe('1:1:The file is empty.');
    expect(refusal('brunch', 'epics: []\n')).toMatch(/^1:There are no slices in it/);
  });
});
