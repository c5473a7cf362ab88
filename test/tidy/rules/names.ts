// Names: of files, of exports, of what is declared.
import { posix } from 'node:path';
import { namesIn } from '../names-in.ts';
import { exportsOf } from '../read-imports.ts';
import { isTest, type Source } from '../source.ts';
import type { Violation } from '../violation.ts';

const DRAWERS = new Set('types type utils util helpers helper common misc shared index constants'.split(' '));
const EMPTY_WORDS = new Set('manager service handler helper impl v2 new legacy'.split(' '));
const SHORT_FORMS = new Map(
  `ctx context, cfg config, idx index, tmp temporary, msg message, err error, req request, res response, fn a verb,
   cb a verb, val value, num number, str text, arr a plural, obj its noun, prev previous, cur current, curr current,
   len length, opts options, pkg package, cmd command, proc process, elem element, tok token, expr expression,
   stmt statement, desc description, dest target, dep need, deps needs, diag diagnostic, diags diagnostics,
   trans transition, pos position, attr attribute, attrs attributes`
    .split(/,\s+/)
    .map((pair): [string, string] => [pair.split(' ')[0] ?? '', pair.slice(pair.indexOf(' ') + 1)]),
);

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[\s_.$#-]+/)
    .filter((word) => word !== '');

const stemOf = (path: string): string => posix.basename(path).replace(/(\.(test|given|config))?\.(ts|tsx|js)$/, '');

/** Files are kebab-case and never a drawer for whatever is left over. */
export function checkFileName(path: string): readonly Violation[] {
  const stem = stemOf(path);
  const place = { path, line: 1 };
  if (!/^[a-z\d]+(-[a-z\d]+)*$/.test(stem)) {
    return [
      {
        ...place,
        says: `"${stem}" is not kebab-case, and names that differ in case alone clash on some disks`,
        instead: 'Write it in small letters with dashes',
        rule: 'STYLE 14',
      },
    ];
  }
  if (!DRAWERS.has(stem)) return [];
  return [
    {
      ...place,
      says: `"${stem}" names a drawer and not a thing, and a drawer fills up with what has no home`,
      instead: 'Put each part beside the code that gives it meaning',
      rule: 'STYLE 12',
    },
  ];
}

const shareAWord = (one: string, other: string): boolean => {
  const stems = new Set(wordsOf(one).map((word) => word.slice(0, 4)));
  return wordsOf(other).some((word) => stems.has(word.slice(0, 4)));
};

/** A file with one value to export is found by that name; one with a family of them is named for the family. */
export function checkMainExport(source: Source): readonly Violation[] {
  const exports = exportsOf(source).filter(({ name }) => name !== 'default');
  const stem = stemOf(source.path);
  const values = exports.filter(({ isType }) => !isType);
  if (isTest(source.path) || values.length !== 1 || exports.some(({ name }) => shareAWord(name, stem))) return [];
  return [
    {
      path: source.path,
      line: exports[0]?.line ?? 1,
      says: `nothing exported here (${exports.map(({ name }) => name).join(', ')}) sounds like the file's name`,
      instead: 'Name the file for its main export, so that one search finds both',
      rule: 'STYLE 14',
    },
  ];
}

interface Declared {
  readonly name: string;
  readonly line: number;
}

/** What variables, functions, classes and types are called. */
export const declaredIn = (source: Source): readonly Declared[] =>
  source.nodes.flatMap(({ node, line }) => namesIn(node).map((name) => ({ name, line })));

/** Words that say nothing, and words cut short. */
export const checkDeclared = (source: Source): readonly Violation[] =>
  declaredIn(source).flatMap(({ name, line }) =>
    wordsOf(name).flatMap((word) => {
      const place = { path: source.path, line };
      if (EMPTY_WORDS.has(word)) {
        return [
          {
            ...place,
            says: `"${word}" in ${name} says when or how it was made and not what it is`,
            instead: 'Name what it does or what it is; when it replaces something, delete that',
            rule: 'STYLE 16',
          },
        ];
      }
      const long = SHORT_FORMS.get(word);
      if (long === undefined) return [];
      return [
        {
          ...place,
          says: `"${word}" in ${name} is cut short, and only id, ms, cwd and cli may be`,
          instead: `Write ${long}`,
          rule: 'STYLE 15',
        },
      ];
    }),
  );

const isProgram = (path: string): boolean => /^(src|web)\//.test(path) && !/\.test\.tsx?$/.test(path);
/** Publishes each use case under the name that its command and the function behind it have: they are one thing. */
const isPublished = ({ path }: Source): boolean => path.startsWith('src/library/');

/** No two things have one name, so that going to a symbol by its name goes to one. */
export function checkSameExports(sources: readonly Source[]): readonly Violation[] {
  const useCases = new Set(sources.filter(isPublished).flatMap((source) => exportsOf(source).map(({ name }) => name)));
  const exported = sources
    .filter(({ path }) => isProgram(path))
    .flatMap((source) => {
      const own = exportsOf(source).filter(({ isDeclared, name }) => isDeclared && name !== 'default');
      return own.map(({ name, line }) => ({ name, line, path: source.path }));
    });
  return [...Map.groupBy(exported, ({ name }) => name)].flatMap(([name, [first, ...rest]]) => {
    const others = rest.filter(({ path }) => path !== first?.path);
    if (first === undefined || others.length === 0 || useCases.has(name)) return [];
    return [
      {
        path: first.path,
        line: first.line,
        says: `${name} is exported by ${others.map(({ path }) => path).join(' and ')} too, so that one search finds several things`,
        instead: 'Export it once when it is one thing, and name each for what only it is when it is not',
        rule: 'STYLE 10',
      },
    ];
  });
}
