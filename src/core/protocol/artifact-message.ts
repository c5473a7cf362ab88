// The body of `POST /hosts/artifacts/RUN/TASK/STEP/ATTEMPT/NAME`: a line of JSON, and the bytes of the file after it.
//
// artifact-message/A1. What a host sends is read whole or not at all; it names a file of an attempt by one of our names.
import { isObject, truth, WRONG } from '../plan/json-fields.ts';
import { countField } from './assignment-field.ts';

/** The files of an attempt; output and transcript grow, the others are written once. */
export const ARTIFACT_NAMES = ['attempt', 'turn', 'output', 'transcript', 'conversation'] as const;

export type ArtifactName = (typeof ARTIFACT_NAMES)[number];

export const isArtifactName = (value: unknown): value is ArtifactName => ARTIFACT_NAMES.some((name) => name === value);

export type GrowingName = 'output' | 'transcript';

export const isGrowing = (name: ArtifactName): name is GrowingName => name === 'output' || name === 'transcript';

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const CONVERSATION_BYTES_MAX = 32 * 1024 * 1024;

/** Of a long output or transcript the end is sent; a record that is longer is not. */
export const bytesMaxOf = (name: ArtifactName): number =>
  name === 'conversation' ? CONVERSATION_BYTES_MAX : FILE_BYTES_MAX;

export interface ArtifactBody {
  /** How many bytes of the file came before. */
  readonly from: number;
  /** The claim is over, and the file ends with these bytes. */
  readonly isEnd: boolean;
  readonly bytes: Uint8Array;
}

/** Undefined for the check of a task, which is no step. */
const CHECK = '@check';

export interface ArtifactPath {
  readonly run: string;
  readonly task: string;
  readonly step: string | undefined;
  readonly attempt: number;
  readonly name: ArtifactName;
}

export const artifactPath = ({ run, task, step, attempt, name }: ArtifactPath): string =>
  ['hosts', 'artifacts', run, task, step ?? CHECK, String(attempt), name].map(encodeURIComponent).join('/');

/** Undefined for a path that no host sends; `path` begins with a slash. */
export function readArtifactPath(path: string): ArtifactPath | undefined {
  const [start, hosts, artifacts, ...parts] = path.split('/').map(decoded);
  const [run, task, step, attempt, name, ...more] = parts;
  if (start !== '' || hosts !== 'hosts' || artifacts !== 'artifacts' || more.length > 0) return undefined;
  if (run === undefined || task === undefined || step === undefined || attempt === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(attempt) || !isArtifactName(name)) return undefined;
  return { run, task, step: step === CHECK ? undefined : step, attempt: Number(attempt), name };
}

/** Undefined where the escapes are wrong. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    // No path of ours has such escapes.
    return undefined;
  }
}

const LINE_END = 0x0a;

export function writeArtifactBody({ from, isEnd, bytes }: ArtifactBody): Uint8Array {
  // Digits and letters of ASCII alone.
  const head = Uint8Array.from(`${JSON.stringify({ from, isEnd })}\n`, (letter) => letter.charCodeAt(0));
  const body = new Uint8Array(head.length + bytes.length);
  body.set(head);
  body.set(bytes, head.length);
  return body;
}

/** Undefined for a body that no host sends. */
export function readArtifactBody(body: Uint8Array): ArtifactBody | undefined {
  const end = body.subarray(0, 200).indexOf(LINE_END);
  if (end === -1) return undefined;
  const head = valueOf(String.fromCharCode(...body.subarray(0, end)));
  const from = isObject(head) ? countField(head['from']) : WRONG;
  const isEnd = isObject(head) ? truth(head['isEnd']) : WRONG;
  return from === WRONG || isEnd === WRONG ? undefined : { from, isEnd, bytes: body.subarray(end + 1) };
}

function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // No JSON is no head.
    return undefined;
  }
}
