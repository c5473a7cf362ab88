// The address of PostgreSQL, with the name of a project: each project has a schema of its own.
//
// postgres-address/H1. Projects share nothing but the database: not tables, not functions, not numbers, so nothing of one is
//     ever found by another, and a role can be given one of them alone.
import { EngineError } from './engine-error.ts';

export interface PostgresAddress {
  /** Without the project, which PostgreSQL does not know. */
  readonly address: string;
  readonly schema: string;
}

const DEFAULT_PROJECT = 'heddle';
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function postgresAddress(url: string): PostgresAddress {
  const [before = '', query] = url.split('?', 2);
  const settings = (query ?? '').split('&').filter(Boolean);
  const named = settings.find((each) => each.startsWith('project='));
  const project = named?.slice('project='.length) ?? DEFAULT_PROJECT;
  if (!NAME.test(project))
    throw new EngineError('refused', 'the name of a project has up to 40 of a-z, 0-9 and -, as in ?project=shop');
  const others = settings.filter((each) => each !== named);
  return {
    address: others.length === 0 ? before : `${before}?${others.join('&')}`,
    schema: project === DEFAULT_PROJECT ? DEFAULT_PROJECT : `${DEFAULT_PROJECT}-${project}`,
  };
}
