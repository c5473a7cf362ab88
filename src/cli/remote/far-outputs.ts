// Files that a command at a server writes for the person here.
//
// far-outputs/O1. Only a file that the command line itself names as an output is written.
import { closeSync, openSync, writeSync } from 'node:fs';
import type { CommandFrame } from '../../core/protocol/remote-command.ts';
import { CommandFailure } from '../terminal/exit-code.ts';

export interface FarOutputs {
  readonly write: (piece: Extract<CommandFrame, { type: 'file' }>) => void;
  readonly close: () => void;
}

export function openFarOutputs(allowed: readonly string[]): FarOutputs {
  const open = new Map<string, number>();
  return {
    write: ({ name, text, isFirst }) => {
      if (!allowed.includes(name)) throw new CommandFailure(`The server sent a file that nobody asked for, ${name}.`);
      try {
        if (isFirst && !open.has(name)) open.set(name, openSync(name, 'w'));
        const file = open.get(name);
        if (file !== undefined) writeSync(file, text);
      } catch (cause) {
        const message = cause instanceof Error ? cause.message : String(cause);
        throw new CommandFailure(`${name} could not be written: ${message}. Choose another place.`, { cause });
      }
    },
    close: () => {
      for (const file of open.values()) closeSync(file);
    },
  };
}
