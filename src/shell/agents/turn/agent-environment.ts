// The environment of an agent: an allow-list of variables. A step's own command sees more; an agent may send everything
// that it sees to its provider.
import type { AgentVariable } from '../../../core/plan/plan.ts';

/** Variables that any program needs for user, language and proxy; and the environment tags. */
const FOR_ALL: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TERM',
  'COLORTERM',
  'NO_COLOR',
  'TMPDIR',
  'XDG_*',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'HEDDLE_*',
];

export type NamedVariables =
  | { readonly type: 'named'; readonly environment: Readonly<Record<string, string>> }
  /** Variables that the plan requires and that are not set. */
  | { readonly type: 'missing'; readonly names: readonly string[] };

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

/** The variables that the plan names for an agent: values from the environment, and texts that contain such values. */
export function namedEnvironment(
  env: readonly AgentVariable[],
  environment: Readonly<Record<string, string>>,
): NamedVariables {
  const missing = new Set<string>();
  const valueOf = (name: string): string => {
    const value = environment[name];
    if (value === undefined) missing.add(name);
    return value ?? '';
  };
  const entries = env.map(({ name, value }) => [
    name,
    value === undefined ? valueOf(name) : value.replaceAll(REFERENCE, (_, inner: string) => valueOf(inner)),
  ]);
  if (missing.size > 0) return { type: 'missing', names: [...missing] };
  return { type: 'named', environment: Object.fromEntries(entries) };
}

export function allowedEnvironment(
  environment: Readonly<Record<string, string>>,
  own: readonly string[],
): Readonly<Record<string, string>> {
  const isAllowed = nameTest([...FOR_ALL, ...own]);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isAllowed(name)));
}

function nameTest(patterns: readonly string[]): (name: string) => boolean {
  const names = new Set(patterns.filter((pattern) => !pattern.endsWith('*')));
  const beginnings = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.slice(0, -1));
  return (name) => names.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}
