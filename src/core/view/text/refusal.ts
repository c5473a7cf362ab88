// Why a use case did nothing: a code, with the values that a message needs. `refusal-text` has the message.
import type { CommandReply } from '../../engine/commands/reply.ts';
import type { ImportFormat } from '../../import/formats.ts';
import type { ImportError } from '../../import/outline/outline.ts';
import type { SandboxFailure } from '../../protocol/sandbox-failure.ts';
import type { StoreFailure } from '../../protocol/store-failure.ts';
import type { SurveyRefusal } from '../../protocol/survey-refusal.ts';
import type { HostProgramRefusal } from './host-refusal.ts';

/** Why a file, or standard input, could not be read. */
export type Unreadable =
  | { readonly why: 'empty-path' | 'missing' | 'folder' | 'permission' | 'not-utf8' | 'standard-input' }
  | { readonly why: 'too-large'; readonly bytes: number | undefined; readonly bytesMax: number }
  | { readonly why: 'other'; readonly message: string };

/** What a machine lacks for a file to be read or written. */
export type MachineTrouble = 'full' | 'read-only' | 'files' | 'disk' | 'permission';

type AboutProject =
  /** A file is in the way of Heddle's folder. */
  | { readonly code: 'home-not-a-folder'; readonly home: string }
  | { readonly code: 'read-only-disk'; readonly folder: string }
  /** The system refused a file, whoever asked for it. */
  | { readonly code: 'machine'; readonly trouble: MachineTrouble; readonly path: string | undefined }
  | { readonly code: 'no-runs'; readonly folder: string | undefined }
  | { readonly code: 'store'; readonly failure: StoreFailure }
  | { readonly code: 'git'; readonly failure: SandboxFailure }
  /** Sandboxes cannot be made here; a run in place needs none. */
  | { readonly code: 'no-sandboxes'; readonly failure: SandboxFailure }
  /** A step of a run may neither start nor control a run. */
  | { readonly code: 'nested'; readonly run: string; readonly step: string; readonly variable: string };

/** The coordinator of a run. */
interface RunningProcess {
  readonly pid: number;
  readonly host: string;
  readonly since: number;
}

type AboutRun =
  | {
      readonly code: 'run-unknown';
      readonly run: string;
      readonly like: string | undefined;
      readonly latest: string | undefined;
    }
  | { readonly code: 'task-unknown'; readonly run: string; readonly task: string; readonly like: string | undefined }
  /** It is no run's name either. */
  | { readonly code: 'word-unknown'; readonly run: string; readonly word: string; readonly like: string | undefined }
  | {
      readonly code: 'step-unknown';
      readonly task: string;
      readonly step: string;
      readonly steps: readonly string[];
    }
  /** Another process is the run's coordinator. */
  | { readonly code: 'owned'; readonly run: string; readonly by: RunningProcess; readonly silentMs: number }
  /** It was to be taken over, and shows that it lives. */
  | { readonly code: 'owner-answers'; readonly run: string; readonly by: RunningProcess }
  | { readonly code: 'not-started'; readonly run: string; readonly output: string }
  /** The command has no effect on the run in its current state; the engine's reply. */
  | { readonly code: 'of-no-use'; readonly reply: CommandReply }
  | { readonly code: 'no-question'; readonly run: string }
  | { readonly code: 'several-questions'; readonly run: string; readonly tasks: readonly string[] };

type AboutPlan =
  | { readonly code: 'no-plan'; readonly names: readonly string[] }
  | ({ readonly code: 'unreadable'; readonly file: string } & Unreadable)
  | { readonly code: 'outside-project'; readonly file: string; readonly folder: string }
  | { readonly code: 'unwritable'; readonly file: string; readonly message: string }
  /** The system allows this process too few open files to start workers. */
  | { readonly code: 'few-descriptors'; readonly limit: number; readonly least: number }
  | { readonly code: 'isolation-in-place' }
  | { readonly code: 'isolation'; readonly failure: SandboxFailure }
  | { readonly code: 'agent-missing'; readonly agent: string; readonly use: string }
  | { readonly code: 'input-malformed'; readonly word: string }
  | {
      readonly code: 'input-unknown';
      readonly name: string;
      readonly like: string | undefined;
      readonly names: readonly string[];
    }
  | { readonly code: 'inputs-missing'; readonly names: readonly string[] }
  | { readonly code: 'input-type'; readonly name: string; readonly word: string; readonly type: InputType }
  | { readonly code: 'base-unknown'; readonly base: string }
  /** The commit of a caller on another machine shares no history with this repository, or did not arrive. */
  | { readonly code: 'base-unrelated'; readonly commit: string }
  | { readonly code: 'base-not-sent'; readonly commit: string };

export type InputType = 'number' | 'boolean' | 'list' | 'object';

type AboutGit =
  | { readonly code: 'in-place'; readonly run: string }
  | { readonly code: 'no-target' }
  | {
      readonly code: 'not-whole';
      readonly run: string;
      readonly hasEnded: boolean;
      readonly done: number;
      readonly total: number;
    }
  | { readonly code: 'nothing-committed'; readonly run: string; readonly task: string }
  | { readonly code: 'task-undone'; readonly run: string; readonly task: string }
  | { readonly code: 'part-conflicts'; readonly task: string; readonly paths: readonly string[] }
  | { readonly code: 'makes-no-commits'; readonly task: string; readonly type: string }
  | { readonly code: 'no-conflict'; readonly task: string; readonly others: readonly string[] }
  | { readonly code: 'branch-taken'; readonly branch: string }
  | { readonly code: 'no-remote' }
  | { readonly code: 'several-remotes'; readonly target: string; readonly remotes: readonly string[] }
  | { readonly code: 'push-failed'; readonly remote: string; readonly stderr: string }
  | { readonly code: 'not-produced'; readonly name: string; readonly like: string | undefined };

type AboutSources =
  | { readonly code: 'no-usual-file'; readonly folder: string; readonly names: readonly string[] }
  | { readonly code: 'no-gsd-plan'; readonly folder: string }
  | { readonly code: 'too-many-plans'; readonly folder: string; readonly filesMax: number }
  | { readonly code: 'not-imported'; readonly trouble: ImportError }
  | { readonly code: 'no-write-back'; readonly format: ImportFormat; readonly named: string }
  | { readonly code: 'not-of-file'; readonly run: string; readonly named: string };

type AboutSplit =
  | { readonly code: 'split-bounds'; readonly filesMin: number; readonly filesMax: number }
  | {
      readonly code: 'nothing-to-split';
      readonly places: readonly string[];
      readonly endings: readonly string[] | undefined;
    }
  /** The template of the prompts does not work. */
  | { readonly code: 'template'; readonly file: string; readonly message: string }
  | SurveyRefusal;

type AboutOnboarding =
  | { readonly code: 'folder-unusable'; readonly folder: string; readonly message: string }
  | { readonly code: 'folder-not-empty'; readonly folder: string }
  | { readonly code: 'folder-missing'; readonly folder: string }
  | { readonly code: 'git-missing'; readonly least: string }
  | { readonly code: 'git-old'; readonly version: string; readonly least: string }
  | { readonly code: 'agent-unknown'; readonly agent: string; readonly known: readonly string[] };

type AboutDrafting =
  /** Nobody here can draft. */
  | { readonly code: 'no-agent'; readonly known: readonly string[] }
  | { readonly code: 'no-goal' }
  | { readonly code: 'goal-too-long'; readonly characters: number; readonly charactersMax: number }
  | { readonly code: 'sources-too-long'; readonly characters: number; readonly charactersMax: number }
  /** Agents draft in sandboxes, which are made of commits. */
  | { readonly code: 'nothing-committed-yet'; readonly isRepository: boolean }
  | { readonly code: 'file-exists'; readonly file: string }
  | { readonly code: 'no-drafting'; readonly run: string | undefined }
  | { readonly code: 'drafting-over'; readonly run: string }
  | { readonly code: 'revised-plan-wrong'; readonly file: string };

/** The engine that keeps the runs of a cluster. */
type AboutEngine =
  /** The run may be going on at another server, of which this machine has a copy. */
  | { readonly code: 'engine-keeps'; readonly run: string; readonly engine: string }
  /** A server without an engine would take up runs that other servers have. */
  | { readonly code: 'engine-left'; readonly engine: string; readonly file: string }
  /** Another repository was first under this name: their runs would mix. */
  | { readonly code: 'engine-of-another'; readonly engine: string }
  /** Whether the runs there are of this repository cannot be told: its history is not here. */
  | { readonly code: 'engine-shallow'; readonly engine: string }
  | { readonly code: 'engine-twice' }
  /** Its address is a word of the command line, and holds a password. */
  | { readonly code: 'engine-password'; readonly variable: string }
  | { readonly code: 'engine-file'; readonly file: string };

/** A trial cluster on one machine. */
type AboutTrial =
  | { readonly code: 'cluster-running'; readonly home: string }
  /** The folder has a trial of something else. */
  | { readonly code: 'cluster-other'; readonly home: string; readonly project: string; readonly engine: string }
  | { readonly code: 'cluster-none'; readonly home: string }
  /** A part did not start; its output is in a file. */
  | { readonly code: 'cluster-part'; readonly part: string; readonly log: string }
  | { readonly code: 'cluster-command'; readonly program: string; readonly says: string }
  | { readonly code: 'cluster-project'; readonly folder: string }
  | { readonly code: 'postgres-missing' | 'postgres-root' };

/** The settings of a program that speaks MCP. */
type AboutSettings =
  | { readonly code: 'settings-malformed'; readonly file: string; readonly line: number }
  /** It is written in a way that cannot be edited safely. */
  | { readonly code: 'settings-unclear'; readonly file: string }
  /** Another program has written it since the change was shown. */
  | { readonly code: 'settings-changed'; readonly file: string };

/** The server of a project, and the tokens that open it. */
type AboutServe =
  | { readonly code: 'serve-running'; readonly pid: number; readonly url: string }
  | { readonly code: 'token-name-malformed'; readonly name: string }
  | { readonly code: 'token-name-taken'; readonly name: string }
  | { readonly code: 'token-unknown'; readonly name: string; readonly like: string | undefined }
  | { readonly code: 'tokens-unreadable'; readonly file: string };

/** Why a call was refused: a code, and the values that a message needs. Codes are stable. */
export type Refusal =
  | AboutDrafting
  | AboutServe
  | AboutEngine
  | AboutSettings
  | AboutProject
  | AboutRun
  | AboutPlan
  | AboutGit
  | AboutSources
  | AboutTrial
  | AboutSplit
  | AboutOnboarding
  | HostProgramRefusal;
