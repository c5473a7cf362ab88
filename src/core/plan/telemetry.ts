// Where the traces of a run go, as a plan or a settings file says it.

export interface TelemetryHeader {
  readonly name: string;
  /** `${NAME}` in it comes from the environment of the coordinator. */
  readonly value: string;
}

/** Where the traces of a run go; what is left out comes from the standard variables of the environment. */
export interface Telemetry {
  /** Nothing is sent, whatever the environment says. */
  readonly isOff: boolean;
  /** `${NAME}` in it comes from the environment of the coordinator. */
  readonly endpoint: string | undefined;
  readonly headers: readonly TelemetryHeader[];
  readonly service: string | undefined;
  /** Prompts and answers are sent as well. */
  readonly content: boolean;
  /** Agents send their own spans into the trace of the run. */
  readonly agents: boolean;
}
