// State shared by the functions that build a plan from its declarations, and the defaults they apply.

import { INNER_ID } from '../expand.ts';
import { offsetOf } from '../source/source-node.ts';
import { reportFinding } from '../source/source-reader.ts';
import type { Diagnostic, SourcePath } from '../diagnostic.ts';
import type { Agent, PromptStep, Need } from '../plan.ts';
import type { KeptScope } from '../settings/explain-settings.ts';
import type { SettingsScope } from '../settings/settings-in-force.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { SourceReader } from '../source/source-reader.ts';

/** JSON Schemas that were read for `$ref`, by the ref as written; undefined for one that could not be read. */
export type Schemas = ReadonlyMap<string, unknown>;

export interface Building {
  readonly reading: SourceReader;
  readonly root: SourceNode;
  readonly schemas: Schemas;
  readonly agents: ReadonlyMap<string, Agent>;
  /** Dotted paths of all tasks. */
  readonly paths: ReadonlySet<string>;
  /** The origins of settings; undefined when they are not kept. */
  readonly kept: Map<string, KeptScope> | undefined;
  /** Prompts that no agent was named for. */
  readonly orphans: SourcePath[];
}

/** A task to build: its name, its place in the file, and the settings around it. */
export interface TaskPlace {
  readonly building: Building;
  readonly id: string;
  readonly path: string;
  /** Path of the subplan around it; empty at the root. */
  readonly container: string;
  readonly sourcePath: SourcePath;
  readonly scope: SettingsScope;
  /** Labels that the subplans around it ask of hosts. */
  readonly on: readonly string[] | undefined;
  /** Where its steps are written, in the task, when the author wrote it in a shorter form. */
  readonly sources?: readonly SourcePath[];
}

export type DiagnosticText = Pick<Diagnostic, 'code' | 'message' | 'hint'> & {
  readonly severity?: Diagnostic['severity'];
};

/** Reports at a place in the plan, or at the nearest place around it that exists. */
export function reportAtPath(
  at: { readonly reading: SourceReader; readonly root: SourceNode },
  path: SourcePath,
  said: DiagnosticText,
): void {
  reportFinding(at.reading, { ...said, path, offset: offsetOf(at.root, path) });
}

/** A prompt step, as far as the choice of its conversation depends on it. */
export interface PromptTurn {
  readonly agent: string | undefined;
  readonly async: boolean;
}

/**
 * The step before is the last prompt in sequence; an async one has its own branch of the conversation. Continue it with
 * the same agent, fork it for an async step, and start fresh where there is none or the agent is another.
 */
export function defaultResume(turn: PromptTurn, before: PromptTurn | undefined): PromptStep['resume'] {
  if (before === undefined || before.agent !== turn.agent) return 'fresh';
  return turn.async ? 'fork' : 'continue';
}

/**
 * Turns names of tasks into full paths: a sibling first, then a sibling of the enclosing subplan, up to the root. An
 * unknown name stays as written, for the check of references to report.
 */
export function resolveNeed(need: Need, container: string, paths: ReadonlySet<string>): Need {
  return { ...need, of: need.of.map((name) => resolveName(name, container, paths)) };
}

export function resolveName(name: string, container: string, paths: ReadonlySet<string>): string {
  let around = container;
  while (around !== '') {
    const candidate = `${around}.${name}`;
    if (paths.has(candidate) || isInCopy(name, around, paths)) return candidate;
    around = around.slice(0, Math.max(around.lastIndexOf('.'), 0));
  }
  return name;
}

/** Whether the name leads to a copy of a `for_each`, or into one, as far as paths without items show. */
function isInCopy(name: string, around: string, paths: ReadonlySet<string>): boolean {
  for (let end = name.indexOf('.'); end >= 0; end = name.indexOf('.', end + 1))
    if (paths.has(`${around}.${name.slice(0, end)}.${INNER_ID}`)) return true;
  return false;
}
