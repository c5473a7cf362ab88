// Two real programs on one task: one reviews the work of the other, whose work goes back with the findings, and one takes
// over from the other after a failed check.
import { expect, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { need } from '../../needs.given.ts';
import { CLAUDE, CODEX, OPENCODE, type GivenKind } from '../kinds.given.ts';
import { fetched, wholeRuns } from '../programs.given.ts';
import { givenRealProject } from './real-project.given.ts';

endProjectsAfterEach();

const PAIRS = [
  { author: CODEX, other: CLAUDE },
  { author: CLAUDE, other: CODEX },
  { author: OPENCODE, other: CLAUDE },
];

const FINDING = {
  severity: 'high',
  file: 'one.txt',
  line: 1,
  problem: 'Only the first line.',
  suggestion: 'Write the second.',
};

const answer = (summary: string, findings: readonly object[]): string =>
  `@value ${JSON.stringify({ summary, findings })}`;

/** The author writes one line each time it is asked; the reviewer tries to write too, and wants two lines. */
const reviewed = (author: GivenKind, other: GivenKind): string => `  a:
    agent: ${author.use}
    check: test "$(cat one.txt)" = "$(printf 'first\\nsecond')" && test ! -e mine.txt
    prompt: |
      Two lines, please.
      @in 1 @run echo first > one.txt
      @in 1 @say the first line
      @in 2 @run true
      @in 2 @run echo second >> one.txt
      @in 2 @say the second line
    review:
      agent: ${other.use}
      prompt: |
        @run grep -c . one.txt; echo mine > mine.txt
        {% if steps.main.response contains "second" %}
        ${answer('Both are there.', [])}
        {% else %}
        ${answer('One is missing.', [FINDING])}
        {% endif %}
`;

function needPrograms(context: Parameters<typeof need>[0], kinds: readonly GivenKind[]): void {
  for (const { program } of kinds) need(context, fetched(program));
  // It takes minutes on a busy machine.
  if (kinds.includes(OPENCODE)) need(context, wholeRuns());
}

test.for(PAIRS)(
  '$other.use reviews what $author.use has written, and what blocks goes back to it',
  { timeout: 600_000 },
  async ({ author, other }, context) => {
    needPrograms(context, [author, other]);
    const project = await givenRealProject({ tasks: reviewed(author, other), kinds: [author, other] });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const events = await project.events();
    const claims = events.filter(({ type, work }) => type === 'claim.made' && work === 'step');
    expect(claims.map(({ step }) => step)).toEqual(['main', 'review', 'main', 'review']);
    const { out } = await project.heddle('turns', 'a');
    expect(out).toContain(`review #1 by ${other.use}: done`);
    expect(out).toContain('- high, one.txt:1: Only the first line. Write the second.');
    expect(out).toMatch(new RegExp(`main #2 by ${author.use}: done .* going on with`));
    expect(project.git('show', 'heddle/real-1:one.txt')).toBe('first\nsecond');
  },
);

test.for(PAIRS)(
  '$other.use takes over from $author.use after a failed check, from its files',
  { timeout: 600_000 },
  async ({ author, other }, context) => {
    needPrograms(context, [author, other]);
    const project = await givenRealProject({
      head: 'attempts: 2\n',
      tasks: `  a:
    escalate: [${author.use}, ${other.use}]
    check: test "$(grep -c . one.txt)" = 2
    prompt: |
      One line each.
      @run echo "$HEDDLE_ATTEMPT" >> one.txt
      @say written
`,
      kinds: [author, other],
    });
    const ran = await project.heddle('run', '--json');
    expect(ran.code, `${ran.out.slice(-3000)}${ran.errors}`).toBe(0);
    const claims = (await project.events()).filter(({ type, work }) => type === 'claim.made' && work === 'step');
    expect(claims).toMatchObject([{ agent: author.use }, { agent: other.use }]);
    expect((await project.heddle('turns', 'a')).out).toContain('the check failed');
    expect(project.git('show', 'heddle/real-1:one.txt')).toBe('1\n2');
  },
);
