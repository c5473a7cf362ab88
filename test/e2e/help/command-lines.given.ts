// Takes apart the lines that help shows as examples, as far as a shell would to find the calls of heddle in them.

/** Words of one call, and where it ends: at a pipe, a redirection or the end of the line. */
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s|>&;"']+)|([|>&;]+)/g;

/** Every call of heddle in a line, as its words. What stands in `$(…)` is a call like any other. */
export function callsIn(line: string): readonly (readonly string[])[] {
  const inner = [...line.matchAll(/\$\(([^)]*)\)/g)].flatMap(([, text = '']) => callsIn(text));
  const outer = line.replaceAll(/"?\$\([^)]*\)"?/g, 'here').replace(/\s#.*$/, '');
  const calls: string[][] = [[]];
  let isFile = false;
  for (const [, doubled, single, bare, sign] of outer.matchAll(WORD)) {
    const word = doubled ?? single ?? bare ?? '';
    if (sign === undefined && !isFile) calls.at(-1)?.push(word);
    isFile = sign !== undefined && sign.startsWith('>');
    if (sign !== undefined && !isFile) calls.push([]);
  }
  return [...inner, ...calls.filter(([program]) => program === 'heddle').map(([, ...words]) => words)];
}
