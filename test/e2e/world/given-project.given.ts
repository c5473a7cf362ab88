// Projects for tests.
//
// T1. Everything that was started in one is ended after the test, whether it passed or not.
import { afterEach } from 'vitest';
import { openProject, type Project } from './project.given.ts';

const HEAD = 'heddle: 1\nname: world\nsandbox: { tree: none }\n';

const opened: Project[] = [];

/** A project that is gone after the test. A plan without a head gets the one that all of these tests share. */
export function givenProject(plan: string, env: Readonly<Record<string, string>> = {}): Project {
  const project = openProject(plan.startsWith('heddle:') ? plan : `${HEAD}${plan}`, env);
  opened.push(project);
  return project;
}

/** To be called once in a file of tests. */
export function endProjectsAfterEach(): void {
  afterEach(async () => {
    for (const project of opened.splice(0)) await project.end();
  });
}
