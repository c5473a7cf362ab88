/** Something the caller must mend before the command can do anything: said in one line, with exit code 2. */
export class Failure extends Error {
  override readonly name = 'Failure';
}
