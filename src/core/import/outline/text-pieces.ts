// Text helpers that several formats share: ids from titles, prompts from paragraphs.

const ID_WORDS_MAX = 6;
const ID_LENGTH_MAX = 48;
const LENGTH_LOOKED_AT_MAX = 400;

/** A title as an id: `Add the API (v2)` is `add-the-api-v2`. Empty when nothing of it can be one. */
export function idFromWords(words: string): string {
  const plain = words
    .slice(0, LENGTH_LOOKED_AT_MAX)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const parts = plain.split('-').slice(0, ID_WORDS_MAX);
  return parts.join('-').slice(0, ID_LENGTH_MAX).replace(/-+$/, '');
}

/** Non-empty parts, with an empty line between. */
export function paragraphs(...parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => (part === undefined || part.trim() === '' ? [] : [part.trim()])).join('\n\n');
}

export const labelled = (label: string, words: string | undefined): string | undefined =>
  words === undefined || words.trim() === '' ? undefined : `${label}: ${words.trim()}`;

/** Text without Markdown emphasis. */
export const withoutEmphasis = (words: string): string =>
  words
    .slice(0, LENGTH_LOOKED_AT_MAX)
    .replace(/\*\*|__|`/g, '')
    .replace(/^[*_]+|[*_]+$/g, '')
    .trim();

export const plural = (count: number, word: string, words = `${word}s`): string =>
  `${count} ${count === 1 ? word : words}`;

/** An absolute path is of one machine only, and agents work in a copy of the project. */
export const fileName = (path: string): string =>
  /^(?:[/\\]|[A-Za-z]:|\.\.)|^-$/.test(path) ? (path.split(/[/\\]/).at(-1) ?? path) : path;
