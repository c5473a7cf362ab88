// Every thread of the cloth.
export { linen } from './threads/linen.js';
