// Two agents on one task: a reviewer whose findings go back to the author, and a stronger agent after a weaker one.
import { describe, expect, test } from 'vitest';
import { isolation, need } from '../needs.given.ts';
import { endRepositoriesAfterEach, givenRepository, type InGit } from './git-commands/repository.given.ts';

endRepositoriesAfterEach();

const CRITIC =
  'cat > prompt.txt; echo spoilt > src/two.txt; rm src/shared.txt; git diff "$HEDDLE_BASE" > seen.txt; ' +
  'grep -q second src/one.txt && severity=low || severity=high; ' +
  String.raw`printf '{"summary":"Read.","findings":[{"severity":"%s","file":"src/one.txt","line":1,"problem":"Only the first line.","suggestion":null}]}' $severity`;

const plan = (task: string, critic = CRITIC): string => `heddle: 1
name: world
attempts: 3
agents:
  author: { use: scripted, reserve: { usd: 0.2 } }
  strong: { use: scripted, reserve: { usd: 0.4 } }
  critic:
    use: command
    reserve: { usd: 0.3 }
    command: >-
      ${critic}
agent: author
sandbox: { isolation: none }
tasks:
  one: ${task}
`;

const fileOf = (project: InGit, path: string): string => project.git('show', `heddle/world-1:${path}`);

const AUTHOR = '@run [ -e first ] && echo second >> src/one.txt || { touch first; echo first > src/one.txt; }';

describe('a review', () => {
  test('sends the work back with its findings, and nothing that the reviewer writes is kept', async () => {
    const project = givenRepository(
      plan(
        `{ prompt: "Write two lines.\\n${AUTHOR}", check: "test ! -e prompt.txt && test -e src/shared.txt", review: { agent: critic } }`,
      ),
    );
    const { code, out } = await project.heddle('run');
    expect({ code, out }).toMatchObject({ code: 0 });
    expect(fileOf(project, 'src/one.txt')).toBe('first\nsecond');
    expect(fileOf(project, 'src/two.txt')).toBe('two');
    expect(project.git('ls-tree', '--name-only', '-r', 'heddle/world-1')).not.toMatch(/prompt|seen/);
    const events = await project.events();
    const claims = events.filter(({ type }) => type === 'claim.made').map(({ work, step }) => step ?? work);
    expect(claims).toEqual(['main', 'review', 'main', 'review', 'check', 'merge']);
    expect(JSON.stringify(events.find(({ type }) => type === 'task.repeated'))).toContain(
      '- high, src/one.txt:1: Only the first line.',
    );
    const turns = await project.heddle('turns', 'one', '--json');
    expect(turns.out).toContain('Review the work of another agent');
    expect(turns.out).toContain('A reviewer read the work and did not accept it.');
  });

  const task = `{ prompt: "@run echo second > src/one.txt", review: { agent: critic } }`;
  const tries =
    '(echo spoilt > src/two.txt) && wrote=it-wrote || wrote=it-was-refused; ' +
    '(git diff "$HEDDLE_BASE"; git status) > "$TMPDIR/seen"; ' +
    String.raw`grep -q second "$TMPDIR/seen" && printf '{"summary":"%s","findings":[]}' $wrote`;

  test('says what a reviewer without isolation has changed', async () => {
    const open = givenRepository(plan(task, tries));
    expect((await open.heddle('run')).code).toBe(0);
    expect((await open.heddle('logs', 'one')).out).toContain('its changes are not kept (src/two.txt)');
    expect((await open.heddle('turns', 'one')).out).toContain('it-wrote');
  });

  test('is of a tree that a reviewer with isolation cannot change', async (context) => {
    need(context, await isolation());
    const closed = givenRepository(plan(task, tries).replace('isolation: none', 'isolation: os'));
    const ran = await closed.heddle('run');
    expect(ran.code, `${ran.out}${ran.errors}`).toBe(0);
    expect((await closed.heddle('turns', 'one')).out).toContain('it-was-refused');
    expect((await closed.heddle('logs', 'one')).out).not.toContain('are not kept');
  });

  test('that never accepts fails the task, and both sides are paid for', async () => {
    const never = CRITIC.replace('grep -q second', 'grep -q never');
    const project = givenRepository(
      plan(`{ prompt: "@spend usd=0.10 tokens=5", review: { agent: critic, rounds: 2 } }`, never),
    );
    expect((await project.heddle('run')).code).toBe(1);
    const { out } = await project.heddle('status', '--json');
    // Two turns of the author, and two of a reviewer that reports no cost, each counted as its reservation.
    expect(JSON.parse(out)).toMatchObject({ spend: { spent: { usd: 0.8 } } });
    const { out: said } = await project.heddle('explain', 'one');
    expect(said).toContain('not after 2 rounds');
  });

  test('starts clean after a reviewer that was killed', async () => {
    const killed = CRITIC.replace(
      'cat > prompt.txt',
      'cat > prompt.txt; [ -e $HEDDLE_HOME/again ] || { touch $HEDDLE_HOME/again; echo spoilt > src/one.txt; kill -9 $$; }',
    );
    const project = givenRepository(
      plan(`{ prompt: "@run echo second > src/one.txt", retry: continue, review: { agent: critic } }`, killed),
    );
    expect((await project.heddle('run')).code).toBe(0);
    expect(fileOf(project, 'src/one.txt')).toBe('second');
  });
});

describe('the next attempt', () => {
  test('goes to the next agent after a failed check, which the log says, with its reservation', async () => {
    const check = '[ -e $HEDDLE_HOME/checked ] || { touch $HEDDLE_HOME/checked; exit 1; }';
    const project = givenRepository(
      plan(`{ prompt: "@run echo $HEDDLE_ATTEMPT >> src/one.txt", check: "${check}", escalate: [author, strong] }`),
    );
    expect((await project.heddle('run')).code).toBe(0);
    const events = await project.events();
    const made = events.filter(({ type, work }) => type === 'claim.made' && work === 'step');
    expect(made).toMatchObject([
      { agent: 'author', reserve: { usd: 0.2 } },
      { agent: 'strong', reserve: { usd: 0.4 } },
    ]);
    const { out } = await project.heddle('turns', 'one', '--json');
    expect(out).toContain('the check failed');
  });
});
