// From a task list to a run and back into the list.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { endProjectsAfterEach, givenProject } from '../world/given-project.given.ts';

endProjectsAfterEach();

const LIST =
  '\uFEFF# Tasks: x\r\n\r\n## Phase 1: A\r\n\r\n- [x] T001 Old\r\n- [ ] T002 [P] Works\r\n- [ ] T003 [P] Fails\r\n  @fail failed on purpose\r\n\r\n## Phase 2: B\r\n- [ ] T004 Never begins\r\n';

describe('heddle import --write-back', () => {
  test('marks what a run has done in the file that its plan was made of, and changes no other byte', async () => {
    const project = givenProject('tasks: { a: { run: "true" } }');
    const file = project.file('tasks.md');
    writeFileSync(file, LIST);
    const words = ['import', 'spec-kit', 'tasks.md'];
    const made = await project.heddle(...words, '--agent', 'scripted', '--out', 'imported.yaml');
    expect(made.code).toBe(0);
    expect((await project.heddle('run', 'imported.yaml', '--no-git', '--attempts', '1')).code).toBe(1);
    const marked = await project.heddle(...words, '--write-back');
    expect(marked.out).toMatch(/^tasks\.md:6 T002: \[ \] is \[x\]\n1 item of tasks\.md marked from x-1\.\n$/);
    expect(readFileSync(file, 'utf8')).toBe(LIST.replace('- [ ] T002', '- [x] T002'));
    const again = await project.heddle('import', '--run', 'x-1', '--json', '--write-back', ...words.slice(1));
    expect(JSON.parse(again.out)).toEqual({ run: 'x-1', changes: [] });
  });

  test('keeps away from a file that the run knows nothing of', async () => {
    const project = givenProject('tasks: { a: { run: "true" } }');
    writeFileSync(project.file('todo.md'), '- [ ] Something else\n');
    expect((await project.heddle('import', 'markdown', 'todo.md', '--write-back')).errors).toContain(
      'There is no run in',
    );
    expect((await project.heddle('run', '--no-git')).code).toBe(0);
    const { code, errors } = await project.heddle('import', 'markdown', 'todo.md', '--write-back');
    expect(errors).toContain('No task of world-1 is in todo.md. Was the plan of that run imported from this file?');
    expect(code).toBe(2);
    expect(readFileSync(project.file('todo.md'), 'utf8')).toBe('- [ ] Something else\n');
  });
});
