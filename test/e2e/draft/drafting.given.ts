// A small project in a repository, and a scripted agent that drafts plans for it: its answers are in a file of the project.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { givenRepository, type InGit } from '../git-commands/repository.given.ts';

/** What the agent answers, turn after turn; the last answer is repeated. */
export function givenAnswers(...answers: readonly string[]): InGit {
  const project = givenRepository('heddle: 1\ntasks: { a: { run: "true" } }\n');
  rmSync(project.file('plan.yaml'));
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(project.file(name)), { recursive: true });
    project.write(name, text);
  }
  project.write('answers.txt', answers.map((answer) => `${answer.trimEnd()}\n`).join('@@@\n'));
  project.git('add', '--all');
  project.git('commit', '-qm', 'shop: begin');
  return project;
}

const FILES = {
  // The folder is the home of the program as well, where npm keeps its own log when nothing is isolated.
  '.gitignore': '.npm/\n',
  'package.json': '{ "name": "shop", "scripts": { "test": "sh test/all.sh" } }\n',
  'test/all.sh': 'for file in src/*.txt; do test -s "$file" || exit 1; done\n',
};

/** The goal as the scripted agent reads it. */
export const GOAL = '@next answers.txt\nAdd the two new pages.';

export const fenced = (plan: string): string => `\`\`\`yaml\nheddle: 1\n${plan.trim()}\n\`\`\``;

/** Two tasks side by side and one that needs both. */
export const GOOD = `Why: the pages share nothing.
Assumption: both are in English.

${fenced(`name: pages
merge: { check: npm test }
tasks:
  three:
    prompt: |
      @write src/three.txt three\\n
    files: [src/three.txt]
    estimate: 3m
  four:
    prompt: |
      @write src/four.txt four\\n
    files: [src/four.txt]
    estimate: 3m
  index:
    needs: [three, four]
    prompt: |
      @run cat src/three.txt src/four.txt > src/index.txt
    files: [src/index.txt]
    check: grep -q three src/index.txt && grep -q four src/index.txt
    estimate: 2m
`)}`;

export const isWritten = (project: InGit, name = 'plan.yaml'): boolean => existsSync(project.file(name));

/** `heddle plan` with the scripted agent. */
export const draft = (project: InGit, ...words: readonly string[]) =>
  project.heddle('plan', GOAL, '--agent', 'scripted', ...words);
