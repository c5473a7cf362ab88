// When to try again, from words for people: `try again at 11:42 PM`, `try again at Nov 20th, 2026 3:04 PM`, in the zone of
// this machine.

const WORDS =
  /try again (?:at|in) (?:([A-Z][a-z]{2,8}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A time without a day that is this long over is tomorrow's; one that is over for less has just passed. */
const JUST_PASSED_MS = DAY_MS / 2;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const NOON = 12;

/** Milliseconds since the epoch; undefined when no time is named. A minute is named, so it is the end of that minute. */
export function timeIn(message: string, now: number): number | undefined {
  const [, month, day, year, hour = '', minute = '', half] = WORDS.exec(message) ?? [];
  if (half === undefined) return undefined;
  const hours = (Number(hour) % NOON) + (half === 'PM' ? NOON : 0);
  const at = new Date(now);
  if (month !== undefined && !MONTHS.includes(month.slice(0, 3))) return undefined;
  if (month !== undefined) at.setFullYear(Number(year), MONTHS.indexOf(month.slice(0, 3)), Number(day));
  at.setHours(hours, Number(minute), 0, 0);
  const time = at.getTime() + MINUTE_MS;
  return month === undefined && time <= now - JUST_PASSED_MS ? time + DAY_MS : time;
}
