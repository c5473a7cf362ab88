// Settings from outside the plan: the user file, the project file, the command line. The caller reads the files.

import type { Diagnostic, SourcePath } from '../diagnostic.ts';
import { settingsFile } from '../language/settings-shape.ts';
import type { DeclaredSettings } from '../language/settings-shape.ts';
import type { Json } from '../plan.ts';
import { nodeAt, offsetOf } from '../source/source-node.ts';
import type { MapEntry, SourceNode } from '../source/source-node.ts';
import { lineAt, reportFinding, startReading } from '../source/source-reader.ts';
import type { SourceFinding, SourceReader } from '../source/source-reader.ts';
import { readYaml } from '../source/read-yaml.ts';
import { resolveScalar } from '../source/resolve-scalar.ts';
import type { LayerName, SettingOrigin, SettingName } from './settings-in-force.ts';

export interface SettingsText {
  readonly file: string;
  readonly text: string;
}

export interface Layers {
  /** `.heddle/config.yaml`. */
  readonly project?: SettingsText;
  /** `~/.config/heddle/config.yaml`. */
  readonly user?: SettingsText;
  /** As in a plan, each value as a word or as data: `{ max_parallel: '8', merge: { check: 'npm test' } }`. */
  readonly commandLine?: { readonly [key: string]: Json };
}

export interface OuterLayer {
  readonly declared: DeclaredSettings;
  readonly originOf: (setting: SettingName) => SettingOrigin;
  /** Puts a finding at the value that this layer has at the finding's path; false when it has none. */
  readonly reportAt: (finding: PlacedFinding) => boolean;
  readonly diagnostics: readonly Diagnostic[];
}

export type PlacedFinding = Omit<SourceFinding, 'offset'> & { readonly path: SourcePath };

export const COMMAND_LINE = '<command line>';

const NOTHING: DeclaredSettings = {
  max_parallel: undefined,
  failure_mode: undefined,
  attempts: undefined,
  timeout: undefined,
  idle_timeout: undefined,
  budget: undefined,
  agent: undefined,
  merge: undefined,
  hosts: undefined,
  notify: undefined,
  telemetry: undefined,
};

export function readSettingsText(layer: LayerName, given: SettingsText | undefined): OuterLayer {
  if (given === undefined) return emptyLayer(layer);
  const { reading, root } = readYaml(given.file, given.text);
  const isEmpty = root === undefined || (root.type === 'scalar' && root.value === null);
  const declared = isEmpty ? NOTHING : (settingsFile.read(root, reading) ?? NOTHING);
  const originOf = (setting: SettingName): SettingOrigin => ({
    layer,
    task: undefined,
    file: given.file,
    line: root === undefined ? undefined : lineAt(reading, offsetOf(root, setting.split('.'))),
  });
  return { declared, originOf, reportAt: reporterOf(reading, root), diagnostics: reading.diagnostics };
}

export function readCommandLine(words: Layers['commandLine']): OuterLayer {
  if (words === undefined) return emptyLayer('command line');
  const reading = startReading(COMMAND_LINE, '');
  const root = nodeOf(words);
  const declared = settingsFile.read(root, reading) ?? NOTHING;
  const reportAt = reporterOf(reading, root);
  return { ...emptyLayer('command line'), declared, reportAt, diagnostics: reading.diagnostics };
}

function reporterOf(reading: SourceReader, root: SourceNode | undefined): OuterLayer['reportAt'] {
  return (finding) => {
    if (root === undefined || nodeAt(root, finding.path) === undefined) return false;
    reportFinding(reading, { ...finding, offset: offsetOf(root, finding.path) });
    return true;
  };
}

function emptyLayer(layer: LayerName): OuterLayer {
  const origin: SettingOrigin = { layer, task: undefined, file: undefined, line: undefined };
  return { declared: NOTHING, originOf: () => origin, reportAt: () => false, diagnostics: [] };
}

/** Words of a command line are read like unquoted words in a plan. */
function nodeOf(value: Json): SourceNode {
  const place = { start: 0, end: 0 };
  if (Array.isArray(value)) return { type: 'list', ...place, flow: true, items: value.map(nodeOf) };
  if (typeof value === 'object' && value !== null) {
    const entries: MapEntry[] = Object.entries(value)
      .filter(([, child]) => child !== undefined)
      .map(([key, child]) => ({ key, start: 0, value: nodeOf(child) }));
    return { type: 'map', ...place, flow: true, entries };
  }
  return { type: 'scalar', ...place, value: typeof value === 'string' ? resolveScalar(value) : value };
}
