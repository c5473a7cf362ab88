// A repository with a plan and one commit.
import { execFileSync } from 'node:child_process';
import { givenProject } from '../world/given-project.given.ts';
import type { Project } from '../world/project.given.ts';

/** One task, and a gate after it. */
export const GATED = `heddle: 1
name: shop
sandbox: { isolation: none }
tasks:
  api: { run: "true" }
  ship: { needs: [api], gate: "Ship it?" }
`;

export function givenRepository(plan: string): Project {
  const project = givenProject(plan);
  const git = (...words: readonly string[]): void => void execFileSync('git', words, { cwd: project.folder });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=x', '-c', 'user.email=x@localhost', 'commit', '-q', '--allow-empty', '-m', 'start');
  return project;
}
