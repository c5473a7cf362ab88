// Limits on the size of a plan file. Each limit has a diagnostic of its own that names it.

/** In UTF-16 units, near enough to bytes for ordinary texts. */
export const TEXT_LENGTH_MAX = 32 * 1024 * 1024;
export const DEPTH_MAX = 64;
export const ALIASES_MAX = 10_000;
/** Nodes that aliases and merge keys add to the written ones. */
export const EXPANDED_NODES_MAX = 1_000_000;
export const TASKS_MAX = 200_000;
export const TASK_DEPTH_MAX = 16;
/** The number of unquoted templates to skip in a text that is not YAML because of them. */
export const REPAIRS_MAX = 20;
/** The number of characters to read again for such repairs. */
export const REPAIR_WORK_MAX = 16_000_000;
/** Per severity; nobody reads more, and a large file can have millions. */
export const DIAGNOSTICS_MAX = 10_000;
