/** Made when it is first asked for and kept: what takes time to make, and what most starts of the program never need. */
export function onceAsked<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
