import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { givenFile, heddle, scratchFolder } from '../heddle.given.ts';
import { GIVEN_IMPORTS, TASKS_MD } from './files.given.ts';

function givenFolder(files: Readonly<Record<string, string>>): string {
  const folder = scratchFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('heddle import', () => {
  test.each(GIVEN_IMPORTS)('makes a plan of $name that checks', ({ format, files, path }) => {
    const cwd = givenFolder(files);
    const made = heddle(['import', format, path, '--out', 'made.yaml', '--check', 'true'], { cwd });
    expect(made.errors).toMatch(/tasks? in made\.yaml\. Look at it with heddle check made\.yaml\.\n$/);
    expect(made).toMatchObject({ code: 0, out: '' });
    const checked = heddle(['check', 'made.yaml'], { cwd });
    expect(checked.errors).not.toMatch(/ error /);
    expect(checked.out).toContain('Sound');
    expect(checked.code).toBe(0);
  });

  test('prints the plan and nothing else, and reports on stderr what was left out', () => {
    const cwd = givenFolder({ 'specs/tasks.md': TASKS_MD });
    const { code, out, errors } = heddle(['import', 'spec-kit', 'specs'], { cwd });
    expect(out).toMatch(
      /^# Made by heddle import spec-kit of specs\/tasks\.md\.\nheddle: 1\nname: photo-albums\nagent: claude\n/,
    );
    expect(out).toContain('needs: [T003, T004]');
    expect(errors).toBe('note: specs/tasks.md 1 item done already, left out: T001.\n');
    expect(code).toBe(0);
    const commented = heddle(['import', 'spec-kit', 'specs', '--comments', '--agent', 'codex'], { cwd }).out;
    expect(commented).toContain('# specs/tasks.md 1 item done already, left out: T001.\nheddle: 1\n');
    expect(commented).toContain('agent: codex');
  });

  test('reads standard input, and --json is one document', () => {
    const { code, out, errors } = heddle(['import', 'spec-kit', '-', '--json'], { input: TASKS_MD });
    const read = JSON.parse(out);
    expect(read).toMatchObject({ ok: true, tasks: 5, done: 1, notes: [{ file: 'standard input' }] });
    expect(read.plan).toContain('heddle: 1');
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
  });

  test('replaces no file unless asked to', () => {
    const cwd = givenFolder({ 'tasks.md': TASKS_MD, 'plan.yaml': 'mine' });
    const words = ['import', 'spec-kit', 'tasks.md', '--out', 'plan.yaml'];
    const { code, errors } = heddle(words, { cwd });
    expect(errors).toBe('heddle: plan.yaml is there already. Give --force to replace it, or another name.\n');
    expect(code).toBe(2);
    expect(readFileSync(join(cwd, 'plan.yaml'), 'utf8')).toBe('mine');
    expect(heddle([...words, '--force'], { cwd }).code).toBe(0);
    expect(readFileSync(join(cwd, 'plan.yaml'), 'utf8')).toContain('heddle: 1');
  });

  test.each([
    ['task-master', '{ "tasks": [ }', /tasks\.x:1:14 It is not JSON: a value is missing\.\n$/],
    ['beads', '{"id":"a"}\n{', /tasks\.x:2:2 It is not JSON: .*\n$/],
    ['brunch', 'epics: [', /tasks\.x:1:9 .*\n$/],
    ['markdown', 'Words.', /tasks\.x:1 There is no check box in it; .*\n$/],
    ['spec-kit', '- [x] T001 a', /tasks\.x Everything in it is done \(1 item\), so there is nothing left to plan\.\n$/],
  ])('says in one line what is wrong with a broken file of %s', (format, text, says) => {
    const file = givenFile('tasks.x', text);
    const { code, out, errors } = heddle(['import', format, file]);
    expect(errors).toMatch(says);
    expect(errors.trim().split('\n')).toHaveLength(1);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    const asJson = heddle(['import', format, file, '--json']);
    expect(JSON.parse(asJson.out)).toMatchObject({ ok: false, trouble: { file } });
    expect(asJson.code).toBe(2);
  });

  test('reports wrong calls', () => {
    const cwd = givenFolder({ 'a.txt': '' });
    expect(heddle(['import', 'jira', 'a.txt'], { cwd }).errors).toContain('Allowed choices are spec-kit, task-master');
    expect(heddle(['import', 'spec-kit', '.'], { cwd }).errors).toContain('is a folder without tasks.md');
    expect(heddle(['import', 'gsd', '.'], { cwd }).errors).toContain('There is no roadmap and no plan of GSD in .');
    expect(heddle(['import', 'spec-kit', 'none.md'], { cwd }).errors).toContain('There is no file none.md');
    expect(heddle(['import', 'ail', 'a.txt', '--write-back'], { cwd }).errors).toContain(
      '--write-back is for spec-kit',
    );
    expect(heddle(['import', 'markdown', '-', '--write-back'], { cwd }).errors).toContain('instead of -');
    expect(heddle(['import', '--help'], { cwd }).out).toContain('heddle import spec-kit');
  });
});
