// Why the files of a tree could not be listed: a code, with the facts that a person needs.

export type SurveyRefusal =
  | { readonly code: 'place-missing'; readonly place: string }
  /** The folder is inside a repository that git does not read. */
  | { readonly code: 'repository-unreadable'; readonly folder: string }
  | { readonly code: 'outside-repository'; readonly place: string; readonly repository: string }
  /** Several places, none of them in a repository, and not all below the current folder. */
  | { readonly code: 'several-places-outside' }
  | { readonly code: 'too-many-files'; readonly files: number; readonly filesMax: number };
