// Parses the time of a retry from prose: `try again at 11:42 PM`, `try again at Nov 20th, 2026 3:04 PM`, in the time
// zone of this machine.

const WORDS =
  /try again (?:at|in) (?:([A-Z][a-z]{2,8}) (\d{1,2})(?:st|nd|rd|th)?,? (\d{4}),? )?(\d{1,2}):(\d{2}) ?([AP]M)/;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A time of day that passed longer ago than this is tomorrow's; otherwise it has just passed. */
const JUST_PASSED_MS = DAY_MS / 2;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const NOON = 12;

/** Milliseconds since the epoch; undefined when no time is named. The result is the end of the named minute. */
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
