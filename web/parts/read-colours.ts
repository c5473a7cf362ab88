// Colours of the style sheet as a canvas takes them: resolved for the theme that is shown.

/** By name: the value of a custom property where the element stands. */
export function readColours<Name extends string>(
  around: HTMLElement,
  properties: Readonly<Record<Name, string>>,
): Readonly<Record<Name, string>> {
  // A custom property with `light-dark()` is resolved only where it is used as a colour.
  const probe = document.createElement('span');
  probe.hidden = true;
  (around.parentElement ?? document.body).append(probe);
  // Every name of the properties is in the result.
  const colours = {} as Record<Name, string>;
  for (const name in properties) {
    probe.style.color = `var(${properties[name]})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return colours;
}
