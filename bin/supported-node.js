// The one list of Nodes that Heddle runs on, in words a launcher without dependencies can use.
// `engines` in package.json says the same; a test compares the two.

/**
 * Whether a Node version such as "24.21.0" is one that Heddle runs on.
 * @param {string} version
 */
export function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return (major === 24 && minor >= 16) || (major === 26 && minor >= 1) || major > 26;
}
