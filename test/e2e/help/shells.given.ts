// Asks real shells what they would complete, with the scripts that `heddle completion` prints.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../heddle.given.ts';

/** A folder for the PATH in which `heddle` is the program of this tree. */
export function givenProgram(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const program = join(bin, 'heddle');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin', 'heddle.js')}" "$@"\n`);
  chmodSync(program, 0o755);
  return bin;
}

export interface Place {
  readonly cwd: string;
  readonly bin: string;
}

/** What stands between the words of a line: bash tells `=` apart, as it does when somebody types. */
const BASH = `
eval "$(heddle completion bash)"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_heddle "$1"
printf '%s\\n' "\${COMPREPLY[@]}"
`;

/** Zsh completes only where somebody types, so what it would be told is printed instead. */
const ZSH = `
compdef() { : }
_describe() { print -rl -- "\${(@P)2%%:*}" }
_files() { if [[ $1 == -g ]]; then print -rl -- *.yaml; else print -rl -- *; fi }
compset() { : }
eval "$(heddle completion zsh)"
words=("$@")
CURRENT=$#
_heddle
`;

const FISH = `
heddle completion fish | source
complete -C "$argv"
`;

const inShell = (place: Place, program: string, args: readonly string[]) =>
  spawnSync(program, args, {
    cwd: place.cwd,
    encoding: 'utf8',
    env: { PATH: `${place.bin}:${process.env['PATH'] ?? ''}`, HOME: place.cwd, TERM: 'dumb' },
  });

export const hasShell = (place: Place, shell: string): boolean =>
  inShell(place, shell, ['-c', 'exit 0']).error === undefined;

const linesOf = ({ stdout, stderr }: { stdout: string; stderr: string }): readonly string[] =>
  stderr === ''
    ? stdout
        .split('\n')
        .map((line) => line.split('\t')[0] ?? '')
        .filter((line) => line !== '')
        .toSorted()
    : [stderr];

/** The words that a shell would offer for the last one, in the order of the alphabet. */
export function askShell(place: Place, shell: string, words: readonly string[]): readonly string[] {
  if (shell === 'fish') return linesOf(inShell(place, 'fish', ['-c', FISH, words.join(' ')]));
  if (shell === 'zsh') return linesOf(inShell(place, 'zsh', ['-f', '-c', ZSH, 'zsh', ...words]));
  const parts = words.flatMap((word) => word.split(/(=)/)).filter((part, at) => part !== '' || at === words.length - 1);
  return linesOf(inShell(place, 'bash', ['--norc', '-c', BASH, 'bash', ...parts]));
}
