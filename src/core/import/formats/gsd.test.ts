import { describe, expect, test } from 'vitest';
import { refusal, seen } from '../imported.given.ts';

const ROADMAP = `# M001: The web

**Vision:** A browser.

## Slices

- [x] **S01: Host** \`risk:high\` \`depends:[]\`
  > After this: it opens.

- [ ] **S02: Wizard** \`risk:high\` \`depends:[S01]\`
  > After this: it asks.

- [ ] **S03: Proof** \`risk:low\` \`depends:[S01-S02]\`
  > After this: all of it works.

## Boundary Map
> Not a part of S03.
`;

const SLICE = `# S02: Wizard

**Goal:** It asks for keys.

## Must-Haves
- [ ] Not a task

## Tasks

- [x] **T01: Store** \`est:3h\`
- [ ] **T02: Panel** \`est:1h 30m\`
  - Why: To see it.
  - Files: \`web/panel.tsx\` (new), \`web/shell.tsx\`
  - Do: Build it.
  - Verify: \`npm run build\`
  - Done when: it builds
- [ ] **T03: Wire** \`est:soon\`
  - Verify: the panel shows \`{{ x }}\`

## Files Likely Touched
- \`web/panel.tsx\`
`;

const files = (...given: readonly (readonly [string, string])[]) => given.map(([path, text]) => ({ path, text }));

describe('roadmaps and plans of GSD', () => {
  test('keep slices, their dependencies, and the tasks of each in a row', () => {
    const { needs, task, prompt, notes, text } = seen(
      'gsd',
      files(
        ['.gsd/milestones/M001/M001-ROADMAP.md', ROADMAP],
        ['.gsd/milestones/M001/slices/S02/S02-PLAN.md', SLICE],
        [
          '.gsd/milestones/M001/slices/S02/tasks/T02-PLAN.md',
          '---\nestimated_steps: 5\n---\n# T02\n\n## Steps\n1. Look.',
        ],
        ['.gsd/README.md', 'Words.'],
      ),
    );
    expect(text).toContain('name: the-web');
    expect(needs).toEqual({ S02: [], 'S02.T02': [], 'S02.T03': ['S02.T02'], S03: ['S02'] });
    expect(task('S02.T02')).toMatchObject({
      files: ['web/panel.tsx', 'web/shell.tsx'],
      check: 'npm run build',
      estimateMs: 90 * 60_000,
    });
    expect(task('S02.T03')).toMatchObject({ check: undefined });
    expect(prompt('S02.T02')).toMatch(/Panel\n\nWhy: To see it\.[^]*## Steps\n1\. Look\.[^]*Goal: It asks for keys\./);
    expect(prompt('S03')).toBe('Proof\n\nAfter this: all of it works.');
    expect(notes).toEqual([
      '2 items done already, left out: M001/S01, M001/S02/T01.',
      '17: T03: its estimate "soon" cannot be read, and was left out.',
    ]);
  });

  test('of several milestones come one after the other', () => {
    const { needs, notes } = seen(
      'gsd',
      files(['M002/M002-ROADMAP.md', ROADMAP], ['M001/M001-ROADMAP.md', ROADMAP], ['M003-ROADMAP.md', '# None\n']),
    );
    expect(needs).toMatchObject({ M001: [], M002: ['M001'], 'M002.S03': ['M002.S02'] });
    expect(notes[1]).toMatch(/^2 milestones are done one after the other/);
  });

  test('may be a table, or headings', () => {
    const table =
      '## Slice Overview\n| ID | Slice | Risk | Depends | Done | After this |\n|---|---|---|---|---|---|\n| S01 | Host | high | — | ✅ | opens |\n| S02 | Wizard | low | S01 | ⬜ | asks |\n| S03 | Proof | low | S01, S02 | ⬜ | works |\n';
    expect(seen('gsd', table).needs).toEqual({ S02: [], S03: ['S02'] });
    expect(seen('gsd', table).prompt('S02')).toBe('Wizard\n\nAfter this: asks');
    const headings =
      '## Slice S01: Host (Complete)\nWords.\n\n## S02 — Wizard\nDoes it.\n**Depends on:** S01\n### S03: Proof\n`depends:[S02]`\n';
    const { needs, prompt } = seen('gsd', [{ path: 'M001-ROADMAP.md', text: headings }]);
    expect(needs).toEqual({ S02: [], S03: ['S02'] });
    expect(prompt('S02')).toContain('Does it.');
  });

  test('may be the plan of one slice alone, or of two', () => {
    const { needs, prompt } = seen('gsd', SLICE);
    expect(needs).toEqual({ T02: [], T03: ['T02'] });
    expect(prompt('T02')).toContain('This is a part of: Wizard\n\nGoal: It asks for keys.');
    const two = seen('gsd', files(['S01/S01-PLAN.md', SLICE], ['S02/S02-PLAN.md', SLICE]));
    expect(Object.keys(two.needs)).toEqual(['S01', 'S01.T02', 'S01.T03', 'S02', 'S02.T02', 'S02.T03']);
  });

  test('without a slice or a task are refused in one sentence', () => {
    expect(refusal('gsd', 'Words.')).toMatch(/^There is no slice and no task in it/);
  });
});
