import { describe, expect, test } from 'vitest';
import { checkMap, importTable, mappedFolders, rowOf } from './architecture.ts';

const document = `# A
## Map
\`\`\`
src/       the program
  core/    pure
    net/   a net
bin/       the launcher
\`\`\`
## Imports
| Part | May import | Packages |
|---|---|---|
| \`core/assert.ts\` | | |
| \`core/net\` | \`core/assert.ts\` | \`ajv\`, \`node:*\` |
## More
| \`not/this\` | | |
`;

describe('importTable', () => {
  test('reads the rows under its own heading only', () => {
    expect(importTable(document).map(({ part, parts, packages }) => [part, parts, packages])).toEqual([
      ['core/assert.ts', [], []],
      ['core/net', ['core/assert.ts'], ['ajv', 'node:*']],
    ]);
  });

  test('gives every part of a row its own, with what the parts of core and shell bring along', () => {
    const table = `## Imports
| \`core/assert.ts\` | | |
| \`core/net\`, \`core/plan\` | \`core/assert.ts\` | \`ajv\` |
| \`shell/git\` | \`core/net\` | |
| \`app\` | \`shell/git\` | |
| \`cli\` | \`app\` | |
`;
    expect(importTable(table).map(({ part, parts }) => [part, parts])).toEqual([
      ['core/assert.ts', []],
      ['core/net', ['core/assert.ts']],
      ['core/plan', ['core/assert.ts']],
      ['shell/git', ['core/net', 'core/assert.ts']],
      ['app', ['shell/git', 'core/net', 'core/assert.ts']],
      ['cli', ['app']],
    ]);
  });

  test('gives a path the row of the longest part that holds it', () => {
    const table = importTable(document.replace('`core/assert.ts` | |', '`core` | |'));
    expect(rowOf(table, 'src/core/net/deep/fire.ts')?.part).toBe('core/net');
    expect(rowOf(table, 'src/core/nets.ts')?.part).toBe('core');
    expect(rowOf(table, 'bench/main.ts')).toBeUndefined();
  });
});

describe('checkMap', () => {
  test('reads folders by their indentation', () => {
    expect([...mappedFolders(document).keys()]).toEqual(['src', 'src/core', 'src/core/net', 'bin']);
  });

  test('is content when the map and the tree agree', () => {
    expect(checkMap(document, ['README.md', '.ci/run', 'src/core/net/deep/fire.ts', 'bin/heddle.js'])).toEqual([]);
  });

  test('names a folder that is drawn but does not exist, and one that exists but is not drawn', () => {
    const says = checkMap(document, ['src/core/net/fire.ts', 'src/core/plan/plan.ts']).map(
      (violation) => violation.says,
    );
    expect(checkMap(document, ['src/core/net/a.ts', 'src/cli/deep/a.ts', 'bin/a.js'])).toMatchObject([
      { says: expect.stringContaining('not show src/cli/') },
    ]);
    expect(says).toEqual([expect.stringContaining('shows bin/'), expect.stringContaining('not show src/core/plan/')]);
  });
});
