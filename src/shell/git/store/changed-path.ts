// What differs between two trees, path by path.

export interface ChangedPath {
  readonly path: string;
  readonly change: 'added' | 'deleted' | 'modified' | 'retyped';
  /** Six octal digits as git prints them, `000000` for nothing there. */
  readonly modeFrom: string;
  readonly modeTo: string;
  /** Undefined when there is nothing on that side. */
  readonly blobFrom: string | undefined;
  readonly blobTo: string | undefined;
}
