// A process group, ended as a whole.
//
// exec/G1. Ending is: SIGTERM or SIGINT, wait for the grace, SIGKILL. A second request can shorten the wait and never lengthens
//     it.
// exec/G2. A group has ended only when none of its members is alive, whichever exited first.
import { setTimeout } from 'node:timers/promises';
import { hasLivingMember, signalGroup } from './process.ts';

/** Grace for processes that the leader left behind when it exited by itself. */
const LEFTOVER_GRACE_MS = 1000;
/** How long to wait for killed processes to disappear; a process that takes longer is blocked inside the kernel. */
const KILLED_WAIT_MS = 5000;
const POLL_FIRST_MS = 1;
const POLL_MAX_MS = 50;
/** The longest that a timer can wait. */
const TIMER_MAX_MS = 2 ** 31 - 1;

export class ProcessGroup {
  readonly #id: number;
  readonly #endSignal: 'SIGTERM' | 'SIGINT';
  #killAt: number | undefined;
  #isKilled = false;
  #waiting: AbortController | undefined;

  /** `id` is the pid of the group's leader. */
  constructor(id: number, endSignal: 'SIGTERM' | 'SIGINT' = 'SIGTERM') {
    this.#id = id;
    this.#endSignal = endSignal;
  }

  end(graceMs: number): void {
    const killAt = performance.now() + graceMs;
    const isFirst = this.#killAt === undefined;
    if (this.#killAt !== undefined && this.#killAt <= killAt) return;
    this.#killAt = killAt;
    this.#waiting?.abort();
    if (graceMs <= 0) {
      this.kill();
      return;
    }
    if (isFirst) this.#ask();
    void this.#killAfter(graceMs);
  }

  kill(): void {
    this.#isKilled = true;
    signalGroup(this.#id, 'SIGKILL');
  }

  /**
   * Ends the leader's leftover processes; false when one of them could not be ended. Called once the leader has exited.
   */
  async emptied(): Promise<boolean> {
    let waitMs = POLL_FIRST_MS;
    let killedAt: number | undefined;
    while (this.#hasMembers(waitMs)) {
      if (this.#killAt === undefined) this.end(LEFTOVER_GRACE_MS);
      if (this.#isKilled) killedAt ??= performance.now();
      if (killedAt !== undefined && performance.now() - killedAt > KILLED_WAIT_MS) return false;
      await setTimeout(waitMs);
      waitMs = Math.min(2 * waitMs, POLL_MAX_MS);
    }
    this.#waiting?.abort();
    return true;
  }

  /** The system still counts zombies as members, so after a while each member is examined. */
  #hasMembers(waitedMs: number): boolean {
    if (!signalGroup(this.#id, 0)) return false;
    return waitedMs < POLL_MAX_MS || hasLivingMember(this.#id);
  }

  #ask(): void {
    signalGroup(this.#id, this.#endSignal);
    // A suspended process handles no other signal before SIGCONT.
    signalGroup(this.#id, 'SIGCONT');
  }

  async #killAfter(graceMs: number): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    const isOver = await setTimeout(Math.min(graceMs, TIMER_MAX_MS), true, { signal: waiting.signal }).catch(
      () => false,
    );
    if (isOver) this.kill();
  }
}
