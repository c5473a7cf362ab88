// The other side of a conflict in a task's sandbox, and what is taken for a resolution.
import { failureText } from '../../src/core/protocol/sandbox-failure.ts';
import { describe, expect, test } from 'vitest';
import type { Assignment } from '../../src/core/protocol/assignment.ts';
import { openConflict } from '../../src/shell/sandbox/open-conflict.ts';
import type { ConflictPlace } from '../../src/shell/sandbox/open-conflict.ts';
import { openWorkplace } from '../../src/shell/sandbox/open-workplace.ts';
import type { Workplace } from '../../src/shell/ports/workplace.ts';
import { givenConflict, integrationOf, RUN, SETTINGS, TASK, workIn } from './git-conflict.given.ts';
import type { PathOverlap, Met } from './git-conflict.given.ts';
import { AT, gitIn } from './git-project.given.ts';

const LINES: PathOverlap = {
  base: { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
  ours: { 'a.txt': 'one\nours\nthree\n', 'b.txt': 'ours\n' },
  theirs: { 'a.txt': 'one\ntheirs\nthree\n', 'c.txt': 'theirs\n' },
};
const SETTLED = `printf 'one\\nours and theirs\\nthree\\n' > a.txt`;

/** A turn of the task's agent on the conflict. */
async function openTurn({ integration, base, tip, onto }: Met, attempt: number): Promise<Workplace> {
  const assignment: Assignment = {
    claim: { work: 'resolve', task: TASK, step: 'main', attempt },
    work: { type: 'command', command: 'true', environment: {} },
    limits: { timeoutMs: 1, idleTimeoutMs: 1 },
    output: undefined,
    sandbox: { base, needs: [], from: tip, onto, at: AT + attempt * 1_000, settings: SETTINGS },
  };
  const opened = await openWorkplace(integration, assignment, assignment.sandbox ?? never());
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened.workplace;
}

const never = (): never => {
  throw new Error('It was given.');
};

const workAt = ({ cwd, wrap, environment }: Workplace, command: string): string =>
  workIn({ folder: cwd, wrap, environment }, command);

async function openByHand({ integration, tip, onto }: Met): Promise<ConflictPlace> {
  const opened = await openConflict(integration, { task: TASK, tip, onto, at: AT });
  if (opened.type === 'failed') throw new Error(opened.failure.code);
  return opened;
}

describe("an agent's turn on a conflict", () => {
  test('finds both sides and where they began in the files', async () => {
    const met = await givenConflict(LINES);
    const place = await openTurn(met, 2);
    const began = met.base.slice(0, 7);
    expect(workAt(place, 'cat a.txt')).toBe(
      `one\n<<<<<<< ${met.tip}\nours\n||||||| ${began}\ntwo\n=======\ntheirs\n>>>>>>> ${met.onto}\nthree\n`,
    );
    expect(workAt(place, 'cat b.txt c.txt; ls')).toBe('ours\ntheirs\na.txt\nb.txt\nc.txt\n');
    expect(workAt(place, `git show ${met.onto}:a.txt`)).toBe('one\ntheirs\nthree\n');
  });

  test('is kept as a commit of both sides, the same for the same work', async () => {
    const met = await givenConflict(LINES);
    const place = await openTurn(met, 2);
    workAt(place, SETTLED);
    const kept = await place.keep();
    const { repository } = met.integration;
    const commit = kept.type === 'kept' ? (kept.commit ?? '') : '';
    expect(kept).toEqual({ type: 'kept', commit: expect.stringMatching(/^[\da-f]{40}$/) });
    expect(await repository.parentsOf(commit)).toEqual([met.tip, met.onto]);
    expect(gitIn(repository.gitDir, 'show', `${commit}:a.txt`)).toBe('one\nours and theirs\nthree');
    expect(await repository.read(`refs/heddle/${RUN}/checkpoints/${TASK}/main/2`)).toBe(commit);
    expect(
      await repository.mergeOnto({ onto: met.onto, tip: commit, message: '', at: AT, usesResolutions: false }),
    ).toMatchObject({ type: 'merged', tree: await repository.treeOf(commit) });
    const again = await givenConflict(LINES);
    const other = await openTurn(again, 2);
    workAt(other, SETTLED);
    expect(await other.keep()).toEqual(kept);
  });

  test.each([
    ['nothing is done', 'true', 'There are conflict markers in a.txt.'],
    ['a marker is left', "sed -i '/^<<<<<<</d; /^|||||||/d' a.txt", 'There are conflict markers in a.txt.'],
    [
      'only the middle of the markers is left',
      "sed -i '/^[<|>]\\{7\\}/d' a.txt",
      'There are conflict markers in a.txt.',
    ],
    ['the file is deleted', 'rm a.txt', 'a.txt was deleted'],
    ['all is as the task had it', 'git checkout -q $TIP -- . && git reset -q', 'Nothing of the work of the other side'],
    ['all is as the other side has it', 'git checkout -q $ONTO -- .', 'Nothing of the work of this task is left.'],
    ['other work of the other side is undone', `${SETTLED}; echo c > c.txt`, 'The work of the other side in c.txt was'],
    ['other work of the task is undone', `${SETTLED}; echo b > b.txt`, 'The work of this task in b.txt was dropped.'],
  ])('is not taken when %s, and the next begins with both sides', async (_, command, says) => {
    const met = await givenConflict(LINES);
    const place = await openTurn(met, 2);
    const before = workAt(place, 'cat a.txt');
    workAt(place, `TIP=${met.tip}; ONTO=${met.onto}; ${command}`);
    const kept = await place.keep();
    expect(kept.type === 'failed' && failureText(kept.failure)).toContain(says);
    const next = await openTurn(met, 3);
    expect(workAt(next, 'cat a.txt b.txt c.txt')).toBe(`${before}ours\ntheirs\n`);
    workAt(next, SETTLED);
    expect(await next.keep()).toMatchObject({ type: 'kept' });
  });

  test('may leave lines that look like markers and are of one side', async () => {
    const heading = 'Title\n=======\n<<<<<<< is how a conflict begins\n';
    const met = await givenConflict({
      base: { 'a.md': 'x\n' },
      ours: { 'a.md': `${heading}ours\n` },
      theirs: { 'a.md': 'theirs\n' },
    });
    const place = await openTurn(met, 2);
    workAt(place, `git show ${met.tip}:a.md > a.md; echo theirs >> a.md`);
    expect(await place.keep()).toMatchObject({ type: 'kept' });
  });

  test('continues the resolution of a killed worker', async () => {
    const met = await givenConflict(LINES);
    workAt(await openTurn(met, 2), SETTLED);
    const again = { ...met, integration: await integrationOf(met.project) };
    expect(workAt(await openTurn(again, 3), 'cat a.txt')).toBe('one\nours and theirs\nthree\n');
  });
});

const NOTE = 'HEDDLE-CONFLICTS.md';

describe('a conflict that is not about lines', () => {
  test.each<[string, PathOverlap, readonly string[]]>([
    [
      'of files that are not text',
      { base: { bin: '\0one' }, ours: { bin: '\0ours' }, theirs: { bin: '\0theirs' } },
      ['## bin', 'Merge conflict in bin', "- this task's side: `git cat-file -p"],
    ],
    [
      'of a file that one side deleted',
      { base: { gone: 'x\n', kept: 'k\n' }, ours: { gone: undefined }, theirs: { gone: 'changed\n' } },
      ["gone deleted in this task's side and modified in the other side", "- this task's side: not there"],
    ],
    [
      'of a file that each side moved elsewhere',
      {
        base: { from: 'a\nb\nc\nd\n' },
        ours: { from: undefined, here: 'a\nb\nc\nd\n' },
        theirs: { from: undefined, there: 'a\nb\nc\nd\n' },
      },
      ['(rename/rename)', '## here', '## there'],
    ],
    [
      'of a file and a folder of one name',
      { base: { other: 'x\n' }, ours: { lib: 'a file\n' }, theirs: { 'lib/x': 'in a folder\n' } },
      ['(file/directory)', '## lib~'],
    ],
    [
      'of a file and a link',
      { base: { other: 'x\n' }, ours: { it: 'a file\n' }, theirs: { it: { link: 'other' } } },
      ['## it'],
    ],
  ])('%s is told in words, and is resolved when they are deleted', async (_, meeting, words) => {
    const met = await givenConflict(meeting);
    const place = await openByHand(met);
    const text = workIn(place.sandbox, `cat ${NOTE}`);
    for (const word of words) expect(text).toContain(word);
    expect(place.written.note).toBe(NOTE);
    expect(await place.keep()).toMatchObject({ type: 'unresolved' });
    workIn(place.sandbox, `rm ${NOTE}; for file in *~*; do [ ! -e "$file" ] || mv "$file" settled; done`);
    const kept = await (await openByHand(met)).keep();
    expect(kept).toMatchObject({ type: 'kept' });
    const commit = kept.type === 'kept' ? kept.commit : '';
    expect(gitIn(met.integration.repository.gitDir, 'ls-tree', '-r', '--name-only', commit)).not.toMatch(/~|HEDDLE/);
  });

  test('of modes is described', async () => {
    const met = await givenConflict({
      base: { other: 'x\n' },
      ours: { tool: { script: '#!/bin/sh\n' } },
      theirs: { tool: '#!/bin/sh\n' },
    });
    const { written } = await openByHand(met);
    expect(written.paths).toMatchObject([{ path: 'tool', isMarked: false }]);
    expect(written.note).toBe(NOTE);
  });

  test('of submodules is described', async () => {
    const { project, integration } = await givenConflict({
      base: { a: 'a\n' },
      ours: { a: 'b\n' },
      theirs: { a: 'c\n' },
    });
    const moduleAt = (parent: string, digit: string): string => {
      project.git('read-tree', parent);
      project.git('update-index', '--add', '--cacheinfo', `160000,${digit.repeat(40)},module`);
      return project.git('commit-tree', project.git('write-tree'), '-p', parent, '-m', 'module');
    };
    const base = moduleAt(project.git('rev-parse', 'HEAD'), '1');
    const [ours, theirs] = [moduleAt(base, '2'), moduleAt(base, '3')];
    const written = await integration.repository.writeConflict({ ours, theirs });
    expect(written).toMatchObject({ type: 'written', note: NOTE, paths: [{ path: 'module', isMarked: false }] });
    const commit = written.type === 'written' ? written.commit : '';
    expect(gitIn(integration.repository.gitDir, 'show', `${commit}:${NOTE}`)).toContain('(submodule');
  });

  test('has a note that no file of the project is in the way of', async () => {
    const met = await givenConflict({
      base: { [NOTE]: 'mine\n', bin: '\0one' },
      ours: { bin: '\0ours' },
      theirs: { bin: '\0theirs' },
    });
    const place = await openByHand(met);
    expect(place.written.note).toBe('HEDDLE-CONFLICTS-2.md');
    expect(workIn(place.sandbox, `cat ${NOTE}`)).toBe('mine\n');
  });
});

describe('a person who resolves a conflict', () => {
  test('finds the tree as they left it, also when it was not taken', async () => {
    const met = await givenConflict(LINES);
    const place = await openByHand(met);
    workIn(place.sandbox, 'echo half >> a.txt; echo more > d.txt');
    expect(await place.keep()).toEqual({ type: 'unresolved', reasons: [{ code: 'markers', paths: ['a.txt'] }] });
    const again = await openByHand(met);
    expect(workIn(again.sandbox, 'tail -1 a.txt; cat d.txt')).toBe('half\nmore\n');
    workIn(again.sandbox, SETTLED);
    const kept = await (await openByHand(met)).keep();
    const commit = kept.type === 'kept' ? kept.commit : '';
    expect(await met.integration.repository.parentsOf(commit)).toEqual([met.tip, met.onto]);
    expect(gitIn(met.integration.repository.gitDir, 'show', `${commit}:d.txt`)).toBe('more');
  });

  test('may drop the work of one side', async () => {
    const met = await givenConflict(LINES);
    const place = await openByHand(met);
    workIn(place.sandbox, `git checkout -q ${met.tip} -- .`);
    expect(await place.keep()).toMatchObject({ type: 'kept' });
  });

  test('begins with both sides after an agent whose work was not taken', async () => {
    const met = await givenConflict(LINES);
    const turn = await openTurn(met, 2);
    workAt(turn, 'rm a.txt');
    expect(await turn.keep()).toMatchObject({ type: 'failed' });
    const place = await openByHand(met);
    expect(workIn(place.sandbox, 'cat a.txt')).toContain('<<<<<<<');
  });
});
