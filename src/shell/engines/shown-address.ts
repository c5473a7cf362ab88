/** The address of an engine for people: without user, password and settings, but with the name of the project. */
export const shownAddress = (url: string): string => {
  const shown = url.replace(/^([a-z]+:\/\/)[^/?#]*@/, '$1').replace(/[?#].*$/, '');
  const [, project] = /[?&](project=[a-z0-9-]+)/.exec(url) ?? [];
  return project === undefined ? shown : `${shown}?${project}`;
};
