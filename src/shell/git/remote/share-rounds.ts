// Several callers that want something at once share one round of work: a round takes all that came while the one before
// it was under way.

/** Carries out one round. */
type Work<Want, Failure> = (wants: readonly Want[]) => Promise<Failure | undefined>;

export type Ask<Want, Failure> = (wants: readonly Want[]) => Promise<Failure | undefined>;

interface Round<Want, Failure> {
  readonly wants: Want[];
  readonly callers: { count: number };
  readonly ended: Promise<Failure | undefined>;
}

/** A caller whose shared round failed is tried once more alone, because the failure may be another's. */
export function shareRounds<Want, Failure>(work: Work<Want, Failure>): Ask<Want, Failure> {
  let next: Round<Want, Failure> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const begin = (): Round<Want, Failure> => {
    const wants: Want[] = [];
    const before = last;
    const run = async (): Promise<Failure | undefined> => {
      await before.catch(() => undefined);
      next = undefined;
      return work(wants);
    };
    const round = { wants, callers: { count: 0 }, ended: run() };
    last = round.ended;
    return round;
  };
  const alone = async (wants: readonly Want[]): Promise<Failure | undefined> => {
    const before = last;
    const ended = before.catch(() => undefined).then(async () => work(wants));
    last = ended;
    return ended;
  };
  return async (wants) => {
    next ??= begin();
    const round = next;
    round.wants.push(...wants);
    round.callers.count += 1;
    const failure = await round.ended;
    return failure === undefined || round.callers.count === 1 ? failure : alone(wants);
  };
}
