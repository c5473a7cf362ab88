// What a program prints, on its way to the judge and to the files of its attempt: without secrets, and of an agent's turn
// both as people read it and as it came.
import { ATTEMPT_FILES } from '../../attempt-folder.ts';
import type { Judge } from './outcome-reader.ts';
import { OutputFiles } from '../../exec/output-files.ts';
import type { OnOutput } from '../../exec/streams.ts';
import { Redactor, secretsIn } from './redact.ts';

export interface Recording {
  readonly folder: string;
  readonly judge: Judge;
  /** Of whose values some are secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names that the plan gives to the agent. */
  readonly given: readonly string[];
  readonly isTurn: boolean;
}

export interface OutputRecord {
  readonly hear: OnOutput;
  /** A line of our own among what people read. */
  readonly say: (sentence: string) => void;
  readonly close: () => void;
}

export function openRecord({ folder, judge, environment, given, isTurn }: Recording): OutputRecord {
  const files = new OutputFiles(folder, ATTEMPT_FILES.output);
  const transcript = isTurn ? new OutputFiles(folder, ATTEMPT_FILES.transcript) : undefined;
  const secrets = secretsIn(environment, given);
  const redactors = { stdout: new Redactor(secrets), stderr: new Redactor(secrets) };
  const pass = (from: 'stdout' | 'stderr', chunk: Buffer): void => {
    if (chunk.length === 0) return;
    transcript?.write(chunk);
    files.write(judge.hear(from, chunk));
  };
  return {
    hear: (from, chunk) => pass(from, redactors[from].push(chunk)),
    say: (sentence) => files.write(Buffer.from(`\n[heddle: ${sentence}]\n`)),
    close: () => {
      pass('stdout', redactors.stdout.end());
      pass('stderr', redactors.stderr.end());
      files.write(judge.end());
      files.close();
      transcript?.close();
    },
  };
}
