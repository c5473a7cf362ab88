// What the place of a person is called among sandboxes: for its task, with a mark that no task can have.
const MARK = '@person';

export const placeFor = (task: string): string => `${task}${MARK}`;

export const isOfPerson = (name: string): boolean => name.endsWith(MARK);
