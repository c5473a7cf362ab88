// When to try again, from words for people: `try again at 11:42 PM`, `try again at Nov 20th, 2026 3:04 PM`, in the zone of
// this machine.

const WORDS =
  /try again (?:at|in) (?:([A-Z][a-z]{2,8}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)/;
const DAY_MS = 86_400_000;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const NOON = 12;

/** Milliseconds since the epoch; undefined when no time is named. A time without a day is the next one. */
export function timeIn(message: string, now: number): number | undefined {
  const [, month, day, year, hour = '', minute = '', half] = WORDS.exec(message) ?? [];
  if (half === undefined) return undefined;
  const hours = (Number(hour) % NOON) + (half === 'PM' ? NOON : 0);
  const at = new Date(now);
  if (month !== undefined) at.setFullYear(Number(year), MONTHS.indexOf(month.slice(0, 3)), Number(day));
  at.setHours(hours, Number(minute), 0, 0);
  const time = at.getTime();
  if (Number.isNaN(time)) return undefined;
  return month === undefined && time <= now ? time + DAY_MS : time;
}
