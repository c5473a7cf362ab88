// Where the files lie that come with the program: built or not, this one is two folders deep.
import { fileURLToPath } from 'node:url';

export const PACKAGE_ROOT = fileURLToPath(new URL('../../', import.meta.url));
