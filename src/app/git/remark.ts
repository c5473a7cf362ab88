/** One thing that a doctor found, good or bad, with what to do about it. */
export interface Remark {
  readonly about: 'git' | 'trees' | 'isolation' | 'agents' | 'store' | 'runs' | 'workers' | 'left over' | 'disk';
  /** `bad` keeps runs from going well; `odd` wants a look; what is `absent` is no loss. */
  readonly is: 'good' | 'absent' | 'odd' | 'bad';
  readonly says: string;
  /** What to do, when there is something to do. */
  readonly remedy: string | undefined;
}

export const good = (about: Remark['about'], says: string): Remark => ({ about, is: 'good', says, remedy: undefined });

export const absent = (about: Remark['about'], says: string): Remark => ({ ...good(about, says), is: 'absent' });
