// Whether an agent may use a tool.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { requestOf } from '../transcripts.given.ts';
import {
  toolKindOf,
  permissionFor,
  permissionIn,
  questionFor,
  ruleOn,
  rulesOf,
  type PermissionRules,
  type WantedTool,
} from './permission.ts';

const bash = (about: string): WantedTool => ({ tool: 'Bash', kind: 'execute', about });
const rules = (more: Partial<PermissionRules> = {}): PermissionRules => ({
  policy: 'gate',
  allow: [],
  granted: [],
  refused: [],
  ...more,
});
const isListed = (entry: string, wanted: WantedTool): boolean =>
  ruleOn(rules({ policy: 'deny', allow: [entry] }), wanted).type === 'allow';

describe('what nobody has listed or decided', () => {
  test.each([
    ['allow', 'allow'],
    ['deny', 'deny'],
    ['gate', 'ask'],
  ] as const)('is, where the policy is %s, to %s', (policy, type) => {
    expect(ruleOn(rules({ policy }), bash('make'))).toEqual({ type, isByPerson: false });
  });
});

test('what a person has decided goes before the list and the policy', () => {
  const { key } = permissionFor(bash('make'));
  expect(ruleOn(rules({ granted: [key] }), bash('make'))).toEqual({ type: 'allow', isByPerson: true });
  expect(ruleOn(rules({ granted: [key] }), bash('make '))).toMatchObject({ type: 'ask' });
  const refused = { policy: 'allow', allow: ['Bash'], granted: [key], refused: [key] } as const;
  expect(ruleOn(refused, bash('make'))).toEqual({ type: 'deny', isByPerson: true });
});

describe('a pattern', () => {
  test.each([
    ['Bash', 'rm -rf .', true],
    ['execute', 'rm -rf .', true],
    ['edit', 'editor x', false],
    ['Bash(npm test)', 'npm test', true],
    ['Bash(npm test)', 'npm test -- --watch', false],
    ['Bash(npm test*)', 'npm test -- --watch', true],
    ['Bash(npm test:*)', 'npm test -- --watch', true],
    ['Bash(npm test:*)', 'npm tester', false],
    ['Bash(* --dry-run)', 'make all --dry-run', true],
    ['execute(make *)', 'make all', true],
    ['npm test', 'npm test --all', true],
    ['npm test', 'pnpm test', false],
    ['npm*', 'npm publish', true],
    ['Bash(a.b)', 'axb', false],
    ['Bash(ls (x) | wc)', 'ls (x) | wc', true],
    ['Edit(src/*)', 'src/a.ts', false],
    ['Bash(', 'Bash(', true],
  ])('%s says of the command %s: %s', (entry, command, isGranted) => {
    expect(isListed(entry, bash(command))).toBe(isGranted);
  });

  test('knows tools by their own name, and by that of another program where they have none', () => {
    expect(isListed('Write', { tool: 'Edit', kind: 'edit', about: 'a' })).toBe(false);
    expect(isListed('Write', { tool: 'edit', kind: 'edit', about: 'a' })).toBe(true);
    expect(isListed('Edit(docs/*)', { tool: 'Edit', kind: toolKindOf('Edit'), about: 'docs/a.md' })).toBe(true);
    expect(isListed('mcp__db__*', { tool: 'mcp__db__query', kind: toolKindOf('mcp__db__query'), about: 'q' })).toBe(
      true,
    );
    expect(isListed('mcp__db__*', { tool: 'mcp__web__get', kind: 'other', about: 'q' })).toBe(false);
  });

  test('lets no star stand for another command, however it is put', () => {
    for (const more of [';', '&&', '||', '|', '&', '\n', '`x`', '$(x)', '>f', '<f', '(x)'])
      for (const entry of ['Bash(npm test*)', 'Bash(npm test:*)', 'npm test', 'npm test*'])
        expect([entry, more, isListed(entry, bash(`npm test ${more} rm -rf .`))]).toEqual([entry, more, false]);
  });

  test('is never broken by what stands in it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (entry, about) => {
        expect(typeof isListed(entry, bash(about))).toBe('boolean');
      }),
    );
  });
});

test('a permission is told in one line, and known by all of it', () => {
  const long = permissionFor(bash(`echo ${'x'.repeat(500)}\nrm a`));
  expect(long.about).toHaveLength(510);
  const { about = '', key } = permissionIn({ ...long }) ?? {};
  expect([about.length, about.includes('\n'), key]).toEqual([200, false, long.key]);
  expect(permissionFor(bash(`echo ${'x'.repeat(500)}\nrm b`)).key).not.toBe(key);
  expect(permissionIn({ tool: 'Bash' })).toBeUndefined();
  expect(questionFor(permissionFor(bash('make')))).toBe('Permission to use Bash: make?');
  expect(questionFor(permissionFor({ tool: 'Skill', kind: 'other', about: '' }))).toBe('Permission to use Skill?');
});

test('the rules of a turn are those of its plan, and a list alone refuses the rest', () => {
  expect(rulesOf(requestOf('claude'))).toEqual(rules({ policy: 'allow' }));
  expect(rulesOf(requestOf('claude', { allow: ['edit'] }))).toEqual(rules({ policy: 'deny', allow: ['edit'] }));
  const permissions = { policy: 'gate', granted: ['a'], refused: ['b'] } as const;
  expect(rulesOf(requestOf('claude', { permissions }))).toEqual(rules({ granted: ['a'], refused: ['b'] }));
});
