// What the receiver of a push tells the sender, in git's own format: packets, each with its length in front. Where both
// sides agreed on it, the report travels in a band of its own beside what git prints for people.

const HEAD_LENGTH = 4;
const REPORT_BAND = 1;
const BANDS_MAX = 3;
/** The largest packet of the side band, less its head and the number of its band. */
const BAND_LENGTH_MAX = 65_515;
const END = '0000';

/** The report that one ref was not updated, in the bands that git's own report has. */
export function refusedReport(own: Buffer, ref: string, reason: string): Buffer {
  const report = Buffer.concat([packet('unpack ok\n'), packet(`ng ${ref} ${reason}\n`), Buffer.from(END)]);
  if (!isInBands(own)) return report;
  const whole = packet(Buffer.concat([Buffer.from([REPORT_BAND]), report.subarray(0, BAND_LENGTH_MAX)]));
  return Buffer.concat([whole, Buffer.from(END)]);
}

/** A line of text, or other bytes, as one packet. */
export function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  const head = (bytes.length + HEAD_LENGTH).toString(16).padStart(HEAD_LENGTH, '0');
  return Buffer.concat([Buffer.from(head), bytes]);
}

export const END_OF_PACKETS = Buffer.from(END);

function isInBands(own: Buffer): boolean {
  const band = own[HEAD_LENGTH];
  return band !== undefined && band <= BANDS_MAX;
}
