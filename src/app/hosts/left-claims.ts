// Claims that an earlier program of this host has left in its home: its memory is gone, and the attempt files are not.
//
// left-claims/C1. A claim is left until the server has its outcome, which a mark in the folder of the attempt says.
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimField } from '../../core/protocol/assignment-field.ts';
import type { ClaimRef } from '../../core/protocol/assignment.ts';
import { WRONG } from '../../core/plan/json-fields.ts';
import { ATTEMPT_FILES, attemptFile, attemptFolder, inFolder } from '../../shell/host/attempt-folder.ts';
import { readJson } from '../../shell/host/read-json.ts';
import { isObject } from '../../core/plan/json-fields.ts';

/** Runs that have files in the home. */
export const leftRuns = (home: string): readonly string[] => foldersIn(join(home, 'runs'));

export function leftClaims(home: string, run: string): readonly ClaimRef[] {
  const folder = join(home, 'runs', run);
  return foldersIn(folder).flatMap((name) => {
    const attempt = join(folder, name);
    if (existsSync(join(attempt, ATTEMPT_FILES.reported))) return [];
    const read = readJson(attemptFile(attempt));
    const claim = read.type === 'value' && isObject(read.value) ? claimField(read.value['claim']) : WRONG;
    return claim === WRONG ? [] : [claim];
  });
}

/** The server has the outcomes of these. */
export function markReported(home: string, run: string, claims: readonly ClaimRef[]): void {
  for (const claim of claims) {
    try {
      inFolder(join(attemptFolder(home, run, claim), ATTEMPT_FILES.reported), (file) => writeFileSync(file, ''));
    } catch {
      // On a full disk the outcome is reported once more, which has no effect.
      return;
    }
  }
}

function foldersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    // Nothing was begun here yet.
    return [];
  }
}
