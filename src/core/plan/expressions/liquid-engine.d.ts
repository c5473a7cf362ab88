// The part of the Liquid engine that Heddle uses. The browser build is used because it has no file system access. Its
// own declarations are not used because they would bring the types of Node into the core.

declare module 'liquidjs/dist/liquid.browser.mjs' {
  export interface LiquidVariable {
    readonly segments: readonly (string | number | LiquidVariable)[];
    readonly location: { readonly row: number; readonly col: number };
  }

  export type LiquidTemplate = { readonly token: { readonly begin: number; readonly name?: string } };

  export class Liquid {
    constructor(options: {
      readonly strictVariables: boolean;
      readonly strictFilters: boolean;
      readonly ownPropertyOnly: boolean;
      readonly lenientIf: boolean;
      readonly parseLimit: number;
      readonly renderLimit: number;
      readonly memoryLimit: number;
      readonly templates: Readonly<Record<string, string>>;
      readonly outputEscape: (value: unknown) => string;
    });
    readonly filters: Record<string, unknown>;
    readonly tags: Record<string, unknown>;
    parse(text: string): LiquidTemplate[];
    renderSync(templates: readonly LiquidTemplate[], scope: object): unknown;
    analyzeSync(
      templates: readonly LiquidTemplate[],
      options: { readonly partials: boolean },
    ): { readonly globals: Readonly<Record<string, readonly LiquidVariable[]>> };
  }
}
