// Whether the files of an added task lie within those of the task that grew it.
//
// fragment-files/W1. Sound: an accepted glob matches only paths of the repository, and only paths that some glob of the
//   parent matches. Where that cannot be seen from the texts, the glob is refused.
import { leavesRoot, mayOverlap, readGlob } from '../plan/check/glob-overlap.ts';

/** A way out of the repository, or a glob that takes away or cannot be read. */
export const leavesRepository = (glob: string): boolean =>
  leavesRoot(glob) || glob.includes('\\') || readGlob(glob) === undefined;

/** `outer` are the globs of the parent; none means anywhere in the repository. */
export function liesWithin(glob: string, outer: readonly string[]): boolean {
  const inner = clean(glob);
  return outer.length === 0 || outer.map(clean).some((around) => isWithin(inner, around));
}

const clean = (glob: string): string => glob.replace(/^(?:\.\/)+/, '').replace(/\/$/, '/**');

function isWithin(inner: string, around: string): boolean {
  if (inner === around || around === '**' || around === '**/*') return true;
  const folder = around.replace(/\/\*\*(?:\/\*)?$/, '');
  // A plain path means the file and everything below it.
  if (isPlain(folder)) return inner.startsWith(`${folder}/`);
  return isPlain(inner) && isMatch(inner.split('/'), around.split('/'));
}

const isPlain = (glob: string): boolean => !/[*?[\]{}()]/.test(glob);

/** Segment by segment; a glob with `**` inside is matched by no plain path here. */
function isMatch(path: readonly string[], glob: readonly string[]): boolean {
  if (path.length !== glob.length || glob.includes('**')) return false;
  return path.every((segment, at) => {
    const [one, other] = [readGlob(segment), readGlob(glob[at] ?? '')];
    return one !== undefined && other !== undefined && mayOverlap(one, other);
  });
}
