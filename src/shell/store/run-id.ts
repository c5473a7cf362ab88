// Names of runs, safe as file names and as branch names on every system.
const ID_CHARACTERS_MAX = 64;
/** Room for the dash and a number that nobody will reach. */
const NUMBER_CHARACTERS_MAX = 11;

/** The plan's name in small letters, digits and dashes. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const dashed = plain.replaceAll(/[^a-z\d]+/g, '-').slice(0, ID_CHARACTERS_MAX - NUMBER_CHARACTERS_MAX);
  const slug = dashed.replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'run' : slug;
}

export const runId = (slug: string, number: number): string => `${slug}-${number}`;
