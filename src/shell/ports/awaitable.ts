// Ports of engines that may be on another machine: every result may have to be awaited. An engine on this machine
// narrows them, so that its callers need not.

export type Awaitable<Value> = Value | Promise<Value>;

/** The same port, on this machine. */
export type Local<Port> = {
  readonly [Name in keyof Port]: Port[Name] extends (...given: infer Given) => infer Value
    ? (...given: Given) => Awaited<Value>
    : Port[Name];
};
