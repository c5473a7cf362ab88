// The address of the engine that keeps the runs of a project. It may hold a password, so it is no word of a command line.
import { readFileSync } from 'node:fs';
import { Refused } from '../refused.ts';

export interface EngineWords {
  /** An address without a password. */
  readonly address: string | undefined;
  /** A file whose first line is the address. */
  readonly file: string | undefined;
}

export const ENGINE_VARIABLE = 'HEDDLE_ENGINE';

/** Undefined where runs are kept on this machine. What is said beats the environment. */
export function engineAddress({ address, file }: EngineWords, environment = process.env): string | undefined {
  if (address !== undefined && file !== undefined) throw new Refused({ code: 'engine-twice' });
  // Every user of the machine can read the words of a process.
  if (address !== undefined && hasPassword(address))
    throw new Refused({ code: 'engine-password', variable: ENGINE_VARIABLE });
  const found = address ?? (file === undefined ? environment[ENGINE_VARIABLE] : firstLineOf(file));
  return found === undefined || found.trim() === '' ? undefined : found.trim();
}

const hasPassword = (address: string): boolean =>
  /^[a-z]+:\/\/[^/?#@]*:[^/?#@]*@/.test(address) || /[?&]password=/i.test(address);

function firstLineOf(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new Refused({ code: 'engine-file', file }, { cause });
  }
  const [line = ''] = text.split('\n');
  if (line.trim() === '') throw new Refused({ code: 'engine-file', file });
  return line;
}
