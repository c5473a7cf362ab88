// An input of the plan: `branch: main`, or `{ type, default, description, required }`.

import type { DeclaredInput } from '../language/plan-shape.ts';
import type { Input, Json } from '../plan.ts';
import type { SourceNode } from '../source/source-node.ts';
import type { SourceReader } from '../source/source-reader.ts';
import { reportAtPath } from './building.ts';

interface InputSource {
  readonly reading: SourceReader;
  readonly root: SourceNode;
}

export function buildInput(place: InputSource, name: string, declared: DeclaredInput | undefined): Input {
  if (declared === undefined) return { name, type: 'any', value: undefined, description: undefined };
  if (declared.type === 'value') {
    // `branch:` with nothing after it asks the caller for a value.
    const value = declared.value === null ? undefined : declared.value;
    return { name, type: typeOf(value), value, description: undefined };
  }
  const { type, default: value, description, required } = declared.given;
  checkDefault({ place, name, type, value, required });
  const otherwise = required === false ? null : undefined;
  return { name, type: type ?? typeOf(value), value: value === undefined ? otherwise : value, description };
}

function checkDefault(given: {
  readonly place: InputSource;
  readonly name: string;
  readonly type: Input['type'] | undefined;
  readonly value: Json | undefined;
  readonly required: boolean | undefined;
}): void {
  const { place, name, type, value, required } = given;
  if (value === undefined) return;
  if (required === true) {
    reportAtPath(place, ['inputs', name, 'required'], {
      code: 'invalid-value',
      message: `The input ${name} is required and has a default, which would never be used.`,
      hint: 'Delete required or default.',
    });
  }
  const found = typeOf(value);
  if (type === undefined || type === 'any' || found === 'any' || found === type) return;
  reportAtPath(place, ['inputs', name, 'default'], {
    code: 'wrong-type',
    message: `The default of the input ${name} must be a ${type}, and it is a ${found}.`,
    hint: `Write a ${type}, or type: ${found}.`,
  });
}

function typeOf(value: Json | undefined): Input['type'] {
  if (value === undefined || value === null) return 'any';
  if (Array.isArray(value)) return 'list';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
