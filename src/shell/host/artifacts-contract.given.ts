// The contract of artifacts, over any place where they are kept, and the artifacts in memory.
import { describe, expect, test } from 'vitest';
import type { ArtifactRef, Artifacts } from '../ports/artifacts.ts';

/** Where a worker writes the output of one claim, and where it is read. */
export interface OutputPlace {
  readonly artifacts: Artifacts;
  readonly write: (text: string) => void;
  /** A newer part begins. */
  readonly rotate: () => void;
  readonly deleteAll: () => void;
}

export const CLAIM = { work: 'step', task: 'a', step: 'main', attempt: 1 } as const;
export const OUTPUT = { run: 'run-1', claim: CLAIM, name: 'output' } as const;

export function artifactsContract(name: string, given: () => OutputPlace): void {
  const reading = ({ artifacts }: OutputPlace) => ({
    parts: async (of: ArtifactRef = OUTPUT) => await artifacts.parts(of),
    text: async (part: string, from: number, length: number) =>
      Buffer.from(await artifacts.read(OUTPUT, { part, from, length })).toString(),
  });

  describe(name, () => {
    test('nothing that was not written has parts or bytes', async () => {
      const place = given();
      const { parts, text } = reading(place);
      expect(await parts()).toEqual([]);
      expect(await text('1:1', 0, 10)).toBe('');
      place.deleteAll();
      expect(await parts({ ...OUTPUT, name: 'turn' })).toEqual([]);
    });

    test('a range of a part is read, and no more than there is', async () => {
      const place = given();
      const { parts, text } = reading(place);
      place.write('one two three');
      const [part] = await parts();
      expect(part?.bytes).toBe(13);
      expect(await text(part?.id ?? '', 4, 3)).toBe('two');
      expect(await text(part?.id ?? '', 8, 100)).toBe('three');
    });

    test('a part keeps its id when a newer one begins, and comes before it', async () => {
      const place = given();
      const { parts, text } = reading(place);
      place.write('old');
      const [old] = await parts();
      place.rotate();
      place.write('new');
      const now = await parts();
      expect(await Promise.all(now.map(({ id }) => text(id, 0, 10)))).toEqual(['old', 'new']);
      expect(now[0]?.id).toBe(old?.id);
    });

    test('output that was deleted is gone, and reading it is no error', async () => {
      const place = given();
      const { parts, text } = reading(place);
      place.write('gone');
      const [part] = await parts();
      place.deleteAll();
      expect(await parts()).toEqual([]);
      expect(await text(part?.id ?? '', 0, 4)).toBe('');
    });
  });
}

/** Kept on another machine, so everything is awaited. */
export function memoryOutput(): OutputPlace {
  const parts: { readonly id: string; text: string }[] = [];
  let written = 0;
  const isOutput = ({ run, claim, name }: ArtifactRef): boolean =>
    run === OUTPUT.run && claim.task === CLAIM.task && name === OUTPUT.name;
  return {
    artifacts: {
      parts: async (of) =>
        await Promise.resolve(
          isOutput(of) ? parts.map(({ id, text }) => ({ id, bytes: Buffer.byteLength(text), changedAt: 1 })) : [],
        ),
      read: async (_, { part, from, length }) => {
        const found = parts.find(({ id }) => id === part)?.text ?? '';
        return await Promise.resolve(new Uint8Array(Buffer.from(found).subarray(from, from + length)));
      },
    },
    write: (text) => {
      const last = parts.at(-1);
      if (last === undefined || last.id !== `part-${written}`) parts.push({ id: `part-${written}`, text });
      else last.text += text;
    },
    rotate: () => {
      written += 1;
    },
    deleteAll: () => void parts.splice(0),
  };
}
