export const linen = '. ';
