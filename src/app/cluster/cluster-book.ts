// What a trial cluster on this machine consists of: a file in its folder, replaced whole after every start, so that what
// runs can be ended also after a crash of its starter.
//
// cluster-book/U1. A process is ended only if it is in the book with its start time, or carries the tag of this folder.
import { join } from 'node:path';
import { listOf, maybe, number, object, oneOf, text, WRONG } from '../../core/plan/json-fields.ts';
import { isAlive, startTimeOf } from '../../shell/exec/process.ts';
import { readHomeFile, writeHomeFile } from '../home-file.ts';

export type TrialEngine = 'postgres' | 'restate';

export interface ClusterPart {
  /** `engine`, `serve-1`, `host-2`. */
  readonly name: string;
  readonly pid: number;
  readonly startedAt: string;
  /** Where it can be reached; without a secret. */
  readonly url: string | undefined;
}

export interface ClusterBook {
  /** The repository that the trial was made of. */
  readonly project: string;
  readonly engine: TrialEngine;
  /** In the order of their start. */
  readonly parts: readonly ClusterPart[];
}

const bookField = object<ClusterBook>({
  project: text,
  engine: oneOf<TrialEngine>({ postgres: true, restate: true }),
  parts: listOf(object<ClusterPart>({ name: text, pid: number, startedAt: text, url: maybe(text) })),
});

const fileIn = (home: string): string => join(home, 'cluster.json');

/** Undefined where no trial was ever started. */
export function readClusterBook(home: string): ClusterBook | undefined {
  const read = readHomeFile(fileIn(home));
  const book = read.type === 'read' ? bookField(read.value) : WRONG;
  return book === WRONG ? undefined : book;
}

export const writeClusterBook = (home: string, book: ClusterBook): void => writeHomeFile(fileIn(home), book);

export const livingParts = ({ parts }: Pick<ClusterBook, 'parts'>): readonly ClusterPart[] => parts.filter(isAlive);

/** Enters a process that has just been started. */
export function enterPart(home: string, part: Omit<ClusterPart, 'startedAt'>): void {
  const book = readClusterBook(home);
  const startedAt = startTimeOf(part.pid);
  if (book === undefined || startedAt === undefined) return;
  const others = book.parts.filter(({ name }) => name !== part.name);
  writeClusterBook(home, { ...book, parts: [...others, { ...part, startedAt }] });
}
