// A fault to plant in the code: the replacement of one piece of text.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Mutation {
  readonly fault: string;
  /** Stands in the code exactly once, in whatever file. */
  readonly text: string;
  readonly instead: string;
}

/** The files of the program, tests aside, that hold the text, once for each time that they do. */
export function placesOf({ text }: Mutation, sources: ReadonlyMap<string, string>): readonly string[] {
  return [...sources].flatMap(([path, source]) => Array.from({ length: source.split(text).length - 1 }, () => path));
}

/** The program by file, as paths from the root. */
export function readProgram(root: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const paths = names.filter((name) => /(?<!\.test|\.given)\.ts$/.test(name)).map((name) => join('src', name));
  return new Map(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}
