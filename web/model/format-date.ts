// A point of time as the person's country writes it, to the minute.

export const formatDate = (at: number): string =>
  new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
