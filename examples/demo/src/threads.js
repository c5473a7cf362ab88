// Every thread of the cloth: the plain one, and those that have a file of their own.
export const plainThread = '. ';
