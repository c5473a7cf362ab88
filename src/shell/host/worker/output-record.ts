// Passes the output of a program to the outcome reader and to the files of its attempt: with secrets redacted, and for
// an agent's turn both in readable form and as the program printed it.
import { ATTEMPT_FILES } from '../attempt-folder.ts';
import type { OutcomeReader } from './outcome-reader.ts';
import { OutputFiles } from '../../exec/output-files.ts';
import type { OnOutput } from '../../exec/streams.ts';
import { Redactor, secretsIn } from './redact.ts';

export interface Recording {
  readonly folder: string;
  readonly reader: OutcomeReader;
  /** Some of its values are secrets. */
  readonly environment: Readonly<Record<string, string>>;
  /** Names of the variables that the plan gives to the agent. */
  readonly given: readonly string[];
  readonly isTurn: boolean;
}

export interface OutputRecord {
  readonly receive: OnOutput;
  /** Adds a line of Heddle's to the readable output. */
  readonly log: (sentence: string) => void;
  readonly close: () => void;
}

export function openRecord({ folder, reader, environment, given, isTurn }: Recording): OutputRecord {
  const files = new OutputFiles(folder, ATTEMPT_FILES.output);
  const transcript = isTurn ? new OutputFiles(folder, ATTEMPT_FILES.transcript) : undefined;
  const secrets = secretsIn(environment, given);
  const redactors = { stdout: new Redactor(secrets), stderr: new Redactor(secrets) };
  const pass = (from: 'stdout' | 'stderr', chunk: Buffer): void => {
    if (chunk.length === 0) return;
    transcript?.write(chunk);
    files.write(reader.receive(from, chunk));
  };
  return {
    receive: (from, chunk) => pass(from, redactors[from].push(chunk)),
    log: (sentence) => files.write(Buffer.from(`\n[heddle: ${sentence}]\n`)),
    close: () => {
      pass('stdout', redactors.stdout.end());
      pass('stderr', redactors.stderr.end());
      files.write(reader.end());
      files.close();
      transcript?.close();
    },
  };
}
