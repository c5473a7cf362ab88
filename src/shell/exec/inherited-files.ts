// Files that the starter of this process left open for it.
//
// Limit: only Linux says which they are. When another system isolates sandboxes, ask it in its own way.
import { closeSync, readdirSync, readFileSync } from 'node:fs';

/** Node itself keeps what it inherited below this from the programs that it starts. */
const PASSED_ON_FROM = 16;
/** Of a descriptor that no program inherits, as all are that Node opens. */
const CLOSES_BY_ITSELF = 0o2000000;

/** Closes them, so that the programs that are started from here do not have them. */
export function closeInheritedFiles(): void {
  for (const descriptor of openDescriptors()) {
    if (descriptor < PASSED_ON_FROM || (flagsOf(descriptor) & CLOSES_BY_ITSELF) !== 0) continue;
    try {
      closeSync(descriptor);
    } catch {
      // It was closed meanwhile.
    }
  }
}

function openDescriptors(): readonly number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    return [];
  }
}

/** Of one that is gone it says that it closes by itself. */
function flagsOf(descriptor: number): number {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1];
    return flags === undefined ? CLOSES_BY_ITSELF : Number.parseInt(flags, 8);
  } catch {
    return CLOSES_BY_ITSELF;
  }
}
