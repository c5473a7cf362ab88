// Parses YAML text into a tree. Never throws.

import { parseEvents, YAMLException } from 'js-yaml';
import type { Event } from 'js-yaml';
import { buildTree } from './build-tree.ts';
import { replaceForbidden } from './forbidden-characters.ts';
import { DEPTH_MAX, REPAIR_WORK_MAX, REPAIRS_MAX, TEXT_LENGTH_MAX } from './limits.ts';
import { pathTo } from './source-node.ts';
import type { SourceNode } from './source-node.ts';
import { reportFinding, startReading } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';
import { syntaxSentence } from './syntax-sentence.ts';
import { quoteTemplateNear, reportUnquotedTemplate } from './unquoted-template.ts';

export interface Source {
  readonly reading: SourceReader;
  /** Undefined when there is no content; a diagnostic gives the reason. */
  readonly root: SourceNode | undefined;
}

type YamlEvents =
  | { readonly type: 'read'; readonly events: readonly Event[] }
  | { readonly type: 'refused'; readonly reason: string; readonly offset: number };

const BYTE_ORDER_MARK = '\uFEFF';

export function readYaml(file: string, written: string): Source {
  const text = written.startsWith(BYTE_ORDER_MARK) ? written.slice(1) : written;
  const reading = startReading(file, text);
  if (text.length > TEXT_LENGTH_MAX) {
    reportFinding(reading, {
      code: 'text-too-large',
      offset: 0,
      message: `The file has ${text.length} characters, and a plan may have ${TEXT_LENGTH_MAX}.`,
      hint: 'Split the plan, or let for_each make tasks that are alike.',
    });
    return { reading, root: undefined };
  }
  return { reading, root: readTree(reading, replaceForbidden(reading)) };
}

function readTree(reading: SourceReader, text: string): SourceNode | undefined {
  let attempt = text;
  let outcome = parseText(attempt);
  const repaired: number[] = [];
  const repairsMax = Math.min(REPAIRS_MAX, Math.floor(REPAIR_WORK_MAX / Math.max(text.length, 1)));
  while (outcome.type === 'refused' && repaired.length < repairsMax) {
    const repair = quoteTemplateNear(attempt, outcome.offset);
    if (repair === undefined) break;
    const next = parseText(repair.text);
    // The template was the cause only if YAML gets further without it.
    if (next.type === 'refused' && next.offset <= outcome.offset) break;
    repaired.push(repair.offset);
    attempt = repair.text;
    outcome = next;
  }
  const root = outcome.type === 'read' ? buildTree(reading, attempt, outcome.events) : undefined;
  for (const offset of repaired)
    reportUnquotedTemplate(reading, offset, root === undefined ? [] : pathTo(root, offset));
  if (outcome.type === 'read') return root;
  reportFinding(reading, { ...syntaxSentence(outcome.reason, attempt, outcome.offset), offset: outcome.offset });
  return undefined;
}

/** Turns exceptions of js-yaml into values. */
function parseText(text: string): YamlEvents {
  try {
    return { type: 'read', events: parseEvents(text, { maxDepth: DEPTH_MAX }) };
  } catch (cause) {
    if (cause instanceof YAMLException) {
      return { type: 'refused', reason: cause.reason, offset: cause.mark?.position ?? 0 };
    }
    return { type: 'refused', reason: String(cause), offset: 0 };
  }
}
