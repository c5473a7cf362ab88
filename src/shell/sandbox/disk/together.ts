// Batches concurrent requests, because starting processes is the main cost.

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (cause: unknown) => void;
}

/** Requests during a batch form the next one. `action` answers for each item, in order. */
export function together<Item, Result>(
  action: (items: readonly Item[]) => Promise<readonly Result[]>,
  atOnceMax: number,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isRunning = false;
  const goOn = async (): Promise<void> => {
    while (waiting.length > 0) {
      const some = waiting.splice(0, atOnceMax);
      try {
        const results = await action(some.map(({ item }) => item));
        for (const [index, result] of results.entries()) some[index]?.resolve(result);
      } catch (cause) {
        for (const { reject } of some) reject(cause);
      }
    }
    isRunning = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void goOn());
    });
}
