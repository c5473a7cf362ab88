// What breaks a rule today and is still let pass. The lists only shrink: a finding that is not on them fails, and so does
// an entry that is no longer found.
import type { Finding } from './rules/file-layout.ts';
import type { Violation } from './violation.ts';

export interface Allowed {
  readonly rule: string;
  readonly keys: readonly string[];
}

/** What is found beyond what is allowed, and what is allowed beyond what is found. */
export function beyond({ rule, keys }: Allowed, findings: readonly Finding[]): readonly Violation[] {
  const found = new Set(findings.map(({ key }) => key));
  const unneeded = keys.filter((key) => !found.has(key));
  return [
    ...findings.filter(({ key }) => !keys.includes(key)),
    ...unneeded.map((key) => ({
      path: 'test/tidy/allowances.ts',
      line: 1,
      says: `"${key}" is allowed and keeps to the rule, so nothing needs the entry`,
      instead: 'Take it off the list',
      rule,
    })),
  ];
}

export const CROWDED: Allowed = {
  rule: 'STYLE 10',
  keys: [],
};

export const DEEP: Allowed = {
  rule: 'STYLE 10',
  keys: [],
};

export const SHARED_NAMES: Allowed = {
  rule: 'STYLE 10',
  keys: [],
};

export const BOTH_WAYS: Allowed = {
  rule: 'STYLE 6',
  keys: [],
};

export const SHARED_LABELS: Allowed = {
  rule: 'STYLE 29',
  keys: [],
};
