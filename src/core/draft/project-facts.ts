// What Heddle knows of a repository before an agent drafts a plan for it: tools, checks, layout, imports, history.
import type { SourceFile } from '../split/source-file.ts';

export interface ProjectFacts {
  readonly name: string;
  /** There is nothing to read yet. */
  readonly isEmpty: boolean;
  readonly tools: readonly ToolFact[];
  /** The command that tests the project, and why it is that one. */
  readonly check: CommandFact | undefined;
  readonly setup: CommandFact | undefined;
  /** Folders of the packages of a workspace, and the check of the first of them alone. */
  readonly packages: readonly string[];
  readonly packageCheck: string | undefined;
  /** Names of scripts that a package manager runs, each with the folder of its package; undefined where there is none. */
  readonly scripts: readonly ScriptFact[] | undefined;
  readonly files: readonly SourceFile[];
  /** The number of files that were left out: generated, binary, data. */
  readonly leftOut: number;
  /** Subjects of the latest commits, the latest first. */
  readonly commits: readonly string[];
  /** Files that the latest commits changed most often. */
  readonly changedOften: readonly string[];
  /** Agents that a plan may name: those that are installed here. */
  readonly agents: readonly string[];
}

export interface ToolFact {
  readonly tool: string;
  /** From the root; empty for the root itself. */
  readonly folder: string;
}

export interface CommandFact {
  readonly run: string;
  readonly because: string;
}

export interface ScriptFact {
  readonly folder: string;
  readonly name: string;
  /** The command that it is. */
  readonly run: string;
}
