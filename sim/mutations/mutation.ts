// A fault to plant in the code: the replacement of one piece of text.
export interface Mutation {
  readonly fault: string;
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  readonly instead: string;
}
