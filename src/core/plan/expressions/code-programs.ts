// The programs that are known to evaluate their arguments, and which of the arguments.
//
// A value in such an argument is code however it is quoted for the shell, so it is refused. The way out is the same for all:
// the value stands in a variable (`X={{ … }} awk '… ENVIRON["X"] …'`), and the program reads the variable.

import { BY_OPTION } from './code-options.ts';

export interface CodeOperands {
  /** Options whose operand is code: `-c`. */
  readonly option?: RegExp;
  /** Options may follow operands. */
  readonly isAnywhere?: true;
  /** Options with a word that is not code, which is no operand. */
  readonly valued?: RegExp;
  /** Options that may take a word which begins with a dash, where `valued` does not name them all. */
  readonly taking?: RegExp;
  /** Options with two such words. */
  readonly paired?: RegExp;
  /** Whether the word is code, as an operand after these. */
  readonly operand?: (before: readonly string[], word: OperandWord) => boolean;
  /** Options that give the code themselves, so that all operands are data. */
  readonly instead?: RegExp;
  /** Reads code from its standard input when no argument has any. */
  readonly readsInput: boolean;
  /** Its code is that of a shell. */
  readonly isShell?: true;
  /** Evaluates the variables of its environment too. */
  readonly readsVariables?: true;
  /** Whether a value that is a whole operand would be code; `--` does not help. */
  readonly assigns?: RegExp;
  /** Options with a file of code, which may be the standard input or `<( … )`. */
  readonly file?: RegExp;
  /** So many operands are no script: `ssh host`, `psql database`. */
  readonly operandsBeforeInput?: number;
}

export interface OperandWord {
  /** The part of the word before the value. */
  readonly current: string;
  /** The word before it. */
  readonly last: string;
  /** All words of the program before it, with the options. */
  readonly words: readonly string[];
}

const isFirst = (before: readonly string[]): boolean => before.length === 0;
const always = (): boolean => true;

const SHELL: CodeOperands = {
  option: /-[A-Za-z]*c[A-Za-z]*|--command|--init-command/,
  valued: /^(?:[-+][oO]|--rcfile|--init-file)$/,
  readsInput: true,
  isShell: true,
};
const AS_USER: CodeOperands = {
  option: /-[A-Za-z]*c|--command/,
  isAnywhere: true,
  readsInput: true,
  operandsBeforeInput: 9,
};
const isScriptShell = ([command]: readonly string[], last: string): boolean =>
  command === 'config' && last === 'script-shell';
const PACKAGE_RUNNER: CodeOperands = {
  option: /--call|--script-shell/,
  isAnywhere: true,
  operand: (before, { last }) =>
    (/^(?:-c|--call)$/.test(last) && before.every((word) => word === 'exec' || word === 'x')) ||
    isScriptShell(before, last),
  readsInput: false,
};
/** With its shell mode, pnpm joins all words of the command for a shell; the options of the command itself come behind it. */
const PNPM: CodeOperands = {
  ...PACKAGE_RUNNER,
  valued: /^(?:-[FC]|--(?:filter|filter-prod|dir))$/,
  operand: (before, word) => {
    const mode = word.words.findIndex((each) => /^(?:-c|--shell-mode)$/.test(each));
    const [command, program] = before;
    const isShell = mode >= 0 && (program === undefined || mode < word.words.indexOf(program));
    return (isShell && /^(?:exec|dlx)$/.test(command ?? '')) || isScriptShell(before, word.last);
  },
};
const JAVASCRIPT: CodeOperands = {
  option: /-[A-Za-z]*[ep]|-r|--eval|--print|--require|--import|--loader|--experimental-loader/,
  valued: /^(?:-[rC]|--(?:env-file|require|import|loader|experimental-loader|conditions|input-type))$/,
  readsInput: true,
};
const EVALUATES: CodeOperands = {
  option: /-[A-Za-z]*[eE]|-eval|--eval|--expression|--execute/,
  valued: /^-[XWIMrlC]$/,
  readsInput: true,
};
/** A program that a variable or a command names may be any interpreter. */
const ANY_INTERPRETER: CodeOperands = {
  option: /-[A-Za-z]*[ceE]|--command|--eval|--execute|--expression/,
  readsInput: false,
};
const AWK: CodeOperands = {
  option: /-e|--source|--include|-i/,
  valued: /^(?:-[vFfE]|--assign|--field-separator|--file|--exec)$/,
  operand: isFirst,
  instead: /^(?:-[fE]|--file|--exec)/,
  file: /-f|--file/,
  readsInput: false,
};
const SED: CodeOperands = {
  option: /-[A-Za-z]*e|--expression/,
  isAnywhere: true,
  valued: /^(?:-[lf]|--file|--line-length)$/,
  operand: isFirst,
  instead: /^(?:-[A-Za-z]*[ef]|--expression|--file)/,
  file: /-[A-Za-z]*f|--file/,
  readsInput: false,
};
const JQ: CodeOperands = {
  valued: /^(?:--indent|-L|-f|--from-file)$/,
  paired: /^--(?:arg|argjson|slurpfile|rawfile)$/,
  operand: (before) => before.every((word) => /^(?:e|ea|eval|eval-all)$/.test(word)),
  instead: /^(?:-f|--from-file)$/,
  file: /-f|--from-file/,
  readsInput: false,
};
const EDITOR: CodeOperands = { option: /-c|--cmd|\+|-S/, isAnywhere: true, readsInput: false };
const DATABASE: CodeOperands = {
  option: /-[A-Za-z]*[ce]|--command|--execute|-cmd|--eval|--query/,
  isAnywhere: true,
  valued: /^-[hpUudDPvVSF]$/,
  readsInput: true,
  operandsBeforeInput: 1,
};

/** It expands `$(shell …)` in the values of variables, whether they come as arguments or from the environment. */
const MAKE: CodeOperands = {
  option: /--eval|-E/,
  isAnywhere: true,
  valued: /^(?:-[CfIoW]|--(?:directory|file|makefile|include-dir|old-file|assume-old|what-if|new-file|assume-new))$/,
  operand: (_, { current }) => current.includes('='),
  assigns: /=/,
  file: /-f|--file|--makefile/,
  readsVariables: true,
  readsInput: false,
};
const RECIPES: CodeOperands = {
  option: /--command|-c|--set/,
  operand: (_, { current }) => current.includes('='),
  assigns: /=/,
  readsInput: false,
};

/** Code in settings of `git`, and what some of its commands run. */
const GIT: CodeOperands = {
  option:
    /--exec|--extcmd|--config|--[a-z]+-cmd|--smtp-server|--upload-pack|--receive-pack|-O|--open-files-in-pager|--[a-z]+-filter/,
  isAnywhere: true,
  valued: /^-C$/,
  taking: /^-/,
  operand: (before, { current, last }) => {
    const first = before.findIndex((word) => !word.includes('='));
    if (first < 0) return last === '-c' && !HARMLESS_SETTING.test(current);
    const [command, ...rest] = before.slice(first);
    if (command === 'config') return !HARMLESS_SETTING.test(rest.at(-1) ?? current);
    if (command === 'clone') return /^-[cu]$/.test(last);
    if (command === 'rebase' || command === 'difftool') return last === '-x';
    return (command === 'bisect' && rest[0] === 'run') || (command === 'submodule' && rest.includes('foreach'));
  },
  readsInput: false,
};

const HARMLESS_SETTING = /^(?:user|author|committer)\./;

/** By the name of the program, without folder and version. */
const PROGRAMS: ReadonlyMap<string, CodeOperands> = new Map<string, CodeOperands>([
  ...each('sh bash rbash dash zsh ksh mksh oksh yash posh ash fish csh tcsh osh nu xonsh elvish rc', SHELL),
  ['cmd', { option: /\/[cCkK]/, readsInput: true }],
  ...each('pwsh powershell', { option: /-[cC]\w*|-[eE]\w*/, readsInput: true }),
  ...Object.entries(BY_OPTION).flatMap(([names, option]) =>
    each(names, { option, isAnywhere: true, readsInput: false }),
  ),
  ...each('su runuser script flock', AS_USER),
  ...each('npx pnpx bunx npm', PACKAGE_RUNNER),
  ['pnpm', PNPM],
  ['nix-shell', { option: /--run|--command/, isAnywhere: true, readsInput: false }],
  ...each('python py pypy ipython bpython jython micropython sage', {
    option: /-[A-Za-z]*c/,
    operand: ([module]) => module === 'timeit',
    readsInput: true,
  }),
  ...each('node nodejs bun tsx ts-node qjs', JAVASCRIPT),
  ['deno', { option: /--eval/, isAnywhere: true, operand: ([command]) => command === 'eval', readsInput: false }],
  ['crystal', { operand: ([command]) => command === 'eval', readsInput: false }],
  ['perl', { ...EVALUATES, option: /-[A-Za-z]*[eE]|-[mMd]/ }],
  ...each(
    'ruby irb pry raku lua luajit osascript R Rscript julia groovy scala scala-cli swift elixir iex erl emacs clojure clj bb ' +
      'racket octave kotlin kotlinc ocaml jrunscript jshell csharp',
    EVALUATES,
  ),
  ...each('ghc ghci runghc sbcl ecl csi mit-scheme emacsclient mongosh mongo gnuplot', EVALUATES),
  ['clisp', { option: /-x/, readsInput: true }],
  ['gjs', { option: /-c|--command/, readsInput: true }],
  ['cmake', { file: /-P/, readsInput: false }],
  ['m4', { option: /-D|--define/, isAnywhere: true, readsInput: true }],
  ...each('ed red ftp', { readsInput: true, operandsBeforeInput: 9 }),
  ['java', { option: /-(?:javaagent|agentpath|agentlib|XX):\w*/, valued: /^(?:-cp|-classpath)$/, readsInput: false }],
  ['redis-cli', { operand: ([command = '']) => /^eval/i.test(command), readsInput: false }],
  ['socat', { operand: always, readsInput: false }],
  ...each('php phpdbg', {
    valued: /^-[dcz]$/,
    option: /-[A-Za-z]*[rBRE]|--run|--process-begin|--process-code|--process-end/,
    readsInput: true,
  }),
  ...each('tclsh wish', { readsInput: true }),
  ...each('expect guile', { option: /-[A-Za-z]*c/, readsInput: true }),
  ...each('awk gawk mawk nawk', AWK),
  ...each('sed gsed', SED),
  ...each('jq gojq yq', JQ),
  ...each('vim vi nvim gvim vimdiff view', EDITOR),
  ['ex', { ...EDITOR, readsInput: true, operandsBeforeInput: 9 }],
  ...each(
    'psql mysql mariadb duckdb cockroach cqlsh trino hive beeline spark-sql usql pgcli mycli litecli csvsql sqlplus',
    DATABASE,
  ),
  ['sqlcmd', { ...DATABASE, option: /-[qQ]|--query/ }],
  ['clickhouse-client', { ...DATABASE, option: /-q|--query/ }],
  ['sqlite3', { option: /-cmd/, operand: (before) => before.length > 0, readsInput: true, operandsBeforeInput: 1 }],
  [
    'gdb',
    {
      option: /-ex|--ex|-eval-command|--eval-command|-iex/,
      isAnywhere: true,
      readsInput: true,
      operandsBeforeInput: 1,
    },
  ],
  ['lldb', { option: /-o|-O|--one-line/, isAnywhere: true, readsInput: true, operandsBeforeInput: 1 }],
  ['dc', { option: /-e|--expression/, readsInput: true }],
  ['env', { option: /-[A-Za-z]*S|--split-string/, isAnywhere: true, readsInput: false }],
  ['git', GIT],
  ...each('make gmake bmake remake', MAKE),
  ['just', { ...RECIPES, operand: (before) => before.length > 0 }],
  ['task', { ...RECIPES, readsVariables: true }],
  ...each('ssh mosh', {
    operand: (before) => before.length > 0,
    valued: /^-[bcDEeFIiJLlmOopQRSWw]$/,
    option: /-o/,
    readsInput: true,
    operandsBeforeInput: 1,
  }),
  ...each('tmux screen', { operand: always, readsInput: false }),
  // They give each argument to a shell.
  ...each('hyperfine concurrently cross-env-shell start-server-and-test onchange', {
    option: /--(?:prepare|conclude|setup|cleanup)/,
    isAnywhere: true,
    operand: always,
    readsInput: false,
  }),
  ['entr', { option: /-[A-Za-z]*s/, readsInput: false }],
  // Its first operand is code of Perl.
  ...each('rename prename file-rename', { option: /-[A-Za-z]*e/, operand: isFirst, readsInput: false }),
  ['mlr', { operand: (_, { last }) => /^(?:put|filter|-[qSx])$/.test(last), readsInput: false }],
  ['rails', { operand: ([command = '']) => /^(?:runner|r)$/.test(command), readsInput: false }],
  ['mix', { option: /-e|--eval/, isAnywhere: true, operand: ([command]) => command === 'eval', readsInput: false }],
  ...each('wp drush', { operand: ([command = '']) => /^(?:eval|ev|php:eval)$/.test(command), readsInput: false }),
  ['sbt', { operand: always, readsInput: true }],
  ...each('pdsh clush pssh parallel-ssh salt', { operand: always, readsInput: false }),
  ...each('watch watchexec parallel', { operand: always, readsInput: true }),
  // Yarn's own shell runs the command; what comes behind it is data.
  ['yarn', { operand: ([command, ...more]) => command === 'exec' && more.length === 0, readsInput: false }],
  ['lerna', { operand: ([command]) => command === 'exec', readsInput: false }],
  ...each('heroku adb', { operand: ([command = '']) => /^(?:run|shell)/.test(command), readsInput: false }),
  ['bq', { operand: ([command]) => command === 'query', readsInput: false }],
  // A document on the command line, which may run programs.
  ...each('tex latex pdflatex xelatex lualatex', {
    operand: (_, { current }) => current.includes('\\'),
    assigns: /\\/,
    readsInput: true,
    operandsBeforeInput: 0,
  }),
  ...each('at batch crontab', { readsInput: true, operandsBeforeInput: 9 }),
]);

/** What is known of the program with this name, which stands as the command itself or among its words. */
export function codeOperandsOf(word: string, isCommand: boolean): CodeOperands | undefined {
  return PROGRAMS.get(programNameOf(word)) ?? (isCommand && /^["\\]*\$[^/]*$/.test(word) ? ANY_INTERPRETER : undefined);
}

/** The name of a program without its folder and its version: `python` for `/usr/bin/python3.12`. */
export function programNameOf(word: string): string {
  const base = word.slice(word.lastIndexOf('/') + 1).replace(/^\\|\.exe$/g, '');
  return PROGRAMS.has(base) ? base : base.replace(/[-\d.]+t?$/, '');
}

function each(names: string, operands: CodeOperands): readonly (readonly [string, CodeOperands])[] {
  return names.split(' ').map((name) => [name, operands]);
}
