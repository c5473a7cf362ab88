import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leaseTimes, lookAtLease, type Leased } from './lease-times.ts';

const leased = (heardAt: number, leaseMs = 90_000, graceMs = 5_000): Leased => ({ heardAt, leaseMs, graceMs });
const never = (): undefined => undefined;

describe('the times of a lease', () => {
  test('leave a grace, and a margin after it', () => {
    expect(leaseTimes(leased(1_000))).toEqual({ endAt: 81_000, graceMs: 5_000, overAt: 91_000 });
  });

  test('of a short lease leave half of it for the work', () => {
    expect(leaseTimes(leased(0, 8_000))).toEqual({ endAt: 4_000, graceMs: 2_000, overAt: 8_000 });
  });

  test('are in order for every lease and grace', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1_000, max: 1e9 }), fc.nat(1e6), (heardAt, leaseMs, grace) => {
        const { endAt, graceMs, overAt } = leaseTimes(leased(heardAt, leaseMs, grace));
        expect(endAt).toBeGreaterThanOrEqual(heardAt + leaseMs / 2);
        // Clocks may differ by that much, and killing takes that long.
        expect(overAt - (endAt + graceMs)).toBeGreaterThanOrEqual(Math.min(5_000, leaseMs / 4));
        expect(overAt).toBe(heardAt + leaseMs);
      }),
    );
  });
});

describe('a lease that is looked at', () => {
  test('goes on until it is about to end, and nothing is read before', () => {
    const read = (): never => {
      throw new Error('It was read.');
    };
    expect(lookAtLease(leased(0), 79_999, read)).toEqual({ type: 'going', until: 80_000, heardAt: 0 });
  });

  test('goes on when it was renewed', () => {
    expect(lookAtLease(leased(0), 80_500, () => 60_000)).toEqual({ type: 'going', until: 140_000, heardAt: 60_000 });
  });

  test('is over when it was not, with the grace that is left', () => {
    expect(lookAtLease(leased(0), 80_000, never)).toEqual({ type: 'over', graceMs: 5_000 });
    expect(lookAtLease(leased(0), 83_000, () => 0)).toEqual({ type: 'over', graceMs: 2_000 });
    expect(lookAtLease(leased(0), 88_000, never)).toEqual({ type: 'over', graceMs: 0 });
  });

  test('that ran out unseen is over, though a server has answered since: it has given the slots away meanwhile', () => {
    expect(lookAtLease(leased(0), 90_000, () => 89_999)).toEqual({ type: 'over', graceMs: 0 });
  });

  test('of which nothing is known is over', () => {
    expect(lookAtLease(leased(-Infinity), 5, never)).toEqual({ type: 'over', graceMs: 0 });
  });
});

test('however slow the network is, nothing is alive on the host when the server gives the slots away', () => {
  const delays = fc.nat(60_000);
  fc.assert(
    fc.property(fc.array(fc.record({ pause: delays, there: delays, back: delays })), (messages) => {
      // The clock of the host and that of the server are compared here alone: both say the same.
      let [now, heardByServer, heardAt] = [0, 0, 0];
      for (const { pause, there, back } of messages) {
        const sentAt = now + pause;
        if (lookAtLease(leased(heardAt), sentAt, never).type === 'over') break;
        heardByServer = sentAt + there;
        now = heardByServer + back;
        if (lookAtLease(leased(heardAt), now, never).type === 'over') break;
        heardAt = sentAt;
      }
      const { endAt, graceMs } = leaseTimes(leased(heardAt));
      expect(endAt + graceMs).toBeLessThan(heardByServer + 90_000);
    }),
  );
});
