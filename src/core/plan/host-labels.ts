// Labels of hosts: what a plan asks for with `on`, and what a host says that it has.

export const LABEL_PATTERN = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$';
/** The most labels in one `on`, and of one host. */
export const LABELS_MAX = 16;

/** The labels of both, each once; the very same list where the second adds nothing, so that large plans share it. */
export function joinLabels(
  around: readonly string[] | undefined,
  own: readonly string[] | undefined,
): readonly string[] | undefined {
  const added = (own ?? []).filter((label) => around?.includes(label) !== true);
  return added.length === 0 ? around : [...(around ?? []), ...added];
}

/** The labels that are not among those around. */
export const ownLabels = (
  all: readonly string[] | undefined,
  around: readonly string[] | undefined,
): readonly string[] => (all ?? []).filter((label) => around?.includes(label) !== true);
