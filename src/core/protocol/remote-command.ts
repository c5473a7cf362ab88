// A command line that another machine carries out for a person: the call, and the frames that come back.
//
// remote-command/C1. Both directions are lines of JSON. What cannot be read is undefined and never half read.
import {
  listOf,
  maybe,
  number,
  object,
  oneOf,
  text,
  truth,
  variants,
  WRONG,
  type Field,
  type ShapeOf,
} from '../plan/json-fields.ts';

/** Changes when an older program would misread a call or a frame. */
export const COMMAND_PROTOCOL = 1;

/** May the person change anything? */
export type CommandRole = 'reader' | 'operator';

/** A file of the person's machine that the command line names. */
export interface SentFile {
  /** As the command line names it. */
  readonly name: string;
  readonly base64: string;
}

/** The person's terminal. */
export interface FarScreen {
  readonly width: number;
  readonly height: number;
  readonly colour: boolean;
  readonly unicode: boolean;
  readonly isTty: boolean;
  /** Whether a person is there who sees what is printed. */
  readonly isInteractive: boolean;
  /** Whether that person can be asked. */
  readonly canAsk: boolean;
}

/** The repository from which the person calls. */
export interface FarCheckout {
  readonly commit: string;
  /** Undefined for a detached head. */
  readonly branch: string | undefined;
  /** Undefined where git knows no name of the person. */
  readonly author: { readonly name: string; readonly email: string } | undefined;
}

export interface RemoteCommand {
  readonly protocol: number;
  /** The version of the person's program. */
  readonly version: string;
  /** The words after the program's name. */
  readonly words: readonly string[];
  readonly files: readonly SentFile[];
  /** Files that the command would write, and that are there already. */
  readonly taken: readonly string[];
  readonly screen: FarScreen;
  readonly checkout: FarCheckout | undefined;
}

/** A call whose caller is known. */
export interface GrantedCommand extends RemoteCommand {
  readonly role: CommandRole;
}

/** What comes back, in the order in which it was printed. */
export type CommandFrame =
  /** Under this id answers are sent. */
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'out'; readonly text: string }
  | { readonly type: 'bytes'; readonly base64: string }
  /** A line, or several, without the last line's end. */
  | { readonly type: 'err'; readonly text: string }
  | { readonly type: 'question'; readonly number: number; readonly prompt: string }
  /**
   * The command needs this commit of the person's repository. `roots` are the first commits of the history that it knows.
   */
  | { readonly type: 'wanted'; readonly number: number; readonly commit: string; readonly roots: readonly string[] }
  /** A piece of a file that the command line asks for. */
  | { readonly type: 'file'; readonly name: string; readonly text: string; readonly isFirst: boolean }
  /** The command follows this run from here on. */
  | { readonly type: 'following'; readonly run: string }
  /** The command may last as long as it likes. */
  | { readonly type: 'unlimited' }
  /** Nothing happened for a while. */
  | { readonly type: 'beat' }
  /** The command took longer than it may, and was ended. */
  | { readonly type: 'overdue'; readonly afterMs: number }
  | { readonly type: 'exit'; readonly code: number };

/** The reply to a commit that is wanted, as the line of an answer; anything else means that it could not be sent. */
export const COMMIT_REPLIES = { sent: 'sent', unrelated: 'unrelated' } as const;

/** The reply to a question; undefined when the person wants to give none. */
export interface CommandAnswer {
  readonly number: number;
  readonly line: string | undefined;
}

/** Only the full id of a commit: anything else would be read by git as it likes. */
const commitId: Field<string> = (value) =>
  typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value) ? value : WRONG;

const FRAME = variants<CommandFrame>({
  started: { id: text },
  out: { text },
  bytes: { base64: text },
  err: { text },
  question: { number, prompt: text },
  wanted: { number, commit: commitId, roots: listOf(commitId) },
  file: { name: text, text, isFirst: truth },
  following: { run: text },
  unlimited: {},
  beat: {},
  overdue: { afterMs: number },
  exit: { code: number },
});

/** No word, name or path has a character of this code, and programs cut what has one. */
const word: Field<string> = (value) => (typeof value === 'string' && !value.includes('\0') ? value : WRONG);

/** No terminal is larger. */
const SIZE_MAX = 10_000;

const size: Field<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= SIZE_MAX ? value : WRONG;

const CALL: ShapeOf<RemoteCommand> = {
  protocol: number,
  version: text,
  words: listOf(word),
  files: listOf(object<SentFile>({ name: word, base64: text })),
  taken: listOf(word),
  screen: object<FarScreen>({
    width: size,
    height: size,
    colour: truth,
    unicode: truth,
    isTty: truth,
    isInteractive: truth,
    canAsk: truth,
  }),
  checkout: maybe(
    object<FarCheckout>({
      commit: commitId,
      branch: maybe(word),
      author: maybe(object<{ readonly name: string; readonly email: string }>({ name: word, email: word })),
    }),
  ),
};

const COMMAND = object<RemoteCommand>(CALL);
const GRANTED = object<GrantedCommand>({ ...CALL, role: oneOf<CommandRole>({ reader: true, operator: true }) });
const ANSWER = object<CommandAnswer>({ number, line: maybe(text) });

export const frameIn = (line: string): CommandFrame | undefined => read(FRAME, valueIn(line));
export const remoteCommandIn = (value: unknown): RemoteCommand | undefined => read(COMMAND, value);
export const grantedIn = (line: string): GrantedCommand | undefined => read(GRANTED, valueIn(line));
export const commandAnswerIn = (value: unknown): CommandAnswer | undefined => read(ANSWER, value);
export const answerOf = (line: string): CommandAnswer | undefined => read(ANSWER, valueIn(line));

function read<Value>(field: Field<Value>, value: unknown): Value | undefined {
  const found = field(value);
  return found === WRONG ? undefined : found;
}

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
