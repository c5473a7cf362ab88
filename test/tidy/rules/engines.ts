// `engines` in package.json and the launcher's own list of Nodes say the same.
import type { Violation } from '../violation.ts';

/** Versions on both sides of every border that either of the two could draw. */
const majors = [18, 20, 22, 23, 24, 25, 26, 27, 28];
const versions = majors.flatMap((major) => [...Array(30).keys()].map((minor) => `${major}.${minor}.0`));

const meets = (comparator: string, version: string): boolean => {
  const [, sign = '', major = '0', minor = '0'] = /^(>=|<)(\d+)(?:\.(\d+))?/.exec(comparator) ?? [];
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  const difference = ownMajor - Number(major) || ownMinor - Number(minor);
  return sign === '<' ? difference < 0 : difference >= 0;
};

/** Reads ranges of `>=` and `<` joined by spaces and `||`, which is all that package.json uses. */
const isInRange = (range: string, version: string): boolean =>
  range.split('||').some((part) =>
    part
      .trim()
      .split(/\s+/)
      .every((comparator) => meets(comparator, version)),
  );

const rangeIn = (packageText: string): string => /"engines":\s*\{\s*"node":\s*"([^"]+)"/.exec(packageText)?.[1] ?? '';

export function checkEngines(packageText: string, isSupported: (version: string) => boolean): readonly Violation[] {
  const range = rangeIn(packageText);
  const different = versions.find((version) => isInRange(range, version) !== isSupported(version));
  if (different === undefined) return [];
  return [
    {
      path: 'package.json',
      line: packageText.slice(0, packageText.indexOf('"engines"')).split('\n').length,
      says: `"engines" (${range}) and bin/supported-node.js differ about Node ${different}, so npm and the launcher would contradict each other`,
      instead: 'Make both say the same',
      rule: 'STYLE 20',
    },
  ];
}
