// Artifacts of claims of this machine's hosts: the files of their attempt folders.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ArtifactPart, ArtifactRef, LocalArtifacts } from '../ports/artifacts.ts';
import { ATTEMPT_FILES, attemptFolder } from './attempt-folder.ts';

export const localArtifacts = (home: string): LocalArtifacts => ({
  parts: (of) => filesOf(home, of).flatMap((file) => withFile(file, partOf) ?? []),
  read: (of, { part, from, length }) => {
    // A part is renamed when a newer one begins, so it is found by its identity and not by its name.
    for (const file of filesOf(home, of)) {
      const bytes = withFile(file, (opened) => {
        if (partOf(opened).id !== part) return undefined;
        const piece = new Uint8Array(length);
        return piece.subarray(0, readSync(opened, piece, 0, length, from));
      });
      if (bytes !== undefined) return bytes;
    }
    return new Uint8Array();
  },
});

function partOf(opened: number): ArtifactPart {
  const { dev, ino, size, mtimeMs } = fstatSync(opened);
  return { id: `${dev}:${ino}`, bytes: size, changedAt: mtimeMs };
}

/** Undefined when the file is not there (any more). */
function withFile<Value>(file: string, use: (opened: number) => Value): Value | undefined {
  let opened: number;
  try {
    opened = openSync(file, 'r');
  } catch {
    // Without output there is no file, and the folder may have been deleted.
    return undefined;
  }
  try {
    return use(opened);
  } finally {
    closeSync(opened);
  }
}

/** `output.2.log`, `output.1.log`, `output.log`: the highest number is the oldest. */
function filesOf(home: string, { run, claim, name }: ArtifactRef): readonly string[] {
  const folder = attemptFolder(home, run, claim);
  const file = ATTEMPT_FILES[name];
  const stem = file.slice(0, file.lastIndexOf('.'));
  const extension = file.slice(stem.length);
  return namesIn(folder)
    .filter((each) => each.startsWith(`${stem}.`) && each.endsWith(extension))
    .map((each) => ({ each, age: each === file ? 0 : Number(each.slice(stem.length + 1, -extension.length)) }))
    .filter(({ age }) => Number.isInteger(age))
    .toSorted((one, other) => other.age - one.age)
    .map(({ each }) => join(folder, each));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The claim was not begun on this machine.
    return [];
  }
}
