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

export const countedText = (count: number, word: string, words = `${word}s`): string =>
  `${count} ${count === 1 ? word : words}`;

/** An absolute path is of one machine only, and agents work in a copy of the project. */
export const fileName = (path: string): string =>
  /^(?:[/\\]|[A-Za-z]:|\.\.)|^-$/.test(path) ? (path.split(/[/\\]/).at(-1) ?? path) : path;

const FILES_MAX = 50;
const SPAN = /`([^`\n]+)`/g;
const WORD = /[^\s,;()"'<>`]+/g;
/** Folders and a name with an ending, or a folder with a slash at its end. */
const PATH = /^(?!\/|~|\.\.)(?:\.\/)?(?:[\w.@+-]+\/)*(?:[\w@+.-]*[\w@+-]\.[A-Za-z][A-Za-z0-9]{0,7}|[\w@+.-]+\/)$/;
/** Without a folder in front, only an ending that is certainly one of a file. */
const ENDING =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|md|json|ya?ml|toml|sql|css|scss|html|vue|svelte|sh)$/;

/** Paths that a sentence mentions, as globs for `files`. Words that may be no path in the project are left out. */
export function mentionedFiles(text: string): readonly string[] {
  const words = [...text.matchAll(SPAN)].map((found) => found[1] ?? '').concat(text.match(WORD) ?? []);
  const found = new Set<string>();
  for (const word of words) {
    const path = word
      .trim()
      .replace(/[.:!?]+$/, '')
      .replace(/:\d+(?:[-:]\d+)*$/, '');
    if (found.size < FILES_MAX && isPath(path)) found.add(globOf(path));
  }
  return [...found];
}

function isPath(word: string): boolean {
  if (word.length > 200 || !PATH.test(word) || word.split('/').some((part) => part === '..')) return false;
  return word.includes('/') ? !/^[\w-]+\.(?:com|org|net|io|dev)\//.test(word) : ENDING.test(word);
}

const globOf = (path: string): string => {
  const inside = path.replace(/^\.\//, '');
  return inside.endsWith('/') ? `${inside}**` : inside;
};
