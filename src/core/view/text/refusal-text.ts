// Why a use case did nothing, as one or two sentences: the cause, and the remedy.
import { WRITTEN_BACK } from '../../import/formats.ts';
import { failureText } from '../../protocol/sandbox-failure.ts';
import { replyText } from './command-reply-text.ts';
import { plural } from './count-text.ts';
import { HOST_REFUSAL_TEXTS } from './host-refusal.ts';
import type { InputType, MachineTrouble, Refusal, Unreadable } from './refusal.ts';
import { storeFailureText } from './store-failure-text.ts';

type Of<Code extends Refusal['code']> = Extract<Refusal, { code: Code }>;

const MACHINE_TEXTS: Readonly<Record<MachineTrouble, (path: string) => string>> = {
  full: (path) => `The disk is full: ${path} could not be written. Free some space and try again.`,
  'read-only': (path) => `${path} is on a read-only file system. Mount it writable and try again.`,
  files: () => 'This process, or the machine, has too many files open. Raise the limit (ulimit -n) and try again.',
  disk: (path) => `The disk failed to read or write ${path}. Check the disk, and try again.`,
  permission: (path) => `This user may not read or write ${path}. Change its owner or mode and try again.`,
};

/** One text for each code; a code without one is no program. */
const TEXTS: { readonly [Code in Refusal['code']]: (refusal: Of<Code>) => string } = {
  ...HOST_REFUSAL_TEXTS,
  'home-not-a-folder': ({ home }) =>
    `${home} is not a folder, and Heddle keeps its files there. Move it away and try again.`,
  'read-only-disk': ({ folder }) =>
    `${folder} is on a read-only file system. Mount it writable, or work in a copy of the project elsewhere.`,
  machine: ({ trouble, path }) => MACHINE_TEXTS[trouble](path ?? 'a file'),
  'no-runs': ({ folder }) =>
    `There is no run ${folder === undefined ? 'here' : `in ${folder}`} yet. Start one with heddle run plan.yaml.`,
  store: ({ failure }) => storeFailureText(failure),
  git: ({ failure }) => failureText(failure),
  'no-sandboxes': ({ failure }) => `${failureText(failure)} heddle run --no-git works in place, without git.`,
  nested: ({ run, step, variable }) =>
    `This is step ${step} of the run ${run}, and a step can neither start a run nor control one. ` +
    `Put the work into the plan; or, if it is truly another project, unset ${variable} first.`,
  'serve-running': ({ pid, url }) =>
    `Process ${pid} serves this project already${url === '' ? '' : `, at ${url}`}. End that one first, or use it.`,
  'token-name-malformed': ({ name }) =>
    `${name} cannot name a token. Use 1 to 63 letters, digits, -, _ and single dots, with a letter or a digit first.`,
  'token-name-taken': ({ name }) =>
    `There is a token ${name} that works. Give another name, or revoke that one first: heddle token revoke ${name}.`,
  'token-unknown': ({ name, like }) => `There is no token ${name}.${meant(like)} heddle token list shows them.`,
  'tokens-unreadable': ({ file }) =>
    `${file} cannot be read, so no token works. Mend it, or remove it and add the tokens again with heddle token add.`,
  'run-unknown': ({ run, like, latest }) =>
    `There is no run ${run} here.${like === undefined ? (latest === undefined ? '' : ` The latest is ${latest}.`) : meant(like)}`,
  'task-unknown': ({ run, task, like }) =>
    `There is no task ${task} in ${run}.${meant(like)} heddle status lists the tasks.`,
  'word-unknown': ({ run, word, like }) =>
    `There is no task ${word} in ${run}, and no run of that name.${like === undefined ? ' heddle status lists the tasks, heddle runs the runs.' : meant(like)}`,
  'step-unknown': ({ task, step, steps }) =>
    `${task} has no step ${step}. ${steps.length === 0 ? 'It has none.' : `It has ${steps.join(', ')}.`}`,
  owned: ({ run, by, silentMs }) =>
    `Process ${by.pid} on ${by.host} has been running ${run} since ${new Date(by.since).toLocaleTimeString('en-GB')}${silence(silentMs)}; stop it first with heddle stop ${run}.`,
  'owner-answers': ({ run, by }) =>
    `Process ${by.pid} on ${by.host} is running ${run} and answers, so the run is not taken from it; heddle stop ${run} ends it, heddle resume ${run} follows it.`,
  'not-started': ({ run, output }) => `The run ${run} could not be started in the background. Read ${output}.`,
  'of-no-use': ({ reply }) => replyText(reply),
  'no-question': ({ run }) => `Nothing in ${run} waits for an answer.`,
  'several-questions': ({ run, tasks }) =>
    `Several questions are open in ${run}: ${tasks.join(', ')}. Name the one you mean.`,
  'no-plan': ({ names }) => `There is no ${names.join(', ')} here. Name the plan: heddle check path/to/plan.yaml.`,
  unreadable: (refusal) => unreadableText(refusal),
  'outside-project': ({ file, folder }) => `${file} is not below ${folder}. Name a file or a folder of this project.`,
  'engine-keeps': ({ run, engine }) =>
    `${run} is kept on ${engine}, and another server may have it: a heddle serve with that engine goes on with it, here or elsewhere.`,
  'engine-left': ({ engine, file }) =>
    `The runs of this project are kept on ${engine}, and other servers may have them. Give heddle serve that engine; to go on here alone, remove ${file}.`,
  'engine-of-another': ({ engine }) =>
    `${engine} has the runs of another repository. Give this one a name of its own there: ?project=NAME after the address of a database, /NAME after the nodes of Restate.`,
  'engine-shallow': ({ engine }) =>
    `This clone is shallow, so it cannot be told whether the runs on ${engine} are of its repository. Fetch the rest of its history: git fetch --unshallow.`,
  'engine-twice': () => 'The engine was given twice. Leave out --engine or --engine-file.',
  'engine-password': ({ variable }) =>
    `Every user of this machine can read a password on a command line. Put the address of the engine into a file for --engine-file, or into ${variable}.`,
  'engine-file': ({ file }) =>
    `${file} has no address of an engine in its first line. Write one, such as postgres://user:password@host/database, into a file that you may read.`,
  'cluster-running': ({ home }) =>
    `The trial in ${home} is running. heddle cluster status shows it, heddle cluster down ends it.`,
  'cluster-other': ({ home, project, engine }) =>
    `${home} has a trial of ${project} on ${engine}. Give another folder by --home, or remove that one.`,
  'cluster-none': ({ home }) => `There is no trial in ${home}. heddle cluster up starts one.`,
  'cluster-part': ({ part, log }) =>
    `${part} of the trial did not start. Read ${log}; heddle cluster down ends what runs of it.`,
  'cluster-command': ({ program, says }) =>
    `${program} failed: ${says}. heddle cluster down ends what runs of the trial.`,
  'cluster-project': ({ folder }) =>
    `${folder} is no git repository with a commit, and the trial is made of one. Call this in your project, or in a folder that heddle demo makes.`,
  'postgres-missing': () =>
    'There is no PostgreSQL on the path. Install it with the package manager of this system, or use --engine restate.',
  'postgres-root': () =>
    'PostgreSQL refuses to run as root, and there is no user postgres here. Call this as another user, or use --engine restate.',
  'settings-malformed': ({ file, line }) => `${file} cannot be read from line ${line} on. Mend it, then try again.`,
  'settings-unclear': ({ file }) =>
    `${file} is written in a way that is not edited here, and was left as it is. Add the server heddle by hand: heddle help reference/mcp.`,
  'settings-changed': ({ file }) => `${file} was changed in the meantime, and was left as it is. Try again.`,
  unwritable: ({ file, message }) => `${file} could not be written: ${message}. Change its permissions and try again.`,
  'isolation-in-place': () =>
    'The plan requires isolation by the system (isolation: os), which takes sandboxes, and this run works in place.',
  isolation: ({ failure }) => failureText(failure),
  'agent-missing': ({ agent, use }) =>
    `The agent ${agent} uses ${use}, which is not installed here. heddle agents says how to get it, and what there is.`,
  'few-descriptors': ({ limit, least }) =>
    `This shell allows ${limit} open files (ulimit -n), and a run needs ${least}. Raise the limit and try again.`,
  'input-malformed': ({ word }) =>
    `--input ${word} is not of the form name=value. Write --input branch=main, for example.`,
  'input-unknown': ({ name, like, names }) =>
    names.length === 0
      ? `The plan has no inputs, so --input ${name}=… means nothing to it. Leave it out.`
      : `The plan has no input ${name}.${meant(like)} It has ${names.join(', ')}.`,
  'inputs-missing': ({ names }) =>
    `The plan asks for ${names.join(', ')}. Give ${names.map((name) => `--input ${name}=…`).join(' ')}.`,
  'input-type': ({ name, word, type }) =>
    `--input ${name}=${word} must be a ${type}. Write it as JSON: ${INPUT_EXAMPLES[type]}.`,
  'base-unknown': ({ base }) =>
    `The plan starts from ${base}, which is no commit here. Commit something, or name another base.`,
  'base-unrelated': ({ commit }) =>
    `Your commit ${commit.slice(0, 12)} and the repository of the server have no history in common. Call from a clone of that repository, which must not be shallow (git fetch --unshallow), or from outside of every repository.`,
  'base-not-sent': ({ commit }) =>
    `Your commit ${commit.slice(0, 12)} did not reach the server. Push it to where the server fetches from, or name another base in the plan.`,
  'in-place': ({ run }) => `${run} works in place, without git, so it has no branches and no sandboxes.`,
  'no-target': () => 'The run was started on no branch and its plan has no target. Name one with --onto BRANCH.',
  'not-whole': ({ run, hasEnded, done, total }) => notWholeText({ run, hasEnded, done, total }),
  'nothing-committed': ({ run, task }) =>
    `${task} has committed nothing yet in ${run}. heddle status ${run} shows how far it is.`,
  'task-undone': ({ run, task }) =>
    `${task} is not done, so it cannot land yet. heddle explain ${task} --run ${run} says what it waits for.`,
  'part-conflicts': ({ task, paths }) =>
    `${task} does not fit together without the tasks merged before it, in ${paths.join(', ')}. Land the whole run instead.`,
  'makes-no-commits': ({ task, type }) =>
    `${task} is a ${type} and makes no commits itself; name one of the tasks that do.`,
  'no-conflict': ({ task, others }) =>
    `${task} has no conflict that waits for a person. ${others.length === 0 ? 'No task of this run has.' : `These have: ${others.join(', ')}.`}`,
  'branch-taken': ({ branch }) => `You have a branch ${branch} that is not the run's; rename it first.`,
  'no-remote': () => 'There is no remote to push to. Add one with git remote add origin URL.',
  'several-remotes': ({ target, remotes }) =>
    `There are several remotes (${remotes.join(', ')}). Say which with git config branch.${target}.remote NAME.`,
  'push-failed': ({ remote, stderr }) => `git push to ${remote} failed: ${stderr}`,
  'not-produced': ({ name, like }) =>
    `Nothing was produced that is called ${name}.${like === undefined ? ' heddle recover lists what there is.' : meant(like)}`,
  'no-usual-file': ({ folder, names }) =>
    `${folder} is a folder without ${names.join(' or ')}. Give the path of a file.`,
  'no-gsd-plan': ({ folder }) => `There is no roadmap and no plan of GSD in ${folder}. Give the folder .gsd.`,
  'too-many-plans': ({ folder, filesMax }) =>
    `There are more than ${filesMax} plans in ${folder}. Name a folder within.`,
  'not-imported': ({ trouble }) =>
    `${[trouble.file, trouble.line, trouble.column].filter((part) => part !== undefined).join(':')} ${trouble.says}`,
  'no-write-back': ({ format }) =>
    `A file of ${format} has no place for that; --write-back is for ${WRITTEN_BACK.join(', ')}.`,
  'not-of-file': ({ run, named }) =>
    `No task of ${run} is in ${named}. Was the plan of that run imported from this file?`,
  'split-bounds': ({ filesMin, filesMax }) =>
    `--min-files (${filesMin}) is more than --max-files (${filesMax}). Lower it, or raise the other.`,
  'nothing-to-split': ({ places, endings }) =>
    `There is nothing to split in ${places.join(', ')}: no file that is text${endings === undefined ? '' : ` and ends in ${endings.join(' or ')}`} and that git does not ignore.`,
  template: ({ file, message }) => `The template ${file} does not work: ${message}. See --print-template.`,
  'place-missing': ({ place }) => `There is no folder ${place}. Check the path.`,
  'repository-unreadable': ({ folder }) =>
    `git does not read the repository around ${folder}. Run git status there to see why.`,
  'outside-repository': ({ place, repository }) =>
    `${place} is not in the repository ${repository}. Split one repository at a time.`,
  'several-places-outside': () => 'Folders outside the current one are split one at a time.',
  'too-many-files': ({ files, filesMax }) =>
    `There are ${files} files, and ${filesMax} is the most. Name a folder with fewer.`,
  'folder-unusable': ({ folder, message }) => `${folder} cannot be used: ${message}. Name another folder.`,
  'folder-not-empty': ({ folder }) => `${folder} is not empty, and the demo overwrites nothing. Name another folder.`,
  'folder-missing': ({ folder }) => `There is no folder ${folder}. Name one that exists.`,
  'git-missing': ({ least }) => `There is no git on the PATH, and sandboxes need it. ${installGit(least)}`,
  'git-old': ({ version, least }) => `This is ${version}, and sandboxes need ${least} or later. ${installGit(least)}`,
  'no-agent': ({ known }) =>
    `No agent is installed here, and an agent writes the plan. Install one of ${known.join(', ')}: heddle agents says how. Without one, heddle init writes a first plan and heddle split divides a code base.`,
  'no-goal': () => 'Say what is to be done: heddle plan "Add a dark mode to the settings page".',
  'goal-too-long': ({ characters, charactersMax }) =>
    `The goal has ${characters} characters, and may have ${charactersMax}. Put the text into a file and add it with --from.`,
  'sources-too-long': ({ characters, charactersMax }) =>
    `The files of --from have ${characters} characters together, and may have ${charactersMax}. Name fewer files, or the parts that matter.`,
  'nothing-committed-yet': ({ isRepository }) =>
    isRepository
      ? 'This repository has no commit yet, and agents work on a commit: git commit --allow-empty -m start.'
      : "This is no git repository, and agents work on a commit: git init && git add . ':!.heddle' && git commit --allow-empty -m start.",
  'file-exists': ({ file }) => `${file} is there already and is not overwritten. Name another file, or move it away.`,
  'no-drafting': ({ run }) =>
    run === undefined
      ? 'No drafting waits to go on. Say what is to be done: heddle plan "Add a dark mode to the settings page".'
      : `${run} is a run of a plan, not a drafting. heddle runs lists both.`,
  'drafting-over': ({ run }) => `The drafting ${run} is over. heddle turns ${run} shows its drafts.`,
  'revised-plan-wrong': ({ file }) =>
    `${file} has errors, so it cannot be revised yet. heddle check ${file} names them.`,
  'agent-unknown': ({ agent, known }) => `There is no agent ${agent} to try; there are: ${known.join(', ')}.`,
};

/** Whether a code from outside is one of these; its sender sends its facts with it. */
export const isRefusal = (given: { readonly code: string }): given is Refusal => Object.hasOwn(TEXTS, given.code);

export function refusalText(refusal: Refusal): string {
  // The table has one text for each code, which a lookup by a union of codes cannot express.
  const text = TEXTS[refusal.code] as (refusal: Refusal) => string;
  return text(refusal);
}

const meant = (like: string | undefined): string => (like === undefined ? '' : ` Did you mean ${like}?`);

const silence = (silentMs: number): string =>
  silentMs > 30_000 ? ` (silent for ${Math.round(silentMs / 1000)} s; --take-over takes the run from it)` : '';

const installGit = (least: string): string =>
  `Install git ${least} or later from your system's packages or from git-scm.com.`;

const INPUT_EXAMPLES: Readonly<Record<InputType, string>> = {
  number: '3',
  boolean: 'true',
  list: '["a", "b"]',
  object: '{"a": 1}',
};

function notWholeText({ run, hasEnded, done, total }: Omit<Of<'not-whole'>, 'code'>): string {
  const how = hasEnded ? 'did not complete' : 'has not ended';
  if (done === 0) return `${run} ${how}, and none of its tasks is done, so there is nothing to land.`;
  return `${run} ${how}: ${done} of the ${plural(total, 'task')} that make commits are done. heddle land ${run} --completed lands those.`;
}

function unreadableText({ file, ...reason }: { readonly file: string } & Unreadable): string {
  switch (reason.why) {
    case 'empty-path':
      return 'The path is empty. Give the path of a file, or - to read standard input.';
    case 'missing':
      return `There is no file ${file}. Check the path, or give - to read standard input.`;
    case 'folder':
      return `${file} is a folder. Give the path of a file in it.`;
    case 'permission':
      return `${file} may not be read by this user. Change its permissions or copy it.`;
    case 'not-utf8':
      return `${file} is not text in UTF-8. Save it as UTF-8 and try again.`;
    case 'standard-input':
      return 'Standard input could not be read. Give the path of a file instead of -.';
    case 'too-large':
      return reason.bytes === undefined
        ? `Standard input has more than ${reason.bytesMax} bytes, the most that are read.`
        : `${file} has ${reason.bytes} bytes, more than the ${reason.bytesMax} that are read. Split it.`;
    case 'other':
      return `${file} could not be read: ${reason.message}.`;
  }
}
