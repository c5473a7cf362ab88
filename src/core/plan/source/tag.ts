// Tags such as `!!str`. Standard tags are applied where they fit; all others would need code to interpret them.

import type { Scalar } from './source-node.ts';
import { report } from './source-reader.ts';
import type { SourceReader } from './source-reader.ts';
import { resolveScalar } from './resolve-scalar.ts';

type TagName = 'str' | 'int' | 'float' | 'bool' | 'null' | 'map' | 'seq';

const STANDARD: ReadonlyMap<string, TagName> = new Map(
  (['str', 'int', 'float', 'bool', 'null', 'map', 'seq'] as const).flatMap((name) => [
    [`!!${name}`, name] as const,
    [`!<tag:yaml.org,2002:${name}>`, name] as const,
  ]),
);

/** The standard tag of a node; undefined when it has none that can be used. A foreign tag is reported. */
export function readTag(given: {
  readonly reading: SourceReader;
  readonly text: string;
  readonly event: { readonly tagStart: number; readonly tagEnd: number };
  readonly allowed: readonly TagName[];
}): TagName | undefined {
  const { reading, text, event, allowed } = given;
  if (event.tagStart === -1) return undefined;
  const written = text.slice(event.tagStart, event.tagEnd);
  const tag = written === '!' && allowed.includes('str') ? 'str' : STANDARD.get(written);
  if (tag !== undefined && allowed.includes(tag)) return tag;
  if (written === '!') return undefined;
  report(reading, {
    code: 'unsupported-tag',
    offset: event.tagStart,
    message: `The tag ${written} means nothing ${tag === undefined ? 'in a plan' : 'on a value of this kind'}.`,
    hint: 'Delete the tag; write text in quotes where it could be taken for a number.',
  });
  return undefined;
}

export function scalarUnderTag(given: {
  readonly reading: SourceReader;
  readonly text: string;
  readonly tag: TagName | undefined;
  readonly plain: boolean;
  readonly offset: number;
}): Scalar {
  const { text, tag } = given;
  if (tag === undefined) return given.plain ? resolveScalar(text) : text;
  if (tag === 'str') return text;
  const value = resolveScalar(text);
  if (fits(value, tag)) return value;
  report(given.reading, {
    code: 'unsupported-tag',
    offset: given.offset,
    message: `The value is tagged !!${tag}, but ${JSON.stringify(text)} is not one.`,
    hint: 'Delete the tag or write a value that fits it.',
  });
  return value;
}

function fits(value: Scalar, tag: TagName): boolean {
  if (tag === 'null') return value === null;
  if (tag === 'bool') return typeof value === 'boolean';
  if (tag === 'int') return Number.isInteger(value);
  return tag === 'float' && typeof value === 'number';
}
