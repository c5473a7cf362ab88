// opencode's own permissions, as it reads them from `OPENCODE_PERMISSION`. By default everything is allowed.

type Word = 'allow' | 'ask' | 'deny';

const EVERYTHING = ['edit', 'bash', 'webfetch', 'websearch', 'task', 'skill', 'external_directory'] as const;

/** By tool; for commands by pattern, of which the last match wins. */
export type OpencodePermissions = Readonly<Record<string, Word | Readonly<Record<string, Word>>>>;

/** `word` for every tool that changes or reaches anything, except the tools in the plan's list. */
export function permissionsFor(word: 'ask' | 'deny', allow: readonly string[] = []): OpencodePermissions {
  const commands = allow.flatMap((entry) => /^(?:Bash|execute|bash)\((.*)\)$/su.exec(entry)?.[1] ?? []);
  const of = (...names: readonly string[]): Word => (names.some((name) => allow.includes(name)) ? 'allow' : word);
  const all: Record<string, Word | Readonly<Record<string, Word>>> = Object.fromEntries(
    EVERYTHING.map((tool) => [tool, of(tool)]),
  );
  all['edit'] = of('edit', 'Edit', 'Write');
  all['webfetch'] = of('fetch', 'WebFetch', 'webfetch');
  all['bash'] = allow.some((entry) => ['execute', 'Bash', 'bash'].includes(entry))
    ? 'allow'
    : {
        '*': word,
        ...Object.fromEntries(commands.map((command) => [command.replace(/:\*$/u, '*'), 'allow' as const])),
      };
  return all;
}
