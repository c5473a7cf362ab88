// Builtins of the shell and variables of the environment that evaluate values.

type Evaluates = (args: readonly string[], current: string) => boolean;

const always: Evaluates = () => true;
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
  ['compgen', always],
  ['enable', afterNameOption(/^-\w*f$/)],
  ['read', (args) => args.at(-1) !== '<<<'],
  ['mapfile', always],
  ['readarray', always],
  ['source', (args) => args.at(-1) === '<<<'],
  ['.', (args) => args.at(-1) === '<<<'],
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

/** Whether the shell or other programs run the value of this variable as code. */
export const isAssignedCode = (name: string): boolean =>
  ASSIGNED_CODE.has(name) || /(?:PAGER|EDITOR|ASKPASS|WRAPPER)$|^GIT_CONFIG_VALUE_/.test(name);

const ASSIGNED_CODE: ReadonlySet<string> = new Set(
  (
    'BASH_ENV ENV PS0 PS1 PS2 PS4 PROMPT_COMMAND IFS SHELLOPTS VISUAL LESS LESSOPEN LESSCLOSE BROWSER GH_BROWSER NODE_OPTIONS ' +
    'PERL5OPT PERL5DB RUBYOPT PYTHONSTARTUP JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS ' +
    'MAKEFLAGS GNUMAKEFLAGS MAKEFILES LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES LUA_INIT ERL_FLAGS SHELL CONFIG_SHELL ' +
    'NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS CC CXX RUSTC RUSTFLAGS GOFLAGS ' +
    'GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND GIT_CONFIG_PARAMETERS RSYNC_RSH SVN_SSH'
  ).split(' '),
);
