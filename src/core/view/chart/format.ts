// Durations, money and counts as short text, rounded once, the same everywhere.

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** A larger number is meaningless, and would not fit its column. */
const DAYS_MAX = 99_999;

const two = (value: number): string => String(value).padStart(2, '0');

/** `420ms`, `4.2s`, `42s`, `5m 30s`, `1h 05m`, `2d 03h`, `120d`. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return '–';
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms === 0) return '0s';
  if (Math.round(ms) < SECOND) return ms < 1 ? '<1ms' : `${Math.round(ms)}ms`;
  const tenths = Math.round(ms / 100);
  if (tenths < 100) return `${tenths / 10}s`;
  const seconds = Math.round(ms / SECOND);
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return pair(seconds, 60, ['m', 's']);
  const minutes = Math.round(ms / MINUTE);
  if (minutes < 24 * 60) return pair(minutes, 60, ['h', 'm']);
  const hours = Math.round(ms / HOUR);
  if (hours < 100 * 24) return pair(hours, 24, ['d', 'h']);
  const days = Math.round(hours / 24);
  return days < DAYS_MAX ? `${days}d` : `>${DAYS_MAX}d`;
}

/** A time on an axis: like a duration, without parts that are zero. */
export function formatMoment(ms: number): string {
  return formatDuration(ms).replace(/ 00[a-z]$/u, '');
}

/** Two whole parts of a value, such as `['h', 'm']` with sixty to one. */
function pair(value: number, base: number, [large, small]: readonly [string, string]): string {
  return `${Math.floor(value / base)}${large} ${two(value % base)}${small}`;
}

/** `$0.42`, `$1,234.50`, `<$0.01`. */
export function formatMoney(usd: number): string {
  if (!Number.isFinite(usd)) return '–';
  if (usd < 0) return `-${formatMoney(-usd)}`;
  if (usd > 0 && usd < 0.01) return '<$0.01';
  const [whole = '0', cents = '00'] = usd.toFixed(2).split('.');
  return `$${whole.replace(/\B(?=(?:\d{3})+$)/gu, ',')}.${cents}`;
}

const STEPS = [
  { from: 1e9, sign: 'G' },
  { from: 1e6, sign: 'M' },
  { from: 1e3, sign: 'k' },
] as const;

/** `999`, `1.2k`, `35k`, `1.2M`. */
export function formatCount(count: number): string {
  if (!Number.isFinite(count)) return '–';
  if (count < 0) return `-${formatCount(-count)}`;
  const rounded = Number(count.toPrecision(count < 1000 ? 3 : 2 + (Math.log10(count) % 3 >= 2 ? 1 : 0)));
  for (const { from, sign } of STEPS) if (rounded >= from) return `${Number((rounded / from).toPrecision(3))}${sign}`;
  return String(rounded);
}
