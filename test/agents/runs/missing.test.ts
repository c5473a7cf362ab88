// A program that disappears during a run: a step without another agent fails at once, in one sentence.
import { mkdtempSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { endProjectsAfterEach } from '../../e2e/world/given-project.given.ts';
import { CLAUDE, CODEX } from '../kinds.given.ts';
import { programAt } from '../programs.given.ts';
import { foldersOfWaiting, givenRealProject, letGo, WAITS, needRun } from './real-project.given.ts';
import { PATIENCE_MS } from '../../patience.given.ts';

endProjectsAfterEach();

test(
  'a program that is gone when its turn comes is refused, and another takes over',
  { timeout: PATIENCE_MS },
  async (context) => {
    const kinds = [CLAUDE, CODEX];
    await needRun(context, kinds);
    const programs = mkdtempSync(join(tmpdir(), 'heddle-programs-'));
    onTestFinished(() => rmSync(programs, { recursive: true, force: true }));
    for (const { program } of kinds) symlinkSync(programAt(program), join(programs, program));
    const project = await givenRealProject({
      kinds,
      env: { PATH: [programs, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) },
      tasks: `  first: { run: "${WAITS}" }
  gone: { needs: [first], agent: codex, prompt: "Do it.\\n@say ok" }
  taken: { needs: [first], agent: [codex, claude], prompt: "Do it.\\n@say ok" }
`,
    });
    const going = project.start('run', '--json');
    const folders = await foldersOfWaiting(project, 1);
    unlinkSync(join(programs, CODEX.program));
    letGo(folders.get('first'));
    expect((await going.ended).code, going.errors()).toBe(1);
    const said = (await project.events()).flatMap(({ type, work, task, ending, reason }) =>
      work === 'step' && type === 'claim.ended' && task !== 'first' ? [`${task} ${ending} ${reason}`] : [],
    );
    expect(said.toSorted()).toEqual(['gone failed refused', 'taken done undefined']);
    expect((await project.heddle('explain', 'gone')).out).toContain(
      'The program of codex was not found where its turn',
    );
  },
);
