// Parses the text of a plan to the plan, or to all its diagnostics.
//
// parse/D1. Never throws.
// parse/D2. A plan is returned only when no diagnostic is worse than a warning.
// parse/D3. Every diagnostic has a position, and they are in the order of the text.

import { buildPlan } from './build-plan.ts';
import type { Built } from './build-plan.ts';
import type { Schemas } from './building.ts';
import type { Diagnostic } from '../diagnostic.ts';
import { checkBuilt } from './check-built.ts';
import { planFile } from '../language/plan-shape.ts';
import type { Plan } from '../plan.ts';
import { checkPrices } from '../settings/model-prices.ts';
import { explainSettings } from '../settings/explain-settings.ts';
import { readCommandLine, readSettingsText } from '../settings/setting-layers.ts';
import type { Layers, OuterLayer, SettingsText } from '../settings/setting-layers.ts';
import type { EffectiveSetting } from '../settings/settings-in-force.ts';
import type { SourceNode } from '../source/source-node.ts';
import { readYaml } from '../source/read-yaml.ts';
import { byPosition, reportFinding } from '../source/source-reader.ts';
import type { SourceReader } from '../source/source-reader.ts';

/** What a plan is parsed with: its file name, the settings around it, its schemas and prices. */
export interface ParseOptions {
  /** The file name for diagnostics. */
  readonly file: string;
  readonly layers?: Layers;
  /** The plan was checked before, like the plan of an existing run, so it is only read. */
  readonly isExamined?: boolean;
  /** The contents of each `output: { $ref: … }`; see `schemaRefs`. */
  readonly schemas?: Schemas;
  /** Tables of model prices, where the plan has a budget in dollars. */
  readonly prices?: readonly SettingsText[];
}

/** A plan, where the text has one, and all that is wrong with the text. */
export interface Parsed {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** Every effective setting and where it came from; empty when there is no plan. */
  readonly origins: () => readonly EffectiveSetting[];
}

/** Parses a plan. All mistakes come back at once, each with its place, a code and a hint. */
export function parsePlan(text: string, options: ParseOptions): Parsed {
  const { plan, diagnostics } = parse(text, options, false);
  // Only one command needs the origins, so the plan is parsed again instead of keeping them in every parse.
  const origins = () => {
    const built = plan === undefined ? undefined : parse(text, options, true).built;
    return built === undefined ? [] : explainSettings(built.plan, built.kept);
  };
  return { plan, diagnostics, origins };
}

interface ParseOutcome {
  readonly plan: Plan | undefined;
  readonly diagnostics: readonly Diagnostic[];
  readonly built: Built | undefined;
}

function parse(text: string, options: ParseOptions, keepsScopes: boolean): ParseOutcome {
  const { reading, root } = readYaml(options.file, text);
  const layers = {
    commandLine: readCommandLine(options.layers?.commandLine),
    project: readSettingsText('project file', options.layers?.project),
    user: readSettingsText('user file', options.layers?.user),
  };
  if (isNothing(root) && reading.diagnostics.length === 0) reportEmpty(reading);
  const built =
    root === undefined || isNothing(root) ? undefined : build({ reading, root, options, layers, keepsScopes });
  const own = reading.diagnostics.toSorted(byPosition);
  const diagnostics = [
    ...own,
    ...layers.commandLine.diagnostics,
    ...layers.project.diagnostics,
    ...layers.user.diagnostics,
    ...(options.prices ?? []).flatMap(checkPrices),
  ];
  const hasError = diagnostics.some(({ severity }) => severity === 'error');
  return { plan: hasError ? undefined : built?.plan, diagnostics, built };
}

function isNothing(root: SourceNode | undefined): boolean {
  return root === undefined || (root.type === 'scalar' && root.value === null);
}

function reportEmpty(reading: SourceReader): void {
  reportFinding(reading, {
    code: 'empty-plan',
    offset: 0,
    message: 'The file is empty.',
    hint: 'Begin with heddle: 1, then tasks: and a first task with a prompt.',
  });
}

interface BuildGiven {
  readonly reading: SourceReader;
  readonly root: SourceNode;
  readonly options: ParseOptions;
  readonly layers: { readonly commandLine: OuterLayer; readonly project: OuterLayer; readonly user: OuterLayer };
  readonly keepsScopes: boolean;
}

function build(given: BuildGiven): Built | undefined {
  const { reading, root, options, layers, keepsScopes } = given;
  const declared = planFile.read(root, reading);
  if (declared === undefined) return undefined;
  const built = buildPlan({
    reading,
    root,
    declared,
    schemas: options.schemas ?? new Map(),
    fallbackName: nameFromFile(options.file),
    keepsScopes,
    ...layers,
  });
  if (built !== undefined && options.isExamined !== true) checkBuilt({ plan: built.plan, reading, root, layers });
  return built;
}

function nameFromFile(file: string): string {
  const last = file.split(/[/\\]/).at(-1) ?? '';
  const name = last.replace(/(?:\.heddle)?\.ya?ml$/i, '');
  return /[A-Za-z0-9]/.test(name) ? name : 'plan';
}
