// Notes about the traces of a run, as sentences.
import type { OtlpError, TelemetryNote, Untaken } from '../../app/telemetry/telemetry-note.ts';

export function telemetryText(note: TelemetryNote): string {
  switch (note.code) {
    case 'telemetry-away':
      return `Traces do not reach ${note.host} (${untakenText(note.why)}). The run goes on. They are sent as soon as it takes them; after the run, heddle trace ${note.run} sends them.`;
    case 'telemetry-left': {
      const why = note.why === undefined ? '' : ` (${untakenText(note.why)})`;
      return `${spansText(note.spans)} of ${note.run} did not reach ${note.host}${why}. heddle trace ${note.run} sends them.`;
    }
    case 'telemetry-dropped': {
      const why = note.why === undefined ? '' : ` (${untakenText(note.why)})`;
      return `${note.host} refused ${spansText(note.spans)}${why}.`;
    }
    case 'telemetry-wrong':
      return `No traces are sent: ${otlpErrorText(note.error)}`;
    case 'telemetry-unreachable':
      return `Agents send no spans of their own: sandboxes do not reach ${note.host}. Add it to sandbox.network.`;
    case 'telemetry-failed':
      return `No more traces are sent: ${note.message}.`;
  }
}

const spansText = (count: number): string => (count === 1 ? '1 span' : `${count} spans`);

export function untakenText(why: Untaken): string {
  switch (why.code) {
    case 'status':
      return `status ${why.status}`;
    case 'timeout':
      return `no answer within ${why.afterMs / 1000} s`;
    case 'network':
      return why.error;
    case 'certificate-file':
      return `the certificate file ${why.file} cannot be read`;
  }
}

export function otlpErrorText(error: OtlpError): string {
  switch (error.code) {
    case 'no-address':
      return 'the address of the collector is none; write http://localhost:4318.';
    case 'unset':
      return `${error.names.join(' and ')} of the environment ${error.names.length === 1 ? 'is' : 'are'} not set, which telemetry names.`;
    case 'protocol':
      return `OTEL_EXPORTER_OTLP_PROTOCOL is ${error.protocol}, and Heddle speaks http/json. Set it to http/json and the endpoint to the HTTP port, usually 4318.`;
  }
}
