// Paths that a sentence mentions, as globs for `files`. What is not certainly a path in the project is left alone.

const FILES_MAX = 50;
const SPAN = /`([^`\n]+)`/g;
const WORD = /[^\s,;()"'<>`]+/g;
/** Folders and a name with an ending, or a folder with a slash at its end. */
const PATH = /^(?!\/|~|\.\.)(?:\.\/)?(?:[\w.@+-]+\/)*(?:[\w@+.-]*[\w@+-]\.[A-Za-z][A-Za-z0-9]{0,7}|[\w@+.-]+\/)$/;
/** Without a folder in front, only an ending that is certainly one of a file. */
const ENDING =
  /\.(?:[cm]?[jt]sx?|py|rs|go|java|kt|rb|php|cs|cpp|cc|c|h|hpp|swift|md|json|ya?ml|toml|sql|css|scss|html|vue|svelte|sh)$/;

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
