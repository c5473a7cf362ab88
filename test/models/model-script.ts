// What the stand-in model is told to do: lines of the prompt that begin with a sign, in order. The server keeps nothing of
// a conversation: how far it has come is read from what the agent sends, so conversations can be many, be resumed and fork.

/** What a model's reply can be, and how it can fail to come. */
export type Move =
  /** Answers, which ends the agent's turn. */
  | { readonly type: 'say'; readonly text: string }
  /** Answers with that many letters. */
  | { readonly type: 'long'; readonly letters: number }
  /** Answers with a value, as a program that holds the model to a shape wants to have it. */
  | { readonly type: 'value'; readonly text: string }
  /** Says how many prompts this conversation has had. */
  | { readonly type: 'count' }
  | { readonly type: 'write'; readonly path: string; readonly text: string }
  | { readonly type: 'run'; readonly command: string }
  /** Calls a tool by its name, with its input as JSON. */
  | { readonly type: 'call'; readonly tool: string; readonly input: string }
  /** Will not do it, as a provider's own filter says. */
  | { readonly type: 'refuse' }
  | Trouble;

export type Trouble =
  /** Takes the request and never answers; with `mid` it begins an answer first. */
  | (Bounds & { readonly type: 'stall'; readonly isMid: boolean })
  /** Begins an answer and closes the connection. */
  | (Bounds & { readonly type: 'cut' })
  /** Says inside the stream that it is overloaded; with `mid` after the beginning of an answer. */
  | (Bounds & { readonly type: 'overload'; readonly isMid: boolean })
  | (Bounds & {
      readonly type: 'error';
      readonly status: number;
      readonly kind: ErrorKind;
      /** Seconds until a limit is lifted. */
      readonly resetSeconds: number | undefined;
    });

export interface Bounds {
  readonly times: number;
  /** The end of the path that it is had on, where others go well: `messages`, `responses`, `completions`. */
  readonly on: string | undefined;
}

/** What an error of a status means, where providers tell more than one apart. */
export type ErrorKind = 'plain' | 'quota' | 'context' | 'credit';

export type Part =
  | { readonly type: 'asked'; readonly text: string }
  /** The model called a tool. */
  | { readonly type: 'called' }
  | { readonly type: 'answered' };

const WORDS = /^@(say|long|value|count|write|run|call|refuse|stall|cut|overload|error)(?: (.*))?$/u;

/** Moves for one prompt of a conversation only: `@in 2 @say …` is for the second. */
const ONLY_IN = /^@in (\d+) (?=@)/u;

/** `turn` counts the prompts of the conversation, from 1. */
export function movesIn(prompt: string, turn = 1): readonly Move[] {
  return prompt.split('\n').flatMap((line) => {
    const [only = '', number] = ONLY_IN.exec(line.trim()) ?? [];
    if (number !== undefined && Number(number) !== turn) return [];
    const [, word, rest = ''] = WORDS.exec(line.trim().slice(only.length)) ?? [];
    return word === undefined ? [] : [moveOf(word, rest)];
  });
}

const hasMoves = (prompt: string): boolean =>
  prompt.split('\n').some((line) => WORDS.test(line.trim().replace(ONLY_IN, '')));

function moveOf(word: string, rest: string): Move {
  switch (word) {
    case 'say':
      return { type: 'say', text: rest.replaceAll(String.raw`\n`, '\n') };
    case 'long':
      return { type: 'long', letters: Number(rest) };
    case 'write': {
      const [path = '', ...text] = rest.split(' ');
      return { type: 'write', path, text: `${text.join(' ')}\n` };
    }
    case 'value':
      return { type: 'value', text: rest };
    case 'run':
      return { type: 'run', command: rest };
    case 'call': {
      const [tool = '', ...input] = rest.split(' ');
      return { type: 'call', tool, input: input.join(' ') };
    }
    case 'count':
    case 'refuse':
      return { type: word };
    case 'stall':
    case 'overload':
      return { type: word, isMid: rest.split(' ').includes('mid'), ...boundsIn(rest) };
    case 'cut':
      return { type: word, ...boundsIn(rest) };
    default:
      return {
        type: 'error',
        status: Number(/^\d+/.exec(rest)?.[0] ?? 500),
        kind: kindOf(rest),
        resetSeconds: numberIn(rest, 'reset'),
        ...boundsIn(rest),
      };
  }
}

const boundsIn = (rest: string): Bounds => ({
  times: numberIn(rest, 'times') ?? Infinity,
  on: /\bon=(\w+)/.exec(rest)?.[1],
});

const KINDS: readonly ErrorKind[] = ['quota', 'context', 'credit'];

const kindOf = (rest: string): ErrorKind => KINDS.find((kind) => rest.split(' ').includes(kind)) ?? 'plain';

function numberIn(text: string, name: string): number | undefined {
  const found = new RegExp(String.raw`\b${name}=(\d+)`).exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** How often somebody went on, with a prompt without moves, after an answer: these prompts count too. */
const goneOn = (parts: readonly Part[]): number =>
  parts.filter(({ type }, at) => type === 'asked' && parts[at - 1]?.type === 'answered').length;

/** What comes next in a conversation; `isSpent` says whether the trouble of a key has been had as often as it was to be. */
export function nextMove(parts: readonly Part[], isSpent: (key: string, bounds: Bounds) => boolean): Move {
  const asked = parts.flatMap((part, at) => (part.type === 'asked' && hasMoves(part.text) ? [at] : []));
  const at = asked.at(-1);
  const prompt = at === undefined ? undefined : parts[at];
  if (at === undefined || prompt?.type !== 'asked') return { type: 'say', text: 'Done.' };
  // What programs put around a prompt is not the same each time.
  const told = prompt.text
    .split('\n')
    .filter((line) => hasMoves(line))
    .join(' ');
  let left = parts.slice(at).filter(({ type }) => type === 'called').length;
  for (const [index, move] of movesIn(prompt.text, asked.length + goneOn(parts.slice(at))).entries()) {
    const key = `${asked.length} ${index} ${told}`;
    if (isTrouble(move)) {
      if (left === 0 && !isSpent(key, move)) return move;
    } else if (left > 0) left -= 1;
    else return move.type === 'count' ? counted(asked.length) : move;
  }
  return { type: 'say', text: 'Done.' };
}

export const isTrouble = (move: Move): move is Trouble =>
  move.type === 'stall' || move.type === 'cut' || move.type === 'overload' || move.type === 'error';

const counted = (times: number): Move => ({ type: 'say', text: `I was asked ${times} times.` });
