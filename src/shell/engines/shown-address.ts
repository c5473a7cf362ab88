/** The address of an engine for people: without user, password and settings. */
export const shownAddress = (url: string): string => url.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/, '');
