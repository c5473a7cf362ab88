// The programs that are known to evaluate their arguments, and which of the arguments.
//
// A value in such an argument is code however it is quoted for the shell, so it is refused. The way out is the same for all:
// the value stands in a variable (`X={{ … }} awk '… ENVIRON["X"] …'`), and the program reads the variable.

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
  /** Evaluates the variables of its environment too. */
  readonly readsVariables?: true;
  /** Whether a value that is a whole operand would be code; `--` does not help. */
  readonly assigns?: RegExp;
  /** So many operands are no script: `ssh host`, `psql database`. */
  readonly operandsBeforeInput?: number;
}

export interface OperandWord {
  /** The part of the word before the value. */
  readonly current: string;
  /** The word before it. */
  readonly last: string;
}

const isFirst = (before: readonly string[]): boolean => before.length === 0;
const always = (): boolean => true;

const SHELL: CodeOperands = { option: /-[A-Za-z]*c[A-Za-z]*|--command|--init-command/, readsInput: true };
const AS_USER: CodeOperands = {
  option: /-[A-Za-z]*c|--command/,
  isAnywhere: true,
  readsInput: true,
  operandsBeforeInput: 9,
};
const PACKAGE_RUNNER: CodeOperands = {
  option: /--call/,
  isAnywhere: true,
  operand: (before, { last }) =>
    /^(?:-c|--call)$/.test(last) && before.every((word) => word === 'exec' || word === 'x'),
  readsInput: false,
};
const JAVASCRIPT: CodeOperands = {
  option: /-[A-Za-z]*[ep]|-r|--eval|--print|--require|--import|--loader|--experimental-loader/,
  readsInput: true,
};
const EVALUATES: CodeOperands = { option: /-[A-Za-z]*[eE]|-eval|--eval|--expression|--execute/, readsInput: true };
const AWK: CodeOperands = {
  option: /-e|--source|--include|-i/,
  valued: /^(?:-[vFfE]|--assign|--field-separator|--file|--exec)$/,
  operand: isFirst,
  instead: /^(?:-[fE]|--file|--exec)/,
  readsInput: false,
};
const SED: CodeOperands = {
  option: /-[A-Za-z]*e|--expression/,
  isAnywhere: true,
  valued: /^(?:-[lf]|--file|--line-length)$/,
  operand: isFirst,
  instead: /^(?:-[A-Za-z]*[ef]|--expression|--file)/,
  readsInput: false,
};
const JQ: CodeOperands = {
  valued: /^(?:--indent|-L|-f|--from-file)$/,
  paired: /^--(?:arg|argjson|slurpfile|rawfile)$/,
  operand: isFirst,
  instead: /^(?:-f|--from-file)$/,
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
  readsVariables: true,
  readsInput: false,
};
const RECIPES: CodeOperands = {
  option: /--command|-c|--set/,
  operand: (_, { current }) => current.includes('='),
  assigns: /=/,
  readsInput: false,
};

/** Programs that mostly take data, and start a program or evaluate code that one of their options names. */
const BY_OPTION: Readonly<Record<string, RegExp>> = {
  'tar gtar bsdtar':
    /-[A-Za-z]*[IF]|--use-compress-program|--to-command|--checkpoint-action(?:=exec)?|--(?:info|new-volume)-script|--r(?:sh|mt)-command/,
  rsync: /-[A-Za-z]*e|--rsh|--rsync-path/,
  sort: /--compress-program/,
  split: /--filter/,
  rg: /--pre|--hostname-bin/,
  go: /--?(?:exec|toolexec|vettool)/,
  wget: /-e|--execute|--use-askpass/,
  zip: /-TT|--unzip-command/,
  man: /-[PH]|--pager|--html/,
  'nix nix-build nix-instantiate': /-E|--expr|--arg/,
  tcpdump: /-z/,
  hg: /--config/,
  svn: /--(?:editor|diff|diff3)-cmd|--config-option/,
  'nc ncat netcat': /-[A-Za-z]*[ec]|--exec|--sh-exec/,
  // Values of variables are templates, which call programs.
  'ansible ansible-playbook': /-[ae]|--args|--extra-vars/,
  cargo: /--config/,
  'cc gcc clang': /-fplugin|-wrapper|--?specs/,
  'scp sftp': /-[A-Za-z]*[oS]/,
  exiftool: /-if\d*|-p|-api/,
  nodemon: /-x|--exec/,
  'gcloud vagrant heroku fly flyctl': /-[cC]|--command/,
  'bazel bazelisk': /--run_under|--workspace_status_command|--credential_helper/,
  helm: /--post-renderer/,
  // Django's `shell`, and Laravel's `tinker`.
  'manage.py artisan': /-c|--command|--execute/,
};

/** Code in settings of `git`, and what some of its commands run. */
const GIT: CodeOperands = {
  option: /--exec|--extcmd|--config|--upload-pack|--receive-pack|-O|--open-files-in-pager|--[a-z]+-filter/,
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
export const PROGRAMS: ReadonlyMap<string, CodeOperands> = new Map<string, CodeOperands>([
  ...each('sh bash dash zsh ksh mksh ash fish csh tcsh', SHELL),
  ...each('pwsh powershell', { option: /-[cC]\w*|-[eE][a-z]*/, readsInput: true }),
  ...Object.entries(BY_OPTION).flatMap(([names, option]) =>
    each(names, { option, isAnywhere: true, readsInput: false }),
  ),
  ...each('su runuser script flock', AS_USER),
  ...each('npx pnpx bunx npm pnpm', PACKAGE_RUNNER),
  ['nix-shell', { option: /--run|--command/, isAnywhere: true, readsInput: false }],
  ...each('python pypy ipython', { option: /-[A-Za-z]*c/, readsInput: true }),
  ...each('node nodejs bun tsx ts-node', JAVASCRIPT),
  ['deno', { operand: (before) => before[0] === 'eval', readsInput: false }],
  ...each(
    'perl ruby lua luajit osascript R Rscript julia groovy scala swift elixir erl emacs clojure bb racket octave kotlin',
    EVALUATES,
  ),
  ...each('ghc sbcl mongosh mongo gnuplot', EVALUATES),
  ['m4', { option: /-D|--define/, isAnywhere: true, readsInput: true }],
  ['ed', { readsInput: true, operandsBeforeInput: 9 }],
  ['java', { option: /-(?:javaagent|agentpath|agentlib|XX):\w*/, valued: /^(?:-cp|-classpath)$/, readsInput: false }],
  ['redis-cli', { operand: ([command = '']) => /^eval/i.test(command), readsInput: false }],
  ['socat', { operand: always, readsInput: false }],
  ['php', { option: /-[A-Za-z]*[rBRE]|--run|--process-begin|--process-code|--process-end/, readsInput: true }],
  ...each('tclsh wish', { readsInput: true }),
  ...each('expect guile', { option: /-[A-Za-z]*c/, readsInput: true }),
  ...each('awk gawk mawk nawk', AWK),
  ...each('sed gsed', SED),
  ...each('jq gojq yq', JQ),
  ...each('vim vi nvim ex view', EDITOR),
  ...each('psql mysql mariadb duckdb cockroach cqlsh trino hive beeline spark-sql usql pgcli mycli litecli', DATABASE),
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
  ...each('watch parallel', { operand: always, readsInput: true }),
  ...each('at batch crontab', { readsInput: true, operandsBeforeInput: 9 }),
]);

function each(names: string, operands: CodeOperands): readonly (readonly [string, CodeOperands])[] {
  return names.split(' ').map((name) => [name, operands]);
}

/** Names that are common words too: they count as programs only where a program stands. */
export const PLAIN_WORDS: ReadonlySet<string> = new Set(
  (
    'at batch watch parallel screen script make just task ex view expect R dc ssh su sort split go man cc ed rename hive ' +
    'salt fly helm mix'
  ).split(' '),
);

/** Programs that start another one, which stands somewhere among their arguments. */
export const STARTERS: ReadonlySet<string> = new Set(
  (
    'sudo doas exec command builtin nohup nice ionice timeout stdbuf setsid chroot unshare nsenter xargs find fd env ' +
    'docker podman nerdctl kubectl oc lxc ssh sshpass flock strace ltrace systemd-run firejail bwrap busybox parallel ' +
    'poetry pipenv uv pdm hatch conda mamba nix direnv mise asdf bundle rbenv pyenv dotenv cross-env npx pnpx bunx ' +
    'coproc time catchsegv xvfb-run watch entr'
  ).split(' '),
);

type Evaluates = (args: readonly string[], current: string) => boolean;

const named: Evaluates = (args, current) => !current.includes('=') || args.some((word) => /^-[A-Za-z]*[in]/.test(word));
const afterNameOption =
  (option: RegExp): Evaluates =>
  (args) =>
    option.test(args.at(-1) ?? '');

/** Builtins of the shell: names of variables are evaluated, for they may have a subscript. */
export const BUILTINS: ReadonlyMap<string, Evaluates> = new Map<string, Evaluates>([
  ['eval', always],
  ['let', always],
  ['trap', always],
  ['alias', always],
  ['complete', always],
  ['bind', always],
  ['unset', always],
  ['read', always],
  ['mapfile', always],
  ['readarray', always],
  ['getopts', always],
  ['declare', named],
  ['typeset', named],
  ['local', named],
  ['export', named],
  ['readonly', named],
  ['printf', afterNameOption(/^-v$/)],
  ['test', afterNameOption(/^-[vR]$/)],
  ['[', afterNameOption(/^-[vR]$/)],
  ['wait', afterNameOption(/^-p$/)],
]);

/** Variables whose values the shell or other programs run as code. */
export const ASSIGNED_CODE: ReadonlySet<string> = new Set(
  (
    'BASH_ENV ENV PS4 PROMPT_COMMAND IFS SHELLOPTS EDITOR VISUAL PAGER MANPAGER LESSOPEN LESSCLOSE BROWSER NODE_OPTIONS ' +
    'PERL5OPT PERL5DB RUBYOPT PYTHONSTARTUP JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAKEFLAGS GNUMAKEFLAGS ' +
    'MAKEFILES LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES ' +
    'GIT_SSH_COMMAND GIT_SSH GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_ASKPASS ' +
    'SSH_ASKPASS GIT_CONFIG_PARAMETERS RSYNC_RSH'
  ).split(' '),
);
