// What git, or a script of ours, complains of when a tree cannot be committed, and what a person can do about it.

const COMPLAINTS: readonly (readonly [stderr: RegExp, words: (path: string, tree: string) => string])[] = [
  [
    /'([^']*)' does not have a commit checked out/,
    (path, tree) =>
      `${path} in ${tree} is a git repository of its own, which cannot be committed; remove its .git or ignore it.`,
  ],
  [
    /in a submodule: \.\/(.*)/,
    (path, tree) =>
      `${path} in ${tree} was put into the folder of a submodule, where git sees nothing; put it elsewhere.`,
  ],
  [
    /invalid path '([^']*)'/,
    (path, tree) => `${path} in ${tree} has a name that git keeps to itself; give it another, or remove it.`,
  ],
  [
    /(?:open\("|could not open directory ')([^"']*)["'].*Permission denied/,
    (path, tree) => `${path} in ${tree} may not be read, so it cannot be committed; let it be read, or ignore it.`,
  ],
];

export function stderrText(tree: string, stderr: string): string {
  for (const [known, words] of COMPLAINTS) {
    const path = known.exec(stderr)?.[1];
    if (path !== undefined) return words(path, tree);
  }
  return `What is in ${tree} could not be committed: ${stderr}`;
}
