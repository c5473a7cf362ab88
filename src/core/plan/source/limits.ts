// How large a plan file may be. Each limit has a diagnostic of its own that names it.

/** UTF-16 units, near enough to bytes for the texts people write. */
export const TEXT_LENGTH_MAX = 32 * 1024 * 1024;
export const DEPTH_MAX = 64;
export const ALIASES_MAX = 10_000;
/** Nodes that aliases and merge keys add to those written. */
export const EXPANDED_NODES_MAX = 1_000_000;
export const TASKS_MAX = 200_000;
export const TASK_DEPTH_MAX = 16;
/** Unquoted templates that are stepped over in a text that is not YAML because of them. */
export const REPAIRS_MAX = 20;
/** Characters that may be read again for the sake of such repairs. */
export const REPAIR_WORK_MAX = 16_000_000;
/** Of each severity; nobody reads more, and a large file can have millions. */
export const DIAGNOSTICS_MAX = 10_000;
