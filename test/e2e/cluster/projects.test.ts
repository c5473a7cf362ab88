// Two repositories, each with a server, and one database for the runs of both.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { postgresNeed, startPostgres, type PostgresServer } from '../../../src/shell/engines/postgres-server.given.ts';
import { givenServed } from '../hosts/serve.given.ts';
import { skipUnless } from '../../needs.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

const NEED = postgresNeed();
const planOf = (word: string): string =>
  `heddle: 1\nname: same\nsandbox: { isolation: none }\ntasks:\n  a: { run: "echo ${word} > a.txt" }\n`;

describe('a database for two repositories', () => {
  skipUnless(NEED);
  let database: PostgresServer | undefined;
  beforeAll(async () => {
    if (NEED.missing === undefined) database = await startPostgres();
  }, PATIENCE_MS);
  afterAll(() => database?.remove());

  test('refuses the second one, until that has a name of its own, and keeps runs of one name apart', async () => {
    const url = database?.url ?? '';
    const [one, two] = [givenServed(planOf('one')), givenServed(planOf('two'))];
    await one.serve('--width', '1', '--engine', url);
    const refused = two.begin('serve', '--listen', '127.0.0.1:0', '--engine', url);
    expect(await refused.ended).toBe(2);
    expect(refused.printed()).toContain('has the runs of another repository. Give this one a name of its own there');
    await two.serve('--width', '1', '--engine', `${url}?project=two`);
    const runs = [one, two].map((given) => given.begin('run', 'plan.yaml', '--plain'));
    expect(await Promise.all(runs.map(({ ended }) => ended))).toEqual([0, 0]);
    for (const [given, word] of [
      [one, 'one'],
      [two, 'two'],
    ] as const) {
      expect(given.project.git('show', 'heddle/same-1:a.txt')).toBe(word);
      expect(given.heddle('status', '--json').out).toContain('same-1');
      expect(given.events('same-1').filter(({ type }) => type === 'run.started')).toHaveLength(1);
    }
  });

  test('refuses a shallow clone, which does not know whose it is', async () => {
    const given = givenServed(planOf('one'));
    const { project } = given;
    project.git('commit', '--allow-empty', '-m', 'second');
    writeFileSync(join(project.folder, '.git', 'shallow'), `${project.git('rev-parse', 'HEAD')}\n`);
    const refused = given.begin('serve', '--listen', '127.0.0.1:0', '--engine', `${database?.url}?project=shallow`);
    expect(await refused.ended).toBe(2);
    expect(refused.printed()).toContain('Fetch the rest of its history: git fetch --unshallow.');
  });
});
