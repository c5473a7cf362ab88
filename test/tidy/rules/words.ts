// What comments, tests and documents may not say: promises for later, tickets, machine paths, silenced checks.
import type { Node } from 'oxc-parser';
import { isTest, type Source } from '../source.ts';
import type { Violation } from '../violation.ts';

interface Pattern {
  readonly pattern: RegExp;
  readonly says: string;
  readonly instead: string;
  readonly rule: string;
}

const PROMISE: Pattern = {
  pattern: /\b(TODO|FIXME|HACK|XXX)\b/,
  says: 'a promise for later is a task that nobody scheduled',
  instead: 'Do it, or write `Limit: … . When …, do … .`',
  rule: 'STYLE 31',
};

const TICKET: Pattern = {
  pattern:
    /(?<![\w&/"'(])#\d+\b|\b(?!UTF|ISO|SHA|RFC|ES|WCP|ECMA|CVE)[A-Z]{2,10}-\d{2,}\b|\b(?:[Ii]ssue|[Tt]icket|[Pp]ull request) #?\d+/,
  says: 'a ticket number sends the reader to a place that will be gone',
  instead: 'Give the reason itself in a sentence',
  rule: 'STYLE 30',
};

/** In a test of types this is the assertion: the compiler complains where there is no error. */
const EXPECTED_ERROR = /^\/\/ @ts-expect-error [A-Z].*\.$/;
const isTestOfTypes = (path: string): boolean => path.endsWith('-types.test.ts');

const IN_COMMENTS: readonly Pattern[] = [
  PROMISE,
  TICKET,
  {
    pattern: /(?:oxlint|eslint)-disable|@ts-(?:ignore|expect-error|nocheck)|(?:v8|c8|istanbul) ignore/,
    says: 'this silences a check instead of answering it',
    instead: 'Change the code so that the check is content, or change the check for everyone, with the reason',
    rule: 'STYLE 21',
  },
  {
    pattern: /^\/\/\s*[-=*#_~]{4,}|[-=*#~]{8,}\s*$/,
    says: 'a banner means that this file holds two things',
    instead: 'Make the second one a file',
    rule: 'STYLE 9',
  },
  {
    pattern: /^\/\/\s*(?:(?:const|let|return|import|export|await|throw)\b.*;|[\w.]+\(.*\);|\}\s*(?:else\s*\{)?)$/,
    says: 'this looks like code that was commented out, and git keeps old code better',
    instead: 'Delete it; when it is an example, put it in backticks in a sentence',
    rule: 'STYLE 30',
  },
];

/** Whatever the kind of file. */
const IN_ALL_TEXT: readonly Pattern[] = [
  {
    pattern: /(?<![\w./:*$}-])\/(?:work|root|home|Users)\//,
    says: "this is a path on somebody's machine",
    instead: 'Write it from the root of the repository, or make it an argument',
    rule: 'STYLE 39',
  },
  {
    pattern: /https?:\/\/[^\s/"]*(?:registry\.npmjs|npm\.pkg|artifactory|verdaccio|localhost:4873)/,
    says: 'this ties the project to one registry host',
    instead: "Leave the host to each machine's own npm settings",
    rule: 'STYLE 39',
  },
];

const violations = (path: string, line: number, text: string): ((pattern: Pattern) => readonly Violation[]) => {
  return ({ pattern, says, instead, rule }) => (pattern.test(text) ? [{ path, line, says, instead, rule }] : []);
};

/** Each line of each comment. */
export const checkComments = (source: Source): readonly Violation[] =>
  source.comments.flatMap((comment) =>
    comment.text
      .split('\n')
      .filter((text) => !(isTestOfTypes(source.path) && EXPECTED_ERROR.test(text)))
      .flatMap((text, index) => IN_COMMENTS.flatMap(violations(source.path, comment.line + index, text))),
  );

/** Each line of any text file. */
export const checkText = (path: string, text: string): readonly Violation[] =>
  text.split('\n').flatMap((line, index) => IN_ALL_TEXT.flatMap(violations(path, index + 1, line)));

/** Prose of a document; fenced blocks are left out, since they show examples, bad ones too. */
export function checkProse(path: string, text: string): readonly Violation[] {
  let isFenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    return isFenced ? [] : [PROMISE, TICKET].flatMap(violations(path, index + 1, line));
  });
}

const TEST_NAMES = new Set(['test', 'it', 'describe', 'suite']);
const LEFT_OUT = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']);

/** `test.skip`, for a member of `test` and its kind that leaves tests out. */
function leftOutBy(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' || node.object.type !== 'Identifier') return undefined;
  const property = node.property.type === 'Identifier' ? node.property.name : '';
  return TEST_NAMES.has(node.object.name) && LEFT_OUT.has(property) ? `${node.object.name}.${property}` : undefined;
}

/** Every test runs everywhere, but for those that ask something of the machine by `test/needs.given.ts`. */
export const checkSkipped = (source: Source): readonly Violation[] =>
  source.nodes.flatMap(({ node, line }) => {
    const name = isTest(source.path) ? leftOutBy(node) : undefined;
    if (name === undefined) return [];
    return [
      {
        path: source.path,
        line,
        says: `${name} leaves tests out, and a green run would then prove less than it seems to`,
        instead: 'Make the test true everywhere, or say what it needs of a machine with need or skipUnless',
        rule: 'STYLE 33',
      },
    ];
  });

/** The name of a test, where it is a plain string. */
function testNamed(node: Node): string | undefined {
  if (node.type !== 'CallExpression' || node.callee.type !== 'Identifier') return undefined;
  if (!['test', 'it'].includes(node.callee.name)) return undefined;
  const [name] = node.arguments;
  return name?.type === 'Literal' && typeof name.value === 'string' ? name.value : undefined;
}

/** The name of a test is a sentence, so it has at least three words. */
export const checkTestNames = (source: Source): readonly Violation[] =>
  source.nodes.flatMap(({ node, line }) => {
    const name = isTest(source.path) ? testNamed(node) : undefined;
    if (name === undefined || name.split(/\s+/).length >= 3) return [];
    return [
      {
        path: source.path,
        line,
        says: `the test name '${name}' is not a sentence about behaviour`,
        instead: 'Say what happens, and when, in a sentence',
        rule: 'STYLE 33',
      },
    ];
  });
